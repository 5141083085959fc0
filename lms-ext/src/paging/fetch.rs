//! A page that is being fetched.
//!
//! A future makes progress only while it is polled, and a stream is not polled while its consumer is busy. Fetching the
//! next page meanwhile needs a task, which is aborted when the stream is dropped. A page that the consumer already
//! waits for does not need a task.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::{runtime::Handle, task::JoinHandle};
use tracing::Instrument;

use crate::error::{Error, ErrorKind};

type Boxed<T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;

/// A request in flight, in a task of its own or not.
pub(crate) enum Fetch<T> {
    Inline(Boxed<T>),
    Spawned(Task<T>),
}

/// A task that is aborted when its owner is dropped.
pub(crate) struct Task<T>(JoinHandle<Result<T, Error>>);

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl<T: Send + 'static> Fetch<T> {
    /// Makes progress only while it is polled.
    pub(crate) fn inline(work: impl Future<Output = Result<T, Error>> + Send + 'static) -> Self {
        Self::Inline(Box::pin(work))
    }

    /// Makes progress without being polled, if there is a runtime to spawn a task on.
    pub(crate) fn spawn(work: impl Future<Output = Result<T, Error>> + Send + 'static) -> Self {
        match Handle::try_current() {
            Ok(runtime) => Self::Spawned(Task(runtime.spawn(work.in_current_span()))),
            Err(_) => Self::inline(work),
        }
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<T, Error>> {
        match self {
            Self::Inline(work) => work.as_mut().poll(cx),
            Self::Spawned(task) => Poll::Ready(match ready!(Pin::new(&mut task.0).poll(cx)) {
                Ok(outcome) => outcome,
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                Err(_) => Err(Error::new(
                    ErrorKind::Connection,
                    "the runtime was shut down before the response was complete",
                )),
            }),
        }
    }
}
