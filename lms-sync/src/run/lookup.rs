//! Requests the objects of rows that a list lacks, because a list alone does not show that they were deleted.
//!
//! An object is gone only if the response has the [form](AbsentForm) of that for an object that cannot exist, and if the
//! service, before and after all lookups, responds like this for such an object and finds an object of the list.

use std::future::ready;

use futures_util::{StreamExt as _, stream};
use lms_ext::Lms;
use serde::Deserialize;

use super::writer::Writer;
use crate::{
    collection::{Collection, RawItem, request},
    error::Error,
    extract::{AbsentForm, Identity, absent_id},
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
    let lookups = tokio::select! {
        biased;
        () = &mut *cancel => return Err(Error::cancelled()),
        lookups = look_up_all(lms, operation, missing) => lookups,
    };
    // Another tenant does not have these objects.
    let is_other = match tenant {
        Some(tenant) => tenant.check(lms).await.is_err(),
        None => true,
    };
    Ok(if is_other { Lookups::new() } else { lookups })
}

/// The results for all rows until the first request that fails.
async fn look_up_all(lms: &Lms, operation: &str, missing: Missing) -> Lookups {
    let Missing { rows, known } = missing;
    let Some(absent) = known
        .first()
        .map(|key| key.iter().map(|id| absent_id(id)).collect())
    else {
        return Lookups::new();
    };
    let Some(form) = control(lms, operation, &known, &absent).await else {
        return Lookups::new();
    };
    let calls = rows.into_iter().map(async |(row, key)| {
        let found = look_up(lms, operation, &key).await?;
        Some((row, found.is(&form)?))
    });
    let mut lookups = stream::iter(calls.collect::<Vec<_>>())
        .buffer_unordered(CONCURRENCY)
        // An outage would keep each of the others waiting for its retries.
        .take_while(|found| ready(found.is_some()))
        .filter_map(ready)
        .collect::<Lookups>()
        .await;
    if lookups.values().any(|lookup| *lookup == Lookup::Gone)
        && control(lms, operation, &known, &absent).await.as_ref() != Some(&form)
    {
        lookups.retain(|_, lookup| *lookup != Lookup::Gone);
    }
    lookups
}

/// The form of the response for an object that cannot exist, if the service also finds one that exists.
async fn control(lms: &Lms, operation: &str, known: &[Key], absent: &Key) -> Option<AbsentForm> {
    let Found::Absent(form) = look_up(lms, operation, absent).await? else {
        return None;
    };
    for key in known {
        if let Some(Found::Object { deleted: false }) = look_up(lms, operation, key).await {
            return Some(form);
        }
    }
    None
}

/// The response to a request for an object.
enum Found {
    Object { deleted: bool },
    Absent(AbsentForm),
}

impl Found {
    /// The meaning of the response; `None` if it does not have the form of those for absent objects.
    fn is(self, absent: &AbsentForm) -> Option<Lookup> {
        match self {
            Self::Object { deleted: false } => Some(Lookup::Present),
            Self::Object { deleted: true } => Some(Lookup::MarkedDeleted),
            Self::Absent(form) => (form == *absent).then_some(Lookup::Gone),
        }
    }
}

/// The fields of an object that say whether it exists.
#[derive(Deserialize)]
struct Object {
    #[serde(default)]
    deleted: Option<bool>,
}

/// Requests one object. `None` if the request failed.
async fn look_up(lms: &Lms, operation: &str, key: &Key) -> Option<Found> {
    let path: Vec<&str> = key.iter().map(String::as_str).collect();
    let request = request(lms, operation, &path, &[]).ok()?;
    match request.call_as::<RawItem>().await {
        Ok(response) => {
            let object: Object = serde_json::from_str(response.value.get()).ok()?;
            let deleted = object.deleted == Some(true);
            Some(Found::Object { deleted })
        }
        Err(error) => AbsentForm::of(&error).map(Found::Absent),
    }
}
