//! Connects to a server, and keeps other runs out.

use std::time::Duration;

use sha2::{Digest as _, Sha256};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, Error as PgError, error::SqlState};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{
    config::PostgresSchema, failure::refused, postgres_database::PostgresDatabase, tls,
    value::Received,
};
use crate::{
    collection::Value,
    error::Error,
    sink::lock::{Holder, in_use},
    sql::{
        database::{
            Database, Failure, failed, is_true, query_first, query_value, text, text_value,
        },
        quoted,
    },
};

/// Settings of every connection. Limits that an administrator has set for short queries do not end a run, and a server notices
/// within two minutes that a client is gone.
const SETTINGS: &str = "SET client_min_messages TO warning; SET TimeZone TO 'UTC'; SET statement_timeout TO 0; \
    SET idle_in_transaction_session_timeout TO 0; SET tcp_keepalives_idle TO 60; SET tcp_keepalives_interval TO 15; \
    SET tcp_keepalives_count TO 4";

/// The holder of the lock with the key `$1`.
const HOLDER: &str = "SELECT a.application_name, a.backend_start FROM pg_locks l \
    JOIN pg_stat_activity a ON a.pid = l.pid AND a.datname = current_database() \
    WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 \
    AND (l.classid::bigint << 32 | l.objid::bigint) = $1";

/// Connects and takes the schema for a run. Creates the schema if there is none.
pub(super) fn open_for_run(to: &PostgresSchema, wait: Duration) -> Result<PostgresDatabase, Error> {
    let (client, runtime) = connect(to)?;
    runtime.block_on(lock(&client, to, wait))?;
    let mut database = PostgresDatabase::new(client, runtime, to.readers.clone());
    let created = create_schema(&mut database, &to.schema);
    created.map_err(failed(&format!("create the {to}")))?;
    Ok(database)
}

/// Creates a schema if there is none.
pub(super) fn create_schema(database: &mut dyn Database, name: &str) -> Result<(), Failure> {
    let sql = "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1)";
    if is_true(&query_value(database, sql, &[text_value(name)])?) {
        return Ok(());
    }
    database.execute(&format!("CREATE SCHEMA {}", quoted(name)), &[])
}

/// Opens a connection that is not that of a run.
pub(super) fn open(to: &PostgresSchema) -> Result<Box<dyn Database>, Error> {
    let (client, runtime) = connect(to)?;
    Ok(Box::new(PostgresDatabase::new(client, runtime, Vec::new())))
}

fn connect(to: &PostgresSchema) -> Result<(Client, Runtime), Error> {
    let tls = MakeRustlsConnect::new(tls::client_config(
        to.verify,
        to.root_certificates.as_deref(),
    )?);
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::destination("cannot start a runtime", error))?;
    let mut config = to.config.clone();
    // The holder of a lock is known by it.
    config.application_name(application_name());
    let connected = runtime.block_on(async {
        let (client, connection) = config.connect(tls).await?;
        // The next call of the client returns the same error.
        tokio::spawn(connection);
        client.batch_execute(SETTINGS).await?;
        let path = format!("SET search_path TO {}", quoted(&to.schema));
        client.batch_execute(&path).await?;
        Ok(client)
    });
    let client = connected
        .map_err(refused)
        .map_err(failed(&format!("connect to the {to}")))?;
    Ok((client, runtime))
}

/// Takes the lock of a schema, which ends with the connection.
async fn lock(client: &Client, to: &PostgresSchema, wait: Duration) -> Result<(), Error> {
    let doing = format!("lock the {to}");
    let doing = failed(&doing);
    let key = lock_key("mirror in", &to.schema);
    let locked = async {
        // 0 would be no timeout.
        let timeout = wait.as_millis().max(1);
        let timeout = format!("SET lock_timeout TO '{timeout}ms'");
        client.batch_execute(&timeout).await?;
        let locked = client
            .query("SELECT pg_advisory_lock($1)", &[&key])
            .await
            .map(|_| ());
        client.batch_execute("RESET lock_timeout").await?;
        locked
    };
    let Err(error) = locked.await else {
        return Ok(());
    };
    if error.code() != Some(&SqlState::LOCK_NOT_AVAILABLE) {
        return Err(doing(refused(error)));
    }
    let holder = holder(client, key).await;
    Err(in_use(holder.map_err(refused).map_err(doing)?.as_ref(), to))
}

/// The run that holds a lock, as far as this user may know.
async fn holder(client: &Client, key: i64) -> Result<Option<Holder>, PgError> {
    let Some(row) = client.query_opt(HOLDER, &[&key]).await? else {
        return Ok(None);
    };
    let name: Option<String> = row.try_get(0)?;
    let Received(since) = row.try_get(1)?;
    let holder = name.as_deref().and_then(|name| name.strip_prefix(PROGRAM));
    let parts = holder.and_then(|holder| holder.split_once('@'));
    Ok(parts.and_then(|(process, host)| {
        Some(Holder {
            process: process.parse().ok()?,
            host: host.to_owned(),
            since: text(&since)?,
        })
    }))
}

/// Returns `true` if a run has the lock of a schema.
pub(super) fn is_held(database: &mut dyn Database, of: &PostgresSchema) -> Result<bool, Error> {
    let key = [Value::Integer(lock_key("mirror in", &of.schema))];
    let sql = "SELECT 1::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1 \
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
        AND (classid::bigint << 32 | objid::bigint) = $1";
    let held = query_first(database, sql, &key);
    let held = held.map_err(failed(&format!("look for a run of the {of}")))?;
    Ok(held.is_some())
}

const PROGRAM: &str = "lms-sync ";

/// The process and the host. PostgreSQL keeps the first 63 bytes.
fn application_name() -> String {
    let Holder { process, host, .. } = Holder::this();
    format!("{PROGRAM}{process}@{host}")
}

/// The advisory lock, which is a number, for this use of a schema.
pub(super) fn lock_key(use_of: &str, schema: &str) -> i64 {
    let hash = Sha256::digest(format!("lms-sync {use_of} {schema}"));
    hash.first_chunk()
        .map_or(0, |head| i64::from_be_bytes(*head))
}
