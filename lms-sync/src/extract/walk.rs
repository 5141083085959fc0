//! Reads the pages of a collection: of one list, or of what is called for each item of a list.

use lms_ext::Lms;

use super::{
    for_each::ForEachWalker,
    list::ListWalker,
    page::{RawPage, Reading, Requests},
    position::Position,
};
use crate::{
    collection::{Collection, Filters},
    error::Error,
};

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
