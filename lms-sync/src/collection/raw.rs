//! Requests of operations that are known only at run time, and items that are not decoded.

use lms_ext::{Lms, OPERATIONS, RawRequest};
use serde_json::value::RawValue;

use crate::error::{Error, ErrorKind};

/// The text of an item, as the service sent it.
pub(crate) type RawItem = Box<RawValue>;

/// Query parameters, in the order in which they are sent.
pub(crate) type Filters = Vec<(String, String)>;

/// The request of an operation. `path` has the path parameters, in the order of the path.
pub(crate) fn request(
    lms: &Lms,
    operation: &str,
    path: &[&str],
    query: &[(String, String)],
) -> Result<RawRequest, Error> {
    let known = OPERATIONS.iter().find(|known| known.id == operation);
    let known = known.ok_or_else(|| Error::usage(format!("there is no operation {operation}")))?;
    let request = lms.raw_operation(known, path);
    let failed = |error| ErrorKind::Tenant.error("reading failed").with_source(error);
    let request = request.map_err(failed)?;
    Ok(query
        .iter()
        .fold(request, |request, (name, value)| request.query(name, value)))
}
