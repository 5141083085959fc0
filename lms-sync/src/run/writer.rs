//! The thread of a sink, and the queue of calls to it.

use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use crate::{
    collection::Collection,
    error::{Error, ErrorKind},
    extract::{Batch, SeenKeys},
    plan::Plan,
    protocol::{CollectionState, Key, Lookup, Missing, Sink},
    record::CompletenessRecord,
};

/// Number of batches that wait for the sink. They are lost when the process is killed, and read again.
const QUEUE: usize = 2;

/// The name of a collection of which a batch could not be stored.
type Broken = Option<&'static str>;

type Other = dyn FnOnce(&mut dyn Sink, Broken) + Send;

/// The next call of the thread.
enum Call {
    Write(Box<Batch>),
    Other(Box<Other>),
}

/// Calls a sink on a thread of its own.
pub(super) struct Writer {
    calls: mpsc::Sender<Call>,
    /// The error of a batch, sent once.
    failures: mpsc::UnboundedReceiver<Error>,
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
        let states = writer.call(move |sink, _| sink.begin(&plan)).await?;
        Ok((writer, states))
    }

    /// The keys that the unfinished run has stored.
    pub(super) async fn keys(
        &mut self,
        collection: &'static Collection,
    ) -> Result<SeenKeys, Error> {
        self.call(move |sink, _| {
            let mut keys = SeenKeys::default();
            let mut kept = Ok(true);
            sink.visit_keys(collection, &mut |key| {
                if kept.is_ok() {
                    kept = keys.insert(key);
                }
            })?;
            kept.map(|_| keys)
        })
        .await
    }

    /// The record of the last commit of a collection.
    pub(super) async fn previous(
        &mut self,
        collection: &'static Collection,
    ) -> Result<Option<CompletenessRecord>, Error> {
        self.call(move |sink, _| sink.previous(collection)).await
    }

    /// Queues a batch with its checkpoint. Fails if an earlier batch could not be stored.
    pub(super) async fn write(&mut self, batch: Batch) -> Result<(), Error> {
        self.send(Call::Write(Box::new(batch))).await;
        match self.failures.try_recv() {
            Ok(error) => Err(error),
            Err(_) => Ok(()),
        }
    }

    pub(super) async fn restart(&mut self, collection: &'static Collection) -> Result<(), Error> {
        self.call(move |sink, _| sink.restart(collection)).await
    }

    pub(super) async fn missing(
        &mut self,
        collection: &'static Collection,
    ) -> Result<Missing, Error> {
        let missing = move |sink: &mut dyn Sink, broken| match broken {
            // The commit fails.
            Some(name) if name == collection.name => Ok(Missing::default()),
            _ => sink.missing(collection),
        };
        self.call(missing).await
    }

    pub(super) async fn looked_up(
        &mut self,
        collection: &'static Collection,
        lookups: Vec<(Key, Lookup)>,
    ) -> Result<(), Error> {
        self.call(move |sink, _| sink.looked_up(collection, &lookups))
            .await
    }

    /// Commits a collection unless one of its batches could not be stored.
    pub(super) async fn commit(
        &mut self,
        collection: &'static Collection,
        record: CompletenessRecord,
    ) -> Result<(), Error> {
        let commit = move |sink: &mut dyn Sink, broken| {
            if broken == Some(collection.name) {
                let message = format!("a batch of {} could not be stored", collection.name);
                return Err(Error::new(ErrorKind::Destination, message));
            }
            sink.commit(collection, &record)
        };
        let committed = self.call(commit).await;
        // The cause, instead of its consequence.
        self.failures.try_recv().map_or(committed, Err)
    }

    pub(super) async fn abort(
        &mut self,
        collection: &'static Collection,
        record: CompletenessRecord,
    ) -> Result<(), Error> {
        self.call(move |sink, _| sink.abort(collection, &record))
            .await
    }

    pub(super) async fn end(mut self) -> Result<(), Error> {
        self.call(|sink, _| sink.end()).await
    }

    async fn call<T: Send + 'static>(
        &mut self,
        call: impl FnOnce(&mut dyn Sink, Broken) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (reply, outcome) = oneshot::channel();
        let call = Call::Other(Box::new(move |sink, broken| {
            // A run that was dropped does not wait for it.
            let _ = reply.send(call(sink, broken));
        }));
        self.send(call).await;
        match outcome.await {
            Ok(outcome) => outcome,
            Err(_) => self.join().await,
        }
    }

    async fn send(&mut self, call: Call) {
        // A thread that has ended is noticed by the next call that waits for a reply.
        let _ = self.calls.send(call).await;
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
    failed: &mpsc::UnboundedSender<Error>,
) {
    // Later batches of this collection would leave a gap.
    let mut broken: Broken = None;
    // A call that was taken from the queue for inspection.
    let mut next = None;
    while let Some(call) = next.take().or_else(|| calls.blocking_recv()) {
        let batch = match call {
            Call::Other(call) => {
                call(&mut sink, broken);
                continue;
            }
            Call::Write(batch) if broken == Some(batch.collection.name) => continue,
            Call::Write(batch) => batch,
        };
        let collection = batch.collection;
        let mut checkpoint = batch.checkpoint.clone();
        let mut stored = sink.write(*batch);
        // The batches that wait share a checkpoint, so that a slow sink has fewer of them to store.
        for _ in 0..QUEUE {
            next = calls.try_recv().ok();
            let of_this = |call: &mut Call| matches!(call, Call::Write(batch) if batch.collection.name == collection.name);
            let Some(Call::Write(batch)) = next.take_if(of_this) else {
                break;
            };
            checkpoint = batch.checkpoint.clone();
            stored = stored.and_then(|()| sink.write(*batch));
        }
        let stored = stored.and_then(|()| sink.checkpoint(collection, &checkpoint));
        if let Err(error) = stored {
            broken = Some(collection.name);
            // The receiver lives as long as the queue.
            let _ = failed.send(error);
        }
    }
}

#[cfg(all(test, feature = "sink-kit"))]
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
        let commit = move |sink: &mut dyn Sink, _| sink.commit(of, &record.unwrap()).unwrap();
        calls.try_send(Call::Other(Box::new(commit))).ok().unwrap();
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
