//! Reads the pages of a collection: of one list, or of what is called for each item of a list.

use std::collections::BTreeMap;

use lms_ext::{Lms, Pages, WalkSummary};

use super::{checkpoint::Position, for_each::ForEachWalker};
use crate::{
    collection::{Collection, Filters, RawItem, pages},
    error::{Error, ErrorKind},
};

/// A page as it was received.
#[derive(Debug)]
pub(super) struct RawPage {
    pub(super) items: Vec<(RawItem, Fill)>,
    /// The items of the list that decides when the walk ends.
    pub(super) listed: u64,
    pub(super) next_cursor: Option<String>,
    pub(super) number_found: Option<i64>,
    /// The calls that found nothing.
    pub(super) not_found: u64,
}

/// Columns of the key, for an item that lacks them.
pub(super) type Fill = Vec<(&'static str, String)>;

/// How a collection is read.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) filters: BTreeMap<String, String>,
    pub(super) page_size: Option<u32>,
    pub(super) concurrency: usize,
}

/// Reads the pages of a collection.
#[derive(Debug)]
pub(super) enum Walker {
    List(Box<ListWalker>),
    ForEach(Box<ForEachWalker>),
}

impl Walker {
    pub(super) fn new(
        lms: &Lms,
        collection: &'static Collection,
        reading: &Reading,
        position: &Position,
    ) -> Result<Self, Error> {
        if collection.is_derived() {
            let walker = ForEachWalker::new(lms, collection, reading, position)?;
            return Ok(Self::ForEach(Box::new(walker)));
        }
        let mut query: Filters = reading.filters.clone().into_iter().collect();
        if let Some(items) = reading.page_size.filter(|_| collection.limit) {
            query.push(("limit".to_owned(), items.to_string()));
        }
        let walker = ListWalker::new(lms, collection, query, position)?;
        Ok(Self::List(Box::new(walker)))
    }

    /// The next page; `None` after the last one. After an error, reads the same page again.
    pub(super) async fn next(&mut self) -> Result<Option<RawPage>, Error> {
        match self {
            Self::List(list) => list.next().await,
            Self::ForEach(walker) => walker.next().await,
        }
    }

    /// The position after the last page.
    pub(super) fn position(&self) -> Position {
        match self {
            Self::List(list) => list.position(),
            Self::ForEach(walker) => walker.position(),
        }
    }

    /// The requests since the last call.
    pub(super) fn take_requests(&mut self) -> Requests {
        match self {
            Self::List(list) => list.take_requests(),
            Self::ForEach(walker) => walker.take_requests(),
        }
    }
}

/// Requests that were sent, and pages or objects that they returned.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Requests {
    pub(super) sent: u64,
    pub(super) answered: u64,
}

impl Requests {
    pub(super) fn add(&mut self, other: Self) {
        self.sent += other.sent;
        self.answered += other.answered;
    }

    pub(super) fn of(summary: &WalkSummary) -> Self {
        Self {
            sent: summary.requests(),
            answered: summary.pages(),
        }
    }
}

/// Reads the pages of one list.
#[derive(Debug)]
pub(super) struct ListWalker {
    pages: Pages<RawItem>,
    counted: Requests,
}

impl ListWalker {
    pub(super) fn new(
        lms: &Lms,
        collection: &Collection,
        query: Filters,
        position: &Position,
    ) -> Result<Self, Error> {
        let pages = pages(lms, collection.operation, &[], query).ok_or_else(|| {
            Error::usage(format!("{} cannot be read on its own", collection.name))
        })?;
        let pages = match position {
            Position::Start => pages,
            Position::List(checkpoint) => pages.resume(checkpoint).map_err(refused)?,
        };
        Ok(Self {
            counted: Requests::of(&pages.summary()),
            pages,
        })
    }

    pub(super) async fn next(&mut self) -> Result<Option<RawPage>, Error> {
        let page = self.pages.try_next().await.map_err(failed)?;
        Ok(page.map(|page| RawPage {
            listed: u64::try_from(page.items.len()).unwrap_or(u64::MAX),
            items: page
                .items
                .into_iter()
                .map(|item| (item, Fill::new()))
                .collect(),
            next_cursor: page.next_cursor,
            number_found: page.number_found.map(lms_ext::Int64::get),
            not_found: 0,
        }))
    }

    pub(super) fn position(&self) -> Position {
        Position::List(Box::new(self.pages.checkpoint()))
    }

    pub(super) fn take_requests(&mut self) -> Requests {
        let now = Requests::of(&self.pages.summary());
        let before = std::mem::replace(&mut self.counted, now);
        Requests {
            sent: now.sent - before.sent,
            answered: now.answered - before.answered,
        }
    }
}

/// A request failed.
pub(super) fn failed(error: lms_ext::Error) -> Error {
    let kind = if error.kind() == lms_ext::ErrorKind::Pagination {
        ErrorKind::Incomplete
    } else {
        ErrorKind::Tenant
    };
    Error::new(kind, "reading failed").caused_by(error)
}

/// A checkpoint does not fit.
fn refused(error: lms_ext::Error) -> Error {
    Error::usage("cannot resume").caused_by(error)
}
