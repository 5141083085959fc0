//! Where parts come from: a list in hand, or a walk that gives one part for each of its rows.

use std::task::{Context, Poll, ready};

use serde::de::DeserializeOwned;

use super::Part;
use crate::{error::Error, paging::Items};

pub(super) type Listed<K, T> = Option<Result<(K, Part<T>), Error>>;

pub(super) trait Source<K, T>: Send {
    /// The next part.
    fn poll_part(&mut self, cx: &mut Context<'_>) -> Poll<Listed<K, T>>;

    /// How many parts there are in all, as far as that is known.
    fn total(&self) -> Option<u64>;
}

pub(super) struct InHand<I> {
    parts: I,
    total: Option<u64>,
}

impl<I: Iterator> InHand<I> {
    pub(super) fn new(parts: I) -> Self {
        let total = match parts.size_hint() {
            (least, Some(most)) if least == most => u64::try_from(most).ok(),
            _ => None,
        };
        Self { parts, total }
    }
}

impl<K, T, P, I> Source<K, T> for InHand<I>
where
    I: Iterator<Item = (K, P)> + Send,
    P: Into<Part<T>>,
{
    fn poll_part(&mut self, _: &mut Context<'_>) -> Poll<Listed<K, T>> {
        let part = self.parts.next();
        Poll::Ready(part.map(|(key, part)| Ok((key, part.into()))))
    }

    fn total(&self) -> Option<u64> {
        self.total
    }
}

/// No parts, for a reason.
pub(super) struct Refused(pub(super) Option<Error>);

impl<K, T> Source<K, T> for Refused {
    fn poll_part(&mut self, _: &mut Context<'_>) -> Poll<Listed<K, T>> {
        Poll::Ready(self.0.take().map(Err))
    }

    fn total(&self) -> Option<u64> {
        Some(0)
    }
}

pub(super) struct Walked<R, F> {
    walk: Items<R>,
    part: F,
}

impl<R: DeserializeOwned + Send + 'static, F> Walked<R, F> {
    pub(super) fn new(walk: Items<R>, part: F) -> Self {
        Self {
            // A page fetched ahead would be one request more than may run at once.
            walk: walk.without_read_ahead(),
            part,
        }
    }
}

impl<K, T, R, P, F> Source<K, T> for Walked<R, F>
where
    R: DeserializeOwned + Send + 'static,
    P: Into<Part<T>>,
    F: FnMut(R) -> Result<(K, P), Error> + Send,
{
    fn poll_part(&mut self, cx: &mut Context<'_>) -> Poll<Listed<K, T>> {
        Poll::Ready(match ready!(self.walk.poll_one(cx)) {
            None => None,
            Some(row) => Some(
                row.and_then(&mut self.part)
                    .map(|(key, part)| (key, part.into())),
            ),
        })
    }

    fn total(&self) -> Option<u64> {
        let found = self.walk.summary().number_found_at_start()?;
        u64::try_from(found).ok()
    }
}
