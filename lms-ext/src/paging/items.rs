//! The items of the pages of a list.

use std::{
    collections::HashSet,
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
    vec,
};

use futures_core::Stream;
use futures_util::TryStreamExt;
use serde::de::DeserializeOwned;

use super::{Checkpoint, Identified, ListSummary, Pages, fingerprint, page::Position};
use crate::error::Error;

/// A stream of the items of a list; returned by [`ListExt::items`](crate::ListExt::items).
///
/// No request is sent before the first item is requested. From the second item on, the next page is requested while you
/// process the current one, so reading only the first item costs one request. The stream is `Send`.
///
/// It is not an iterator, because each page is awaited. This does not compile:
///
/// ```compile_fail,E0277
/// # async fn example(lms: lms_ext::Lms) {
/// # use lms_ext::prelude::*;
/// for learner in lms.list_learners().items() {} // while let Some(learner) = items.try_next().await? {}
/// # }
/// ```
///
/// **After an error** the stream keeps its position: no item is skipped, and the next call requests the same page
/// again. A loop that ignores errors may therefore never end. If the request is not valid, the stream returns
/// one error and ends.
#[must_use = "nothing is sent: write `while let Some(…) = ….try_next().await?`, or `.collect_all().await`"]
pub struct Items<T> {
    pages: Pages<T>,
    items: vec::IntoIter<T>,
    /// The page that `items` belongs to: its cursor, and its number of items.
    page: Position,
    /// The fingerprint of the id of an item, if duplicates are dropped. A pointer, so that only [`dedup`](Self::dedup)
    /// requires `T: Identified`.
    fingerprint: Option<fn(&T) -> Option<u128>>,
    /// The fingerprints of the items that were returned.
    seen: HashSet<u128>,
    started: bool,
}

impl<T: DeserializeOwned + Send + 'static> Items<T> {
    pub(crate) fn new(pages: Pages<T>) -> Self {
        Self {
            pages,
            items: Vec::new().into_iter(),
            page: Position::default(),
            fingerprint: None,
            seen: HashSet::new(),
            started: false,
        }
    }

    /// Continues where another stream of the same list created the checkpoint.
    ///
    /// Items that were returned are not returned again. If the checkpoint was created in the middle of a page,
    /// that page is requested again and the items at its start are skipped. If items of that page were added or
    /// removed in the meantime, the same number of items can be returned twice or missed. A checkpoint between
    /// two pages, as [`pages`](crate::ListExt::pages) gives, avoids this.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) if the checkpoint belongs to another operation or to other
    /// filters, or has a format that this release does not read.
    pub fn resume(mut self, checkpoint: &Checkpoint) -> Result<Self, Error> {
        self.items = Vec::new().into_iter();
        self.pages = self.pages.resume(checkpoint)?;
        Ok(self)
    }

    /// Requests a page only when it is needed, instead of while you process the page before it.
    ///
    /// The stream then never requests a page that is not used.
    pub fn without_read_ahead(mut self) -> Self {
        self.pages = self.pages.without_read_ahead();
        self
    }

    /// Sets the number of pages in a row without a new item that the list may have, after which it ends with an error.
    /// Default: 1000. See [`Pages::max_stale_pages`].
    pub fn max_stale_pages(mut self, pages: u64) -> Self {
        self.pages = self.pages.max_stale_pages(pages);
        self
    }

    /// Reads the list however long it is. Otherwise it ends with an error after more than twice its `number_found`, and
    /// 10,000 items more.
    pub fn ignore_number_found(mut self) -> Self {
        self.pages = self.pages.ignore_number_found();
        self
    }

    /// Ends after at most this number of items. Call it again to read more. The page size stays the same; to request
    /// smaller pages, set `limit` on the builder.
    pub fn max_items(mut self, items: u64) -> Self {
        self.pages = self.pages.max_items(items);
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
        self.fingerprint = Some(|item| {
            let id = item.id().filter(|id| !id.trim().is_empty())?;
            Some(fingerprint(id.as_bytes()))
        });
        self.seen.clear();
        self
    }

    /// Returns the next item; `None` after the last one.
    ///
    /// # Errors
    ///
    /// The errors of the [call](crate::Call::call) that requests the page. Also
    /// [`Pagination`](crate::ErrorKind::Pagination) if the page before it has `more`, and
    /// [the list cannot continue or may have no end](crate::ListExt); all items up to there were returned.
    pub async fn try_next(&mut self) -> Result<Option<T>, Error> {
        TryStreamExt::try_next(self).await
    }

    /// Collects every remaining item into a `Vec`.
    ///
    /// # Errors
    ///
    /// The errors of [`try_next`](Self::try_next). The items received before the error are lost, so prefer
    /// `try_next` for long lists.
    pub async fn collect_all(self) -> Result<Vec<T>, Error> {
        // No work happens between two pages, so reading ahead would not save time.
        let mut items = self.without_read_ahead();
        let mut all = Vec::new();
        while let Some(item) = items.try_next().await? {
            all.push(item);
        }
        Ok(all)
    }

    /// The position after the last item that was returned.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        match self.items.len() {
            0 => self.pages.checkpoint(),
            left => {
                let inside_page = Position {
                    cursor: self.page.cursor.clone(),
                    skip: self.page.skip - left,
                };
                self.pages.checkpoint_at(&inside_page, false)
            }
        }
    }

    /// The number of items that the list has returned so far, compared with its `number_found`.
    #[must_use]
    pub fn summary(&self) -> ListSummary {
        let mut summary = self.pages.summary.clone();
        summary.finished &= self.items.len() == 0;
        summary
    }
}

impl<T> Unpin for Items<T> {}

impl<T: DeserializeOwned + Send + 'static> Stream for Items<T> {
    type Item = Result<T, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if this.pages.ends_within(0) {
                return Poll::Ready(None);
            }
            let Some(item) = this.items.next() else {
                let Some(page) = ready!(this.pages.poll_page(cx)?) else {
                    return Poll::Ready(None);
                };
                this.page = Position {
                    skip: page.skipped + page.items.len(),
                    cursor: page.cursor,
                };
                this.items = page.items.into_iter();
                continue;
            };
            let id = this.fingerprint.and_then(|fingerprint| fingerprint(&item));
            if id.is_some_and(|id| !this.seen.insert(id)) {
                this.pages.summary.count_duplicate();
                continue;
            }
            this.pages.count_returned(1);
            if this.started && !this.pages.ends_within(this.items.len()) {
                this.pages.read_ahead();
            }
            this.started = true;
            return Poll::Ready(Some(Ok(item)));
        }
    }
}

impl<T> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items")
            .field("summary", &self.pages.summary)
            .finish_non_exhaustive()
    }
}
