//! Reads the pages of a collection: of one list, of its parts, or of the calls for each item of a list.

use lms_ext::Lms;

use super::{
    checkpoint::ExtractPosition,
    for_each::ForEachPager,
    list::ListPager,
    page::{RawPage, request},
    parts::PartsPager,
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
    /// Continues at a position. Also returns the reason for reading a list without parts that should be read in parts.
    pub(super) async fn open(
        lms: &Lms,
        of: &'static Collection,
        reading: &Reading,
        position: &ExtractPosition,
    ) -> Result<(Self, Option<String>), Error> {
        let for_each = |position| Self::ForEach(Box::new(ForEachPager::new(lms, of, position)));
        let whole = || {
            let pages = request(lms, of.operation, &[], &reading.query(of))?.pages();
            // The extract counts those without a new row.
            let pages = pages.max_stale_pages(u64::MAX);
            Ok(ListPager::new(pages, reading.rules(of), &reading.requests))
        };
        let pager = match (of.is_derived(), reading.partitioning, position) {
            (true, _, ExtractPosition::Start) => for_each(Default::default()),
            (true, _, ExtractPosition::ForEach(position)) => for_each(*position),
            (false, Some(by), ExtractPosition::Start) => {
                let mut parts = PartsPager::new(lms, of, by, reading)?;
                let why_not = parts.why_not().await;
                parts.count_requests();
                match why_not? {
                    None => Self::Parts(Box::new(parts)),
                    reason => return Ok((Self::List(Box::new(whole()?)), reason)),
                }
            }
            (false, Some(by), ExtractPosition::Parts(position)) => {
                let parts = PartsPager::new(lms, of, by, reading)?;
                Self::Parts(Box::new(parts.resume((**position).clone())?))
            }
            (false, None, ExtractPosition::Start) => Self::List(Box::new(whole()?)),
            // Once it is read without parts, it stays so.
            (false, _, ExtractPosition::List(position)) => {
                Self::List(Box::new(whole()?.resume(position)?))
            }
            _ => {
                return Err(Error::usage(format!(
                    "the checkpoint of {} is of another way to read it; start again without it, or with the options of \
                     its run",
                    of.name
                )));
            }
        };
        Ok((pager, None))
    }

    /// The next page; `None` after the last one. After an error, reads the same page again.
    pub(super) async fn next(&mut self, reading: &mut Reading) -> Result<Option<RawPage>, Error> {
        match self {
            Self::List(list) => list.next().await,
            Self::ForEach(pager) => Box::pin(pager.next(reading)).await,
            Self::Parts(pager) => {
                let page = pager.next().await;
                pager.count_requests();
                page
            }
        }
    }

    /// The position after the last page.
    pub(super) fn position(&self) -> ExtractPosition {
        match self {
            Self::List(list) => ExtractPosition::List(Box::new(list.position())),
            Self::ForEach(pager) => ExtractPosition::ForEach(pager.position),
            Self::Parts(pager) => ExtractPosition::Parts(Box::new(pager.position())),
        }
    }
}
