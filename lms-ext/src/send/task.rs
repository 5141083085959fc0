//! Runs a future in a task that does not outlive it.
//!
//! A future makes progress only while it is polled, and a caller may stop polling one for any time: in `select!`, after
//! `timeout(limit, &mut call)`, or in a stream whose consumer is busy. What the future holds meanwhile, such as a permit
//! or the lock for refreshing the token, is missing for the other calls of the client. In a [`Task`] it makes progress all
//! the same.
//!
//! Dropping a [`Task`] drops the future at once. `JoinHandle::abort` alone would leave that to the runtime, which may not
//! run any more.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
};

use tokio::task::JoinHandle;
use tracing::{Instrument as _, instrument::WithSubscriber as _};

use crate::error::{Error, ErrorKind};

type Work<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The result of a future that runs in a task of its own.
pub(crate) struct Task<T> {
    /// `None` after the future has ended.
    work: Arc<Mutex<Option<Work<T>>>>,
    handle: JoinHandle<T>,
}

impl<T: Send + 'static> Task<T> {
    /// Starts a future. Requires a Tokio runtime, as timeouts do.
    pub(crate) fn spawn(work: impl Future<Output = T> + Send + 'static) -> Self {
        let work = work.in_current_span().with_current_subscriber();
        let work: Arc<Mutex<Option<Work<T>>>> = Arc::new(Mutex::new(Some(Box::pin(work))));
        let polled = Arc::clone(&work);
        let handle = tokio::spawn(std::future::poll_fn(move |cx| {
            let mut slot = lock(&polled);
            // Without a future, the task is about to be aborted.
            let Some(work) = slot.as_mut() else {
                return Poll::Pending;
            };
            let output = ready!(work.as_mut().poll(cx));
            *slot = None;
            Poll::Ready(output)
        }));
        Self { work, handle }
    }
}

impl<T> Future for Task<Result<T, Error>> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(match ready!(Pin::new(&mut self.handle).poll(cx)) {
            Ok(output) => output,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => Err(Error::new(
                ErrorKind::Connection,
                "the runtime on which the call started was shut down before the response was complete",
            )),
        })
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        let work = lock(&self.work).take();
        self.handle.abort();
        drop(work);
    }
}

fn lock<T>(work: &Mutex<T>) -> MutexGuard<'_, T> {
    // After a panic of the future, it is only dropped.
    work.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        sync::atomic::{AtomicU32, Ordering},
        time::Duration,
    };
    use tokio::{sync::Semaphore, time::sleep};

    #[tokio::test(start_paused = true)]
    async fn it_makes_progress_without_being_polled() {
        let ticks = Arc::new(AtomicU32::new(0));
        let counted = ticks.clone();
        let task = Task::spawn(async move {
            for _ in 0..10 {
                sleep(Duration::from_secs(1)).await;
                counted.fetch_add(1, Ordering::Relaxed);
            }
            Ok::<_, Error>("done")
        });
        sleep(Duration::from_secs(11)).await;
        assert_eq!(ticks.load(Ordering::Relaxed), 10);
        assert_eq!(task.await.unwrap(), "done");
    }

    #[test]
    fn dropping_it_drops_the_future_at_once_even_when_its_runtime_does_not_run() {
        let permits = Arc::new(Semaphore::new(1));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let held = permits.clone();
        let task = runtime.block_on(async {
            let task = Task::spawn(async move {
                let _permit = held.acquire().await;
                std::future::pending::<()>().await;
            });
            tokio::task::yield_now().await;
            task
        });
        assert_eq!(permits.available_permits(), 0);
        drop(task);
        assert_eq!(permits.available_permits(), 1);
    }

    #[test]
    fn the_end_of_its_runtime_is_an_error() {
        let runtime = || {
            tokio::runtime::Builder::new_current_thread()
                .build()
                .unwrap()
        };
        let first = runtime();
        let task = {
            let _entered = first.enter();
            Task::spawn(std::future::pending::<Result<(), Error>>())
        };
        drop(first);
        let error = runtime().block_on(task).unwrap_err();
        assert!(error.to_string().contains("shut down"), "{error}");
    }

    #[tokio::test]
    #[should_panic(expected = "in the future")]
    async fn a_panic_reaches_the_caller() {
        let task = Task::spawn(async {
            panic!("in the future");
            #[expect(unreachable_code, reason = "gives the future its type")]
            Ok::<(), Error>(())
        });
        let _ = task.await;
    }
}
