//! Operations with filters that are known only at run time, and responses that are not decoded.

use lms_client::operation::OperationInfo;
use lms_ext::{List, ListExt, Lms, Operation, Pages, PreparedRequest};
use serde_json::value::RawValue;

/// The text of an item, as the service sent it.
pub(crate) type RawItem = Box<RawValue>;

/// Query parameters, in the order in which they are sent.
pub(crate) type Filters = Vec<(String, String)>;

/// The pages of a list with more query parameters.
pub(crate) type Listing = Box<dyn Fn(&Lms, Filters) -> Pages<RawItem> + Send>;

/// A list operation with more query parameters.
pub(super) struct RawList<L> {
    list: L,
    filters: Filters,
}

pub(super) fn raw_list(
    pages: impl Fn(&Lms, Filters) -> Pages<RawItem> + Send + 'static,
) -> Option<Listing> {
    Some(Box::new(pages))
}

pub(super) fn raw_pages<L>(list: L, filters: Filters) -> Pages<RawItem>
where
    RawList<L>: ListExt,
{
    RawList { list, filters }.pages_as()
}

impl<L: Operation> Operation for RawList<L> {
    type Transport = L::Transport;
    type Output = L::Output;
    const INFO: &'static OperationInfo = L::INFO;

    fn prepare(self) -> Result<PreparedRequest<L::Transport>, lms_client::Error> {
        let mut prepared = self.list.prepare()?;
        if !self.filters.is_empty() {
            let mut query = prepared.request.url_mut().query_pairs_mut();
            query.extend_pairs(self.filters);
        }
        Ok(prepared)
    }
}

impl<L: List> List for RawList<L> {
    type Item = L::Item;
    const CURSOR: bool = L::CURSOR;
}

/// An operation that returns one object, whose text is kept.
pub(super) struct RawObject<O>(pub(super) O);

impl<O: Operation> Operation for RawObject<O> {
    type Transport = O::Transport;
    type Output = RawItem;
    const INFO: &'static OperationInfo = O::INFO;

    fn prepare(self) -> Result<PreparedRequest<O::Transport>, lms_client::Error> {
        self.0.prepare()
    }
}
