//! In which order calls of one client that read an object and then write it do so.
//!
//! Two edits that both read a learner before either writes it lose one of the changes, and two calls that both find no
//! enrolment add two. So a write begins only if no other write of the object has begun since the object was read;
//! otherwise the object is read again. This needs no lock between reading and writing, which a call that is not polled
//! would keep. A write runs in a task, so that calls that wait for its end do not depend on its caller.
//!
//! Calls also queue, so that most objects are read only once. A call that is not polled delays the queue by at most
//! [`QUEUE_WAIT`].

use std::{
    collections::HashMap,
    ops::ControlFlow,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::Notify,
    time::{Instant, timeout, timeout_at},
};

use super::CallFuture;
use crate::{
    error::Error,
    send::{Task, Timeouts, after, call_timeout},
};

/// How long a call waits for those that came first, before it reads the object nevertheless.
const QUEUE_WAIT: Duration = Duration::from_secs(1);

/// The objects that calls of one client are about to write.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<HashMap<String, (usize, Arc<Object>)>>);

/// What calls know of an object: shared by those that are about to write it.
#[derive(Debug, Default)]
struct Object {
    queue: tokio::sync::Mutex<()>,
    writes: Mutex<Writes>,
    write_ended: Notify,
}

#[derive(Debug, Default)]
struct Writes {
    begun: u64,
    /// The number of the write in flight.
    running: Option<u64>,
}

/// One call that is about to write an object.
struct Turn<'a> {
    turns: &'a Turns,
    key: &'a str,
    object: Arc<Object>,
}

impl Turns {
    /// Reads an object, decides what to write, and writes it, without a write by another call in between.
    ///
    /// `decide` is called once, with the object as it was last read.
    pub(crate) async fn take<R, T, F>(
        &self,
        key: &str,
        timeouts: &Timeouts,
        read: impl Fn() -> F,
        decide: impl FnOnce(R) -> Result<ControlFlow<T, CallFuture<T>>, Error>,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<R, Error>>,
        T: Send + 'static,
    {
        let deadline = after(Instant::now(), timeouts.call);
        let turn = self.enter(key);
        let object = &turn.object;
        // It makes no difference whether the call is the first one: see above.
        let _queued = timeout(QUEUE_WAIT, object.queue.lock()).await;
        let (value, number) = loop {
            let Some(begun) = object.begun(deadline).await else {
                let waiting =
                    "while waiting for other calls of this client that write the same object";
                return Err(call_timeout(timeouts, waiting));
            };
            let value = read().await?;
            if let Some(number) = object.begin(begun) {
                break (value, number);
            }
        };
        let writing = || Writing {
            object: Arc::clone(object),
            number,
        };
        // Ended by whichever comes first: the task, or the caller that drops this future.
        let (_ours, theirs) = (writing(), writing());
        match decide(value)? {
            ControlFlow::Break(done) => Ok(done),
            ControlFlow::Continue(write) => {
                let task = Task::spawn(Box::pin(async move {
                    let _writing = theirs;
                    write.await
                }));
                task.await.map_err(|error| match error.operation() {
                    Some(_) => error,
                    // The task ended early, perhaps after the request was sent.
                    None => error.into_ambiguous(),
                })
            }
        }
    }

    fn enter<'a>(&'a self, key: &'a str) -> Turn<'a> {
        let mut objects = self.objects();
        let (users, object) = objects.entry(key.to_owned()).or_default();
        *users += 1;
        Turn {
            turns: self,
            key,
            object: Arc::clone(object),
        }
    }

    fn objects(&self) -> MutexGuard<'_, HashMap<String, (usize, Arc<Object>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut objects = self.turns.objects();
        if let Some((users, _)) = objects.get_mut(self.key) {
            *users -= 1;
            if *users == 0 {
                objects.remove(self.key);
            }
        }
    }
}

impl Object {
    /// Waits until no write is in flight, and returns how many have begun; `None` at the deadline.
    async fn begun(&self, deadline: Instant) -> Option<u64> {
        loop {
            // Before the state is read, so that no end is missed.
            let ended = pin!(self.write_ended.notified());
            {
                let writes = self.writes();
                if Instant::now() >= deadline {
                    return None;
                }
                if writes.running.is_none() {
                    return Some(writes.begun);
                }
            }
            // The deadline is checked above.
            let _ = timeout_at(deadline, ended).await;
        }
    }

    /// Begins a write, unless another one has begun; returns its number.
    fn begin(&self, begun: u64) -> Option<u64> {
        let mut writes = self.writes();
        if writes.begun != begun {
            return None;
        }
        writes.begun += 1;
        writes.running = Some(writes.begun);
        writes.running
    }

    fn writes(&self) -> MutexGuard<'_, Writes> {
        self.writes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A write in flight.
struct Writing {
    object: Arc<Object>,
    number: u64,
}

impl Drop for Writing {
    fn drop(&mut self) {
        let mut writes = self.object.writes();
        if writes.running == Some(self.number) {
            writes.running = None;
            drop(writes);
            self.object.write_ended.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[tokio::test(start_paused = true)]
    async fn an_object_is_forgotten_after_its_last_call() {
        let turns = Turns::default();
        let timeouts = Timeouts::default();
        let one = turns.take(
            "a",
            &timeouts,
            async || Ok(1),
            |one| {
                assert_eq!(turns.objects().len(), 1);
                Ok(ControlFlow::Continue(Box::pin(async move { Ok(one) })))
            },
        );
        assert_eq!(one.await.unwrap(), 1);
        drop(turns.take(
            "a",
            &timeouts,
            async || Ok(()),
            |()| Ok(ControlFlow::Break(())),
        ));
        assert!(turns.objects().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_that_never_ends_delays_others_until_their_timeout() {
        let turns = Turns::default();
        let timeouts = Timeouts::default();
        let object = turns.enter("a");
        let number = object.object.begin(0).unwrap();
        let start = Instant::now();
        let read = async || -> Result<(), Error> { unreachable!("a write is in flight") };
        let waiting = turns.take("a", &timeouts, read, |()| Ok(ControlFlow::Break(())));
        let error = waiting.await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DeadlineExceeded);
        assert_eq!(start.elapsed(), timeouts.call);
        assert_eq!(number, 1);
    }

    #[test]
    fn a_write_that_ends_with_its_runtime_is_ambiguous() {
        let runtime = || {
            let mut runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = runtime.enable_time().start_paused(true).build();
            runtime.unwrap()
        };
        let turns = Turns::default();
        let timeouts = Timeouts::default();
        let never = || Box::pin(std::future::pending::<Result<(), Error>>());
        let decide = |()| Ok(ControlFlow::Continue(never() as CallFuture<()>));
        let mut write = Box::pin(turns.take("a", &timeouts, async || Ok(()), decide));
        let first = runtime();
        let polled = first.block_on(async { timeout(QUEUE_WAIT, &mut write).await });
        assert!(polled.is_err());
        drop(first);
        let error = runtime().block_on(write).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Ambiguous);
    }
}
