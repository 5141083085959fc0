//! The calls that a run makes to a sink, and their guarantees.

use crate::{
    collection::Collection,
    error::Error,
    extract::{Batch, ExtractCheckpoint, ItemReads},
    plan::Plan,
    record::CompletenessRecord,
};

/// Stores rows. A `Box` of a sink is a sink. Only this crate implements it: a destination of your own reads the rows of
/// [files](crate::read_files) or of a [mirror](crate::mirror).
///
/// All calls block: the engine makes them on a separate thread, so that writing overlaps with reading. A sink with an
/// asynchronous client keeps a handle of its runtime and blocks on it.
///
/// A process can be killed before, during and after any call. Afterwards, [`begin`](Self::begin) of a new sink for the same
/// destination returns the last checkpoint whose rows are all stored, and drops rows that were written after it.
#[auto_impl::auto_impl(Box)]
pub trait Sink: Sealed + Send {
    /// Locks the destination for a run. Returns the state of each collection, in the order of the plan.
    ///
    /// Checks everything that can be known before rows arrive: permissions, names that are in use, versions. Creates what is
    /// missing. Rows that were committed before stay readable until the commit.
    ///
    /// # Errors
    ///
    /// [`Locked`](crate::ErrorKind::Locked) with the process and the host when another run uses the destination;
    /// [`OtherRun`](crate::ErrorKind::OtherRun) with the [differences](Plan::differences) when it has an unfinished run
    /// with another plan; [`Foreign`](crate::ErrorKind::Foreign) when it has something that no sink of this kind wrote;
    /// [`Destination`](crate::ErrorKind::Destination) for all other failures. Nothing has changed then.
    fn begin(&mut self, plan: &Plan) -> Result<Vec<CollectionState>, Error>;

    /// Calls `visit` with the [fingerprint](crate::Row::key_fingerprint) of the key of each row that the unfinished run has
    /// stored in a collection, so that duplicates are recognised after a resume. Called after `begin` for a collection that is
    /// [resumed](CollectionState::Resume).
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the keys cannot be read.
    fn visit_keys(
        &mut self,
        collection: &'static Collection,
        visit: &mut dyn FnMut(u128),
    ) -> Result<(), Error>;

    /// The record of the last commit of a collection, even from an earlier run. Its counts are evidence in this run.
    /// Called after `begin`.
    ///
    /// Returns `None` if there was no commit, or if the sink does not keep records.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the record cannot be read.
    fn previous(
        &mut self,
        _collection: &'static Collection,
    ) -> Result<Option<CompletenessRecord>, Error> {
        Ok(None)
    }

    /// Takes the rows of a batch. They need not be durable before the next checkpoint.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the rows cannot be stored. The engine then calls only
    /// [`abort`](Self::abort) for this collection.
    fn write(&mut self, batch: Batch) -> Result<(), Error>;

    /// Stores the position after all rows written so far, in one step with them.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the destination cannot be written. The engine then calls only
    /// [`abort`](Self::abort) for this collection.
    fn checkpoint(
        &mut self,
        collection: &'static Collection,
        checkpoint: &ExtractCheckpoint,
    ) -> Result<(), Error>;

    /// Drops the rows and the checkpoint that the unfinished run has stored for a collection. The collection is read
    /// again from the start, because its checkpoint cannot be continued. Nothing changes for readers.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the destination cannot be written. The engine then calls only
    /// [`abort`](Self::abort) for this collection.
    fn restart(&mut self, collection: &'static Collection) -> Result<(), Error>;

    /// The rows that the destination has and the complete list lacks. The run requests the object of each row, and
    /// passes the results to [`looked_up`](Self::looked_up) before the commit. Called after the last checkpoint, for a
    /// collection with an operation [by id](Collection::by_id).
    ///
    /// Empty if the sink does not delete single rows.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the rows cannot be read.
    fn missing(&mut self, _collection: &'static Collection) -> Result<Missing, Error> {
        Ok(Missing::default())
    }

    /// The results of the requests for the objects of [missing](Self::missing) rows. Objects whose request failed are
    /// left out.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the results cannot be stored.
    fn looked_up(
        &mut self,
        _collection: &'static Collection,
        _lookups: &[(Key, Lookup)],
    ) -> Result<(), Error> {
        Ok(())
    }

    /// When each item of a derived collection was read, for a run with a [budget](crate::Export::max_requests). `None` if the
    /// sink does not keep the rows that a run does not read.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the times cannot be read.
    fn reads(&mut self, _collection: &'static Collection) -> Result<Option<ItemReads>, Error> {
        Ok(None)
    }

    /// The items of a run with a budget, before the commit: rows of those that were not read stay as they are.
    fn set_reads(&mut self, _collection: &'static Collection, _reads: ItemReads) {}

    /// Makes the rows of a collection visible in one step, in place of those of the previous run, with the record.
    ///
    /// The record is [complete](CompletenessRecord::is_complete), or [changed](crate::Completeness::Changed) in a run
    /// that accepts this. After a change, rows may be missing, so a sink must not delete a row because the list lacks
    /// it.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the collection cannot be published. Nothing changes for
    /// readers then. A mirror also returns [`TooManyDeletes`](crate::ErrorKind::TooManyDeletes).
    fn commit(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
    ) -> Result<(), Error>;

    /// Keeps the rows and the checkpoint of a collection for the next run, and stores the record, which is not complete.
    /// Deletes nothing and publishes nothing.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the record cannot be stored.
    fn abort(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
    ) -> Result<(), Error>;

    /// Ends the run and releases the destination. If every collection was committed, the next run starts from the beginning.
    ///
    /// A sink that is dropped without this call also releases the destination.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the end of the run cannot be stored. A new run then finds its
    /// collections [done](CollectionState::Done).
    fn end(&mut self) -> Result<(), Error>;
}

/// Keeps other crates from implementing [`Sink`].
#[auto_impl::auto_impl(Box)]
pub trait Sealed {}

/// The values of the columns of a [key](Collection::key), in their order.
pub type Key = Vec<String>;

/// Rows whose objects a run [requests](Sink::missing).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// The keys of the rows that the list lacks, or of some of them.
    pub rows: Vec<Key>,
    /// The keys of some rows that the list has. If the service finds none of their objects, the objects of the other rows are
    /// not requested.
    pub known: Vec<Key>,
}

/// The result of a request for an object by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// It was interrupted. The run continues after this checkpoint, or calls [`restart`](Sink::restart) if the stored rows have
    /// other columns than the collection has now.
    Resume(Box<ExtractCheckpoint>),
    /// It was committed before the run was interrupted, with this record.
    Done(Box<CompletenessRecord>),
}
