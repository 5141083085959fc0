//! Reads the pages of a collection: of one list, of its parts, or of the calls for each item of a list.

use lms_ext::Lms;

use super::{
    extract_position::{ExtractPosition, ForEachPosition},
    for_each::ForEachPager,
    list::ListPager,
    page::{RawPage, Requests},
    parts::{Partitioning, PartsPager},
    reading::Reading,
};
use crate::{collection::Collection, error::Error};

/// Reads the pages of a collection.
#[derive(Debug)]
pub(super) enum Pager {
    List(Box<ListPager>),
    ForEach(Box<ForEachPager>),
    Parts(Box<PartsPager>),
}

impl Pager {
    pub(super) fn new(
        lms: &Lms,
        collection: &'static Collection,
        reading: &Reading,
        position: &ExtractPosition,
    ) -> Result<Self, Error> {
        let for_each = |position| {
            let pager = ForEachPager::new(lms, collection, reading, position);
            Self::ForEach(Box::new(pager))
        };
        let parts = |by, position| {
            let pager = PartsPager::new(lms, collection, by, reading, position)?;
            Ok(Self::Parts(Box::new(pager)))
        };
        let list = |position| {
            let (query, rules) = (reading.query(collection), reading.rules(collection));
            let pager = ListPager::new(lms, collection, query, position, rules)?;
            Ok(Self::List(Box::new(pager.bounded_by_rows())))
        };
        match (collection.is_derived(), reading.partitioning, position) {
            (true, _, ExtractPosition::Start) => Ok(for_each(ForEachPosition::default())),
            (true, _, ExtractPosition::ForEach(position)) => Ok(for_each(*position)),
            (false, Some(by), ExtractPosition::Start) => parts(by, None),
            (false, Some(by), ExtractPosition::Parts(position)) => {
                parts(by, Some((**position).clone()))
            }
            (false, None, ExtractPosition::Start) => list(None),
            // Once it is read without parts, it stays so.
            (false, _, ExtractPosition::List(position)) => list(Some(&**position)),
            _ => Err(Error::usage(format!(
                "the checkpoint of {} is of another way to read it; start again without it, or with the options of \
                 its run",
                collection.name
            ))),
        }
    }

    /// The next page; `None` after the last one. After an error, reads the same page again.
    pub(super) async fn next(&mut self) -> Result<Option<RawPage>, Error> {
        match self {
            Self::List(list) => list.next().await,
            Self::ForEach(pager) => pager.next().await,
            Self::Parts(pager) => pager.next().await,
        }
    }

    /// The position after the last page.
    pub(super) fn position(&self) -> ExtractPosition {
        match self {
            Self::List(list) => ExtractPosition::List(Box::new(list.position())),
            Self::ForEach(pager) => ExtractPosition::ForEach(pager.position()),
            Self::Parts(pager) => pager.position(),
        }
    }

    /// The requests since the last call.
    pub(super) fn take_requests(&mut self) -> Requests {
        match self {
            Self::List(list) => list.take_requests(),
            Self::ForEach(pager) => pager.take_requests(),
            Self::Parts(pager) => pager.take_requests(),
        }
    }

    /// The partition of the list; `None` if it is not read in parts.
    pub(super) fn partitioning(&self) -> Option<Partitioning> {
        match self {
            Self::Parts(pager) => Some(pager.partitioning()),
            Self::List(_) | Self::ForEach(_) => None,
        }
    }
}
