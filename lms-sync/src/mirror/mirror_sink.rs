//! The sink of mirrors, for all databases.

use std::time::Duration;

use super::{
    begin, destination::MirrorDestination, mirror_run::Run, overview::committed,
    policy::MirrorPolicy, publish, reads, staging_table::StagingOutcome, witness,
};
use crate::{
    collection::Collection,
    error::Error,
    extract::{Batch, ItemReads},
    plan::{Plan, Unfinished},
    protocol::{CollectionState, Lookups, Missing, SinkCalls},
    record::CompletenessRecord,
    sql::database::{Database, Transaction, failed},
};

/// Time in which a server notices that a run was killed.
const KILLED: Duration = Duration::from_secs(3);

/// Writes collections into the tables of a database, as described in the [module](super).
#[derive(Debug)]
pub struct MirrorSink<P> {
    destination: P,
    policy: MirrorPolicy,
    unfinished: Unfinished,
    /// The connection, after [`hold`](SinkCalls::hold).
    held: Option<Box<dyn Database>>,
    run: Option<Run>,
}

impl<P> MirrorSink<P> {
    pub(crate) fn at(destination: P) -> Self {
        Self {
            destination,
            policy: MirrorPolicy::default(),
            unfinished: Unfinished::Resume,
            held: None,
            run: None,
        }
    }

    /// Sets the policy for rows that the tenant no longer has. Default: [`MirrorPolicy::default`].
    #[must_use]
    pub fn policy(mut self, policy: MirrorPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Discards an unfinished run. Without this, a run with the same arguments continues it, and a run with other arguments
    /// fails. Committed rows stay.
    #[must_use]
    pub fn discard_unfinished(mut self) -> Self {
        self.unfinished = Unfinished::Discard;
        self
    }

    fn run(&mut self) -> Result<&mut Run, Error> {
        self.run
            .as_mut()
            .ok_or_else(|| Error::usage("the sink has no run; call `begin` first"))
    }
}

impl<P: MirrorDestination> SinkCalls for MirrorSink<P> {
    fn hold(&mut self) -> Result<(), Error> {
        self.held = Some(self.destination.open_for_run(Duration::ZERO)?);
        Ok(())
    }

    fn begin(&mut self, plan: &Plan) -> Result<Vec<CollectionState>, Error> {
        // Releases the destination of an earlier run of this sink.
        self.run = None;
        let database = match self.held.take() {
            Some(database) => database,
            None => self.destination.open_for_run(KILLED)?,
        };
        let (run, states) = begin::begin(database, plan, self.unfinished, &self.policy)?;
        self.run = Some(run);
        Ok(states)
    }

    fn visit_keys(
        &mut self,
        collection: &'static Collection,
        visit: &mut dyn FnMut(u128),
    ) -> Result<(), Error> {
        let (database, staging) = self.run()?.parts(collection)?;
        staging
            .visit_keys(&mut *database.database, visit)
            .map_err(failed("read the keys of the unfinished run"))
    }

    fn previous(
        &mut self,
        collection: &'static Collection,
    ) -> Result<Option<CompletenessRecord>, Error> {
        let database = &mut *self.run()?.database.database;
        let stored = committed(database).map_err(failed("read the completeness record"))?;
        let mut stored = stored.into_iter();
        let found = stored.find(|(name, _)| name == collection.name);
        Ok(found.and_then(|(_, record)| record))
    }

    fn store(&mut self, batch: Batch) -> Result<(), Error> {
        let (database, staging) = self.run()?.parts(batch.collection)?;
        staging.store(database, batch)
    }

    fn restart(&mut self, collection: &'static Collection) -> Result<(), Error> {
        let (database, staging) = self.run()?.parts(collection)?;
        staging.restart(database)
    }

    fn missing(&mut self, collection: &'static Collection) -> Result<Missing, Error> {
        let run = self.run()?;
        if !run.can_look_up(collection) {
            return Ok(Missing::default());
        }
        let doing = failed("read the rows that the list lacks");
        let limit = usize::try_from(run.lookups).unwrap_or(usize::MAX);
        let (database, tables) = (&mut *run.database.database, &run.staging_tables);
        let parents = witness::parents_of_run(database, collection, tables, run.id);
        let parents = parents.map_err(&doing)?;
        let id = run.id;
        let (database, staging) = run.parts(collection)?;
        staging.findings.can_look_up = true;
        let database = &mut *database.database;
        let missing = witness::missing(database, staging, &parents, id, limit).map_err(doing)?;
        run.lookups -= missing.rows.len() as u64;
        Ok(missing)
    }

    fn reads(&mut self, collection: &'static Collection) -> Result<Option<ItemReads>, Error> {
        let run = self.run()?;
        let database = &mut *run.database.database;
        let stored = reads::load(database, collection, &run.staging_tables);
        Ok(Some(stored.map_err(failed("read when items were read"))?))
    }

    fn set_reads(
        &mut self,
        collection: &'static Collection,
        reads: ItemReads,
    ) -> Result<(), Error> {
        let (_, staging) = self.run()?.parts(collection)?;
        staging.findings.reads = Some(reads);
        Ok(())
    }

    fn commit(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
        lookups: Lookups,
    ) -> Result<(), Error> {
        let run = self.run()?;
        let can_look_up = run.can_look_up(collection);
        let (database, staging) = run.parts(collection)?;
        staging.findings.can_look_up = can_look_up;
        staging.findings.looked_up = lookups;
        staging.seal(database, record)
    }

    fn publish(&mut self) -> Result<Vec<(&'static Collection, Error)>, Error> {
        let policy = self.policy.clone();
        publish::publish(self.run()?, &policy)
    }

    fn abort(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
    ) -> Result<(), Error> {
        let run = self.run()?;
        let id = run.id;
        let (database, staging) = run.parts(collection)?;
        staging.outcome = StagingOutcome::Failed;
        let doing = "store the completeness record";
        database.transaction(Transaction::Write, doing, |database| {
            publish::store_record(database, id, record, None)
        })
    }

    fn end(&mut self) -> Result<(), Error> {
        self.run.take().map_or(Ok(()), begin::end)
    }
}
