//! The feed of changes says every value as it was sent.

use std::sync::{Arc, Mutex};

use lms_sync::{
    changes::{Change, Changes, FieldChange, Position},
    collection,
};

use super::{Json, Kind, PageServer, Pages, Trouble, all_values, check_row, run};

/// Courses with all values in columns of each kind. Each has the values that the course before it has in the round before.
fn courses(round: usize) -> Vec<String> {
    // In a column of numbers, SQLite writes it as 4.9406564584124654e-324, which is the same number.
    let mut values = all_values();
    values.retain(|value| value != "5e-324");
    let value = |course: usize| &values[(course + round) % values.len()];
    let course = |course| {
        format!(
            r#"{{"id":"x{course}","name":{0},"created":{0},"display_priority":{0},"pass_mark":{0},"unknown":{0}}}"#,
            value(course)
        )
    };
    (0..values.len()).map(course).collect()
}

async fn mirror(courses: &[String], folder: &std::path::Path) {
    let pages = Pages {
        collection: "courses",
        pages: vec![courses.to_vec()],
    };
    let server = PageServer(Arc::new((pages, Mutex::new(Trouble::None))));
    let (complete, why) = run(&server, Kind::Sqlite, folder).await;
    assert!(complete, "{why}");
}

#[tokio::test]
async fn no_value_fails_the_feed_or_is_rounded_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let of = collection("courses").unwrap();
    // The first run of a mirror fills it without changes.
    mirror(&[], folder.path()).await;
    for round in 0..2 {
        mirror(&courses(round), folder.path()).await;
    }
    let changes = Changes::sqlite(folder.path().join("mirror.db")).unwrap();
    let changes = changes.since(&Position::START, 1000).await.unwrap();
    let count = courses(0).len();
    let (added, changed) = changes.split_at(count);
    assert_eq!(changed.len(), count);
    let sent = |round: usize, change: &Change| {
        let id = Json::read(change.key.get()).field("id").cloned();
        let items = courses(round).into_iter().map(|course| Json::read(&course));
        let mut items = items.filter(|item| item.field("id") == id.as_ref());
        items.next().unwrap()
    };
    for (add, change) in added.iter().zip(changed) {
        assert_eq!(add.key, change.key);
        let mut row = Json::read(add.row.as_ref().unwrap().get());
        check_row(of, &sent(0, add), &row);
        for (name, FieldChange { old, new, .. }) in change.fields.as_ref().unwrap() {
            assert_eq!(Some(&Json::read(old.get())), row.field(name));
            row.set(name, Json::read(new.get()));
        }
        check_row(of, &sent(1, change), &row);
    }
    // A program can store a change, and read it again.
    let stored = serde_json::to_string(&changes).unwrap();
    assert!(stored.contains("1e400") && stored.contains(r"\ud800"));
    let read: Vec<Change> = serde_json::from_str(&stored).unwrap();
    assert_eq!(read, changes);
}
