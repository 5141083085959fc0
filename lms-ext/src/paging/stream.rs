use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_core::{FusedStream, Stream};
use serde::de::DeserializeOwned;

use super::{
    Checkpoint, Page, WalkSummary,
    checkpoint::Position,
    pager::{Loaded, Pager, Tasks},
};
use crate::{
    error::Error,
    request::{List, PathOf},
};

/// The pages of a list as a stream; from [`Walk::pages`](crate::Walk::pages).
///
/// Nothing is sent before the first page is asked for. The next page is fetched while you work on this
/// one. Pages come as the tenant sends them, empty ones included. It can be spawned and sent to other
/// threads.
///
/// **After an error** the walk stands where it stood, as with [`Items`](crate::Items): asking again asks
/// for the same page again.
#[must_use = "a walk sends nothing before its pages are asked for"]
pub struct Pages<T> {
    pager: Pager<T>,
    left: Option<u64>,
    /// The rest of a page that had more rows than were left to deliver.
    rest: Option<Loaded<T>>,
    ended: bool,
}

impl<T: DeserializeOwned + Send + 'static> Pages<T> {
    pub(super) fn new<L: List>(list: L, path_of: PathOf) -> Self {
        Self {
            pager: Pager::new(list, path_of),
            left: None,
            rest: None,
            ended: false,
        }
    }

    /// Begins at a cursor instead of at the beginning of the list; an empty one is the beginning.
    ///
    /// A cursor is good only with the filters it was given for. On a list without pages (tags, profiles,
    /// sign-up pages) the walk fails as a wrong [use](crate::ErrorKind::Usage).
    pub fn from_cursor(mut self, cursor: impl Into<String>) -> Self {
        self.forget();
        self.pager.start_at(Some(cursor.into()));
        self
    }

    /// Goes on where another walk of the same list was when it made the checkpoint; see
    /// [`Items::resume`](crate::Items::resume).
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) when the checkpoint is of another operation, of other filters or
    /// of a form that this version does not know.
    pub fn resume(mut self, checkpoint: &Checkpoint) -> Result<Self, Error> {
        self.forget();
        self.pager.resume(checkpoint)?;
        Ok(self)
    }

    /// Ends after at most this many rows; the last page is cut off there.
    ///
    /// Called again, it goes on for so many more rows, with the rest of a page that was cut off.
    pub fn max_items(mut self, rows: u64) -> Self {
        self.ended = false;
        self.left = Some(rows);
        self
    }

    /// Fetches a page only when it is asked for; see
    /// [`Items::without_read_ahead`](crate::Items::without_read_ahead).
    pub fn without_read_ahead(mut self) -> Self {
        self.pager.tasks = Tasks::Off;
        self
    }

    /// The next page; `None` after the last one.
    ///
    /// # Errors
    ///
    /// As [`Items::try_next`](crate::Items::try_next).
    pub async fn try_next(&mut self) -> Result<Option<Page<T>>, Error> {
        std::future::poll_fn(|cx| self.poll_page(cx))
            .await
            .transpose()
    }

    /// All pages that are left, in memory.
    ///
    /// # Errors
    ///
    /// As [`try_next`](Self::try_next); the pages before are lost then.
    pub async fn collect_all(self) -> Result<Vec<Page<T>>, Error> {
        let mut walk = self.without_read_ahead();
        let mut pages = Vec::new();
        while let Some(page) = walk.try_next().await? {
            pages.push(page);
        }
        Ok(pages)
    }

    /// Where the walk is: behind the last page that was delivered.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        let inside_page = self.rest.as_ref().map(|rest| Position {
            cursor: rest.page.cursor.clone(),
            skip: rest.skipped,
        });
        self.pager.checkpoint(inside_page.as_ref())
    }

    /// What the walk has seen so far.
    #[must_use]
    pub fn summary(&self) -> WalkSummary {
        let mut summary = self.pager.summary.clone();
        summary.finished &= self.rest.is_none();
        summary
    }

    fn forget(&mut self) {
        self.rest = None;
        self.ended = false;
    }

    fn poll_page(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Page<T>, Error>>> {
        if self.left == Some(0) {
            self.ended = true;
            return Poll::Ready(None);
        }
        let loaded = match self.rest.take() {
            Some(rest) => rest,
            None => match ready!(self.pager.poll_page(cx)) {
                Some(Ok(loaded)) => loaded,
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => {
                    self.ended = true;
                    return Poll::Ready(None);
                }
            },
        };
        let mut page = loaded.page;
        if let Some(left) = &mut self.left {
            let room = usize::try_from(*left).unwrap_or(usize::MAX);
            if page.items.len() > room {
                self.rest = Some(Loaded {
                    skipped: loaded.skipped + room,
                    page: page.cut_off(room),
                });
            }
            *left -= u64::try_from(page.items.len()).unwrap_or(u64::MAX);
        }
        self.pager.summary.delivered(page.items.len());
        if self.left != Some(0) {
            self.pager.read_ahead();
        }
        Poll::Ready(Some(Ok(page)))
    }
}

// Nothing in it is pinned: what is polled is boxed.
impl<T> Unpin for Pages<T> {}

impl<T: DeserializeOwned + Send + 'static> Stream for Pages<T> {
    type Item = Result<Page<T>, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_page(cx)
    }
}

impl<T: DeserializeOwned + Send + 'static> FusedStream for Pages<T> {
    fn is_terminated(&self) -> bool {
        self.ended
    }
}

impl<T> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages")
            .field("summary", &self.pager.summary)
            .finish_non_exhaustive()
    }
}
