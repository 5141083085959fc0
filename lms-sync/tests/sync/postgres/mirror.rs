//! The content of a mirror after its runs.

use std::time::Duration;

use lms_ext::Call as _;
use lms_sync::{
    Row,
    changes::{Change, Changes, Position},
    collection,
    mirror::{Deletes, Mirror, MirrorPolicy},
    sink::{
        postgres::{PostgresSchema, PostgresSink},
        sqlite::SqliteSink,
    },
};

use super::server::{mirror, mirror_with, new_schema, sql, texts, value};
use crate::{
    client, demo,
    sqlite::{learner, lists},
};

/// Rows that the last run wrote into a collection: inserted, updated, deleted, unchanged.
fn written(schema: &PostgresSchema, name: &str) -> [u64; 4] {
    let status = Mirror::postgres(schema).status().unwrap();
    let mut status = status.iter();
    let status = status.find(|status| status.record.collection == name);
    let written = status.unwrap().written.unwrap();
    [
        written.inserted,
        written.updated,
        written.deleted,
        written.unchanged,
    ]
}

fn assert_verified(schema: &PostgresSchema) {
    for verified in Mirror::postgres(schema).verify().unwrap() {
        assert_eq!(verified.problems, [""; 0], "{:?}", verified.record);
    }
}

/// A change without the fields that depend on the run.
fn comparable(change: Change) -> String {
    let mut change = serde_json::to_value(change).unwrap();
    change["seen_at"] = "".into();
    change["position"] = "".into();
    change.to_string()
}

#[tokio::test]
#[ignore = "run by .ci/postgres"]
#[expect(clippy::too_many_lines, reason = "one scenario, step by step")]
async fn a_mirror_has_the_rows_changes_and_views_of_one_in_sqlite() {
    let sandbox = demo().await;
    let folder = tempfile::tempdir().unwrap();
    let (lms, file) = (client(&sandbox), folder.path().join("mirror.db"));
    let (name, schema) = new_schema();
    let gone = sandbox.seed().add_learner(&learner(1)).unwrap();
    let changed = sandbox.seed().add_learner(&learner(2)).unwrap();
    for run in 0..2 {
        if run == 1 {
            let added = sandbox.seed().add_learner(&learner(3)).unwrap();
            let course = sandbox.seed().add_course("Lifting").unwrap();
            sandbox.seed().enrol(&added, &course).unwrap();
            sandbox.seed().complete_course(&added, &course).unwrap();
            let edit = lms.update_learner(&changed, |learner| {
                learner.surname = "Jones".into();
                learner.tags = vec!["red".into(), "b \"l\" ü".into()];
            });
            edit.await.unwrap();
            lms.delete_learner(&gone).call().await.unwrap();
        }
        let summary = mirror(&lms, &schema, &lists()).await.unwrap();
        assert!(summary.is_complete(), "{summary:?}");
        let sink = SqliteSink::new(&file);
        _ = mirror_with(&lms, sink, &lists()).await.unwrap();
        let statuses = Mirror::sqlite(&file).status().unwrap();
        assert_eq!(statuses.len(), lists().len());
        for status in statuses {
            let counts = status.written.unwrap();
            let counts = [
                counts.inserted,
                counts.updated,
                counts.deleted,
                counts.unchanged,
            ];
            assert_eq!(written(&schema, &status.record.collection), counts);
        }
    }
    for name in lists() {
        let known = collection(name).unwrap();
        let (mut here, mut there) = (Vec::new(), Vec::new());
        Mirror::postgres(&schema)
            .read(|mirror| mirror.visit_rows(known, &mut |row| here.push(Row::to_json(&row))))
            .unwrap();
        Mirror::sqlite(&file)
            .read(|mirror| mirror.visit_rows(known, &mut |row| there.push(Row::to_json(&row))))
            .unwrap();
        here.sort_unstable();
        there.sort_unstable();
        assert_eq!(here, there, "{name}");
    }
    assert_verified(&schema);
    let here = Changes::postgres(&schema).unwrap();
    assert_eq!(here.prune(Duration::from_secs(3600)).await.unwrap(), 0);
    let end = here.end().await.unwrap();
    assert!(here.since(&end, 1).await.unwrap().is_empty());
    let here = here
        .since(&Position::START, 100)
        .await
        .unwrap()
        .into_iter()
        .map(comparable);
    let there = Changes::sqlite(&file).unwrap();
    let there = there
        .since(&Position::START, 100)
        .await
        .unwrap()
        .into_iter()
        .map(comparable);
    assert!(here.len() > 5);
    assert_eq!(here.collect::<Vec<_>>(), there.collect::<Vec<_>>());

    let connection = rusqlite::Connection::open(&file).unwrap();
    for query in [
        "SELECT learner || course || coalesce(course_name, '') || coalesce(surname, '') || coalesce(topics, 0) \
         || '/' || coalesce(topics_completed, 0) || status FROM learner_course_status ORDER BY learner, course",
        "SELECT course || enrolled || '/' || completed || '/' || in_progress || '/' || not_completed FROM course_status ORDER BY course",
    ] {
        let mut statement = connection.prepare(query).unwrap();
        let there = statement.query_map((), |row| row.get(0)).unwrap();
        let there: Vec<String> = there.map(Result::unwrap).collect();
        assert!(!there.is_empty());
        assert_eq!(texts(&name, query), there);
    }
    let complete = "SELECT count(*) FROM mirror_status WHERE (committed_record ->> 'complete')::boolean \
                    AND row_count = (committed_record ->> 'rows')::bigint";
    assert_eq!(value(&name, complete), lists().len().to_string());

    // A run on an unchanged tenant writes no row.
    let query = "SELECT xmin::text || ctid::text FROM learners ORDER BY ctid";
    let before = texts(&name, query);
    _ = mirror(&lms, &schema, &lists()).await.unwrap();
    assert_eq!(texts(&name, query), before);
    assert_eq!(value(&name, "SELECT count(*) FROM _lms_seen"), "0");
    // A change of the tables by another program is found by a check, not by a run.
    let change =
        "UPDATE learners SET surname = 'changed' WHERE id = (SELECT min(id) FROM learners)";
    sql(&name, change);
    let verified = Mirror::postgres(&schema).verify().unwrap().into_iter();
    let problems: Vec<String> = verified.flat_map(|of| of.problems).collect();
    assert!(
        problems.len() == 2 && problems[0].contains("hash") && problems[1].contains("with id l1"),
        "{problems:?}"
    );
}

#[tokio::test]
#[ignore = "run by .ci/postgres"]
async fn columns_have_types_keys_and_indexes() {
    let sandbox = demo().await;
    let (name, schema) = new_schema();
    _ = mirror(
        &client(&sandbox),
        &schema,
        &["courses", "learners", "enrolments"],
    )
    .await
    .unwrap();
    let query = "SELECT DISTINCT pg_typeof(published)::text || ' ' || pg_typeof(created) || ' ' || pg_typeof(created_utc) \
                 || ' ' || pg_typeof(_extra) FROM courses";
    assert_eq!(
        texts(&name, query),
        ["boolean text timestamp with time zone json"]
    );
    let comments = "SELECT col_description('courses'::regclass, attnum) FROM pg_attribute \
                    WHERE attrelid = 'courses'::regclass AND attname IN ('id', 'name') ORDER BY attname";
    let courses = collection("courses").unwrap();
    let described = ["id", "name"].map(|name| courses.column(name).unwrap().description);
    assert_eq!(texts(&name, comments), described);
    // People can ask with operators of jsonb.
    let tags = value(
        &name,
        "SELECT tags::text FROM learners WHERE json_array_length(tags) > 0 LIMIT 1",
    );
    let tag: Vec<String> = serde_json::from_str(&tags).unwrap();
    let query = format!(
        "SELECT count(*) > 0 FROM learners WHERE tags::jsonb ? '{}'",
        tag[0]
    );
    assert_eq!(value(&name, &query), "t");
    let indexes = format!(
        "SELECT indexname FROM pg_indexes WHERE schemaname = '{name}' AND tablename = 'enrolments' ORDER BY 1"
    );
    assert_eq!(
        texts(&name, &indexes),
        [
            "enrolments_by_course",
            "enrolments_by_user",
            "enrolments_pkey"
        ]
    );
}

#[tokio::test]
#[ignore = "run by .ci/postgres"]
async fn a_table_appears_with_the_first_complete_listing() {
    let sandbox = demo().await;
    let (lms, (name, schema)) = (client(&sandbox), new_schema());
    let all = ["learners", "courses", "enrolments", "course_completions"];
    let rule = "listLearners: after 1: status 403 json";
    sandbox.faults().add(rule).unwrap();
    let relations = |like: &str| {
        let query = format!(
            "SELECT relname FROM pg_class WHERE relnamespace = '{name}'::regnamespace AND relkind IN ('r', 'v') \
             AND relname LIKE '{like}' ORDER BY 1"
        );
        texts(&name, &query)
    };
    assert!(!mirror(&lms, &schema, &all).await.unwrap().is_complete());
    assert_eq!(
        relations("%courses%"),
        ["courses"],
        "the stage has become the table"
    );
    assert_eq!(relations("%learner%"), ["_lms_staging_learners"]);
    sandbox.faults().clear();
    assert!(mirror(&lms, &schema, &all).await.unwrap().is_complete());
    assert_eq!(
        relations("%learner%"),
        ["learner_course_status", "learners"]
    );
    // It is like one that was created.
    let columns = |table: &str| {
        let query = format!(
            "SELECT column_name || data_type || is_nullable || is_identity || coalesce(column_default, '') \
             FROM information_schema.columns WHERE table_schema = '{name}' AND table_name = '{table}' ORDER BY ordinal_position"
        );
        texts(&name, &query)
    };
    let adopted = columns("enrolments");
    sql(
        &name,
        "DROP TABLE enrolments CASCADE; DELETE FROM _lms_meta WHERE name LIKE 'view %course%'",
    );
    assert!(mirror(&lms, &schema, &all).await.unwrap().is_complete());
    assert_eq!(columns("enrolments"), adopted);
    assert_verified(&schema);
}

#[tokio::test]
#[ignore = "run by .ci/postgres"]
async fn deleted_rows_can_be_marked_and_come_back() {
    let sandbox = demo().await;
    let (lms, (name, schema)) = (client(&sandbox), new_schema());
    let policy = MirrorPolicy::default().deletes(Deletes::Mark);
    let sink = || PostgresSink::new(schema.clone()).policy(policy.clone());
    let id = sandbox.seed().add_learner(&learner(1)).unwrap();
    _ = mirror_with(&lms, sink(), &["learners"]).await.unwrap();
    lms.delete_learner(&id).call().await.unwrap();
    for deleted in [1, 0] {
        _ = mirror_with(&lms, sink(), &["learners"]).await.unwrap();
        assert_eq!(written(&schema, "learners")[..3], [0, 0, deleted]);
        let marked = "SELECT id FROM learners WHERE _deleted_at IS NOT NULL";
        assert_eq!(texts(&name, marked), std::slice::from_ref(&id));
    }
    assert_verified(&schema);
    // A row that comes back is one that the table has, but not among its rows.
    sql(
        &name,
        "UPDATE learners SET _deleted_at = now() WHERE id = (SELECT max(id) FROM learners WHERE _deleted_at IS NULL)",
    );
    _ = mirror_with(&lms, sink(), &["learners"]).await.unwrap();
    assert_eq!(written(&schema, "learners")[..3], [1, 0, 0]);
    assert_eq!(
        texts(&name, "SELECT event FROM _lms_changes ORDER BY sequence"),
        ["learner.removed", "learner.added"]
    );
    assert_verified(&schema);
}

#[tokio::test]
#[ignore = "run by .ci/postgres"]
async fn views_of_others_and_their_privileges_stay() {
    let sandbox = demo().await;
    let (lms, (name, schema)) = (client(&sandbox), new_schema());
    let lists_of_views = ["learners", "courses", "enrolments", "course_completions"];
    _ = mirror(&lms, &schema, &lists_of_views).await.unwrap();
    assert_eq!(
        value(&name, "SELECT count(topics) FROM learner_course_status"),
        "0"
    );
    sql(
        &name,
        "CREATE VIEW mine AS SELECT learner, topics FROM learner_course_status",
    );
    sql(
        &name,
        &format!("CREATE ROLE {name}_guest; GRANT SELECT ON learner_course_status TO {name}_guest"),
    );
    // The views get more columns from the tables that this run adds.
    _ = mirror(&lms, &schema, &lists()).await.unwrap();
    assert_ne!(value(&name, "SELECT count(topics) FROM mine"), "0");
    let kept =
        format!("SELECT has_table_privilege('{name}_guest', 'learner_course_status', 'SELECT')");
    assert_eq!(value(&name, &kept), "t");
}
