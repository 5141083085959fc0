//! Mirrors in SQLite.

use std::{
    fs,
    path::{Path, PathBuf},
};

use lms_ext::{Lms, prelude::*};
use lms_sandbox::{Sandbox, Seed, json};
use lms_sync::{
    ColumnKind, Error, ErrorKind, Export, Outcome, RunSummary, Value,
    changes::Changes,
    collections,
    mirror::{Deletes, Mirror, MirrorPolicy, Query},
    sink::sqlite::SqliteSink,
};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::{client, demo, destination::table};

/// All lists, in the order of the document.
pub fn lists() -> Vec<&'static str> {
    let lists = collections()
        .iter()
        .filter(|collection| !collection.is_derived());
    lists.map(|collection| collection.name).collect()
}

/// Mirrors collections into a file.
pub async fn mirror(lms: &Lms, path: &Path, names: &[&str]) -> Result<RunSummary, Error> {
    mirror_with(lms, SqliteSink::new(path), names).await
}

async fn mirror_with(lms: &Lms, sink: SqliteSink, names: &[&str]) -> Result<RunSummary, Error> {
    let export = Export::new(lms).collections(names.iter().copied())?;
    export.page_size(20).run(sink).await
}

/// A tenant, and a mirror of it in a file.
pub struct Mirrored {
    pub sandbox: Sandbox,
    pub lms: Lms,
    pub path: PathBuf,
    folder: TempDir,
}

impl Mirrored {
    pub async fn demo() -> Self {
        Self::of(demo().await)
    }

    async fn empty() -> Self {
        Self::of(Sandbox::builder().start().await.unwrap())
    }

    fn of(sandbox: Sandbox) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            lms: client(&sandbox),
            sandbox,
            path: folder.path().join("mirror.db"),
            folder,
        }
    }

    pub fn seed(&self) -> Seed<'_> {
        self.sandbox.seed()
    }

    pub fn sink(&self) -> SqliteSink {
        SqliteSink::new(&self.path)
    }

    pub fn mirror(&self) -> Mirror {
        Mirror::sqlite(&self.path)
    }

    pub fn changes(&self) -> Changes {
        Changes::sqlite(&self.path).unwrap()
    }

    /// Mirrors collections, which are complete then.
    pub async fn run(&self, names: &[&str]) -> Vec<Outcome> {
        let summary = mirror(&self.lms, &self.path, names).await.unwrap();
        assert!(summary.is_complete(), "{summary:?}");
        summary.collections
    }

    pub fn execute(&self, sql: &str) {
        let connection = Connection::open(&self.path).unwrap();
        connection.execute_batch(sql).unwrap();
    }

    pub fn number(&self, sql: &str) -> i64 {
        number(&self.path, sql)
    }

    pub fn texts(&self, sql: &str) -> Vec<String> {
        texts(&self.path, sql)
    }

    pub fn written(&self, name: &str) -> [i64; 4] {
        written(&self.path, name)
    }

    /// Asserts that the mirror has exactly the rows of a new one.
    async fn assert_current(&self, names: &[&str]) {
        let fresh = self.folder.path().join("fresh.db");
        _ = mirror(&self.lms, &fresh, names).await.unwrap();
        for name in names {
            assert_eq!(table(&self.path, name), table(&fresh, name), "{name}");
        }
        for verified in self.mirror().verify().unwrap() {
            assert_eq!(verified.problems, [""; 0], "{:?}", verified.record);
        }
    }
}

pub fn number(path: &Path, sql: &str) -> i64 {
    let connection = Connection::open(path).unwrap();
    connection.query_row(sql, (), |row| row.get(0)).unwrap()
}

pub fn texts(path: &Path, sql: &str) -> Vec<String> {
    let connection = Connection::open(path).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let texts = statement.query_map((), |row| row.get(0)).unwrap();
    texts.map(Result::unwrap).collect()
}

/// Rows that the last run wrote into a collection: inserted, updated, deleted, unchanged.
pub fn written(path: &Path, name: &str) -> [i64; 4] {
    let status = Mirror::sqlite(path).status().unwrap();
    let status = status
        .into_iter()
        .find(|status| status.record.collection == name)
        .unwrap();
    let written = status.written.unwrap();
    [
        written.inserted,
        written.updated,
        written.deleted,
        written.unchanged,
    ]
    .map(|count| i64::try_from(count).unwrap())
}

pub fn learner(number: u32) -> serde_json::Value {
    json!({ "firstname": "Ann", "surname": format!("New {number}"), "email": format!("new{number}@acme.example") })
}

#[tokio::test]
async fn every_list_is_a_table_with_typed_columns() {
    let at = Mirrored::demo().await;
    for outcome in &at.run(&lists()).await {
        let name = outcome.collection.name;
        let rows = i64::try_from(outcome.record.rows).unwrap();
        assert_eq!(at.number(&format!("SELECT count(*) FROM {name}")), rows);
        assert_eq!(at.written(name), [rows, 0, 0, 0]);
        let statuses = at.mirror().status().unwrap();
        assert!(
            statuses
                .iter()
                .any(|status| status.record == outcome.record)
        );
        let sql =
            format!("SELECT group_concat(name) FROM pragma_table_info('{name}') WHERE pk > 0");
        assert_eq!(at.texts(&sql), [outcome.collection.key.join(",")]);
    }
    let verified = at.mirror().verify().unwrap();
    assert_eq!(verified.len(), lists().len());
    assert!(
        verified.iter().all(|verified| verified.problems.is_empty()),
        "{verified:?}"
    );
    let sql =
        "SELECT DISTINCT typeof(published) || typeof(created_utc) || typeof(name) FROM courses";
    assert_eq!(at.texts(sql), ["integertexttext"]);
    assert_eq!(
        at.number(
            "SELECT count(*) FROM learners WHERE json_array_length(tags) > 0 AND json_valid(tags)"
        )
        .signum(),
        1
    );
    assert_eq!(at.number("SELECT count(*) FROM _lms_changes"), 0);
}

#[tokio::test]
async fn a_second_run_on_an_unchanged_tenant_writes_no_row() {
    let at = Mirrored::demo().await;
    let names = ["learners", "enrolments", "topic_progress"];
    at.run(&names).await;
    // A value that is replaced if the row is written again.
    for name in names {
        at.execute(&format!("UPDATE {name} SET _extra = '[\"kept\"]'"));
    }
    for outcome in &at.run(&names).await {
        let (name, rows) = (
            outcome.collection.name,
            i64::try_from(outcome.record.rows).unwrap(),
        );
        assert_eq!(at.written(name), [0, 0, 0, rows]);
        assert_eq!(
            at.number(&format!(
                "SELECT count(*) FROM {name} WHERE _extra = '[\"kept\"]'"
            )),
            rows
        );
    }
    assert_eq!(at.number("SELECT count(*) FROM _lms_changes"), 0);
    assert_eq!(at.number("SELECT count(*) FROM _lms_seen"), 0);
    let problems = &at.mirror().verify().unwrap()[0].problems;
    assert!(
        problems.len() == 2 && problems[0].contains("hash"),
        "{problems:?}"
    );
}

#[tokio::test]
async fn a_difference_is_applied_and_appended_to_the_feed() {
    let at = Mirrored::demo().await;
    let names = ["learners", "courses", "enrolments", "course_completions"];
    let gone = at.seed().add_learner(&learner(1)).unwrap();
    let changed = at.seed().add_learner(&learner(2)).unwrap();
    at.run(&names).await;

    let added = at.seed().add_learner(&learner(3)).unwrap();
    let course = at.seed().add_course("Lifting").unwrap();
    at.seed().enrol(&added, &course).unwrap();
    at.seed().complete_course(&added, &course).unwrap();
    at.lms
        .update_learner(&changed, |learner| learner.surname = "Jones".into())
        .await
        .unwrap();
    at.lms.delete_learner(&gone).call().await.unwrap();
    at.run(&names).await;

    at.assert_current(&names).await;
    let [inserted, updated, deleted, unchanged] = at.written("learners");
    assert_eq!([inserted, updated, deleted], [1, 1, 1]);
    assert_eq!(unchanged, at.number("SELECT count(*) - 2 FROM learners"));
    let events = at.texts("SELECT event || ' ' || (key ->> 'id') FROM _lms_changes WHERE collection = 'learners' ORDER BY sequence",
    );
    assert_eq!(
        events,
        [
            format!("learner.added {added}"),
            format!("learner.changed {changed}"),
            format!("learner.removed {gone}")
        ]
    );
    let events = at.texts("SELECT DISTINCT event FROM _lms_changes ORDER BY sequence");
    assert_eq!(
        events,
        [
            "course.added",
            "learner.added",
            "learner.changed",
            "learner.removed",
            "enrolment.added",
            "course_completion.added"
        ]
    );
}

#[tokio::test]
async fn too_many_deletes_are_refused_until_they_are_allowed() {
    let at = Mirrored::empty().await;
    let ids: Vec<String> = (0..20)
        .map(|number| at.seed().add_learner(&learner(number)).unwrap())
        .collect();
    at.seed().add_tag("red", None).unwrap();
    at.run(&["learners", "tags"]).await;
    let before = table(&at.path, "learners");
    for id in &ids[..3] {
        at.lms.delete_learner(id).call().await.unwrap();
    }
    at.seed().add_tag("blue", None).unwrap();
    let strict = || at.sink().policy(MirrorPolicy::default().max_delete_rows(2));
    for _ in 0..2 {
        let summary = mirror_with(&at.lms, strict(), &["learners", "tags"])
            .await
            .unwrap();
        let error = summary.collections[0].error.as_ref().unwrap();
        assert_eq!(error.kind(), ErrorKind::TooManyDeletes);
        assert!(
            error.to_string().starts_with("3 of 20 learners (15.0 %)"),
            "{error}"
        );
        assert!(!summary.collections[0].record.is_complete());
        assert_eq!(table(&at.path, "learners"), before);
        assert_eq!(at.number("SELECT count(*) FROM tags"), 2);
    }
    assert_eq!(
        at.number("SELECT count(*) FROM _lms_changes WHERE collection = 'learners'"),
        0
    );
    // The next run reads the list again.
    at.seed().add_learner(&learner(30)).unwrap();
    let policy = MirrorPolicy::default().max_delete_rows(2);
    let sink = at
        .sink()
        .policy(policy.max_delete_share_of("learners", 0.15));
    assert!(
        mirror_with(&at.lms, sink, &["learners", "tags"])
            .await
            .unwrap()
            .is_complete()
    );
    at.assert_current(&["learners", "tags"]).await;
    assert_eq!(at.written("learners"), [1, 0, 3, 17]);
}

#[tokio::test]
async fn deleted_rows_can_be_marked_and_come_back() {
    let at = Mirrored::demo().await;
    let sink = || {
        at.sink()
            .policy(MirrorPolicy::default().deletes(Deletes::Mark))
    };
    _ = mirror_with(&at.lms, sink(), &["enrolments"]).await.unwrap();
    let rows = at.number("SELECT count(*) FROM enrolments");
    let [user, course] = ["user", "course"].map(|column| {
        at.texts(&format!(
            "SELECT \"{column}\" FROM enrolments ORDER BY id LIMIT 1"
        ))
        .remove(0)
    });
    at.lms
        .unenrol(EnrolmentScope::learner_in_course(&user, &course))
        .await
        .unwrap();
    // The second list that lacks the row is its witness.
    for (deleted, marked) in [(0, 0), (1, 1), (0, 1)] {
        _ = mirror_with(&at.lms, sink(), &["enrolments"]).await.unwrap();
        assert_eq!(at.written("enrolments"), [0, 0, deleted, rows - 1]);
        assert_eq!(at.number("SELECT count(*) FROM enrolments"), rows);
        assert_eq!(
            at.number("SELECT count(*) FROM enrolments WHERE _deleted_at IS NOT NULL"),
            marked
        );
    }
    assert_eq!(
        at.texts("SELECT event FROM _lms_changes"),
        ["enrolment.removed"]
    );
    assert!(at.mirror().verify().unwrap()[0].problems.is_empty());
    // A row that comes back is one that the table has, but not among its rows.
    at.execute("UPDATE enrolments SET _deleted_at = '2026-01-01T00:00:00Z' WHERE id = (SELECT max(id) FROM enrolments WHERE _deleted_at IS NULL)");
    _ = mirror_with(&at.lms, sink(), &["enrolments"]).await.unwrap();
    assert_eq!(at.written("enrolments"), [1, 0, 0, rows - 2]);
    assert_eq!(
        at.number("SELECT count(*) FROM enrolments WHERE _deleted_at IS NOT NULL"),
        1
    );
    assert_eq!(
        at.texts("SELECT event FROM _lms_changes ORDER BY sequence"),
        ["enrolment.removed", "enrolment.added"]
    );
}

#[tokio::test]
async fn other_filters_are_refused() {
    let at = Mirrored::demo().await;
    at.run(&["courses"]).await;
    let export = Export::new(&at.lms).collections(["courses"]).unwrap();
    let export = export.filter("courses", "published", "true").unwrap();
    let error = export.run(at.sink()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OtherRun);
    assert!(error.to_string().contains("filters"), "{error}");
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one scenario, step by step")]
async fn files_of_others_are_refused_before_anything_is_read() {
    let (sandbox, folder) = (demo().await, tempfile::tempdir().unwrap());
    let lms = client(&sandbox);
    let with = |name: &str, sql: &str| {
        let path = folder.path().join(name);
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        path
    };
    let text = folder.path().join("text");
    fs::write(
        &text,
        "not a database, and long enough to have a header of a hundred bytes ".repeat(4),
    )
    .unwrap();
    let cases = [
        (
            with(
                "table",
                "CREATE TABLE tags (mine); INSERT INTO tags VALUES (1)",
            ),
            ErrorKind::Foreign,
            "\"tags\"",
        ),
        (
            with("view", "CREATE VIEW mirror_status AS SELECT 1"),
            ErrorKind::Foreign,
            "mirror_status",
        ),
        (
            with(
                "newer",
                "CREATE TABLE _lms_meta (name, value); INSERT INTO _lms_meta VALUES ('version', '99')",
            ),
            ErrorKind::Foreign,
            "version \"99\"",
        ),
        (text, ErrorKind::Foreign, "not an SQLite database"),
        (
            folder.path().to_owned(),
            ErrorKind::Destination,
            "cannot open",
        ),
        (
            folder.path().join("missing/mirror.db"),
            ErrorKind::Destination,
            "find the folder",
        ),
    ];
    sandbox.clear_requests();
    for (path, kind, message) in cases {
        let before = fs::read(&path).unwrap_or_default();
        let error = mirror(&lms, &path, &["courses", "tags"]).await.unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(message), "{error}");
        if kind == ErrorKind::Foreign && path.ends_with("text") {
            assert_eq!(fs::read(&path).unwrap(), before);
        }
    }
    assert!(crate::reads(&sandbox).is_empty());
    assert_eq!(
        texts(
            &folder.path().join("table"),
            "SELECT name FROM sqlite_schema"
        ),
        ["tags"]
    );
    // Other tables do not matter.
    let shared = with("shared", "CREATE TABLE mine (x)");
    assert!(
        mirror(&lms, &shared, &["tags"])
            .await
            .unwrap()
            .is_complete()
    );
}

#[tokio::test]
async fn the_views_say_who_has_to_do_what() {
    let at = Mirrored::demo().await;
    let learner = at.seed().add_learner(&learner(1)).unwrap();
    let topic = |course: &str, name: &str| {
        let topic = json!({ "course": course, "name": name });
        at.seed().add_topic(&topic).unwrap()
    };
    for (name, completed) in [("a", 2), ("b", 1), ("c", 0)] {
        let course = at.seed().add_course(name).unwrap();
        let topics = [topic(&course, "one"), topic(&course, "two")];
        at.seed().enrol(&learner, &course).unwrap();
        for topic in &topics[..completed] {
            at.seed().complete_topic(&learner, topic).unwrap();
        }
    }
    let status = |columns: &str| {
        let sql = format!(
            "SELECT course_name || ' ' || status || {columns} FROM learner_course_status WHERE learner = '{learner}' ORDER BY course_name"
        );
        at.texts(&sql)
    };
    // Without topics, it is not known who has begun.
    at.run(&["learners", "courses", "enrolments", "course_completions"])
        .await;
    assert_eq!(
        status("coalesce(topics, '')"),
        ["a completed", "b not completed", "c not completed"]
    );
    let sql = "SELECT DISTINCT incomplete_because FROM learner_course_status";
    assert_eq!(
        at.texts(sql),
        ["topics is not mirrored; topic_progress is not mirrored, so no status is in progress; "]
    );
    at.run(&lists()).await;
    assert_eq!(
        status("' ' || topics_completed || '/' || topics || ' ' || surname"),
        [
            "a completed 2/2 New 1",
            "b in progress 1/2 New 1",
            "c not completed 0/2 New 1"
        ]
    );
    // A learner who is archived is not counted with the others.
    let sql = "SELECT count(*) FROM learner_course_status WHERE learner_archived IS NULL OR overdue IS NULL";
    assert_eq!(at.number(sql), 0);
    let sql = "SELECT DISTINCT coalesce(incomplete_because, '') FROM learner_course_status";
    assert_eq!(at.texts(sql), [""]);
    let sql = "SELECT course_name || enrolled || completed || in_progress || not_completed FROM course_status WHERE course_name IN ('a', 'b', 'c') ORDER BY 1";
    assert_eq!(at.texts(sql), ["a1100", "b1010", "c1001"]);
    let sql = "SELECT count(*) FROM mirror_status WHERE committed_record ->> 'complete' AND row_count = committed_record ->> 'rows'";
    assert_eq!(at.number(sql), i64::try_from(lists().len()).unwrap());
}

#[tokio::test]
async fn views_know_due_times_renewals_and_who_is_archived() {
    let at = Mirrored::demo().await;
    at.run(&lists()).await;
    let of = |columns: &str| {
        let sql = format!("SELECT {columns} FROM learner_course_status WHERE learner = 'x'");
        at.texts(&sql).join(" ")
    };
    let change = |sql: &str| at.execute(sql);
    change(
        "UPDATE enrolments SET \"user\" = 'x', course = 'c1', created_utc = '2024-01-01T00:00:00Z' WHERE id = (SELECT min(id) FROM enrolments);
         UPDATE learners SET id = 'x' WHERE id = (SELECT min(id) FROM learners);
         UPDATE courses SET auto_due_type = 'days', auto_due_seconds = 86400, auto_due_date = NULL, auto_due_date_utc = NULL, renewal_type = 'days', renewal_days = 31 WHERE id = 'c1'",
    );
    let due = "due_at || ' ' || overdue || ' ' || coalesce(expires_at, '-')";
    assert_eq!(of(due), "2024-01-02T00:00:00Z 1 -");
    change("UPDATE courses SET auto_due_seconds = 9223372036854775807 WHERE id = 'c1'");
    assert_eq!(of("coalesce(due_at, '-')"), "-");
    change("UPDATE courses SET auto_due_type = 'none' WHERE id = 'c1'");
    assert_eq!(of("coalesce(due_at, '-') || overdue"), "-0");
    change(
        "UPDATE course_completions SET \"user\" = 'x', course = 'c1', happened_utc = '2024-02-01T00:00:00Z' WHERE id = (SELECT min(id) FROM course_completions)",
    );
    let renewal = "status || ' ' || expires_at || ' ' || expired || ' ' || learner_archived";
    assert_eq!(of(renewal), "completed 2024-03-03T00:00:00Z 1 0");
    let counted = || at.number("SELECT sum(enrolled) FROM course_status");
    let before = counted();
    change("UPDATE learners SET archived = 1 WHERE id = 'x'");
    assert_eq!(of(renewal), "completed 2024-03-03T00:00:00Z 1 1");
    assert_eq!(counted(), before - 1);
    change("UPDATE enrolments SET created_utc = NULL WHERE \"user\" = 'x'");
    assert_eq!(of("incomplete_because"), "times have no time zone; ");
}

#[tokio::test]
async fn a_learner_has_one_row_with_the_custom_fields_by_name() {
    let at = Mirrored::empty().await;
    let learners = [1, 2].map(|n| at.seed().add_learner(&learner(n)).unwrap());
    for (name, value) in [("Department", "Warehouse \"B\""), ("Site", "Kiel")] {
        let field = at.seed().add_user_field(&json!({ "name": name })).unwrap();
        let record = json!({ "user": learners[0], "user_field": field, "value": value });
        at.seed().set_record(&record).unwrap();
    }
    let collections = ["learners", "user_fields", "records"];
    at.run(&collections).await;
    let sql = "SELECT learner || ' ' || coalesce(fields ->> 'Department' || ', ' || (fields ->> 'Site'), 'none') \
               FROM learner_fields ORDER BY learner";
    let expected = [
        format!("{} Warehouse \"B\", Kiel", learners[0]),
        format!("{} none", learners[1]),
    ];
    assert_eq!(at.texts(sql), expected);
    // Fields with the same name have their ids beside it.
    let other = at
        .seed()
        .add_user_field(&json!({ "name": "Site" }))
        .unwrap();
    let record = json!({ "user": learners[0], "user_field": other, "value": "Lund" });
    at.seed().set_record(&record).unwrap();
    at.run(&collections).await;
    let sql = "SELECT fields FROM learner_fields WHERE fields IS NOT NULL";
    let fields = at.texts(sql).concat();
    assert!(
        fields.contains(&format!("\"Site ({other})\":\"Lund\"")),
        "{fields}"
    );
    assert!(!fields.contains("\"Site\""), "{fields}");
}

/// On 30,000 learners, a scan for each enrolment took half an hour.
#[tokio::test]
async fn views_find_the_rows_of_an_enrolment_in_indexes() {
    let at = Mirrored::demo().await;
    at.run(&lists()).await;
    let connection = Connection::open(&at.path).unwrap();
    for query in [
        "SELECT count(*) FROM learner_course_status",
        "SELECT * FROM learner_course_status",
        "SELECT surname, email, course_name, status, enrolled_at, completed_at FROM learner_course_status WHERE status <> 'completed' ORDER BY surname, course_name",
        "SELECT * FROM learner_course_status WHERE due_at < '2030-01-01' OR expired",
        "SELECT * FROM course_status",
    ] {
        let mut plan = connection
            .prepare(&format!("EXPLAIN QUERY PLAN {query}"))
            .unwrap();
        let steps = plan.query_map((), |row| row.get("detail")).unwrap();
        let steps: Vec<String> = steps.map(Result::unwrap).collect();
        let in_order =
            ["user", "course"].map(|by| format!("SCAN e USING COVERING INDEX enrolments_by_{by}"));
        assert!(
            steps.iter().any(|step| in_order.contains(step)),
            "{query}: {steps:?}"
        );
        for (table, index) in [
            ("t", "topics_by_course"),
            ("p", "topic_progress_by_user"),
            ("d", "course_completions_by_user"),
        ] {
            let found = steps.iter().filter(|step| {
                let mut words = step.split(' ');
                words
                    .next()
                    .is_some_and(|word| matches!(word, "SCAN" | "SEARCH"))
                    && words.next() == Some(table)
            });
            for step in found {
                let from_index = format!("SEARCH {table} USING COVERING INDEX {index} (");
                assert!(step.starts_with(&from_index), "{query}: {step}");
            }
        }
        assert!(
            !steps.iter().any(|step| step.contains("AUTOMATIC")),
            "{query}: {steps:?}"
        );
    }
}

#[tokio::test]
async fn a_value_of_a_query_that_does_not_fit_its_column_is_an_error() {
    let at = Mirrored::demo().await;
    at.run(&["tags"]).await;
    let query = |value: &str, kind| {
        let columns = [("n".to_owned(), kind)];
        let query = Query {
            sql: &format!("SELECT {value} AS n"),
            parameters: &[],
            columns: &columns,
            order: &[],
        };
        let mut found = Vec::new();
        at.mirror()
            .read(|mirror| mirror.query(&query, &mut |row| found.extend(row)))
            .map(|()| found)
    };
    for (value, kind) in [
        ("'7 days'", ColumnKind::Integer),
        ("'x'", ColumnKind::Float),
        ("'x'", ColumnKind::Boolean),
        ("'yesterday'", ColumnKind::Utc),
    ] {
        let error = query(value, kind).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
        let value = value.trim_matches('\'');
        let message = format!("the value {value:?} does not fit the type of its column n");
        assert!(error.to_string().ends_with(&message), "{error}");
    }
    for (value, kind, expected) in [
        ("'7'", ColumnKind::Integer, Value::Integer(7)),
        ("7", ColumnKind::Integer, Value::Integer(7)),
        ("'0.5'", ColumnKind::Float, Value::Float(0.5)),
        ("1", ColumnKind::Boolean, Value::Boolean(true)),
        ("NULL", ColumnKind::Integer, Value::Null),
        ("7", ColumnKind::Text, Value::Text("7".to_owned())),
    ] {
        assert_eq!(query(value, kind).unwrap(), [expected], "{value}");
    }
}

#[tokio::test]
async fn a_view_that_was_dropped_is_created_by_the_next_run() {
    let at = Mirrored::demo().await;
    let names = ["courses", "learners", "enrolments", "course_completions"];
    at.run(&names).await;
    let views = "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name";
    let before = at.texts(views);
    assert!(!before.is_empty());
    for view in &before {
        at.execute(&format!("DROP VIEW {view}"));
    }
    at.run(&names).await;
    assert_eq!(at.texts(views), before);
}
