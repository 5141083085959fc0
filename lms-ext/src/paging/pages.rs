use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_core::Stream;
use serde::de::DeserializeOwned;

use super::{
    Checkpoint, ListSummary, Page,
    page::Position,
    pager::{Loaded, Pager},
    source::ListRequest,
    stream::list_stream,
};
use crate::error::Error;

/// A stream of the pages of a list; returned by [`ListExt::pages`](crate::ListExt::pages).
///
/// No request is sent before the first page is requested. The next page is requested while you process the
/// current one. Empty pages are also returned. The stream is `Send`.
///
/// **After an error** the stream keeps its position, like [`Items`](crate::Items): the next call requests the
/// same page again.
#[must_use = "nothing is sent: write `while let Some(…) = ….try_next().await?`, or `.collect_all().await`"]
pub struct Pages<T> {
    pager: Pager<T>,
    remaining: Option<u64>,
    /// The rest of a page that had more items than [`max_items`](Self::max_items) allowed.
    rest: Option<Loaded<T>>,
}

list_stream!(Pages of Page<T>, "page");

impl<T: DeserializeOwned + Send + 'static> Pages<T> {
    pub(crate) fn new(list: ListRequest) -> Self {
        Self {
            pager: Pager::new(list),
            remaining: None,
            rest: None,
        }
    }

    /// Ends after at most this number of items; the last page is truncated there. Call it again to read more, beginning
    /// with the rest of that page.
    pub fn max_items(mut self, items: u64) -> Self {
        self.remaining = Some(items);
        self
    }

    /// The position after the last page that was returned.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        let inside_page = self.rest.as_ref().map(|rest| Position {
            cursor: rest.page.cursor.clone(),
            skip: rest.skipped,
        });
        self.pager.checkpoint(inside_page.as_ref())
    }

    /// The number of items of the list as the service counts them, by a request for one item, with its attempts.
    pub(crate) async fn number_found(self) -> Result<(Option<i64>, u32), Error> {
        self.pager.number_found().await
    }

    fn at_page_end(&self) -> bool {
        self.rest.is_none()
    }

    fn clear(&mut self) {
        self.rest = None;
    }

    fn poll_one(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Page<T>, Error>>> {
        if self.remaining == Some(0) {
            return Poll::Ready(None);
        }
        let loaded = match self.rest.take() {
            Some(rest) => rest,
            None => match ready!(self.pager.poll_page(cx)).transpose()? {
                Some(loaded) => loaded,
                None => return Poll::Ready(None),
            },
        };
        let mut page = loaded.page;
        if let Some(remaining) = &mut self.remaining {
            let most = usize::try_from(*remaining).unwrap_or(usize::MAX);
            if page.items.len() > most {
                self.rest = Some(Loaded {
                    skipped: loaded.skipped + most,
                    page: page.split_off(most),
                });
            }
            *remaining -= u64::try_from(page.items.len()).unwrap_or(u64::MAX);
        }
        self.pager.summary.count_items(page.items.len());
        if self.remaining != Some(0) {
            self.pager.read_ahead();
        }
        Poll::Ready(Some(Ok(page)))
    }
}
