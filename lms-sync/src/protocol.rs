//! The calls that a run makes to a sink, and their guarantees.
//!
//! ```text
//! [hold] ─▶ begin ─▶ for each collection: [reads] ─▶ [restart] ─▶ store* ─▶ [set_reads] ─▶ [missing] ─▶ commit | abort; then publish ─▶ end
//! ```
//!
//! Collections may be interleaved: batches of two collections can alternate. The calls for one collection come in order.
//!
//! A process can be killed before, during and after any call. Afterwards, `begin` of a new sink for the same destination
//! returns the last checkpoint whose rows are all stored.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::{
    collection::Collection,
    error::Error,
    extract::{Batch, ExtractCheckpoint, ItemReads},
    plan::Plan,
    record::CompletenessRecord,
};

/// A destination that stores rows. A `Box` of a sink is a sink. Only this crate implements it: a destination of your own
/// reads the rows of [files](crate::read_files) or of a [mirror](crate::mirror).
pub trait Sink: SinkCalls {}

impl<T: SinkCalls + ?Sized> Sink for T {}

/// The calls of a [`Sink`]. All of them block: a run makes them where they may. One with an asynchronous client keeps a
/// runtime, and blocks on it.
///
/// They fail with [`Destination`](crate::ErrorKind::Destination) when the destination cannot be read or written. After a
/// failed call, only [`abort`](Self::abort) is called for the collection.
// Not an expectation: without the sinks that implement it, the trait is private, and clippy asks for nothing.
#[allow(
    clippy::missing_errors_doc,
    reason = "the errors of all calls are described here"
)]
#[auto_impl::auto_impl(Box)]
pub trait SinkCalls: Send {
    /// Takes the destination now instead of when the run begins, so that nothing is requested of a tenant that another run
    /// reads, if the destination allows it.
    fn hold(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// The records of the collections of which the destination has all rows, stored as this sink stores them. Other runs may use
    /// the destination meanwhile.
    fn stored(&self) -> Result<Vec<CompletenessRecord>, Error> {
        Ok(Vec::new())
    }

    /// Locks the destination for a run. Returns the state of each collection, in the order of the plan.
    ///
    /// Checks everything that can be known before rows arrive: permissions, names that are in use, versions. Creates what is
    /// missing. Rows that were committed before stay readable until the commit. If this fails, nothing has changed.
    fn begin(&mut self, plan: &Plan) -> Result<Vec<CollectionState>, Error>;

    /// Calls `visit` with the [fingerprint](crate::Row::key_fingerprint) of the key of each row that the unfinished run has
    /// stored in a collection that is [resumed](CollectionState::Resume), so that duplicates are recognised.
    fn visit_keys(
        &mut self,
        collection: &'static Collection,
        visit: &mut dyn FnMut(u128),
    ) -> Result<(), Error>;

    /// The record of the last commit of a collection, even from an earlier run. Its counts are evidence in this run. `None`
    /// if there was no commit.
    fn previous(
        &mut self,
        _collection: &'static Collection,
    ) -> Result<Option<CompletenessRecord>, Error> {
        Ok(None)
    }

    /// Stores the rows of a batch and its checkpoint in one step, now or together with later ones.
    fn store(&mut self, batch: Batch) -> Result<(), Error>;

    /// Drops the rows and the checkpoint that the unfinished run has stored for a collection. The collection is read
    /// again from the start, because its checkpoint cannot be continued. Nothing changes for readers.
    fn restart(&mut self, collection: &'static Collection) -> Result<(), Error>;

    /// The rows that the destination has and the complete list lacks. The run requests the object of each row, and
    /// passes the results to the [commit](Self::commit). Called after the last checkpoint, for a
    /// collection with an operation [by id](Collection::by_id). Empty if the sink does not delete single rows.
    fn missing(&mut self, _collection: &'static Collection) -> Result<Missing, Error> {
        Ok(Missing::default())
    }

    /// The time of the last read of each item of a derived collection, for a run with a
    /// [budget](crate::Export::max_requests). `None` if the sink does not keep the rows that a run does not read.
    fn reads(&mut self, _collection: &'static Collection) -> Result<Option<ItemReads>, Error> {
        Ok(None)
    }

    /// The items of a run with a budget, after the last checkpoint: rows of those that were not read stay as they are.
    fn set_reads(
        &mut self,
        _collection: &'static Collection,
        _reads: ItemReads,
    ) -> Result<(), Error> {
        Ok(())
    }

    /// Makes the rows of a collection visible in one step, in place of those of the previous run, with the record; or keeps them
    /// until all are [published](Self::publish) together.
    ///
    /// The record is [complete](CompletenessRecord::is_complete), or [changed](crate::Completeness::Changed) in a run
    /// that accepts this. After a change, rows may be missing, so a sink must not delete a row because the list lacks
    /// it. `lookups` has the results of the requests for the objects of [missing](Self::missing) rows, without those that
    /// failed.
    fn commit(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
        lookups: Lookups,
    ) -> Result<(), Error>;

    /// Makes the rows of all committed collections visible in one step. Not called after a cancelled run, which the next one
    /// continues.
    ///
    /// Returns the collections that cannot be published, for example because of
    /// [`TooManyDeletes`](crate::ErrorKind::TooManyDeletes). They stay as they are, and the others are published.
    fn publish(&mut self) -> Result<Vec<(&'static Collection, Error)>, Error> {
        Ok(Vec::new())
    }

    /// Keeps the rows and the checkpoint of a collection for the next run, and stores the record, which is not complete.
    /// Deletes nothing and publishes nothing.
    fn abort(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
    ) -> Result<(), Error>;

    /// Ends the run and releases the destination, as dropping the sink does. If every collection was committed, the next run
    /// starts from the beginning. If this fails, it finds the collections [done](CollectionState::Done).
    fn end(&mut self) -> Result<(), Error>;
}

/// The values of the columns of a [key](Collection::key), in their order.
pub(crate) type Key = Vec<String>;

/// Rows whose objects a run [requests](SinkCalls::missing).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// The numbers and the keys of the rows that the list lacks, or of some of them.
    pub rows: Vec<(i64, Key)>,
    /// The keys of some rows that the list has. If the service finds none of their objects, the objects of the other rows are
    /// not requested.
    pub known: Vec<Key>,
}

/// The results of requests for objects, by the numbers of their rows.
pub(crate) type Lookups = HashMap<i64, Lookup>;

/// The result of a request for an object by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lookup {
    /// The object does not exist: the response is that for an object that cannot exist.
    Gone,
    /// The object exists.
    Present,
    /// The service keeps the object, and says that it is deleted.
    MarkedDeleted,
}

/// The state of a collection at the beginning of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum CollectionState {
    /// This run has not started it.
    Fresh,
    /// It was interrupted. The run continues after this checkpoint, or calls [`restart`](SinkCalls::restart) if the stored rows
    /// have other columns than the collection has now.
    Resume(Box<ExtractCheckpoint>),
    /// It was committed before the run was interrupted, with this record. It may not be published yet.
    Done(Box<CompletenessRecord>),
}
