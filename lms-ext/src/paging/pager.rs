//! Follows the cursor from page to page, for `Items` and `Pages`.

use std::task::{Context, Poll, ready};

use serde::de::DeserializeOwned;
use tokio::runtime::Handle;

use super::{
    checkpoint::Checkpoint,
    page::{Page, Position},
    seen::CycleDetector,
    source::{ListRequest, PageResponse, Source, of_cursor},
    summary::ListSummary,
};
use crate::{
    error::{Error, ErrorKind},
    request::CallFuture,
    values::OperationInfo,
};

/// A page, and how many items were skipped at its start because they were returned before.
#[derive(Debug)]
pub(super) struct Loaded<T> {
    pub(super) page: Page<T>,
    pub(super) skipped: usize,
}

pub(super) struct Pager<T> {
    /// `None` if no request could be made from the builder.
    source: Option<Source>,
    operation: &'static OperationInfo,
    /// The position after the last page that was returned.
    position: Position,
    done: bool,
    /// An error of the last page, returned when the consumer asks for the next one.
    pending_error: Option<Error>,
    fetch: Option<CallFuture<PageResponse<T>>>,
    cycle: CycleDetector,
    /// `true` if the next page is requested while the consumer is processing this one.
    pub(super) reads_ahead: bool,
    pub(super) summary: ListSummary,
}

impl<T: DeserializeOwned + Send + 'static> Pager<T> {
    pub(super) fn new(list: ListRequest) -> Self {
        let mut pager = Self {
            source: None,
            operation: list.operation,
            position: Position::default(),
            done: false,
            pending_error: None,
            fetch: None,
            cycle: CycleDetector::new(None),
            reads_ahead: true,
            summary: ListSummary::default(),
        };
        match list.prepared {
            Ok(prepared) => {
                let (source, cursor) = Source::new(prepared, list.paged);
                pager.source = Some(source);
                let summary = ListSummary {
                    from_start: cursor.is_none(),
                    ..ListSummary::default()
                };
                pager.restart(Position { cursor, skip: 0 }, summary);
            }
            Err(error) => {
                pager.pending_error = Some(error.in_operation(list.operation));
                pager.done = true;
            }
        }
        pager
    }

    pub(super) fn resume(&mut self, checkpoint: &Checkpoint) -> Result<(), Error> {
        // An error of the builder is returned by the stream, not here.
        let Some(source) = &self.source else {
            return Ok(());
        };
        checkpoint
            .check(source.base_url(), self.operation, source.filters())
            .map_err(|error| error.in_operation(self.operation))?;
        self.restart(checkpoint.position(), checkpoint.summary());
        self.done = checkpoint.is_finished();
        Ok(())
    }

    fn restart(&mut self, position: Position, summary: ListSummary) {
        self.cycle = CycleDetector::new(position.cursor.as_deref());
        self.position = position;
        self.summary = summary;
        self.done = false;
        self.pending_error = None;
        self.fetch = None;
    }

    pub(super) async fn number_found(self) -> Result<(Option<i64>, u32), Error> {
        match (self.pending_error, self.source) {
            (Some(error), _) => Err(error),
            (None, Some(source)) => source.number_found().await,
            (None, None) => Ok((None, 0)),
        }
    }

    /// The base URL of the tenant; `None` if no request could be made from the builder.
    pub(super) fn base_url(&self) -> Option<&str> {
        self.source.as_ref().map(Source::base_url)
    }

    pub(super) fn checkpoint(&self, inside_page: Option<&Position>) -> Checkpoint {
        Checkpoint::new(
            self.base_url().unwrap_or_default(),
            self.operation,
            self.source.as_ref().map_or(0, Source::filters),
            inside_page.unwrap_or(&self.position),
            &self.summary,
            inside_page.is_none() && self.done,
        )
    }

    /// The next page; `None` after the last one. After an error, requests the same page again.
    pub(super) fn poll_page(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Loaded<T>, Error>>> {
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
            let (Some(fetch), Some(source)) = (&mut self.fetch, &self.source) else {
                return Poll::Ready(None);
            };
            let outcome = ready!(fetch.as_mut().poll(cx));
            self.fetch = None;
            match outcome {
                Err(mut error) => {
                    self.summary.count_requests(error.attempts());
                    if self.position.cursor.is_some() {
                        error = of_cursor(error);
                    }
                    return Poll::Ready(Some(Err(error.in_operation(self.operation))));
                }
                Ok(response) => {
                    self.summary.count_requests(response.1.attempts);
                    let page = source.page(response);
                    if let Some(loaded) = self.accept(page) {
                        return Poll::Ready(Some(Ok(loaded)));
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

    fn request(&self) -> Option<CallFuture<PageResponse<T>>> {
        let source = self.source.as_ref()?;
        Some(source.request(self.position.cursor.as_deref()))
    }

    /// Moves the position past a page. Returns the page unless all its items were returned before.
    fn accept(&mut self, mut page: Page<T>) -> Option<Loaded<T>> {
        let next = self.next_cursor(&page);
        let items = page.items.len();
        self.summary.count_page(page.number_found);

        let Position { cursor, skip } = std::mem::take(&mut self.position);
        let skipped = skip.min(items);
        page.items.drain(..skipped);
        #[cfg(feature = "metrics")]
        crate::send::metrics::items(self.operation, page.items.len());
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
        (!page.items.is_empty() || skipped == 0).then_some(Loaded { page, skipped })
    }

    /// The cursor of the page after this one; `None` if it is the last.
    fn next_cursor(&mut self, page: &Page<T>) -> Result<Option<String>, &'static str> {
        let paged = self.source.as_ref().is_some_and(|source| source.paged);
        match &page.next_cursor {
            _ if !paged || !page.more => Ok(None),
            Some(next) if self.cycle.is_new(next) => Ok(Some(next.clone())),
            Some(_) => Err(
                "the server returned a cursor that was already used for this list, so reading it would never end; try again, or read the list from the start",
            ),
            None => Err(
                "the page says that there are more items but has no next cursor; try again, or read the list from the start",
            ),
        }
    }
}
