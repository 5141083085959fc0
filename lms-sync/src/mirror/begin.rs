//! Begins and ends a run: the requirements on a database, the tables that are created in it, and the state of the run.
//!
//! | the last run | the next run | its collections |
//! |---|---|---|
//! | ended | is new | are read from the start |
//! | was interrupted | is the same run | that were read are done; others continue after their checkpoint |
//! | stopped: it tried all collections, and some failed | is new | that failed continue; others are read from the start |
//! | has not ended, and has another plan | is refused, or with [`Unfinished::Discard`] new | are read from the start |

use std::{collections::HashMap, fmt::Display};

use super::{
    database_fence::{FencedDatabase, take_fence},
    mirror_run::Run,
    overview::FAILED_START,
    policy::MirrorPolicy,
    staging_table::{Counts, StagingOutcome, StagingTable},
    tables::{check_name, create_table, create_views, exists, is_made_of_staging},
};
use crate::{
    collection::{Collection, Value, known},
    error::{Error, ErrorKind},
    plan::{CollectionPlan, Plan, Unfinished, random_token},
    protocol::CollectionState,
    record::CompletenessRecord,
    sql::{
        FORMAT_VERSION,
        database::{
            Database, Failure, Transaction, failed, in_transaction, integer, now, query_first,
            query_value, text, text_value,
        },
        internal_tables, meta, set_meta,
    },
};

/// Begins or continues a run. Returns the state of each collection.
pub(super) fn begin(
    mut database: Box<dyn Database>,
    plan: &Plan,
    unfinished: Unfinished,
    policy: &MirrorPolicy,
) -> Result<(Run, Vec<CollectionState>), Error> {
    let doing = format!("prepare the {}", database.dialect().place);
    let work = |database: &mut dyn Database| {
        check_version(database)?;
        create_internal(database)?;
        check_tenant(database, plan)?;
        let sql = "DELETE FROM _lms_meta WHERE name = $1";
        database.execute(sql, &[text_value(FAILED_START)])?;
        for plan in &plan.collections {
            check_name(database, &plan.name)?;
            check_filters(database, plan)?;
            let doing = format!("prepare the table {}", plan.name);
            register(database, plan).map_err(failed(&doing))?;
        }
        create_views(database)?;
        let id = take_run(database, plan, unfinished)?;
        let token = take_fence(database)?;
        let (mut staging_tables, mut states) = (HashMap::new(), Vec::new());
        for plan in &plan.collections {
            let (staging, state) = state_of(database, known(&plan.name)?)?;
            staging_tables.insert(staging.collection.name, staging);
            states.push(state);
        }
        let doing = "let others read the mirror";
        database.share().map_err(failed(doing))?;
        Ok((id, token, staging_tables, states))
    };
    let begun = in_transaction(&mut *database, Transaction::Write, &doing, work)?;
    let (id, token, staging_tables, states) = begun;
    let unfiltered = plan.collections.iter().filter(|of| of.filters.is_empty());
    let run = Run {
        id,
        database: FencedDatabase { database, token },
        staging_tables,
        unfiltered: unfiltered.map(|of| of.name.clone()).collect(),
        lookups: policy.confirm_deletes,
    };
    Ok((run, states))
}

/// Ends a run. If a collection failed, it is marked as stopped: the next run continues that collection and reads the others
/// again. If a collection was not tried or not published, because the run was cancelled, it continues as it is.
pub(super) fn end(mut run: Run) -> Result<(), Error> {
    let column = match run.staging_tables.values().map(|of| of.outcome).min() {
        Some(StagingOutcome::Published) => "ended",
        Some(StagingOutcome::Failed) => "stopped",
        Some(StagingOutcome::Untried | StagingOutcome::Sealed) | None => return Ok(()),
    };
    let sql = format!("UPDATE _lms_runs SET {column} = $1 WHERE run = $2");
    let values = [now(), Value::Integer(run.id)];
    let doing = "end the run";
    run.database
        .transaction(Transaction::Write, doing, |database| {
            database.execute(&sql, &values)
        })
}

/// Fails if the tables have another version. Returns whether there are any: a mirror can be added to a place with other
/// tables.
fn check_version(database: &mut dyn Database) -> Result<bool, Failure> {
    if !exists(database, "_lms_meta")? {
        return Ok(false);
    }
    let version = meta(database, "version")?.unwrap_or_default();
    if version == FORMAT_VERSION.to_string() {
        return Ok(true);
    }
    let dialect = database.dialect();
    let message = format!(
        "the {} has tables of format version {version:?}, and this release writes version {FORMAT_VERSION}; use the release \
         that wrote it, or choose another {}",
        dialect.place, dialect.place
    );
    Err(ErrorKind::Foreign.error(message).into())
}

/// Fails unless a database has a mirror.
pub(super) fn require_mirror(
    database: &mut dyn Database,
    place: &dyn Display,
) -> Result<(), Failure> {
    if check_version(database)? {
        return Ok(());
    }
    let message = format!(
        "{place} has no mirror yet; mirror a tenant into it first, or give the {} of a mirror",
        database.dialect().place
    );
    Err(ErrorKind::Foreign.error(message).into())
}

fn create_internal(database: &mut dyn Database) -> Result<(), Failure> {
    let dialect = database.dialect();
    for statement in internal_tables(dialect) {
        database.execute(&statement, &[])?;
    }
    set_meta(database, "version", &FORMAT_VERSION.to_string())?;
    // Makes the ids of changes different from those of other mirrors.
    let sql = "INSERT INTO _lms_meta (name, value) VALUES ('id', $1) ON CONFLICT (name) DO NOTHING";
    database.execute(sql, &[text_value(random_token())])
}

fn check_tenant(database: &mut dyn Database, plan: &Plan) -> Result<(), Failure> {
    let before = meta(database, "tenant")?;
    if before.as_ref() == Some(&plan.tenant) {
        return Ok(());
    }
    if let Some(tenant) = before {
        plan.check_tenant(&tenant, format!("the {}", database.dialect().place))?;
    }
    set_meta(database, "tenant", &plan.tenant)
}

/// Rows that other filters do not select would look deleted.
fn check_filters(database: &mut dyn Database, plan: &CollectionPlan) -> Result<(), Failure> {
    let sql = "SELECT filters FROM _lms_collections WHERE name = $1 AND committed_run IS NOT NULL";
    let before = query_value(database, sql, &[text_value(&plan.name)])?;
    let now = filters(plan);
    match text(&before) {
        Some(before) if before != now => {
            let dialect = database.dialect();
            let message = format!(
                "the {} has {} with the filters {before}, and this run has {now}; choose another {} for other filters",
                dialect.place, plan.name, dialect.place
            );
            Err(ErrorKind::OtherRun.error(message).into())
        }
        _ => Ok(()),
    }
}

fn filters(plan: &CollectionPlan) -> String {
    serde_json::to_string(&plan.filters).unwrap_or_default()
}

/// Registers a collection, and creates its table unless the staging table will become it.
fn register(database: &mut dyn Database, plan: &CollectionPlan) -> Result<(), Failure> {
    let collection = known(&plan.name)?;
    if !is_made_of_staging(database, collection)? {
        create_table(database, collection)?;
    }
    database.execute(
        "INSERT INTO _lms_collections (name, filters, row_count, missing_count, marked_count, last_row) VALUES ($1, $2, 0, 0, 0, 0) \
         ON CONFLICT (name) DO UPDATE SET filters = excluded.filters",
        &[text_value(collection.name), text_value(filters(plan))],
    )
}

/// The number of the unfinished run, or of a new one.
fn take_run(
    database: &mut dyn Database,
    plan: &Plan,
    unfinished: Unfinished,
) -> Result<i64, Failure> {
    let sql = "SELECT run, plan, stopped IS NOT NULL FROM _lms_runs WHERE ended IS NULL";
    // No collection has begun in a new run.
    let mut checkpoint = "NULL";
    if let Some(mut found) = query_first(database, sql, &[])? {
        let id = found.integer();
        if unfinished == Unfinished::Resume {
            let other: Plan = serde_json::from_str(&found.text()).map_err(damaged)?;
            plan.check(&other, format!("the {}", database.dialect().place))?;
            if !found.is_true() {
                return Ok(id);
            }
            checkpoint = "CASE WHEN record IS NULL THEN checkpoint END";
        }
        let sql = "UPDATE _lms_runs SET ended = $1 WHERE run = $2";
        database.execute(sql, &[now(), Value::Integer(id)])?;
    }
    let sql = format!("UPDATE _lms_collections SET checkpoint = {checkpoint}, record = NULL");
    database.execute(&sql, &[])?;
    database.execute("DELETE FROM _lms_sealed", &[])?;
    let text = serde_json::to_string(plan)
        .map_err(|error| Error::destination("cannot write the plan as JSON", error))?;
    let sql = "INSERT INTO _lms_runs (plan, began) VALUES ($1, $2) RETURNING run";
    let run = query_value(database, sql, &[text_value(text), now()])?;
    Ok(integer(&run).unwrap_or_default())
}

fn damaged(error: serde_json::Error) -> Error {
    let message = "the state of the unfinished run is damaged; discard that run";
    Error::destination(message, error)
}

/// The state of a collection in the run.
fn state_of(
    database: &mut dyn Database,
    collection: &'static Collection,
) -> Result<(StagingTable, CollectionState), Failure> {
    let sql = "SELECT row_count, missing_count, marked_count, last_row, committed_run IS NOT NULL, checkpoint, record, \
               (SELECT state FROM _lms_sealed WHERE collection = name) FROM _lms_collections WHERE name = $1";
    let state = query_first(database, sql, &[text_value(collection.name)])?;
    let missing = || Failure::damaged(format!("{} is not registered", collection.name));
    let mut state = state.ok_or_else(missing)?;
    let counts = Counts {
        rows: state.count(),
        missing: state.count(),
        marked: state.count(),
        last_row: state.integer(),
        is_committed: state.is_true(),
    };
    let mut next = || text(&state.value());
    let (checkpoint, record, sealed) = (next(), next(), next());
    let exists = exists(database, collection.name)?;
    let mut staging = StagingTable::new(database.dialect(), collection, exists, counts);
    let state = match (sealed, record, checkpoint) {
        (Some(sealed), ..) => {
            staging.load_seen(database)?;
            let record: CompletenessRecord;
            (record, staging.findings) = serde_json::from_str(&sealed).map_err(damaged)?;
            staging.record = Some(record.clone());
            staging.outcome = StagingOutcome::Sealed;
            CollectionState::Done(Box::new(record))
        }
        (None, Some(record), _) => {
            staging.outcome = StagingOutcome::Published;
            CollectionState::Done(Box::new(serde_json::from_str(&record).map_err(damaged)?))
        }
        (None, None, Some(checkpoint)) => {
            staging.load_seen(database)?;
            CollectionState::Resume(Box::new(
                serde_json::from_str(&checkpoint).map_err(damaged)?,
            ))
        }
        (None, None, None) => {
            staging.create(database)?;
            CollectionState::Fresh
        }
    };
    Ok((staging, state))
}
