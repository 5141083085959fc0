//! Reads the pages of one list.

use lms_ext::{Lms, Pages, WalkSummary};

use super::{
    page::{Fill, RawPage, Requests, values},
    position::Position,
};
use crate::{
    collection::{Collection, Filters, ForEach, RawItem, known, pages},
    error::{Error, ErrorKind},
};

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
            Position::Parts(_) => {
                return Err(Error::usage(format!(
                    "{} was read in parts, and cannot go on as a whole",
                    collection.name
                )));
            }
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

    /// Whether no page has been read.
    pub(super) fn is_at_start(&self) -> bool {
        self.pages.summary().pages() == 0
    }

    /// Refuses a walk that ended although the service counts more items.
    pub(super) fn check(&self, of: &Collection, part: &str) -> Result<(), Error> {
        check_count(of, part, &self.pages.summary())
    }

    pub(super) fn position(&self) -> Position {
        Position::List(Box::new(self.pages.checkpoint()))
    }

    pub(super) fn take_requests(&mut self) -> Requests {
        let now = Requests::of(&self.pages.summary());
        let before = std::mem::replace(&mut self.counted, now);
        Requests {
            sent: now.sent - before.sent,
            responses: now.responses - before.responses,
        }
    }
}

/// Reads from each item of a list the parameters that a collection takes from it.
pub(super) async fn list_values(
    lms: &Lms,
    of: &Collection,
    each: &ForEach,
) -> Result<(Vec<Fill>, Requests), Error> {
    let list = known(each.collection)?;
    let mut walk = ListWalker::new(lms, list, Filters::new(), &Position::Start)?;
    let mut found = Vec::new();
    while let Some(page) = walk.next().await? {
        for (item, _) in &page.items {
            found.push(values(of, each, item)?);
        }
    }
    Ok((found, walk.take_requests()))
}

/// Refuses a walk that ended although the service counts more items.
pub(super) fn check_count(of: &Collection, part: &str, summary: &WalkSummary) -> Result<(), Error> {
    let least = [
        summary.number_found_at_start(),
        summary.number_found_at_end(),
    ];
    let least = least.into_iter().flatten().map(lms_ext::Int64::get).min();
    let least = least.unwrap_or_default();
    if i128::from(summary.items()) >= i128::from(least) {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Incomplete,
        format!(
            "{}: the service counts {least} rows for {part}, and the walk ended after {}; start the run again",
            of.name,
            summary.items()
        ),
    ))
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
