//! Locks of other sessions on the tables of a mirror.

use lms_sync::{ErrorKind, VerifiedCollection, mirror::Mirror, sink::postgres::PostgresSchema};
use tokio_postgres::{Client, NoTls};

use super::server::{mirror, new_schema, sql, url};
use crate::{client, demo, sqlite::learner};

/// A session that is idle in a transaction after a statement.
async fn idle_after(schema: &str, statement: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(&url(), NoTls).await.unwrap();
    tokio::spawn(connection);
    let begun = format!("SET search_path TO {schema}; BEGIN; {statement}");
    client.batch_execute(&begun).await.unwrap();
    client
}

#[tokio::test]
#[ignore = "run by .ci/postgres"]
async fn a_run_that_waits_too_long_for_a_lock_names_the_table_and_loses_nothing() {
    let (sandbox, (name, _)) = (demo().await, new_schema());
    let lms = client(&sandbox);
    let to = format!("{}?options=-c%20lock_timeout%3D200ms", url());
    let to = to.parse::<PostgresSchema>().unwrap().schema(&name);
    let run = async || mirror(&lms, &to, &["learners"]).await;
    assert!(run().await.unwrap().is_complete());
    // These runs have to change what the other session reads.
    for (change, read, named) in [
        (
            "ALTER TABLE learners DROP COLUMN image",
            "SELECT * FROM learners",
            "cannot prepare the table learners",
        ),
        (
            "UPDATE _lms_meta SET value = '' WHERE name = 'view mirror_status'",
            "SELECT * FROM mirror_status",
            "cannot create the view mirror_status",
        ),
    ] {
        sql(&name, change);
        let reader = idle_after(&name, read).await;
        let error = run().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Destination, "{error}");
        let message = error.to_string();
        assert!(
            message.contains(named) && message.contains("idle in a transaction"),
            "{message}"
        );
        reader.batch_execute("COMMIT").await.unwrap();
        assert!(run().await.unwrap().is_complete(), "{named}");
    }
    // This one has read its list when it finds the lock.
    sandbox.seed().add_learner(&learner(1)).unwrap();
    let writer = idle_after(&name, "LOCK TABLE learners IN SHARE MODE").await;
    let summary = run().await.unwrap();
    let error = summary.collections[0].error.as_ref().unwrap().to_string();
    assert!(
        error.contains("cannot publish learners; another session"),
        "{error}"
    );
    writer.batch_execute("COMMIT").await.unwrap();
    let summary = run().await.unwrap();
    assert!(summary.is_complete());
    assert_eq!(summary.collections[0].record.resumes, 1);
    let verified = Mirror::postgres(&to).verify().unwrap();
    assert!(
        verified.iter().all(VerifiedCollection::is_intact),
        "{verified:?}"
    );
}
