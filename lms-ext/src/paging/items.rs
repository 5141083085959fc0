use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
    vec,
};

use futures_core::{FusedStream, Stream};
use serde::de::DeserializeOwned;

use super::{
    Checkpoint, Identified, WalkSummary,
    checkpoint::Position,
    dedup::Seen,
    pager::{Pager, Tasks},
};
use crate::{
    error::Error,
    request::{List, PathOf},
};

/// The rows of a list, page after page, as one stream; from [`Walk::items`](crate::Walk::items).
///
/// Nothing is sent before the first row is asked for. The next page is fetched while you work on this
/// one, from the second row on; so looking at one row costs one request. It can be spawned and sent to
/// other threads.
///
/// **After an error** the walk stands where it stood: nothing was skipped, and asking again asks for the
/// same page again. So a loop that goes on after every error may never end. A walk whose builder lacks
/// something says so once and ends.
#[must_use = "a walk sends nothing before its rows are asked for"]
pub struct Items<T> {
    pager: Pager<T>,
    rows: vec::IntoIter<T>,
    /// The page that `rows` are of: its cursor, and how many rows it had.
    page: Position,
    left: Option<u64>,
    repeats: Option<Seen<T>>,
    begun: bool,
    ended: bool,
}

impl<T: DeserializeOwned + Send + 'static> Items<T> {
    pub(super) fn new<L: List>(list: L, path_of: PathOf) -> Self {
        Self {
            pager: Pager::new(list, path_of),
            rows: Vec::new().into_iter(),
            page: Position::default(),
            left: None,
            repeats: None,
            begun: false,
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

    /// Goes on where another walk of the same list was when it made the checkpoint.
    ///
    /// Rows that were delivered are not delivered again, also when the other walk stopped in the middle of
    /// a page: the page is asked for again, and as many rows at its beginning are left out. Should rows
    /// of that very page have come or gone meanwhile, that many may be repeated or missed; a checkpoint
    /// taken between two pages, as [`pages`](crate::Walk::pages) gives it, has no such page.
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

    /// Ends after at most this many rows; called again, it goes on for so many more. Pages keep their size: a smaller
    /// `limit` is the builder's.
    pub fn max_items(mut self, rows: u64) -> Self {
        self.ended = false;
        self.left = Some(rows);
        self
    }

    /// Fetches a page only when its first row is asked for.
    ///
    /// The walk then needs no task of its own and never asks for a page in vain; fetching and working
    /// take turns.
    pub fn without_read_ahead(mut self) -> Self {
        self.pager.tasks = Tasks::Off;
        self
    }

    /// Drops a row whose [id](Identified::id) was delivered before, as it happens when rows move during a
    /// walk.
    ///
    /// This remembers 16 bytes for each row, up to twice that in memory. A resumed walk does not know the
    /// ids that were delivered before.
    pub fn dedup(mut self) -> Self
    where
        T: Identified,
    {
        self.repeats = Some(Seen::new());
        self
    }

    /// The next row; `None` after the last one.
    ///
    /// # Errors
    ///
    /// As a [call](crate::Call::call), for the page that the row would be on, and
    /// [`Pagination`](crate::ErrorKind::Pagination) when the tenant says that there is more and gives
    /// either no cursor or one that was given before; the rows up to there were delivered.
    pub async fn try_next(&mut self) -> Result<Option<T>, Error> {
        std::future::poll_fn(|cx| self.poll_row(cx))
            .await
            .transpose()
    }

    /// All rows that are left, in memory.
    ///
    /// # Errors
    ///
    /// As [`try_next`](Self::try_next); the rows before are lost then, so prefer to take rows one by one
    /// where there are many.
    pub async fn collect_all(self) -> Result<Vec<T>, Error> {
        // Nobody works between two rows, so there is nothing to fetch ahead of.
        let mut walk = self.without_read_ahead();
        let mut rows = Vec::new();
        while let Some(row) = walk.try_next().await? {
            rows.push(row);
        }
        Ok(rows)
    }

    /// Where the walk is: behind the last row that was delivered.
    #[must_use]
    pub fn checkpoint(&self) -> Checkpoint {
        if self.rows.len() == 0 {
            return self.pager.checkpoint(None);
        }
        self.pager.checkpoint(Some(&Position {
            cursor: self.page.cursor.clone(),
            skip: self.page.skip - self.rows.len(),
        }))
    }

    /// What the walk has seen so far.
    #[must_use]
    pub fn summary(&self) -> WalkSummary {
        let mut summary = self.pager.summary.clone();
        summary.finished &= self.rows.len() == 0;
        summary
    }

    /// Leaves every page to a task, so that the walk goes on while nobody polls it, and begins at once.
    pub(crate) fn in_tasks(mut self) -> Self {
        self.pager.tasks = Tasks::Always;
        self.begun = true;
        if self.left != Some(0) {
            self.pager.read_ahead();
        }
        self
    }

    /// Whether the next row is here already.
    pub(crate) fn has_row(&self) -> bool {
        self.rows.len() > 0
    }

    fn forget(&mut self) {
        self.rows = Vec::new().into_iter();
        self.ended = false;
    }

    pub(crate) fn poll_row(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<T, Error>>> {
        loop {
            if self.left == Some(0) {
                self.ended = true;
                return Poll::Ready(None);
            }
            let Some(row) = self.rows.next() else {
                match ready!(self.pager.poll_page(cx)) {
                    Some(Ok(loaded)) => {
                        self.page = Position {
                            skip: loaded.skipped + loaded.page.items.len(),
                            cursor: loaded.page.cursor,
                        };
                        self.rows = loaded.page.items.into_iter();
                        continue;
                    }
                    Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                    None => {
                        self.ended = true;
                        return Poll::Ready(None);
                    }
                }
            };
            if self.repeats.as_mut().is_some_and(|seen| !seen.is_new(&row)) {
                self.pager.summary.repeat();
                continue;
            }
            self.pager.summary.delivered(1);
            let here = u64::try_from(self.rows.len()).unwrap_or(u64::MAX);
            let enough = self.left.as_mut().is_some_and(|left| {
                *left -= 1;
                *left <= here
            });
            if self.begun && !enough {
                self.pager.read_ahead();
            }
            self.begun = true;
            return Poll::Ready(Some(Ok(row)));
        }
    }
}

// Nothing in it is pinned: what is polled is boxed.
impl<T> Unpin for Items<T> {}

impl<T: DeserializeOwned + Send + 'static> Stream for Items<T> {
    type Item = Result<T, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_row(cx)
    }
}

impl<T: DeserializeOwned + Send + 'static> FusedStream for Items<T> {
    fn is_terminated(&self) -> bool {
        self.ended
    }
}

impl<T> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items")
            .field("summary", &self.pager.summary)
            .finish_non_exhaustive()
    }
}
