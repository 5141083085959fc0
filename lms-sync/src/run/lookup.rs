//! Requests the objects of rows that a list lacks, because a list alone does not show that they were deleted.

use std::future::ready;

use futures_util::{StreamExt as _, stream};
use lms_ext::{ErrorKind as TenantErrorKind, Lms};
use serde::Deserialize;

use super::writer::Writer;
use crate::{
    collection::{Collection, call},
    error::{Error, ErrorKind},
    protocol::{Key, Lookup, Missing},
};

/// Maximum number of concurrent calls.
const CONCURRENCY: usize = 8;

/// Looks up the objects of rows that the sink has and the list lacks, and passes the results to the sink.
///
/// # Errors
///
/// The errors of the sink; [`Cancelled`](ErrorKind::Cancelled) when `cancel` completes. A failed request is not an
/// error: its row has no witness, and the objects of later rows are not requested.
pub(super) async fn missing(
    lms: &Lms,
    collection: &'static Collection,
    writer: &mut Writer,
    cancel: &mut (impl Future<Output = ()> + Unpin),
) -> Result<(), Error> {
    let Some(operation) = collection.by_id else {
        return Ok(());
    };
    let Missing { rows, known } = writer.missing(collection).await?;
    let Some(known) = known.filter(|_| !rows.is_empty()) else {
        return Ok(());
    };
    let look_up_all = async {
        // A tenant without this operation also responds with 404.
        if !matches!(
            look_up(lms, operation, known).await,
            Some((_, Some(Lookup::Present)))
        ) {
            return Vec::new();
        }
        let calls = rows.into_iter().map(|key| look_up(lms, operation, key));
        stream::iter(calls.collect::<Vec<_>>())
            .buffer_unordered(CONCURRENCY)
            // An outage would keep each of the others waiting for its retries.
            .take_while(|found| ready(found.is_some()))
            .filter_map(|found| ready(found.and_then(|(key, lookup)| Some((key, lookup?)))))
            .collect::<Vec<_>>()
            .await
    };
    let lookups = tokio::select! {
        biased;
        () = &mut *cancel => return Err(Error::new(
            ErrorKind::Cancelled,
            "the run was cancelled; start it again with the same arguments to resume",
        )),
        lookups = look_up_all => lookups,
    };
    writer.looked_up(collection, lookups).await
}

/// The fields of an object that say whether it exists.
#[derive(Deserialize)]
struct Object {
    #[serde(default)]
    deleted: Option<bool>,
}

/// Requests one object. `None` if the request failed.
async fn look_up(lms: &Lms, operation: &str, key: Key) -> Option<(Key, Option<Lookup>)> {
    let path: Vec<&str> = key.iter().map(String::as_str).collect();
    let lookup = match call(lms, operation, &path)?.await {
        Ok(response) => {
            let object: Object = serde_json::from_str(response.value.get()).ok()?;
            // An object that the service keeps as deleted is neither there nor gone.
            (object.deleted != Some(true)).then_some(Lookup::Present)
        }
        Err(error) if error.kind() == TenantErrorKind::NotFound => Some(Lookup::Gone),
        Err(_) => return None,
    };
    Some((key, lookup))
}
