//! Connects to a server, and keeps other runs out.

use std::{
    thread,
    time::{Duration, Instant},
};

use sha2::{Digest as _, Sha256};
use tokio::runtime::Builder;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{config::PostgresSchema, failure::refused, postgres_database::PostgresDatabase, tls};
use crate::{
    collection::Value,
    error::Error,
    sink::lock::{Holder, in_use},
    sql::{
        database::{
            Cells, Database, Failure, failed, is_true, query_first, query_value, text_value,
        },
        quoted,
    },
};

/// Settings of every connection. Limits that an administrator has set for short queries do not end a run, and a server notices
/// within two minutes that a client is gone.
const SETTINGS: &str = "SET client_min_messages TO warning; SET TimeZone TO 'UTC'; SET statement_timeout TO 0; \
    SET idle_in_transaction_session_timeout TO 0; SET tcp_keepalives_idle TO 60; SET tcp_keepalives_interval TO 15; \
    SET tcp_keepalives_count TO 4";

/// Time between two attempts to take a lock.
const PAUSE: Duration = Duration::from_millis(100);

/// The holder of the lock with the key `$1`.
const HOLDER: &str = "SELECT a.application_name, a.backend_start FROM pg_locks l \
    JOIN pg_stat_activity a ON a.pid = l.pid AND a.datname = current_database() \
    WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 \
    AND (l.classid::bigint << 32 | l.objid::bigint) = $1";

/// Connects and takes the schema for a run. Creates the schema if there is none.
pub(super) fn open_for_run(to: &PostgresSchema, wait: Duration) -> Result<PostgresDatabase, Error> {
    let mut database = open(to)?;
    lock(&mut database, to, wait)?;
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

/// Opens a connection.
pub(super) fn open(to: &PostgresSchema) -> Result<PostgresDatabase, Error> {
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
    let readers = to.readers.clone();
    Ok(PostgresDatabase::new(client, runtime, readers))
}

/// Takes the lock of a schema, which ends with the connection.
fn lock(database: &mut dyn Database, to: &PostgresSchema, wait: Duration) -> Result<(), Error> {
    let doing = format!("lock the {to}");
    let (key, began) = (lock_key("mirror in", &to.schema), Instant::now());
    let sql = "SELECT pg_try_advisory_lock($1)";
    loop {
        let taken = query_value(database, sql, &[Value::Integer(key)]);
        if is_true(&taken.map_err(failed(&doing))?) {
            return Ok(());
        }
        if began.elapsed() >= wait {
            let holder = query_first(database, HOLDER, &[Value::Integer(key)]);
            let holder = holder.map_err(failed(&doing))?.and_then(holder_of);
            return Err(in_use(holder.as_ref(), to));
        }
        thread::sleep(PAUSE);
    }
}

/// The run that holds a lock, as far as this user may know.
fn holder_of(mut found: Cells) -> Option<Holder> {
    let name = found.text();
    let (process, host) = name.strip_prefix(PROGRAM)?.split_once('@')?;
    Some(Holder {
        process: process.parse().ok()?,
        host: host.to_owned(),
        // Without it for users who may not see the sessions of others.
        since: Some(found.text()).filter(|since| !since.is_empty())?,
    })
}

/// Returns `true` if a run has the lock of a schema.
pub(super) fn is_held(database: &mut dyn Database, of: &PostgresSchema) -> Result<bool, Error> {
    let key = [Value::Integer(lock_key("mirror in", &of.schema))];
    let held = query_first(database, HOLDER, &key);
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
