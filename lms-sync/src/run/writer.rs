//! The thread of a sink, and the queue of calls to it.

use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use crate::{
    collection::Collection,
    error::{Error, ErrorKind},
    extract::{Batch, ItemReads, SeenKeys},
    plan::Plan,
    protocol::{CollectionState, Key, Lookup, Missing, Sink},
    record::CompletenessRecord,
};

/// Number of batches that wait for the sink. They are lost when the process is killed, and read again.
const QUEUE: usize = 2;

/// The channel for the result of a call.
type Reply<T> = oneshot::Sender<Result<T, Error>>;

/// A call of the sink: one of each method of [`Sink`].
enum Call {
    Begin(Box<Plan>, Reply<Vec<CollectionState>>),
    Keys(&'static Collection, Reply<SeenKeys>),
    Previous(&'static Collection, Reply<Option<CompletenessRecord>>),
    /// Also stores the checkpoint of the batch.
    Write(Box<Batch>),
    Restart(&'static Collection, Reply<()>),
    Missing(&'static Collection, Reply<Missing>),
    LookedUp(&'static Collection, Vec<(Key, Lookup)>, Reply<()>),
    Reads(&'static Collection, Reply<Option<ItemReads>>),
    SetReads(&'static Collection, ItemReads),
    Commit(&'static Collection, Box<CompletenessRecord>, Reply<()>),
    Abort(&'static Collection, Box<CompletenessRecord>, Reply<()>),
    End(Reply<()>),
}

/// The error of a batch of a collection.
type BatchFailure = (&'static str, Error);

/// Calls a sink on a thread of its own.
pub(super) struct Writer {
    calls: mpsc::Sender<Call>,
    /// Each failed batch, once.
    failures: mpsc::UnboundedReceiver<BatchFailure>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) async fn begin(
        sink: impl Sink + 'static,
        plan: Plan,
    ) -> Result<(Self, Vec<CollectionState>), Error> {
        let (calls, queue) = mpsc::channel(QUEUE);
        let (failed, failures) = mpsc::unbounded_channel();
        let thread = tokio::task::spawn_blocking(move || serve(sink, queue, &failed));
        let mut writer = Self {
            calls,
            failures,
            thread: Some(thread),
        };
        let plan = Box::new(plan);
        let states = writer.call(|reply| Call::Begin(plan, reply)).await?;
        Ok((writer, states))
    }

    /// The keys that the unfinished run has stored.
    pub(super) async fn keys(
        &mut self,
        collection: &'static Collection,
    ) -> Result<SeenKeys, Error> {
        self.call(|reply| Call::Keys(collection, reply)).await
    }

    /// The record of the last commit of a collection.
    pub(super) async fn previous(
        &mut self,
        collection: &'static Collection,
    ) -> Result<Option<CompletenessRecord>, Error> {
        self.call(|reply| Call::Previous(collection, reply)).await
    }

    /// Queues a batch with its checkpoint. Fails if an earlier batch could not be stored.
    pub(super) async fn write(&mut self, batch: Batch) -> Result<(), Error> {
        let name = batch.collection.name;
        self.send(Call::Write(Box::new(batch))).await;
        self.failure(name).map_or(Ok(()), Err)
    }

    pub(super) async fn restart(&mut self, collection: &'static Collection) -> Result<(), Error> {
        self.call(|reply| Call::Restart(collection, reply)).await
    }

    pub(super) async fn missing(
        &mut self,
        collection: &'static Collection,
    ) -> Result<Missing, Error> {
        self.call(|reply| Call::Missing(collection, reply)).await
    }

    pub(super) async fn looked_up(
        &mut self,
        collection: &'static Collection,
        lookups: Vec<(Key, Lookup)>,
    ) -> Result<(), Error> {
        self.call(|reply| Call::LookedUp(collection, lookups, reply))
            .await
    }

    /// When each item of a derived collection was read; `None` if the sink does not keep rows that a run does not read.
    pub(super) async fn reads(
        &mut self,
        collection: &'static Collection,
    ) -> Result<Option<ItemReads>, Error> {
        self.call(|reply| Call::Reads(collection, reply)).await
    }

    pub(super) async fn set_reads(&mut self, collection: &'static Collection, reads: ItemReads) {
        self.send(Call::SetReads(collection, reads)).await;
    }

    /// Commits a collection unless one of its batches could not be stored.
    pub(super) async fn commit(
        &mut self,
        collection: &'static Collection,
        record: CompletenessRecord,
    ) -> Result<(), Error> {
        let record = Box::new(record);
        let committed = self.call(|reply| Call::Commit(collection, record, reply));
        let committed = committed.await;
        // The cause, instead of its consequence.
        self.failure(collection.name).map_or(committed, Err)
    }

    pub(super) async fn abort(
        &mut self,
        collection: &'static Collection,
        record: CompletenessRecord,
    ) -> Result<(), Error> {
        let record = Box::new(record);
        self.call(|reply| Call::Abort(collection, record, reply))
            .await
    }

    pub(super) async fn end(mut self) -> Result<(), Error> {
        self.call(Call::End).await
    }

    async fn call<T>(&mut self, call: impl FnOnce(Reply<T>) -> Call) -> Result<T, Error> {
        let (reply, outcome) = oneshot::channel();
        self.send(call(reply)).await;
        match outcome.await {
            Ok(outcome) => outcome,
            Err(_) => self.join().await,
        }
    }

    async fn send(&mut self, call: Call) {
        // A thread that has ended is noticed by the next call that waits for a reply.
        let _ = self.calls.send(call).await;
    }

    /// The error of a batch of a collection that could not be stored. Those of earlier collections are known from their
    /// outcome.
    fn failure(&mut self, collection: &str) -> Option<Error> {
        loop {
            match self.failures.try_recv().ok()? {
                (of, error) if of == collection => return Some(error),
                _ => {}
            }
        }
    }

    /// The thread ended without a reply: continues its panic.
    async fn join<T>(&mut self) -> Result<T, Error> {
        if let Some(thread) = self.thread.take()
            && let Err(error) = thread.await
            && let Ok(panic) = error.try_into_panic()
        {
            std::panic::resume_unwind(panic);
        }
        Err(Error::new(
            ErrorKind::Destination,
            "the sink stopped before the run did",
        ))
    }
}

/// Makes the calls until the run has ended or was dropped.
fn serve(
    mut sink: impl Sink,
    mut calls: mpsc::Receiver<Call>,
    failed: &mpsc::UnboundedSender<BatchFailure>,
) {
    // A batch of this collection could not be stored. Later ones would leave a gap.
    let mut broken = None;
    // A call that was taken from the queue for inspection.
    let mut next = None;
    // A run that was dropped does not wait for a reply.
    while let Some(call) = next.take().or_else(|| calls.blocking_recv()) {
        match call {
            Call::Begin(plan, reply) => drop(reply.send(sink.begin(&plan))),
            Call::Keys(of, reply) => drop(reply.send(stored_keys(&mut sink, of))),
            Call::Previous(of, reply) => drop(reply.send(sink.previous(of))),
            Call::Write(batch) if broken == Some(batch.collection.name) => {}
            Call::Write(batch) => {
                let collection = batch.collection;
                let stored = store(&mut sink, *batch, &mut calls, &mut next);
                if let Err(error) = stored {
                    broken = Some(collection.name);
                    // The receiver lives as long as the queue.
                    let _ = failed.send((collection.name, error));
                }
            }
            Call::Restart(of, reply) => drop(reply.send(sink.restart(of))),
            // The commit fails.
            Call::Missing(of, reply) if broken == Some(of.name) => {
                drop(reply.send(Ok(Missing::default())));
            }
            Call::Missing(of, reply) => drop(reply.send(sink.missing(of))),
            Call::LookedUp(of, lookups, reply) => drop(reply.send(sink.looked_up(of, &lookups))),
            Call::Reads(of, reply) => drop(reply.send(sink.reads(of))),
            Call::SetReads(of, reads) => sink.set_reads(of, reads),
            Call::Commit(of, _, reply) if broken == Some(of.name) => {
                let message = format!("a batch of {} could not be stored", of.name);
                drop(reply.send(Err(Error::new(ErrorKind::Destination, message))));
            }
            Call::Commit(of, record, reply) => drop(reply.send(sink.commit(of, &record))),
            Call::Abort(of, record, reply) => drop(reply.send(sink.abort(of, &record))),
            Call::End(reply) => drop(reply.send(sink.end())),
        }
    }
}

/// Stores a batch with its checkpoint. The batches that wait share a checkpoint, so that a slow sink has fewer of them to
/// store. A call of another kind that was taken from the queue is left in `next`.
fn store(
    sink: &mut impl Sink,
    batch: Batch,
    calls: &mut mpsc::Receiver<Call>,
    next: &mut Option<Call>,
) -> Result<(), Error> {
    let collection = batch.collection;
    let mut checkpoint = batch.checkpoint.clone();
    let mut stored = sink.write(batch);
    for _ in 0..QUEUE {
        *next = calls.try_recv().ok();
        let of_this = |call: &mut Call| matches!(call, Call::Write(batch) if batch.collection.name == collection.name);
        let Some(Call::Write(batch)) = next.take_if(of_this) else {
            break;
        };
        checkpoint = batch.checkpoint.clone();
        stored = stored.and_then(|()| sink.write(*batch));
    }
    stored.and_then(|()| sink.checkpoint(collection, &checkpoint))
}

fn stored_keys(sink: &mut impl Sink, collection: &'static Collection) -> Result<SeenKeys, Error> {
    let mut keys = SeenKeys::default();
    let mut kept = Ok(true);
    sink.visit_keys(collection, &mut |key| {
        if kept.is_ok() {
            kept = keys.insert(key);
        }
    })?;
    kept.map(|_| keys)
}

#[cfg(all(test, feature = "test-internals"))]
mod tests {
    use std::sync::{Arc, Mutex, PoisonError};

    use super::*;
    use crate::{
        collection::{Row, collection},
        extract::{ExtractCheckpoint, Extracted},
    };

    /// Notes the calls that store something.
    struct Noting(Arc<Mutex<Vec<String>>>);

    impl Noting {
        fn note(&self, call: String) -> Result<(), Error> {
            let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            calls.push(call);
            Ok(())
        }
    }

    impl crate::protocol::Sealed for Noting {}

    impl Sink for Noting {
        fn begin(&mut self, _: &Plan) -> Result<Vec<CollectionState>, Error> {
            Ok(Vec::new())
        }

        fn visit_keys(
            &mut self,
            _: &'static Collection,
            _: &mut dyn FnMut(u128),
        ) -> Result<(), Error> {
            Ok(())
        }

        fn write(&mut self, batch: Batch) -> Result<(), Error> {
            self.note(format!("write {}", batch.checkpoint.rows()))
        }

        fn checkpoint(
            &mut self,
            of: &'static Collection,
            at: &ExtractCheckpoint,
        ) -> Result<(), Error> {
            self.note(format!("{} {}", of.name, at.rows()))
        }

        fn restart(&mut self, _: &'static Collection) -> Result<(), Error> {
            Ok(())
        }

        fn commit(&mut self, _: &'static Collection, _: &CompletenessRecord) -> Result<(), Error> {
            self.note("commit".to_owned())
        }

        fn abort(&mut self, _: &'static Collection, _: &CompletenessRecord) -> Result<(), Error> {
            Ok(())
        }

        fn end(&mut self) -> Result<(), Error> {
            Ok(())
        }
    }

    #[test]
    fn batches_that_wait_share_a_checkpoint() {
        let (calls, queue) = mpsc::channel(20);
        let (failed, _failures) = mpsc::unbounded_channel();
        let mut record = None;
        for name in ["tags", "courses"] {
            let of = collection(name).unwrap();
            let mut extracted = Extracted::new(of);
            for row in 0..4 {
                let row = Row::from_json(of, &format!(r#"{{"id": "{row}"}}"#));
                let batch = extracted.batch(vec![row.unwrap()]);
                record = Some(Extracted::record(&batch, true));
                calls.try_send(Call::Write(Box::new(batch))).ok().unwrap();
            }
        }
        let of = collection("courses").unwrap();
        let (reply, _) = oneshot::channel();
        let commit = Call::Commit(of, Box::new(record.unwrap()), reply);
        calls.try_send(commit).ok().unwrap();
        drop(calls);
        let noted = Arc::default();
        serve(Noting(Arc::clone(&noted)), queue, &failed);
        assert_eq!(
            noted.lock().unwrap().join(", "),
            "write 1, write 2, write 3, tags 3, write 4, tags 4, \
             write 1, write 2, write 3, courses 3, write 4, courses 4, commit"
        );
    }
}
