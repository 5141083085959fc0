//! Requests of operations that are known only at run time, and pages as they were received.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use lms_ext::{ErrorKind as TenantErrorKind, Lms, OPERATIONS, RawRequest};
use serde_json::value::RawValue;

use super::evidence::Evidence;
use crate::{
    collection::{Collection, ForEach, fields, text},
    error::{Error, ErrorKind},
};

/// The text of an item, as the service sent it.
pub(super) type RawItem = Box<RawValue>;

/// The request of an operation. `path` has the path parameters, in the order of the path.
pub(super) fn request(
    lms: &Lms,
    operation: &str,
    path: &[&str],
    query: &[(String, String)],
) -> Result<RawRequest, Error> {
    let known = OPERATIONS.iter().find(|known| known.id == operation);
    let known = known.ok_or_else(|| Error::usage(format!("there is no operation {operation}")))?;
    let mut request = lms.raw_operation(known, path).map_err(failed)?;
    for (name, value) in query {
        request = request.query(name, value);
    }
    Ok(request)
}

/// A request failed.
pub(super) fn failed(error: lms_ext::Error) -> Error {
    let kind = match error.kind() {
        TenantErrorKind::Pagination | TenantErrorKind::Mismatch => ErrorKind::Incomplete,
        _ => ErrorKind::Tenant,
    };
    kind.error("reading failed").with_source(error)
}

/// A page as it was received.
#[derive(Debug, Default)]
pub(super) struct RawPage {
    pub(super) items: Vec<(RawItem, Fill)>,
    /// The number of items of the list, if the page states a count.
    pub(super) number_found: Option<u64>,
    /// The calls that found nothing.
    pub(super) not_found: u64,
    pub(super) evidence: Evidence,
}

/// Columns of the key, for an item that lacks them.
pub(super) type Fill = Vec<(&'static str, String)>;

/// The parameters that an item of a list has the values of.
pub(super) fn values(of: &Collection, each: &ForEach, item: &RawItem) -> Result<Fill, Error> {
    let item = fields(item.get())
        .ok_or_else(|| ErrorKind::Tenant.error(format!("{}: an item is not an object", of.name)))?;
    let item: Vec<_> = item
        .filter_map(|(name, json)| Some((text(name)?, json)))
        .collect();
    each.values
        .iter()
        .map(|(parameter, column)| {
            let mut found = item.iter().filter(|(name, _)| name == column);
            let value = found.next().and_then(|(_, json)| text(json));
            let value = value.filter(|value| !value.trim().is_empty() && found.next().is_none());
            let value = value.ok_or_else(|| {
                ErrorKind::Incomplete.error(format!(
                    "{}: an item of {} has no `{column}`, so it is not known what to ask for",
                    of.name, each.collection
                ))
            })?;
            Ok((*parameter, value.into_owned()))
        })
        .collect()
}

/// The path parameters of a call with these parameters.
pub(super) fn path(of: &Collection, parameters: &Fill) -> Vec<String> {
    let path = of.path_parameters.iter().filter_map(|name| {
        let mut known = parameters.iter();
        known.find(|(parameter, _)| parameter == name)
    });
    path.map(|(_, value)| value.clone()).collect()
}

/// Requests that were sent, and pages or objects that they returned. Clones count together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests(Arc<[AtomicU64; 2]>);

impl Requests {
    pub(super) fn add(&self, sent: u64, responses: u64) {
        self.0[0].fetch_add(sent, Ordering::Relaxed);
        self.0[1].fetch_add(responses, Ordering::Relaxed);
    }

    /// The requests and responses since the last call.
    pub(super) fn take(&self) -> [u64; 2] {
        self.0
            .each_ref()
            .map(|count| count.swap(0, Ordering::Relaxed))
    }
}

/// Number of requests for a page that cannot be decoded, because its body was truncated or garbled on the way, or that belongs
/// to another request. The client retries only a body that does not begin or end like JSON.
const TRIES: u32 = 4;

/// The requests for a page or an object whose response could not be used.
#[derive(Debug, Default)]
pub(super) struct Tries(u32);

impl Tries {
    /// Returns `true` if a response arrived that cannot be used, and it is requested again.
    pub(super) fn again(&mut self, error: &lms_ext::Error) -> bool {
        self.0 += 1;
        self.0 < TRIES
            && matches!(
                error.kind(),
                TenantErrorKind::Decode | TenantErrorKind::NotJson | TenantErrorKind::Mismatch
            )
    }
}
