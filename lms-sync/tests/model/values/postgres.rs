//! A schema for each temporary folder, in the server of `.ci/postgres`.

use std::path::Path;

use lms_sync::sink::postgres::PostgresSchema;
use tokio_postgres::NoTls;

fn url() -> String {
    std::env::var("LMS_TEST_POSTGRES").expect("run by `.ci/postgres`")
}

/// The schema of a temporary folder, whose name has a dot and capital letters.
pub(super) fn schema(folder: &Path) -> PostgresSchema {
    let name = folder.file_name().unwrap().to_str().unwrap();
    url().parse::<PostgresSchema>().unwrap().schema(name)
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
