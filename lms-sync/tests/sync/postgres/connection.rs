//! Passwords, TLS and privileges: mistakes that are found before anything is read.

use std::fs;

use lms_sandbox::Operation;
use lms_sync::{
    ErrorKind, VerifiedCollection,
    changes::{Changes, Position},
    internals::{Plan, SinkCalls as _},
    mirror::Mirror,
    sink::postgres::{PostgresSchema, PostgresSink},
};

use super::server::{at, authority, mirror, new_schema, sql, texts, try_sql, url, value};
use crate::{client, demo};

/// A certificate authority that has nothing to do with the server.
const OTHER_AUTHORITY: &str = "\
-----BEGIN CERTIFICATE-----
MIIBjzCCATWgAwIBAgIUVB2wt8G9SrHpYDYxkPw/NRc/j1gwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRYW5vdGhlciBhdXRob3JpdHkwIBcNMjYxMTIyMDgxNTA4WhgP
MjEyNjEwMjkwODE1MDhaMBwxGjAYBgNVBAMMEWFub3RoZXIgYXV0aG9yaXR5MFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEgSATTrcWFLzrAYBq2e24ztTGmswulwri
CPxLz6JTA5DmDC9LLRv0FrKb4wW6zy6SO2g8FjFwql2IigqCm4mh46NTMFEwHQYD
VR0OBBYEFGBl3ZS9DovCYegLc/Nz/0HTjF1gMB8GA1UdIwQYMBaAFGBl3ZS9DovC
YegLc/Nz/0HTjF1gMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIg
DHp8kZkjFL9dDJtiDxPGNbPdJ3zk+nUcfIldbH0zurECIQCDYcDN7Kjrt/Z7lB7j
3fQy4O03O3d+PLzJzrjD4uNsfw==
-----END CERTIFICATE-----
";

/// The URL with another password, host or parameters.
fn changed(from: &str, to: &str) -> String {
    let changed = url().replace(from, to);
    assert_ne!(changed, url());
    changed
}

fn password() -> String {
    let url = url();
    let credentials = url.split('@').next().unwrap();
    credentials.rsplit(':').next().unwrap().to_owned()
}

/// A user who may connect, and the URL for it.
fn user(name: &str) -> String {
    sql(
        "public",
        &format!("CREATE ROLE {name} LOGIN PASSWORD 'pw-of-user'"),
    );
    url().replace(
        &format!("postgres:{}@", password()),
        &format!("{name}:pw-of-user@"),
    )
}

fn begin(schema: &PostgresSchema) -> Result<PostgresSink, lms_sync::Error> {
    let plan = Plan::new("https://acme.example", []);
    let mut sink = PostgresSink::new(schema.clone());
    sink.begin(&plan).map(|_| sink)
}

#[test]
#[ignore = "run by .ci/postgres"]
fn what_is_wrong_is_said_and_not_the_password() {
    let (name, _) = new_schema();
    let database = changed("/postgres", "/missing").replacen("//missing", "//postgres", 1);
    let port = url()
        .rsplit(':')
        .next()
        .unwrap()
        .split('/')
        .next()
        .unwrap()
        .to_owned();
    let cases = [
        (
            changed(&password(), "wr0ng"),
            ErrorKind::Permission,
            "check the user and the password",
        ),
        (
            changed(&format!(":{}@", password()), "@"),
            ErrorKind::Destination,
            "the server asks for a password",
        ),
        (database, ErrorKind::Permission, "create the database"),
        (
            changed(&format!(":{port}/"), ":1/"),
            ErrorKind::Destination,
            "check the host, the port",
        ),
        (
            changed("localhost", "missing.invalid"),
            ErrorKind::Destination,
            "check the host",
        ),
    ];
    for (url, kind, message) in cases {
        let schema: PostgresSchema = url.parse().unwrap();
        let error = begin(&schema.schema(&name)).unwrap_err();
        assert_eq!(error.kind(), kind, "{message}");
        let shown = format!("{error} {error:?}");
        assert!(shown.contains(message), "{shown}");
        assert!(
            shown.contains(&format!("connect to the schema {name}")),
            "{shown}"
        );
        assert!(
            !shown.contains("wr0ng") && !shown.contains(&password()),
            "{shown}"
        );
    }
}

#[test]
#[ignore = "run by .ci/postgres"]
fn tls_verifies_what_it_is_told_to() {
    let (name, _) = new_schema();
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.pem");
    fs::write(&other, OTHER_AUTHORITY).unwrap();
    let (right, other) = (authority(), other.display().to_string());
    let local = "127.0.0.1";
    for (host, parameters, outcome) in [
        (
            "localhost",
            format!("sslmode=verify-full&sslrootcert={right}"),
            Ok("t"),
        ),
        // The certificate is for `localhost`.
        (
            local,
            format!("sslmode=verify-full&sslrootcert={right}"),
            Err("not valid for name"),
        ),
        (
            local,
            format!("sslmode=verify-ca&sslrootcert={right}"),
            Ok("t"),
        ),
        (
            local,
            format!("sslmode=verify-ca&sslrootcert={other}"),
            Err("UnknownIssuer"),
        ),
        (
            local,
            format!("sslmode=require&sslrootcert={other}"),
            Err("UnknownIssuer"),
        ),
        (
            "localhost",
            "sslmode=verify-full".to_owned(),
            Err("UnknownIssuer"),
        ),
        (local, "sslmode=require".to_owned(), Ok("t")),
        (local, String::new(), Ok("t")),
        (local, "sslmode=disable".to_owned(), Ok("f")),
    ] {
        let url = url().replace("localhost", host);
        let schema: PostgresSchema = format!("{url}?{parameters}").parse().unwrap();
        match (begin(&schema.schema(&name)), outcome) {
            (Ok(_sink), Ok(encrypted)) => {
                let query = "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'lms-sync %' \
                    AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND (classid::bigint << 32 | objid::bigint) = ";
                let query = format!("{query}{})", lock_of(&name));
                assert_eq!(value(&name, &query), encrypted, "{parameters}");
            }
            (Err(error), Err(message)) => {
                assert!(error.to_string().contains(message), "{parameters}: {error}");
            }
            (outcome, _) => panic!("{parameters}: {outcome:?}"),
        }
    }
}

fn lock_of(schema: &str) -> i64 {
    use sha2::{Digest as _, Sha256};
    let hash = Sha256::digest(format!("lms-sync mirror in {schema}"));
    i64::from_be_bytes(*hash.first_chunk().unwrap())
}

#[test]
#[ignore = "run by .ci/postgres"]
fn a_second_run_is_refused_with_the_process_of_the_first() {
    let (name, schema) = new_schema();
    let first = begin(&schema).unwrap();
    let error = begin(&schema).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Locked);
    let process = format!("process {} on ", std::process::id());
    assert!(error.to_string().contains(&process), "{error}");
    // The lock is only on this schema.
    begin(&new_schema().1).unwrap();
    assert!(Mirror::postgres(&schema).overview().unwrap().is_running);
    drop(first);
    let overview = Mirror::postgres(&schema).overview().unwrap();
    assert!(!overview.is_running && overview.unfinished_since.is_some());
    begin(&at(&name)).unwrap();
}

#[tokio::test]
#[ignore = "run by .ci/postgres"]
async fn schemas_of_others_are_refused_before_anything_is_read() {
    let sandbox = demo().await;
    let lms = client(&sandbox);
    for (statement, message) in [
        (
            "CREATE TABLE tags (mine int)",
            "\"tags\" that is not from a mirror",
        ),
        (
            "CREATE VIEW mirror_status AS SELECT 1",
            "\"mirror_status\" that is not from a mirror",
        ),
        (
            "CREATE TABLE _lms_meta (name text, value text); INSERT INTO _lms_meta VALUES ('version', '99')",
            "version \"99\"",
        ),
    ] {
        let (name, schema) = new_schema();
        sql("public", &format!("CREATE SCHEMA {name}"));
        sql(&name, statement);
        let error = mirror(&lms, &schema, &["courses", "tags"])
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Foreign, "{error}");
        assert!(error.to_string().contains(message), "{error}");
        let count = format!(
            "SELECT count(*) FROM pg_class WHERE relnamespace = '{name}'::regnamespace AND relkind IN ('r', 'v')"
        );
        assert_eq!(value(&name, &count), "1");
    }
    let lists = [Operation::ListCourses, Operation::ListTags];
    assert!(
        lists
            .iter()
            .all(|list| sandbox.requests_to(*list).unwrap().is_empty())
    );
    // Other tables do not matter.
    let (name, schema) = new_schema();
    sql("public", &format!("CREATE SCHEMA {name}"));
    sql(&name, "CREATE TABLE mine (x int)");
    assert!(
        mirror(&lms, &schema, &["tags"])
            .await
            .unwrap()
            .is_complete()
    );
}

#[test]
#[ignore = "run by .ci/postgres"]
fn a_user_without_privileges_is_told_which_are_missing() {
    let (name, _) = new_schema();
    sql("public", &format!("CREATE SCHEMA {name}"));
    let url = user(&format!("{name}_user"));
    let schema: PostgresSchema = url.parse().unwrap();
    let schema = schema.schema(&name);
    let error = begin(&schema).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Permission);
    assert!(
        error
            .to_string()
            .contains("privileges CREATE and USAGE on the schema"),
        "{error}"
    );
    let missing = schema.clone().schema(format!("{name}_missing"));
    assert!(
        begin(&missing)
            .unwrap_err()
            .to_string()
            .contains("privileges")
    );
    sql(
        "public",
        &format!("GRANT CREATE, USAGE ON SCHEMA {name} TO {name}_user"),
    );
    begin(&schema).unwrap();
}

#[tokio::test]
#[ignore = "run by .ci/postgres"]
async fn readers_read_what_the_mirror_shows_and_write_nothing() {
    let sandbox = demo().await;
    let (name, schema) = new_schema();
    let reader = format!("{name}_reader");
    let url = user(&reader);
    let lists = ["learners", "courses", "enrolments", "course_completions"];
    let error = mirror(
        &client(&sandbox),
        &schema.clone().reader("missing role"),
        &lists,
    )
    .await;
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("\"missing role\" does not exist")
    );
    for _ in 0..2 {
        let to = format!("{}?schema={name}&reader={reader}", super::server::url());
        let to = to.parse().unwrap();
        let summary = mirror(&client(&sandbox), &to, &lists).await.unwrap();
        assert!(summary.is_complete());
    }
    for table in [
        "learners",
        "learner_course_status",
        "mirror_status",
        "_lms_changes",
        "_lms_records",
    ] {
        try_sql(&url, &format!("SELECT * FROM {name}.{table}")).unwrap();
    }
    let read_only: PostgresSchema = url.parse().unwrap();
    let read_only = read_only.schema(&name);
    let verified = Mirror::postgres(&read_only).verify().unwrap();
    assert_eq!(verified.len(), lists.len());
    assert!(
        verified.iter().all(VerifiedCollection::is_intact),
        "{verified:?}"
    );
    assert_eq!(
        Mirror::postgres(&read_only).status().unwrap().len(),
        lists.len()
    );
    let changes = Changes::postgres(&read_only).unwrap();
    assert!(changes.since(&Position::START, 1).await.unwrap().is_empty());
    for statement in [
        "DELETE FROM learners",
        "SELECT * FROM _lms_deliveries",
        "DELETE FROM _lms_records",
        "CREATE TABLE mine (x int)",
        "SELECT * FROM _lms_seen",
    ] {
        let statement = format!("SET search_path TO {name}; {statement}");
        let error = try_sql(&url, &statement).unwrap_err();
        assert_eq!(error.code().unwrap().code(), "42501", "{statement}");
    }
}

#[test]
#[ignore = "run by .ci/postgres"]
fn what_is_not_a_mirror_has_no_status_and_no_changes() {
    let (name, schema) = new_schema();
    for error in [
        Mirror::postgres(&schema).status().unwrap_err(),
        Changes::postgres(&schema).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Foreign);
        assert!(error.to_string().contains(&name), "{error}");
    }
    assert_eq!(
        texts(
            "public",
            &format!("SELECT 1 FROM pg_namespace WHERE nspname = '{name}'")
        ),
        [""; 0]
    );
}
