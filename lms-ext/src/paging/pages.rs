//! Requests page after page: one prepared request whose cursor changes.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_core::Stream;
use futures_util::TryStreamExt;
use lms_client::wire::Int64;
use reqwest::Url;
use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::value::RawValue;
use tokio::runtime::Handle;

use super::{
    checkpoint::{Checkpoint, ListSummary},
    end::{EndOfList, fingerprint},
    page::{Envelope, Page, Position},
};
use crate::{
    error::{Error, ErrorKind},
    request::{CallFuture, PreparedCall},
    send::{RawResponse, metrics},
    values::OperationInfo,
};

/// A stream of the pages of a list; returned by [`ListExt::pages`](crate::ListExt::pages).
///
/// No request is sent before the first page is requested. The next page is requested while you process the
/// current one. Empty pages are also returned. The stream is `Send`.
///
/// **After an error** the stream keeps its position, like [`Items`](crate::Items): the next call requests the
/// same page again.
#[must_use = "nothing is sent: write `while let Some(…) = ….try_next().await?`"]
pub struct Pages<T> {
    /// The request without a cursor; `None` if no request could be made from the builder.
    prepared: Option<PreparedCall>,
    operation: &'static OperationInfo,
    end: EndOfList,
    recognised_by: Option<fn(&T) -> &[u8]>,
    /// The position after the last page that was returned.
    position: Position,
    done: bool,
    /// An error of the last page, returned when the consumer asks for the next one.
    pending_error: Option<Error>,
    fetch: Option<CallFuture<(Envelope<T>, Box<RawResponse>)>>,
    /// `true` if the next page is requested while the consumer is processing this one.
    reads_ahead: bool,
    remaining: Option<u64>,
    /// The rest of a page that had more items than [`max_items`](Self::max_items) allowed.
    rest: Option<Page<T>>,
    pub(super) summary: ListSummary,
}

impl<T: DeserializeOwned + Send + 'static> Pages<T> {
    pub(crate) fn new(
        prepared: Result<PreparedCall, Error>,
        operation: &'static OperationInfo,
        paged: bool,
    ) -> Self {
        let mut pages = Self {
            prepared: None,
            operation,
            end: EndOfList::new(paged, None),
            recognised_by: None,
            position: Position::default(),
            done: false,
            pending_error: None,
            fetch: None,
            reads_ahead: true,
            remaining: None,
            rest: None,
            summary: ListSummary::default(),
        };
        match prepared {
            Ok(mut prepared) => {
                let cursor = take_parameter(prepared.request.url_mut(), "cursor");
                pages.prepared = Some(prepared);
                let summary = ListSummary {
                    from_start: cursor.is_none(),
                    ..ListSummary::default()
                };
                pages.restart(Position { cursor, skip: 0 }, summary);
            }
            Err(error) => {
                pages.pending_error = Some(error.in_operation(operation));
                pages.done = true;
            }
        }
        pages
    }

    /// Continues where another stream of the same list created the checkpoint. Pages that were returned are not
    /// returned again.
    ///
    /// If [`Items`](crate::Items) created the checkpoint in the middle of a page, the first page is the rest of that page.
    ///
    /// # Errors
    ///
    /// [`Usage`](ErrorKind::Usage) if the checkpoint belongs to another operation or to other filters, or has a format
    /// that this release does not read.
    pub fn resume(mut self, checkpoint: &Checkpoint) -> Result<Self, Error> {
        // An error of the builder is returned by the stream, not here.
        if let Some(prepared) = &self.prepared {
            let checked = checkpoint.check(prepared, self.operation);
            checked.map_err(|error| error.in_operation(self.operation))?;
            self.restart(checkpoint.position(), checkpoint.summary());
            self.done = checkpoint.is_finished();
        }
        Ok(self)
    }

    /// Requests a page only when it is needed, instead of while you process the page before it.
    ///
    /// The stream then never requests a page that is not used.
    pub fn without_read_ahead(mut self) -> Self {
        self.reads_ahead = false;
        self
    }

    /// Sets the number of pages in a row without a new item that the list may have, after which it ends with an error.
    /// Default: 1000. Without a limit, empty pages with new cursors would never end.
    pub fn max_stale_pages(mut self, pages: u64) -> Self {
        self.end.max_stale = pages;
        self
    }

    /// Counts any page with the same items as an earlier page as one [without a new item](Self::max_stale_pages), as lists of
    /// JSON do. Otherwise, a page is compared only if its list has no count, because its items are read twice for that.
    /// `bytes` returns the bytes by which an item is recognised.
    pub(crate) fn recognise_pages(mut self, bytes: fn(&T) -> &[u8]) -> Self {
        self.recognised_by = Some(bytes);
        self
    }

    /// Reads the list however long it is. Otherwise it ends with an error after more than twice its `number_found`, and
    /// 10,000 items more.
    pub fn ignore_number_found(mut self) -> Self {
        self.end.ignore_count = true;
        self
    }

    /// Ends after at most this number of items; the last page is truncated there. Call it again to read more, beginning
    /// with the rest of that page.
    pub fn max_items(mut self, items: u64) -> Self {
        self.remaining = Some(items);
        self
    }

    /// Returns the next page; `None` after the last one.
    ///
    /// # Errors
    ///
    /// The errors of the [call](crate::Call::call) that requests the page. Also [`Pagination`](ErrorKind::Pagination) if
    /// the page before it has `more`, and [the list cannot continue or may have no end](crate::ListExt); all pages up to
    /// there were returned.
    pub async fn try_next(&mut self) -> Result<Option<Page<T>>, Error> {
        TryStreamExt::try_next(self).await
    }

    /// The position after the last page that was returned.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        match &self.rest {
            None => self.checkpoint_at(&self.position, self.done),
            Some(rest) => self.checkpoint_at(&rest.start(), false),
        }
    }

    /// The number of items that the list has returned so far, compared with its `number_found`.
    #[must_use]
    pub fn summary(&self) -> ListSummary {
        let mut summary = self.summary.clone();
        summary.finished &= self.rest.is_none();
        summary
    }

    pub(crate) fn operation(&self) -> &'static OperationInfo {
        self.operation
    }

    pub(super) fn checkpoint_at(&self, position: &Position, finished: bool) -> Checkpoint {
        let prepared = self.prepared.as_ref();
        Checkpoint::new(prepared, self.operation, position, &self.summary, finished)
    }

    /// The number of items of the list as the service counts them, by a request for one item, with its attempts.
    pub(crate) async fn number_found(self) -> Result<(Option<i64>, u32), Error> {
        let Some(mut call) = self.prepared else {
            return self.pending_error.map_or(Ok((None, 0)), Err);
        };
        if self.end.paged {
            let url = call.request.url_mut();
            take_parameter(url, "limit");
            url.query_pairs_mut().append_pair("limit", "1");
        }
        let requested = call.requested();
        let (body, response) = call.started::<Envelope<IgnoredAny>>().await?;
        body.check(&requested)?;
        Ok((body.page.number_found.map(Int64::get), response.attempts))
    }

    /// Returns `true` if no more than this number of items may be returned.
    pub(super) fn ends_within(&self, items: usize) -> bool {
        let items = u64::try_from(items).unwrap_or(u64::MAX);
        self.remaining.is_some_and(|remaining| remaining <= items)
    }

    /// Counts items that are returned, also towards the limit.
    pub(super) fn count_returned(&mut self, items: usize) {
        self.summary.count_items(items);
        if let Some(remaining) = &mut self.remaining {
            *remaining -= u64::try_from(items).unwrap_or(u64::MAX);
        }
    }

    fn restart(&mut self, position: Position, summary: ListSummary) {
        self.end = self.end.restart(position.cursor.as_deref());
        self.position = position;
        self.summary = summary;
        self.done = false;
        self.pending_error = None;
        self.fetch = None;
        self.rest = None;
    }

    /// The next page; `None` after the last one. After an error, requests the same page again.
    pub(super) fn poll_page(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Page<T>, Error>>> {
        loop {
            if let Some(error) = self.pending_error.take() {
                return Poll::Ready(Some(Err(error)));
            }
            if self.done {
                return Poll::Ready(None);
            }
            if self.fetch.is_none() {
                self.fetch = self.request();
            }
            let Some(fetch) = &mut self.fetch else {
                return Poll::Ready(None);
            };
            let outcome = ready!(fetch.as_mut().poll(cx));
            self.fetch = None;
            match outcome {
                Err(mut error) => {
                    self.summary.count_requests(error.attempts());
                    if self.position.cursor.is_some() {
                        error = explain_rejected_cursor(error);
                    }
                    return Poll::Ready(Some(Err(error.in_operation(self.operation))));
                }
                Ok((body, response)) => {
                    self.summary.count_requests(response.attempts);
                    let requested = self.prepared.as_ref().map(PreparedCall::requested);
                    if let Some(Err(error)) = requested.map(|requested| body.check(&requested)) {
                        let error = error.after(response.attempts, response.elapsed);
                        return Poll::Ready(Some(Err(error.in_operation(self.operation))));
                    }
                    let mut page = body.page;
                    page.received.status = response.status.as_u16();
                    page.received.paged = self.end.paged;
                    page.received.content_type = response.content_type();
                    if let Some(page) = self.accept(page, &response.body) {
                        return Poll::Ready(Some(Ok(page)));
                    }
                }
            }
        }
    }

    /// Requests the next page while the consumer is processing this one.
    pub(super) fn read_ahead(&mut self) {
        let idle = self.fetch.is_none() && !self.done && self.pending_error.is_none();
        // Without a runtime, the page is requested when the stream is polled.
        if idle && self.reads_ahead && Handle::try_current().is_ok() {
            self.fetch = self.request();
        }
    }

    /// Starts to request the page at the position.
    fn request(&self) -> Option<CallFuture<(Envelope<T>, Box<RawResponse>)>> {
        let mut call = match self.prepared.as_ref()?.again() {
            Ok(call) => call,
            Err(error) => return Some(Box::pin(std::future::ready(Err(error)))),
        };
        if let Some(cursor) = &self.position.cursor {
            let mut query = call.request.url_mut().query_pairs_mut();
            query.append_pair("cursor", cursor);
        }
        Some(Box::pin(call.started()))
    }

    /// Moves the position past a page. Returns the page unless all its items were returned before.
    fn accept(&mut self, mut page: Page<T>, body: &[u8]) -> Option<Page<T>> {
        let recognised = match self.recognised_by {
            Some(bytes) => Some(fingerprint_of(page.items.iter().map(bytes))),
            None if self.end.is_unbounded(&page) => fingerprint_of_body(body),
            None => None,
        };
        let next = self.end.next_cursor(&page, recognised);
        let items = page.items.len();
        self.summary.count_page(page.number_found);

        let Position { cursor, skip } = std::mem::take(&mut self.position);
        let skipped = skip.min(items);
        page.skipped = skipped;
        page.items.drain(..skipped);
        metrics::items(self.operation, page.items.len());
        page.cursor.clone_from(&cursor);
        self.position = match next {
            Ok(Some(next)) => Position {
                cursor: Some(next),
                // If pages are smaller than before the resume, the items to skip reach into the next one.
                skip: skip - skipped,
            },
            Ok(None) => {
                self.done = true;
                self.summary.finished = true;
                Position {
                    cursor,
                    skip: items,
                }
            }
            Err(detail) => {
                let error = Error::new(ErrorKind::Pagination, detail);
                self.pending_error = Some(error.in_operation(self.operation));
                Position {
                    cursor,
                    skip: skip.max(items),
                }
            }
        };
        (!page.items.is_empty() || skipped == 0).then_some(page)
    }
}

// The futures inside are boxed, so nothing is pinned.
impl<T> Unpin for Pages<T> {}

impl<T: DeserializeOwned + Send + 'static> Stream for Pages<T> {
    type Item = Result<Page<T>, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if this.ends_within(0) {
            return Poll::Ready(None);
        }
        let mut page = match this.rest.take() {
            Some(rest) => rest,
            None => match ready!(this.poll_page(cx)?) {
                Some(page) => page,
                None => return Poll::Ready(None),
            },
        };
        let remaining = this.remaining;
        this.rest = remaining.and_then(|remaining| page.split_off(remaining));
        this.count_returned(page.items.len());
        if !this.ends_within(0) {
            this.read_ahead();
        }
        Poll::Ready(Some(Ok(page)))
    }
}

impl<T> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages")
            .field("summary", &self.summary)
            .finish_non_exhaustive()
    }
}

/// The error of a request for a page with a cursor.
fn explain_rejected_cursor(error: Error) -> Error {
    if error.status() != Some(400) && !error.is_not_found() {
        return error;
    }
    error.with_kind(ErrorKind::CursorRejected).with_detail(
        "the server does not accept the cursor, which has probably expired; read the list from the start, without the checkpoint or cursor",
    )
}

/// Number of bytes of an item by which it is recognised.
const RECOGNISED: usize = 128;

fn fingerprint_of<'a>(items: impl Iterator<Item = &'a [u8]>) -> u128 {
    let starts = items.flat_map(|bytes| bytes.get(..RECOGNISED).unwrap_or(bytes));
    fingerprint(&starts.copied().collect::<Vec<u8>>())
}

/// The fingerprint of the items of a page; `None` if they cannot be read.
fn fingerprint_of_body(body: &[u8]) -> Option<u128> {
    #[derive(Deserialize)]
    struct Items<'a> {
        #[serde(borrow)]
        items: Vec<&'a RawValue>,
    }
    let Items { items } = serde_json::from_slice(body).ok()?;
    Some(fingerprint_of(
        items.iter().map(|item| item.get().as_bytes()),
    ))
}

/// Removes a parameter from a URL; an empty one is `None`.
fn take_parameter(url: &mut Url, parameter: &str) -> Option<String> {
    let (taken, others): (Vec<_>, Vec<_>) = url
        .query_pairs()
        .into_owned()
        .partition(|(name, _)| name == parameter);
    let (_, value) = taken.into_iter().next()?;
    url.set_query(None);
    if !others.is_empty() {
        url.query_pairs_mut().extend_pairs(others);
    }
    Some(value).filter(|value| !value.is_empty())
}
