//! Decides which calls run in a task: those that others of their client may wait for.
//!
//! A call holds what other calls need, such as a permit, and its caller may stop polling it. But while it is the only call
//! of its client, nothing waits for it, and its caller polls it without a task. The next call hands it over to one, and
//! runs in one itself.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{
    raw_response::RawResponse,
    task::{Shared, Task, Work},
};
use crate::error::Error;

type Outcome = Result<Box<RawResponse>, Error>;

/// The calls of a client that have begun and not ended.
#[derive(Default)]
pub(crate) struct InFlight(Mutex<Calls>);

#[derive(Default)]
struct Calls {
    count: usize,
    /// The only call, if its caller polls it.
    alone: Option<Arc<Shared<Outcome>>>,
}

/// Who polls a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PolledBy {
    /// The caller, who may stop.
    #[default]
    Caller,
    /// A task of this crate, which does not stop.
    Task,
}

impl InFlight {
    /// Runs a call so that it makes progress while another call runs.
    pub(crate) async fn run(&self, work: Work<Outcome>, polled_by: PolledBy) -> Outcome {
        match polled_by {
            PolledBy::Caller => {
                let task = Task::new(work);
                let _entered = self.enter(Some(task.shared()));
                task.await
            }
            PolledBy::Task => {
                let _entered = self.enter(None);
                work.await
            }
        }
    }

    fn enter(&self, call: Option<&Arc<Shared<Outcome>>>) -> Entered<'_> {
        let mut calls = self.calls();
        calls.count += 1;
        let first = if calls.count == 1 {
            calls.alone = call.cloned();
            None
        } else {
            Some((calls.alone.take(), call))
        };
        drop(calls);
        if let Some((alone, call)) = first {
            for call in alone.iter().chain(call) {
                call.hand_over();
            }
        }
        Entered(self)
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for InFlight {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("InFlight")
            .field(&self.calls().count)
            .finish()
    }
}

/// A call that has begun, and ends when this is dropped.
struct Entered<'a>(&'a InFlight);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        let mut calls = self.0.calls();
        calls.count -= 1;
        // Only set while there is one call, which is this one.
        let ended = calls.alone.take();
        drop(calls);
        drop(ended);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio::time::{sleep, timeout};

    fn work(seconds: u64) -> Work<Outcome> {
        Box::pin(async move {
            sleep(Duration::from_secs(seconds)).await;
            Ok(Box::default())
        })
    }

    #[tokio::test]
    async fn the_only_call_runs_in_the_task_of_its_caller() {
        let caller = tokio::spawn(async {
            let caller = tokio::task::id();
            let work = Box::pin(async move {
                assert_eq!(tokio::task::id(), caller);
                Ok(Box::default())
            });
            let in_flight = InFlight::default();
            in_flight.run(work, PolledBy::Caller).await.unwrap();
        });
        caller.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_is_not_polled_makes_progress_while_another_one_runs() {
        for second in [PolledBy::Caller, PolledBy::Task] {
            let in_flight = InFlight::default();
            let mut idle = Box::pin(in_flight.run(work(2), PolledBy::Caller));
            let _ = timeout(Duration::from_secs(1), &mut idle).await;
            let mut later = Box::pin(in_flight.run(work(3), second));
            let _ = timeout(Duration::from_secs(2), &mut later).await;
            let polled = timeout(Duration::ZERO, idle).await;
            polled.expect("it has ended by now").unwrap();
            later.await.unwrap();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_counts_until_it_ends_or_is_dropped() {
        let in_flight = InFlight::default();
        let count = || in_flight.calls().count;
        for _ in 0..2 {
            let mut dropped = Box::pin(in_flight.run(work(2), PolledBy::Caller));
            assert_eq!(count(), 0);
            let _ = timeout(Duration::from_secs(1), &mut dropped).await;
            assert_eq!(count(), 1);
            in_flight.run(work(0), PolledBy::Task).await.unwrap();
            assert_eq!(count(), 1);
            drop(dropped);
            assert_eq!(count(), 0);
        }
        assert!(in_flight.calls().alone.is_none());
    }
}
