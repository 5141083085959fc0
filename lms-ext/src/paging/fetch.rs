//! A page that is being fetched.
//!
//! A stream is not polled while its consumer is busy. Decoding the next page meanwhile needs a task, which is aborted when
//! the stream is dropped. A page that the consumer already waits for does not need a task of its own.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use tokio::runtime::Handle;

use crate::{error::Error, send::Task};

type Boxed<T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;

/// A request in flight, in a task of its own or not.
pub(crate) enum Fetch<T> {
    Inline(Boxed<T>),
    Spawned(Task<Result<T, Error>>),
}

impl<T: Send + 'static> Fetch<T> {
    /// Makes progress only while it is polled.
    pub(crate) fn inline(work: impl Future<Output = Result<T, Error>> + Send + 'static) -> Self {
        Self::Inline(Box::pin(work))
    }

    /// Makes progress without being polled, if there is a runtime to spawn a task on.
    pub(crate) fn spawn(work: impl Future<Output = Result<T, Error>> + Send + 'static) -> Self {
        match Handle::try_current() {
            Ok(_) => Self::Spawned(Task::spawn(Box::pin(work))),
            Err(_) => Self::inline(work),
        }
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<T, Error>> {
        match self {
            Self::Inline(work) => work.as_mut().poll(cx),
            Self::Spawned(task) => Pin::new(task).poll(cx),
        }
    }
}
