use std::{
    error::Error as StdError,
    fmt,
    sync::Arc,
    task::{Context, Poll, ready},
};

use serde::de::DeserializeOwned;

use crate::{
    error::Error,
    paging::{Checkpoint, Fetch, Items},
    request::CallFuture,
};

/// One of the things that run side by side: a walk, or a call, which is one row.
///
/// Made from what [`items`](crate::Walk::items) or [`call`](crate::Call::call) give.
#[derive(Debug)]
pub struct Part<T>(Work<T>);

enum Work<T> {
    Walk(Box<Items<T>>),
    Call(CallFuture<T>),
    Calling(Fetch<T>),
    Done,
}

impl<T> From<Items<T>> for Part<T> {
    fn from(walk: Items<T>) -> Self {
        Self(Work::Walk(Box::new(walk)))
    }
}

impl<T> From<CallFuture<T>> for Part<T> {
    fn from(call: CallFuture<T>) -> Self {
        Self(Work::Call(call))
    }
}

impl<T: DeserializeOwned + Send + 'static> Part<T> {
    /// Lets it run whether it is polled or not.
    pub(super) fn start(self) -> Self {
        Self(match self.0 {
            Work::Walk(walk) => Work::Walk(Box::new(walk.in_tasks())),
            Work::Call(call) => Work::Calling(Fetch::spawn(call)),
            other => other,
        })
    }

    /// Goes on where it was. A call, which has nowhere to be, begins anew.
    pub(super) fn resume(self, checkpoint: &Checkpoint) -> Result<Self, Error> {
        Ok(Self(match self.0 {
            Work::Walk(walk) => Work::Walk(Box::new(walk.resume(checkpoint)?)),
            other => other,
        }))
    }

    pub(super) fn checkpoint(&self) -> Option<Checkpoint> {
        match &self.0 {
            Work::Walk(walk) => Some(walk.checkpoint()),
            _ => None,
        }
    }

    /// Whether its next row is here already.
    pub(super) fn has_row(&self) -> bool {
        matches!(&self.0, Work::Walk(walk) if !walk.at_page_end())
    }

    /// Whether it is known to give nothing more.
    pub(super) fn is_done(&self) -> bool {
        matches!(&self.0, Work::Done)
    }

    pub(super) fn poll_row(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<T, Error>>> {
        let outcome = match &mut self.0 {
            Work::Walk(walk) => return walk.poll_one(cx),
            Work::Call(call) => ready!(call.as_mut().poll(cx)),
            Work::Calling(call) => ready!(call.poll(cx)),
            Work::Done => return Poll::Ready(None),
        };
        self.0 = Work::Done;
        Poll::Ready(Some(outcome))
    }
}

impl<T> fmt::Debug for Work<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Walk(_) => "Walk",
            Self::Call(_) | Self::Calling(_) => "Call",
            Self::Done => "Done",
        })
    }
}

/// A row, and the part it is of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row<K, T> {
    /// The key of the part: the id of a course, for example.
    pub part: Arc<K>,
    /// The row.
    pub item: T,
}

/// A part that failed. The others go on.
#[derive(Debug)]
#[non_exhaustive]
pub struct PartError<K> {
    /// The key of the part; `None` when it was the listing of the parts that failed, so that those not
    /// yet listed are missing.
    pub part: Option<Arc<K>>,
    /// Why.
    pub error: Error,
}

impl<K> fmt::Display for PartError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.part {
            Some(_) => "one of the parts that run side by side failed",
            None => "the parts to run side by side could not be listed",
        })
    }
}

impl<K: fmt::Debug> StdError for PartError<K> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.error)
    }
}

impl<K> From<PartError<K>> for Error {
    fn from(failed: PartError<K>) -> Self {
        failed.error
    }
}
