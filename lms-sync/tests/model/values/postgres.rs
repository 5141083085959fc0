//! A schema for each temporary folder, in the server of `.ci/postgres`.

use std::{path::Path, thread};

use lms_sync::{
    Collection, Row, VerifiedCollection,
    mirror::Status,
    sink::postgres::{self, PostgresSchema},
};
use tokio_postgres::NoTls;

fn url() -> String {
    std::env::var("LMS_TEST_POSTGRES").expect("run by `.ci/postgres`")
}

/// The schema of a temporary folder, whose name has a dot and capital letters.
pub(super) fn schema(folder: &Path) -> PostgresSchema {
    let name = folder.file_name().unwrap().to_str().unwrap();
    url().parse::<PostgresSchema>().unwrap().schema(name)
}

/// Blocks on a thread of its own, because a runtime is running here.
fn block<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| scope.spawn(work).join().unwrap())
}

pub(super) fn verify(folder: &Path) -> Vec<VerifiedCollection> {
    block(|| postgres::verify(&schema(folder)).unwrap())
}

pub(super) fn status(folder: &Path) -> Vec<Status> {
    block(|| postgres::status(&schema(folder)).unwrap())
}

pub(super) fn visit_rows(
    folder: &Path,
    of: &'static Collection,
    visit: &mut (dyn FnMut(Row) + Send),
) {
    block(|| postgres::visit_rows(&schema(folder), of, visit).unwrap());
}

/// Drops the schemas of all temporary folders, since thousands of them would slow down the server.
pub(super) async fn drop_schemas() {
    let (client, connection) = tokio_postgres::connect(&url(), NoTls).await.unwrap();
    tokio::spawn(connection);
    let names = "SELECT format('DROP SCHEMA %I CASCADE', nspname) FROM pg_namespace WHERE nspname LIKE '.tmp%'";
    for row in client.query(names, &[]).await.unwrap() {
        client.batch_execute(row.get(0)).await.unwrap();
    }
}
