//! Requests the objects of rows that a list lacks, because a list alone does not show that they were deleted.
//!
//! An object is gone only if the response has the [form](AbsentForm) of that for an object that cannot exist, and if the
//! service, before and after all lookups, responds like this for such an object and finds an object of the list.

use std::future::ready;

use futures_util::{StreamExt as _, stream};
use lms_ext::Lms;

use super::writer::Writer;
use crate::{
    collection::Collection,
    error::Error,
    extract::{AbsentForm, Calls, Identity, Reading},
    protocol::{Key, Lookup, Lookups, Missing},
};

/// Maximum number of concurrent calls.
const CONCURRENCY: usize = 8;

/// Looks up the objects of rows that the sink has and the list lacks.
///
/// # Errors
///
/// The errors of the sink; [`Cancelled`](crate::ErrorKind::Cancelled) when `cancel` completes. A failed request is not an
/// error: its row has no witness, and the objects of later rows are not requested.
pub(super) async fn missing(
    lms: &Lms,
    collection: &'static Collection,
    tenant: Option<Identity>,
    writer: &mut Writer,
    cancel: &mut (impl Future<Output = ()> + Unpin),
) -> Result<Lookups, Error> {
    let Some(operation) = collection.by_id else {
        return Ok(Lookups::new());
    };
    let missing = writer.call(move |sink| sink.missing(collection)).await?;
    if missing.rows.is_empty() {
        return Ok(Lookups::new());
    }
    let reading = Reading::default();
    let calls = Calls {
        lms,
        of: collection,
        operation,
        reading: &reading,
    };
    let lookups = tokio::select! {
        biased;
        () = &mut *cancel => return Err(Error::cancelled()),
        lookups = look_up_all(calls, missing) => lookups,
    };
    // Another tenant does not have these objects.
    let is_other = match tenant {
        Some(tenant) => tenant.check(lms).await.is_err(),
        None => true,
    };
    Ok(if is_other { Lookups::new() } else { lookups })
}

/// The results for all rows until the first request that fails or that has another response for absent objects.
async fn look_up_all(calls: Calls<'_>, missing: Missing) -> Lookups {
    let Missing { rows, known } = missing;
    let Some(form) = control(calls, &known).await else {
        return Lookups::new();
    };
    let all = rows.into_iter().map(async |(row, key)| {
        let called = calls.call(&key).await.ok()?;
        let lookup = match (called.absent, called.is_deleted()) {
            (Some(absent), _) => (absent == form).then_some(Lookup::Gone),
            (None, Some(true)) => Some(Lookup::MarkedDeleted),
            (None, deleted) => deleted.map(|_| Lookup::Present),
        };
        Some((row, lookup?))
    });
    let mut lookups = stream::iter(all.collect::<Vec<_>>())
        .buffer_unordered(CONCURRENCY)
        // An outage would keep each of the others waiting for its retries.
        .take_while(|found| ready(found.is_some()))
        .filter_map(ready)
        .collect::<Lookups>()
        .await;
    if lookups.values().any(|lookup| *lookup == Lookup::Gone)
        && control(calls, &known).await != Some(form)
    {
        lookups.retain(|_, lookup| *lookup != Lookup::Gone);
    }
    lookups
}

/// The form of the response for an object that cannot exist, if the service also finds one that exists.
async fn control(calls: Calls<'_>, known: &[Key]) -> Option<AbsentForm> {
    let form = calls.impossible(known.first()?).await.ok()??;
    let is_found = calls.finds_one(known).await.ok()?;
    is_found.then_some(form)
}
