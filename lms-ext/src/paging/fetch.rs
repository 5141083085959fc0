//! A page on its way.
//!
//! A future makes progress only while somebody polls it, and nobody polls a stream while its consumer
//! works. So fetching the next page meanwhile needs a task. It is aborted when the stream is dropped,
//! and it never holds more than the one page. A page that the consumer waits for needs none: it is
//! fetched inside the stream.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::{runtime::Handle, task::JoinHandle};
use tracing::Instrument;

use crate::error::{Error, ErrorKind};

type Boxed<T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;

/// Something that is being fetched, with a task of its own or without.
pub(crate) enum Fetch<T> {
    Inside(Boxed<T>),
    Task(Task<T>),
}

/// A task that does not outlive its owner.
pub(crate) struct Task<T>(JoinHandle<Result<T, Error>>);

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl<T: Send + 'static> Fetch<T> {
    /// Fetches while it is polled.
    pub(crate) fn inside(work: impl Future<Output = Result<T, Error>> + Send + 'static) -> Self {
        Self::Inside(Box::pin(work))
    }

    /// Fetches whether it is polled or not; outside of a runtime, while it is polled.
    pub(crate) fn task(work: impl Future<Output = Result<T, Error>> + Send + 'static) -> Self {
        match Handle::try_current() {
            Ok(runtime) => Self::Task(Task(runtime.spawn(work.in_current_span()))),
            Err(_) => Self::inside(work),
        }
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<T, Error>> {
        match self {
            Self::Inside(work) => work.as_mut().poll(cx),
            Self::Task(task) => Poll::Ready(match ready!(Pin::new(&mut task.0).poll(cx)) {
                Ok(outcome) => outcome,
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                Err(_) => Err(Error::new(
                    ErrorKind::Connection,
                    "the runtime was shut down before the answer was whole",
                )),
            }),
        }
    }
}
