//! How a walk goes on from page to page: what `Items` and `Pages` share.

use std::{
    sync::Arc,
    task::{Context, Poll, ready},
};

use serde::de::DeserializeOwned;

use super::{
    checkpoint::{Checkpoint, Position},
    cycle::CycleDetector,
    fetch::Fetch,
    page::{Envelope, Page},
    source::Source,
    summary::WalkSummary,
};
use crate::{
    error::{Error, ErrorKind},
    request::{List, PathOf},
    values::OperationInfo,
};

/// Whether pages are fetched by tasks; see [`Fetch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tasks {
    /// None is.
    Off,
    /// The page after the one that the consumer works on.
    Ahead,
    /// All of them: somebody polls many walks, and none of them often.
    Always,
}

/// A page, and how many rows at its beginning were left out because they had been delivered before.
#[derive(Debug)]
pub(super) struct Loaded<T> {
    pub(super) page: Page<T>,
    pub(super) skipped: usize,
}

pub(super) struct Pager<T> {
    /// `None` when the builder could not be made a request of.
    source: Option<Arc<Source>>,
    operation: &'static OperationInfo,
    /// The place behind the last page that was handed out.
    here: Position,
    done: bool,
    /// What is wrong with going on; said when the consumer asks to.
    fault: Option<Error>,
    fetch: Option<Fetch<Envelope<T>>>,
    cycle: CycleDetector,
    pub(super) tasks: Tasks,
    pub(super) summary: WalkSummary,
}

impl<T: DeserializeOwned + Send + 'static> Pager<T> {
    pub(super) fn new<L: List>(list: L, path_of: PathOf) -> Self {
        let mut pager = Self {
            source: None,
            operation: L::INFO,
            here: Position::default(),
            done: false,
            fault: None,
            fetch: None,
            cycle: CycleDetector::new(None),
            tasks: Tasks::Ahead,
            summary: WalkSummary::default(),
        };
        match Source::new(list, path_of) {
            Ok(source) => {
                let start = source.start.clone();
                pager.source = Some(Arc::new(source));
                pager.start_at(start);
            }
            Err(error) => pager.refuse(error),
        }
        pager
    }

    /// Forgets everything and begins at a cursor; an empty one is none.
    pub(super) fn start_at(&mut self, cursor: Option<String>) {
        let Some(source) = &self.source else {
            return;
        };
        let cursor = cursor.filter(|cursor| !cursor.is_empty());
        if cursor.is_some() && !source.paged {
            self.refuse(Error::usage(
                "this list comes whole and takes no cursor; leave the cursor out",
            ));
            return;
        }
        let summary = WalkSummary {
            from_start: cursor.is_none(),
            ..WalkSummary::default()
        };
        self.go_to(Position { cursor, skip: 0 }, summary);
    }

    pub(super) fn resume(&mut self, checkpoint: &Checkpoint) -> Result<(), Error> {
        let Some(source) = &self.source else {
            // What is wrong with the builder is said when it is walked, as without a checkpoint.
            return Ok(());
        };
        checkpoint.check(self.operation, source.filters())?;
        self.go_to(checkpoint.position(), checkpoint.summary());
        self.done = checkpoint.is_finished();
        Ok(())
    }

    fn go_to(&mut self, position: Position, summary: WalkSummary) {
        self.cycle = CycleDetector::new(position.cursor.as_deref());
        self.here = position;
        self.summary = summary;
        self.done = false;
        self.fault = None;
        self.fetch = None;
    }

    fn refuse(&mut self, error: Error) {
        self.fault = Some(error.in_operation(self.operation));
        self.done = true;
    }

    pub(super) fn checkpoint(&self, inside_page: Option<&Position>) -> Checkpoint {
        Checkpoint::new(
            self.operation,
            self.source.as_ref().map_or(0, |source| source.filters()),
            inside_page.unwrap_or(&self.here),
            &self.summary,
            inside_page.is_none() && self.done,
        )
    }

    /// The next page; `None` after the last one. After an error the same page is asked for again.
    pub(super) fn poll_page(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Loaded<T>, Error>>> {
        loop {
            if let Some(error) = self.fault.take() {
                return Poll::Ready(Some(Err(error)));
            }
            if self.done {
                return Poll::Ready(None);
            }
            if self.fetch.is_none() {
                self.fetch = self.request(self.tasks == Tasks::Always);
            }
            let Some(fetch) = &mut self.fetch else {
                return Poll::Ready(None);
            };
            let outcome = ready!(fetch.poll(cx));
            self.fetch = None;
            match outcome {
                Err(error) => return Poll::Ready(Some(Err(error.in_operation(self.operation)))),
                Ok(envelope) => {
                    if let Some(loaded) = self.accept(envelope) {
                        return Poll::Ready(Some(Ok(loaded)));
                    }
                }
            }
        }
    }

    /// Begins to fetch the next page while the consumer works on this one.
    pub(super) fn read_ahead(&mut self) {
        if self.tasks != Tasks::Off && self.fetch.is_none() && !self.done && self.fault.is_none() {
            self.fetch = self.request(true);
        }
    }

    fn request(&self, in_task: bool) -> Option<Fetch<Envelope<T>>> {
        let source = Arc::clone(self.source.as_ref()?);
        let cursor = self.here.cursor.clone();
        let work = async move { source.page(cursor.as_deref()).await };
        Some(if in_task {
            Fetch::task(work)
        } else {
            Fetch::inside(work)
        })
    }

    /// Decides where a page leads. Gives it back unless all of it was delivered before.
    fn accept(&mut self, envelope: Envelope<T>) -> Option<Loaded<T>> {
        let next = self.next(&envelope);
        let Envelope {
            mut items,
            next_cursor,
            number_found,
            limit,
            more,
        } = envelope;
        let asked = self.source.as_ref().and_then(|source| source.limit);
        if asked.is_some_and(|asked| u64::try_from(items.len()).is_ok_and(|rows| rows > asked)) {
            self.summary.oversized_pages += 1;
        }
        self.summary.page(number_found);

        let Position { cursor, skip } = std::mem::take(&mut self.here);
        let rows = items.len();
        let skipped = skip.min(rows);
        items.drain(..skipped);
        self.here = match next {
            Ok(Some(next)) => Position {
                cursor: Some(next),
                // With smaller pages than before, what was delivered of one reaches into the next.
                skip: skip - skipped,
            },
            Ok(None) => {
                self.done = true;
                self.summary.finished = true;
                Position {
                    cursor: cursor.clone(),
                    skip: rows,
                }
            }
            Err(error) => {
                self.fault = Some(error.in_operation(self.operation));
                Position {
                    cursor: cursor.clone(),
                    skip: skip.max(rows),
                }
            }
        };
        if items.is_empty() && skipped > 0 {
            return None;
        }
        let page = Page {
            items,
            cursor,
            next_cursor,
            number_found,
            limit,
            more,
        };
        Some(Loaded { page, skipped })
    }

    /// The cursor behind a page; `None` when it is the last.
    fn next(&mut self, envelope: &Envelope<T>) -> Result<Option<String>, Error> {
        let paged = self.source.as_ref().is_some_and(|source| source.paged);
        if !paged || !envelope.more {
            return Ok(None);
        }
        let Some(next) = &envelope.next_cursor else {
            return Err(Error::new(
                ErrorKind::Pagination,
                "the tenant says that there is more and gives no cursor to go on with",
            ));
        };
        if self.cycle.is_new(next) {
            Ok(Some(next.clone()))
        } else {
            Err(Error::new(
                ErrorKind::Pagination,
                "the tenant gave a cursor a second time, so the walk would never end",
            ))
        }
    }
}
