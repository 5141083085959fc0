//! Reads the pages of a collection: of one list, or of the calls for each item of a list.

use lms_ext::{ErrorKind as TenantErrorKind, Lms};

use super::{
    for_each::ForEachPager,
    list::ListPager,
    page::{RawPage, Requests},
    parts::{Partitioning, PartsPager},
    position::Position,
    reading::Reading,
};
use crate::{collection::Collection, error::Error};

/// Number of requests for a page that cannot be decoded, because its body was truncated or garbled on the way. The client
/// retries lost responses, but not received ones.
const TRIES_OF_A_PAGE: u32 = 4;

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
        position: &Position,
    ) -> Result<Self, Error> {
        if collection.is_derived() {
            let pager = ForEachPager::new(lms, collection, reading, position)?;
            return Ok(Self::ForEach(Box::new(pager)));
        }
        let parts = match position {
            Position::Start => Some(None),
            Position::Parts(parts) => Some(Some((**parts).clone())),
            // Once it is read without parts, it stays so.
            Position::List(_) | Position::ForEach(_) => None,
        };
        if let (Some(by), Some(position)) = (reading.partitioning, parts) {
            let pager = PartsPager::new(lms, collection, by, reading, position)?;
            return Ok(Self::Parts(Box::new(pager)));
        }
        let (query, rules) = (reading.query(collection), reading.rules(collection));
        let pager = ListPager::new(lms, collection, query, position, rules)?;
        Ok(Self::List(Box::new(pager)))
    }

    /// The next page; `None` after the last one. After an error, reads the same page again.
    pub(super) async fn next(&mut self) -> Result<Option<RawPage>, Error> {
        let mut tries = 1;
        loop {
            match self.try_next().await {
                Err(error) if is_garbled(&error) && tries < TRIES_OF_A_PAGE => tries += 1,
                outcome => return outcome,
            }
        }
    }

    async fn try_next(&mut self) -> Result<Option<RawPage>, Error> {
        match self {
            Self::List(list) => list.next().await,
            Self::ForEach(pager) => pager.next().await,
            Self::Parts(pager) => pager.next().await,
        }
    }

    /// The position after the last page.
    pub(super) fn position(&self) -> Position {
        match self {
            Self::List(list) => Position::List(Box::new(list.position())),
            Self::ForEach(pager) => pager.position(),
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

/// Returns `true` if a response arrived that cannot be decoded.
fn is_garbled(error: &Error) -> bool {
    error.tenant_error().is_some_and(|error| {
        matches!(
            error.kind(),
            TenantErrorKind::Decode | TenantErrorKind::NotJson
        )
    })
}
