//! What the walks of a collection pass on: pages as they were received, and the requests that they took.

use lms_ext::WalkSummary;
use serde_json::{Map, Value};

use crate::{
    collection::{Collection, ForEach, RawItem},
    error::{Error, ErrorKind},
};

/// A page as it was received.
#[derive(Debug, Default)]
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

/// The parameters that an item of a list has the values of.
pub(super) fn values(of: &Collection, each: &ForEach, item: &RawItem) -> Result<Fill, Error> {
    let item: Map<String, Value> = serde_json::from_str(item.get()).map_err(|error| {
        Error::new(
            ErrorKind::Tenant,
            format!("{}: an item is not an object", of.name),
        )
        .caused_by(error)
    })?;
    each.values
        .iter()
        .map(|(parameter, column)| match item.get(*column) {
            Some(Value::String(id)) if !id.trim().is_empty() => Ok((*parameter, id.clone())),
            Some(Value::Number(id)) => Ok((*parameter, id.to_string())),
            _ => Err(Error::new(
                ErrorKind::Incomplete,
                format!(
                    "{}: an item of {} has no `{column}`, so it is not known what to ask for",
                    of.name, each.collection
                ),
            )),
        })
        .collect()
}

/// Requests that were sent, and pages or objects that they returned.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Requests {
    pub(super) sent: u64,
    pub(super) responses: u64,
}

impl Requests {
    pub(super) fn add(&mut self, other: Self) {
        self.sent += other.sent;
        self.responses += other.responses;
    }

    pub(super) fn of(summary: &WalkSummary) -> Self {
        Self {
            sent: summary.requests(),
            responses: summary.pages(),
        }
    }
}
