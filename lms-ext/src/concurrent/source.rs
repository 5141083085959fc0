//! Where the parts come from: an iterator, or a walk with one part per item.

use std::task::{Context, Poll, ready};

use serde::de::DeserializeOwned;

use super::Part;
use crate::{error::Error, paging::Items};

pub(super) type Listed<K, T> = Option<Result<(K, Part<T>), Error>>;

pub(super) trait Source<K, T>: Send {
    fn poll_part(&mut self, cx: &mut Context<'_>) -> Poll<Listed<K, T>>;

    /// The number of parts, as far as it is known.
    fn total(&self) -> Option<u64>;
}

pub(super) struct FromIter<I> {
    pub(super) parts: I,
    pub(super) total: Option<u64>,
}

impl<K, T, P, I> Source<K, T> for FromIter<I>
where
    I: Iterator<Item = Result<(K, P), Error>> + Send,
    P: Into<Part<T>>,
{
    fn poll_part(&mut self, _: &mut Context<'_>) -> Poll<Listed<K, T>> {
        let part = self.parts.next();
        Poll::Ready(part.map(|part| part.map(|(key, part)| (key, part.into()))))
    }

    fn total(&self) -> Option<u64> {
        self.total
    }
}

pub(super) struct FromWalk<R, F> {
    walk: Items<R>,
    part: F,
}

impl<R: DeserializeOwned + Send + 'static, F> FromWalk<R, F> {
    pub(super) fn new(walk: Items<R>, part: F) -> Self {
        Self {
            // Reading ahead would be one more request in flight than allowed.
            walk: walk.without_read_ahead(),
            part,
        }
    }
}

impl<K, T, R, P, F> Source<K, T> for FromWalk<R, F>
where
    R: DeserializeOwned + Send + 'static,
    P: Into<Part<T>>,
    F: FnMut(R) -> Result<(K, P), Error> + Send,
{
    fn poll_part(&mut self, cx: &mut Context<'_>) -> Poll<Listed<K, T>> {
        let item = ready!(self.walk.poll_one(cx));
        let part = item.map(|item| item.and_then(&mut self.part));
        Poll::Ready(part.map(|part| part.map(|(key, part)| (key, part.into()))))
    }

    fn total(&self) -> Option<u64> {
        let found = self.walk.summary().number_found_at_start()?;
        u64::try_from(found).ok()
    }
}
