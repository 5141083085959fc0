use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
    vec,
};

use futures_core::Stream;
use serde::de::DeserializeOwned;

use super::{
    Checkpoint, Identified, ListSummary, page::Position, pager::Pager, seen::Dedup,
    source::ListRequest, stream::list_stream,
};
use crate::error::Error;

/// A stream of the items of a list; returned by [`ListExt::items`](crate::ListExt::items).
///
/// No request is sent before the first item is requested. From the second item on, the next page is requested while you
/// process the current one, so reading only the first item costs one request. The stream is `Send`.
///
/// **After an error** the stream keeps its position: no item is skipped, and the next call requests the same page
/// again. A loop that ignores errors may therefore never end. If the request is not valid, the stream returns
/// one error and ends.
#[must_use = "nothing is sent: write `while let Some(…) = ….try_next().await?`, or `.collect_all().await`"]
pub struct Items<T> {
    pager: Pager<T>,
    items: vec::IntoIter<T>,
    /// The page that `items` belongs to: its cursor, and its number of items.
    page: Position,
    remaining: Option<u64>,
    dedup: Option<Dedup<T>>,
    started: bool,
}

list_stream!(Items of T, "item");

impl<T: DeserializeOwned + Send + 'static> Items<T> {
    pub(crate) fn new(list: ListRequest) -> Self {
        Self {
            pager: Pager::new(list),
            items: Vec::new().into_iter(),
            page: Position::default(),
            remaining: None,
            dedup: None,
            started: false,
        }
    }

    /// Ends after at most this number of items. Call it again to read more. The page size stays the same; to request
    /// smaller pages, set `limit` on the builder.
    pub fn max_items(mut self, items: u64) -> Self {
        self.remaining = Some(items);
        self
    }

    /// Drops an item if one with the same [id](Identified::id) was returned before. This happens when items
    /// move to another page while the list is read.
    ///
    /// Takes 16 to 32 bytes of memory per item. A checkpoint does not contain the ids, so a resumed stream may return
    /// items again that were returned before the checkpoint.
    pub fn dedup(mut self) -> Self
    where
        T: Identified,
    {
        self.dedup = Some(Dedup::new());
        self
    }

    /// The position after the last item that was returned.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        let inside_page = (!self.at_page_end()).then(|| Position {
            cursor: self.page.cursor.clone(),
            skip: self.page.skip - self.items.len(),
        });
        self.pager.checkpoint(inside_page.as_ref())
    }

    /// Returns `true` if all items received so far were returned.
    fn at_page_end(&self) -> bool {
        self.items.len() == 0
    }

    fn clear(&mut self) {
        self.items = Vec::new().into_iter();
    }

    fn poll_one(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<T, Error>>> {
        loop {
            if self.remaining == Some(0) {
                return Poll::Ready(None);
            }
            let Some(item) = self.items.next() else {
                let Some(loaded) = ready!(self.pager.poll_page(cx)).transpose()? else {
                    return Poll::Ready(None);
                };
                self.page = Position {
                    skip: loaded.skipped + loaded.page.items.len(),
                    cursor: loaded.page.cursor,
                };
                self.items = loaded.page.items.into_iter();
                continue;
            };
            if self.dedup.as_mut().is_some_and(|seen| !seen.is_new(&item)) {
                self.pager.summary.count_duplicate();
                continue;
            }
            self.pager.summary.count_items(1);
            let loaded = u64::try_from(self.items.len()).unwrap_or(u64::MAX);
            let enough = self.remaining.as_mut().is_some_and(|remaining| {
                *remaining -= 1;
                *remaining <= loaded
            });
            if self.started && !enough {
                self.pager.read_ahead();
            }
            self.started = true;
            return Poll::Ready(Some(Ok(item)));
        }
    }
}
