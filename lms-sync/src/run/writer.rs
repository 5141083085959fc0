//! Calls a sink on threads where it may block, so that writing overlaps with reading.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::{runtime::Handle, task::JoinHandle};

use crate::{
    collection::Collection,
    error::{Error, ErrorKind},
    extract::{Batch, SeenKeys},
    protocol::{Sink, SinkCalls},
    record::CompletenessRecord,
};

/// Number of batches that wait while others are stored. They are lost when the process is killed, and read again.
const WAITING: usize = 2;

/// The sink of a run, and the batches on their way to it.
pub(super) struct Writer {
    /// `None` when the run has ended.
    sink: Arc<Mutex<Option<Box<dyn SinkCalls>>>>,
    waiting: Arc<Mutex<Vec<Batch>>>,
    /// The work that stores batches until none waits.
    storing: Option<JoinHandle<Result<(), Error>>>,
    runtime: Handle,
}

impl Writer {
    pub(super) fn new(sink: impl Sink + 'static) -> Self {
        Self {
            sink: Arc::new(Mutex::new(Some(Box::new(sink)))),
            waiting: Arc::default(),
            storing: None,
            runtime: Handle::current(),
        }
    }

    /// Queues a batch with its checkpoint. Fails if an earlier batch could not be stored.
    pub(super) async fn write(&mut self, batch: Batch) -> Result<(), Error> {
        let is_full = {
            let mut waiting = lock(&self.waiting);
            waiting.push(batch);
            waiting.len() > WAITING
        };
        match &self.storing {
            Some(storing) if !is_full && !storing.is_finished() => Ok(()),
            _ => self.store().await,
        }
    }

    /// Makes a call after all batches are stored. Fails if one could not be stored.
    pub(super) async fn call<T: Send + 'static>(
        &mut self,
        call: impl FnOnce(&mut dyn SinkCalls) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.stored().await?;
        outcome(self.start(call)).await
    }

    /// Aborts a collection, of which a batch may not have been stored.
    pub(super) async fn abort(
        &mut self,
        collection: &'static Collection,
        record: CompletenessRecord,
    ) -> Result<(), Error> {
        // The batches that are not stored are read again by the next run.
        let _ = self.stored().await;
        self.call(move |sink| sink.abort(collection, &record)).await
    }

    /// The keys that the unfinished run has stored.
    pub(super) async fn keys(
        &mut self,
        collection: &'static Collection,
    ) -> Result<SeenKeys, Error> {
        self.call(move |sink| {
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

    /// Waits until all batches are stored.
    async fn stored(&mut self) -> Result<(), Error> {
        self.store().await?;
        while self.storing.is_some() {
            self.store().await?;
        }
        Ok(())
    }

    /// Waits for the batches that are being stored, and begins to store those that wait.
    async fn store(&mut self) -> Result<(), Error> {
        if let Some(storing) = self.storing.take() {
            // Batches after one that is not stored would leave a gap.
            outcome(storing)
                .await
                .inspect_err(|_| lock(&self.waiting).clear())?;
        }
        if !lock(&self.waiting).is_empty() {
            let waiting = Arc::clone(&self.waiting);
            self.storing = Some(self.start(move |sink| store_waiting(sink, &waiting)));
        }
        Ok(())
    }

    fn start<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn SinkCalls) -> Result<T, Error> + Send + 'static,
    ) -> JoinHandle<Result<T, Error>> {
        let sink = Arc::clone(&self.sink);
        self.runtime.spawn_blocking(move || {
            let mut sink = lock(&sink);
            work(&mut **sink.as_mut().ok_or_else(stopped)?)
        })
    }
}

/// The outcome of work, whose panic is continued.
async fn outcome<T>(work: JoinHandle<Result<T, Error>>) -> Result<T, Error> {
    work.await
        .unwrap_or_else(|error| match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(stopped()),
        })
}

/// Stores batches until none waits. Those that wait share a checkpoint, so that a slow sink has fewer of them to store.
fn store_waiting(sink: &mut dyn SinkCalls, waiting: &Mutex<Vec<Batch>>) -> Result<(), Error> {
    loop {
        let mut batches = std::mem::take(&mut *lock(waiting));
        let Some(last) = batches.pop() else {
            return Ok(());
        };
        let earlier = batches.into_iter().flat_map(|batch| batch.rows);
        let rows = earlier.chain(last.rows).collect();
        sink.store(Batch { rows, ..last })?;
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn stopped() -> Error {
    ErrorKind::Destination.error("the sink stopped before the run did")
}

impl Drop for Writer {
    fn drop(&mut self) {
        // A sink may block while it works and while it releases its destination.
        let sink = Arc::clone(&self.sink);
        self.runtime
            .spawn_blocking(move || drop(lock(&sink).take()));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::{
        collection::{Row, collection},
        plan::Plan,
        protocol::{CollectionState, Lookups},
    };

    /// Notes the calls that store something. The first one says that it began, and waits.
    struct Noting {
        calls: Arc<Mutex<Vec<String>>>,
        began: mpsc::Sender<()>,
        release: mpsc::Receiver<()>,
    }

    impl Noting {
        fn note(&self, call: String) -> Result<(), Error> {
            let _ = self.began.send(());
            // Later calls find the sender dropped.
            let _ = self.release.recv();
            self.calls.lock().unwrap().push(call);
            Ok(())
        }
    }

    impl SinkCalls for Noting {
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

        fn store(&mut self, batch: Batch) -> Result<(), Error> {
            let rows = batch.rows.iter().map(Row::json);
            self.note(rows.collect::<Vec<_>>().join(" "))
        }

        fn restart(&mut self, of: &'static Collection) -> Result<(), Error> {
            self.note(format!("restart {}", of.name))
        }

        fn commit(
            &mut self,
            _: &'static Collection,
            _: &CompletenessRecord,
            _: Lookups,
        ) -> Result<(), Error> {
            Ok(())
        }

        fn abort(&mut self, _: &'static Collection, _: &CompletenessRecord) -> Result<(), Error> {
            Ok(())
        }

        fn end(&mut self) -> Result<(), Error> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn batches_that_wait_share_a_checkpoint() {
        let (calls, of) = (Arc::default(), collection("tags").unwrap());
        let ((began, begun), (releases, release)) = (mpsc::channel(), mpsc::channel());
        let mut writer = Writer::new(Noting {
            calls: Arc::clone(&calls),
            began,
            release,
        });
        for id in 0..3 {
            let row = Row::from_json(of, &format!(r#"{{"id":"{id}"}}"#)).unwrap();
            writer.write(Batch::of_rows(of, vec![row])).await.unwrap();
            if id == 0 {
                begun.recv().unwrap();
            }
        }
        drop(releases);
        writer.call(move |sink| sink.restart(of)).await.unwrap();
        assert_eq!(
            calls.lock().unwrap().join(", "),
            r#"{"id":"0"}, {"id":"1"} {"id":"2"}, restart tags"#
        );
    }
}
