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

/// A walk, or a call that returns one item, to be run concurrently with others.
///
/// Converts from the values of [`items`](crate::Walk::items) and [`call`](crate::Call::call).
#[derive(Debug)]
pub struct Part<T>(Work<T>);

enum Work<T> {
    Walk(Box<Items<T>>),
    Call(Fetch<T>),
    Done,
}

impl<T> From<Items<T>> for Part<T> {
    fn from(walk: Items<T>) -> Self {
        Self(Work::Walk(Box::new(walk)))
    }
}

impl<T> From<CallFuture<T>> for Part<T> {
    fn from(call: CallFuture<T>) -> Self {
        Self(Work::Call(Fetch::Inline(call)))
    }
}

impl<T: DeserializeOwned + Send + 'static> Part<T> {
    /// Spawns the part, so that it makes progress without being polled.
    pub(super) fn start(self) -> Self {
        Self(match self.0 {
            Work::Walk(walk) => Work::Walk(Box::new(walk.in_tasks())),
            Work::Call(Fetch::Inline(call)) => Work::Call(Fetch::spawn(call)),
            other => other,
        })
    }

    /// Continues a walk from a checkpoint. A call has no position and is sent again.
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

    /// Whether the next item has been received.
    pub(super) fn has_item(&self) -> bool {
        matches!(&self.0, Work::Walk(walk) if !walk.at_page_end())
    }

    /// Whether there are certainly no more items.
    pub(super) fn is_done(&self) -> bool {
        matches!(&self.0, Work::Done)
    }

    pub(super) fn poll_item(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<T, Error>>> {
        let outcome = match &mut self.0 {
            Work::Walk(walk) => return walk.poll_one(cx),
            Work::Call(call) => ready!(call.poll(cx)),
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
            Self::Call(_) => "Call",
            Self::Done => "Done",
        })
    }
}

/// An item, and the part that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartItem<K, T> {
    /// The key of the part, for example the id of a course.
    pub part: Arc<K>,
    /// The item.
    pub item: T,
}

/// The error of one part; the other parts continue.
#[derive(Debug)]
#[non_exhaustive]
pub struct PartError<K> {
    /// The key of the part. `None` if listing the parts failed; parts that were not listed are then missing.
    pub part: Option<Arc<K>>,
    /// The error of the walk or the call.
    pub error: Error,
}

impl<K> fmt::Display for PartError<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.part {
            Some(_) => "a part of a concurrent walk failed",
            None => "the parts of a concurrent walk could not be listed",
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
