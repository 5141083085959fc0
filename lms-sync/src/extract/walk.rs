//! Reads the pages of a collection.

use std::collections::BTreeMap;

use lms_ext::{Lms, Pages};

use super::checkpoint::Position;
use crate::{
    collection::{Collection, Filters, RawItem, pages},
    error::{Error, ErrorKind},
};

/// A page as it was received.
#[derive(Debug)]
pub(super) struct RawPage {
    pub(super) items: Vec<RawItem>,
    pub(super) next_cursor: Option<String>,
    pub(super) number_found: Option<i64>,
    /// Columns of the key, for items that lack them.
    pub(super) fill: Vec<(&'static str, String)>,
}

/// Reads the pages of one list.
#[derive(Debug)]
pub(super) struct Walker {
    pages: Pages<RawItem>,
    /// The requests and pages that were counted.
    counted: (u64, u64),
}

impl Walker {
    pub(super) fn new(
        lms: &Lms,
        collection: &Collection,
        filters: &BTreeMap<String, String>,
        page_size: Option<u32>,
        position: &Position,
    ) -> Result<Self, Error> {
        let mut query: Filters = filters.clone().into_iter().collect();
        if let Some(items) = page_size.filter(|_| collection.limit) {
            query.push(("limit".to_owned(), items.to_string()));
        }
        let pages = pages(lms, collection.operation, &[], query).ok_or_else(|| {
            Error::usage(format!("{} cannot be read on its own", collection.name))
        })?;
        let pages = match position {
            Position::Start => pages,
            Position::List(checkpoint) => pages.resume(checkpoint).map_err(refused)?,
        };
        Ok(Self {
            counted: (0, pages.summary().pages()),
            pages,
        })
    }

    /// The next page; `None` after the last one.
    pub(super) async fn next(&mut self) -> Result<Option<RawPage>, Error> {
        let page = self.pages.try_next().await.map_err(failed)?;
        Ok(page.map(|page| RawPage {
            items: page.items,
            next_cursor: page.next_cursor,
            number_found: page.number_found.map(lms_ext::Int64::get),
            fill: Vec::new(),
        }))
    }

    pub(super) fn position(&self) -> Position {
        Position::List(Box::new(self.pages.checkpoint()))
    }

    /// The requests and the pages since the last call.
    pub(super) fn take_requests(&mut self) -> (u64, u64) {
        let summary = self.pages.summary();
        let now = (summary.requests(), summary.pages());
        let before = std::mem::replace(&mut self.counted, now);
        (now.0 - before.0, now.1 - before.1)
    }
}

/// A request failed.
fn failed(error: lms_ext::Error) -> Error {
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
