//! Begins and ends a run: what a file must be, what is created in it, and where the run stands.

use std::{collections::HashMap, ffi::OsString, io, path::Path, time::Duration};

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use super::{
    Run, Unfinished,
    dialect::SQLITE,
    failure::failed,
    stage::{Outcome, Stage, Table},
};
use crate::{
    collection::Collection,
    error::{Error, ErrorKind},
    sink::{CollectionPlan, DestinationLock, Plan, Standing},
    sql::{FORMAT_VERSION, Names, Schema, VIEWS, internal_tables},
};

/// How long a statement waits for another program that is writing into the file.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Opens a file that exists or can be created.
fn connect(path: &Path) -> Result<Connection, Error> {
    let doing = format!("open {}", path.display());
    let doing = failed(&doing);
    let connection = Connection::open(path).map_err(&doing)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(&doing)?;
    // A reader does not wait for a writer. A crash of the machine loses at most the last pages, and a crash of the process
    // nothing.
    connection
        .pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))
        .and_then(|()| connection.pragma_update(None, "synchronous", "NORMAL"))
        .and_then(|()| connection.pragma_update(None, "cache_size", -32_000))
        .and_then(|()| {
            connection.pragma_update_and_check(None, "wal_autocheckpoint", 8_000, |_| Ok(()))
        })
        .map_err(&doing)?;
    Ok(connection)
}

/// Begins or continues a run.
pub(super) fn begin(
    path: &Path,
    plan: &Plan,
    unfinished: Unfinished,
) -> Result<(Run, Vec<Standing>), Error> {
    check_path(path)?;
    let mut lock = OsString::from(path);
    lock.push("-lock");
    let lock = DestinationLock::acquire(Path::new(&lock))?;
    let collections = known(plan)?;
    let mut connection = connect(path)?;
    let doing = format!("prepare {}", path.display());
    let doing = failed(&doing);
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(&doing)?;
    check_version(&transaction)?;
    create_internal(&transaction).map_err(&doing)?;
    check_tenant(&transaction, plan)?;
    for (collection, collection_plan) in &collections {
        check_name(&transaction, collection.name)?;
        check_filters(&transaction, collection_plan)?;
        create_tables(&transaction, collection, collection_plan).map_err(&doing)?;
    }
    create_views(&transaction)?;
    let id = take_run(&transaction, plan, unfinished)?;
    let mut stages = HashMap::new();
    let mut standings = Vec::new();
    for (collection, _) in &collections {
        let (stage, standing) = stand(&transaction, collection)?;
        stages.insert(collection.name, stage);
        standings.push(standing);
    }
    transaction.commit().map_err(&doing)?;
    Ok((
        Run {
            id,
            connection,
            stages,
            _lock: lock,
        },
        standings,
    ))
}

/// Ends a run. If a collection failed, it has only stopped: the next run reads the others anew and continues that one. If
/// a collection was not tried, because the run was cancelled, it continues as it is.
pub(super) fn end(run: &Run) -> Result<(), Error> {
    let Some(worst) = run.stages.values().map(|stage| stage.outcome).min() else {
        return Ok(());
    };
    let column = match worst {
        Outcome::Committed => "ended",
        Outcome::Failed => "stopped",
        Outcome::Untried => return Ok(()),
    };
    run.connection
        .execute(
            &format!("UPDATE _lms_runs SET {column} = $1 WHERE run = $2"),
            params![now(), run.id],
        )
        .map_err(failed("end the run"))?;
    Ok(())
}

/// The current time in UTC.
pub(super) fn now() -> String {
    jiff::Timestamp::now().to_string()
}

fn check_path(path: &Path) -> Result<(), Error> {
    let missing = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    if let Some(folder) = missing {
        let error = io::Error::from(io::ErrorKind::NotFound);
        return Err(Error::file("find the folder", folder, error));
    }
    if path.is_dir() {
        let error = io::Error::from(io::ErrorKind::IsADirectory);
        return Err(Error::file("open", path, error));
    }
    Ok(())
}

fn known(plan: &Plan) -> Result<Vec<(&'static Collection, &CollectionPlan)>, Error> {
    let find = |plan| match CollectionPlan::collection(plan) {
        Some(collection) => Ok((collection, plan)),
        None => Err(Error::usage(format!("unknown collection {:?}", plan.name))),
    };
    plan.collections.iter().map(find).collect()
}

/// Fails if the tables have another version. Returns whether there are any: a mirror can be added to a file with other
/// tables.
pub(super) fn check_version(connection: &Connection) -> Result<bool, Error> {
    let doing = failed("read the version of the tables");
    if !exists(connection, "_lms_meta").map_err(&doing)? {
        return Ok(false);
    }
    let version = meta(connection, "version")
        .map_err(&doing)?
        .unwrap_or_default();
    if version == FORMAT_VERSION.to_string() {
        return Ok(true);
    }
    Err(Error::new(
        ErrorKind::Foreign,
        format!(
            "the file has tables of format version {version:?}, and this release writes version {FORMAT_VERSION}; use the \
             release that wrote it, or choose another path"
        ),
    ))
}

fn create_internal(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    for statement in internal_tables(&SQLITE) {
        transaction.execute(&statement, ())?;
    }
    transaction.execute("CREATE TABLE IF NOT EXISTS _lms_seen (collection TEXT NOT NULL, ranges TEXT NOT NULL) STRICT", ())?;
    set_meta(transaction, "version", &FORMAT_VERSION.to_string())?;
    // Makes the ids of changes different from those of other mirrors.
    let id: String =
        transaction.query_row("SELECT lower(hex(randomblob(8)))", (), |row| row.get(0))?;
    transaction.execute(
        "INSERT OR IGNORE INTO _lms_meta (name, value) VALUES ('id', $1)",
        [id],
    )?;
    Ok(())
}

fn check_tenant(transaction: &Transaction<'_>, plan: &Plan) -> Result<(), Error> {
    let doing = failed("read the tenant of the mirror");
    match meta(transaction, "tenant").map_err(&doing)? {
        None => set_meta(transaction, "tenant", &plan.tenant).map_err(doing),
        Some(tenant) if tenant == plan.tenant => Ok(()),
        Some(tenant) => Err(Error::new(
            ErrorKind::OtherRun,
            format!(
                "the file mirrors {tenant}, and this run reads {}; choose another path for it",
                plan.tenant
            ),
        )),
    }
}

/// Fails if something has the name of a collection that this crate has not made.
fn check_name(transaction: &Transaction<'_>, name: &str) -> Result<(), Error> {
    let doing = failed("read the names of the tables");
    let registered = "SELECT EXISTS (SELECT 1 FROM _lms_collections WHERE name = $1)";
    let ours: bool = transaction
        .query_row(registered, [name], |row| row.get(0))
        .map_err(&doing)?;
    if !ours && exists(transaction, name).map_err(&doing)? {
        return Err(taken(name));
    }
    Ok(())
}

fn taken(name: &str) -> Error {
    Error::new(
        ErrorKind::Foreign,
        format!(
            "the file has a table or view {name:?} that is not from a mirror; rename it, or choose another path"
        ),
    )
}

/// Rows that other filters do not select would look deleted.
fn check_filters(transaction: &Transaction<'_>, plan: &CollectionPlan) -> Result<(), Error> {
    let sql = "SELECT filters FROM _lms_collections WHERE name = $1 AND committed_run IS NOT NULL";
    let before: Option<String> = transaction
        .query_row(sql, [&plan.name], |row| row.get(0))
        .optional()
        .map_err(failed("read the filters of the mirror"))?;
    let now = filters(plan);
    match before {
        Some(before) if before != now => Err(Error::new(
            ErrorKind::OtherRun,
            format!(
                "the file has {} with the filters {before}, and this run has {now}; choose another path for other filters",
                plan.name
            ),
        )),
        _ => Ok(()),
    }
}

fn filters(plan: &CollectionPlan) -> String {
    serde_json::to_string(&plan.filters).unwrap_or_default()
}

fn create_tables(
    transaction: &Transaction<'_>,
    collection: &'static Collection,
    plan: &CollectionPlan,
) -> rusqlite::Result<()> {
    let schema = Schema::new(&SQLITE, collection);
    transaction.execute(&schema.create_live(), ())?;
    let sql = format!("SELECT name FROM pragma_table_info('{}')", collection.name);
    let mut statement = transaction.prepare(&sql)?;
    let present: Vec<String> = statement
        .query_map((), |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for column in collection
        .columns
        .iter()
        .filter(|column| !present.iter().any(|name| name == column.name))
    {
        transaction.execute(&schema.add_column(column), ())?;
    }
    for (_, create) in schema.indexes() {
        transaction.execute(&create, ())?;
    }
    transaction.execute(
        "INSERT INTO _lms_collections (name, filters, row_count, last_row) VALUES ($1, $2, 0, 0) \
         ON CONFLICT (name) DO UPDATE SET filters = excluded.filters",
        [collection.name, &filters(plan)],
    )?;
    Ok(())
}

/// Creates the views anew, since they depend on the tables that exist.
fn create_views(transaction: &Transaction<'_>) -> Result<(), Error> {
    let doing = failed("create the views");
    let mut statement = transaction
        .prepare("SELECT name FROM _lms_collections")
        .map_err(&doing)?;
    let tables: Vec<String> = statement
        .query_map((), |row| row.get(0))
        .and_then(Iterator::collect)
        .map_err(&doing)?;
    for view in VIEWS.iter().rev() {
        let ours = meta(transaction, &format!("view {}", view.name))
            .map_err(&doing)?
            .is_some();
        if !ours && exists(transaction, view.name).map_err(&doing)? {
            return Err(taken(view.name));
        }
        transaction
            .execute(&format!("DROP VIEW IF EXISTS {}", view.name), ())
            .map_err(&doing)?;
    }
    for view in VIEWS.iter().filter(|view| view.is_possible(&tables)) {
        transaction
            .execute(&view.create(&tables), ())
            .map_err(&doing)?;
        set_meta(transaction, &format!("view {}", view.name), "").map_err(&doing)?;
    }
    Ok(())
}

/// The number of the unfinished run, or of a new one.
fn take_run(
    transaction: &Transaction<'_>,
    plan: &Plan,
    unfinished: Unfinished,
) -> Result<i64, Error> {
    let doing = failed("begin the run");
    let sql = "SELECT run, plan, stopped IS NOT NULL FROM _lms_runs WHERE ended IS NULL";
    let found: Option<(i64, String, bool)> = transaction
        .query_row(sql, (), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()
        .map_err(&doing)?;
    // No collection has begun in a new run.
    let mut checkpoint = "NULL";
    if let Some((id, text, stopped)) = found {
        if unfinished == Unfinished::Refuse {
            check_plan(plan, &text)?;
            if !stopped {
                return Ok(id);
            }
            checkpoint = "CASE WHEN record IS NULL THEN checkpoint END";
        }
        let sql = "UPDATE _lms_runs SET ended = $1 WHERE run = $2";
        transaction
            .execute(sql, params![now(), id])
            .map_err(&doing)?;
    }
    let sql = format!("UPDATE _lms_collections SET checkpoint = {checkpoint}, record = NULL");
    transaction.execute(&sql, ()).map_err(&doing)?;
    let text = serde_json::to_string(plan)
        .map_err(|error| Error::destination("cannot write the plan as JSON", error))?;
    let sql = "INSERT INTO _lms_runs (plan, began) VALUES ($1, $2)";
    transaction.execute(sql, [text, now()]).map_err(&doing)?;
    Ok(transaction.last_insert_rowid())
}

/// Fails if the plan is not that of the unfinished run.
fn check_plan(plan: &Plan, unfinished: &str) -> Result<(), Error> {
    let other: Plan = serde_json::from_str(unfinished).map_err(damaged)?;
    let differences = plan.differences(&other);
    if differences.is_empty() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::OtherRun,
        format!(
            "the file has an unfinished run with other arguments ({}); start it again with the same arguments, or discard it",
            differences.join("; ")
        ),
    ))
}

fn damaged(error: serde_json::Error) -> Error {
    let message = "the state of the unfinished run is damaged; discard that run";
    Error::destination(message, error)
}

/// Where a collection stands in the run.
fn stand(
    transaction: &Transaction<'_>,
    collection: &'static Collection,
) -> Result<(Stage, Standing), Error> {
    let doing = failed("read the state of the run");
    let sql = "SELECT checkpoint, record FROM _lms_collections WHERE name = $1";
    let (checkpoint, record): (Option<String>, Option<String>) = transaction
        .query_row(sql, [collection.name], |row| Ok((row.get(0)?, row.get(1)?)))
        .map_err(&doing)?;
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM {})",
        Names::new(collection).live
    );
    let filled: bool = transaction
        .query_row(&sql, (), |row| row.get(0))
        .map_err(&doing)?;
    let mut stage = Stage::new(
        collection,
        if filled { Table::Filled } else { Table::Empty },
    );
    let standing = match (record, checkpoint) {
        (Some(record), _) => {
            stage.outcome = Outcome::Committed;
            Standing::Done(Box::new(serde_json::from_str(&record).map_err(damaged)?))
        }
        (None, Some(checkpoint)) => {
            stage.load_seen(transaction)?;
            Standing::Resume(Box::new(
                serde_json::from_str(&checkpoint).map_err(damaged)?,
            ))
        }
        (None, None) => {
            stage.create(transaction).map_err(&doing)?;
            Standing::Fresh
        }
    };
    Ok((stage, standing))
}

fn exists(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = $1)";
    connection.query_row(sql, [name], |row| row.get(0))
}

pub(super) fn meta(connection: &Connection, name: &str) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT value FROM _lms_meta WHERE name = $1";
    connection
        .query_row(sql, [name], |row| row.get(0))
        .optional()
}

fn set_meta(connection: &Connection, name: &str, value: &str) -> rusqlite::Result<()> {
    let sql = "INSERT INTO _lms_meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    connection.execute(sql, [name, value])?;
    Ok(())
}
