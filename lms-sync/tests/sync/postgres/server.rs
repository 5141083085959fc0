//! The server of the tests: a new schema for each, and SQL as its administrator.

use std::{
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
    thread,
};

use lms_ext::Lms;
use lms_sync::{
    Error, Export, RunSummary,
    sink::{
        Sink,
        postgres::{PostgresSchema, PostgresSink},
    },
};
use tokio_postgres::{NoTls, SimpleQueryMessage};

/// The URL of the server, with the password.
pub fn url() -> String {
    std::env::var("LMS_TEST_POSTGRES").expect("run by `.ci/postgres`")
}

/// The file with the authority of the server's certificate.
pub fn authority() -> String {
    std::env::var("LMS_TEST_POSTGRES_CA").expect("run by `.ci/postgres`")
}

/// A schema that does not exist yet.
pub fn new_schema() -> (String, PostgresSchema) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("mirror_{}_{next}", std::process::id());
    (name.clone(), at(&name))
}

/// The schema that belongs to a temporary folder.
pub fn schema_of(folder: &Path) -> String {
    let name = folder.file_name().unwrap().to_str().unwrap();
    // Without quotes in SQL, case does not matter.
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("mirror_{}", name.to_lowercase())
}

pub fn at(schema: &str) -> PostgresSchema {
    url().parse::<PostgresSchema>().unwrap().schema(schema)
}

/// Runs statements as the administrator. Returns the rows of all of them, with null as `∅`.
pub fn try_sql(url: &str, sql: &str) -> Result<Vec<Vec<String>>, tokio_postgres::Error> {
    let work = || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
            tokio::spawn(connection);
            let messages = client.simple_query(sql).await?;
            let rows = messages.iter().filter_map(|message| match message {
                SimpleQueryMessage::Row(row) => Some(
                    (0..row.len())
                        .map(|index| row.get(index).unwrap_or("∅").to_owned())
                        .collect(),
                ),
                _ => None,
            });
            Ok(rows.collect())
        })
    };
    thread::scope(|scope| scope.spawn(work).join().unwrap())
}

/// Runs statements in a schema, and returns the rows of the results.
pub fn sql(schema: &str, sql: &str) -> Vec<Vec<String>> {
    try_sql(&url(), &format!("SET search_path TO {schema}; {sql}")).unwrap()
}

/// The first column of a query.
pub fn texts(schema: &str, query: &str) -> Vec<String> {
    let rows = sql(schema, query).into_iter();
    rows.map(|mut row| row.swap_remove(0)).collect()
}

/// The only value of a query.
pub fn value(schema: &str, query: &str) -> String {
    let values = texts(schema, query);
    assert_eq!(values.len(), 1, "{values:?}");
    values[0].clone()
}

/// Mirrors collections into a schema.
pub async fn mirror(lms: &Lms, to: &PostgresSchema, names: &[&str]) -> Result<RunSummary, Error> {
    mirror_with(lms, PostgresSink::new(to.clone()), names).await
}

pub async fn mirror_with(
    lms: &Lms,
    sink: impl Sink + 'static,
    names: &[&str],
) -> Result<RunSummary, Error> {
    let export = Export::new(lms).collections(names.iter().copied())?;
    export.page_size(100).run(sink).await
}
