//! Requests the objects of rows that a list lacks, because a list alone does not show that they were deleted.
//!
//! A 404 does not always come from the service: a gateway responds like this during an outage, and a tenant without the
//! operation to every request. An object is therefore gone only if the response has the [form](AbsentForm) of that for an
//! object that cannot exist, and if the service, before and after all lookups, responds like this for such an object and
//! finds an object of the list.

use std::future::ready;

use futures_util::{StreamExt as _, stream};
use lms_ext::{ErrorKind as TenantErrorKind, Lms};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::writer::Writer;
use crate::{
    collection::{Collection, RawItem, request},
    error::Error,
    extract::Identity,
    protocol::{Key, Lookup, Missing},
};

/// Maximum number of concurrent calls.
const CONCURRENCY: usize = 8;

/// Looks up the objects of rows that the sink has and the list lacks, and passes the results to the sink.
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
) -> Result<(), Error> {
    let Some(operation) = collection.by_id else {
        return Ok(());
    };
    let missing = writer.call(move |sink| sink.missing(collection)).await?;
    if missing.rows.is_empty() {
        return Ok(());
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
    let lookups = if is_other { Vec::new() } else { lookups };
    writer
        .call(move |sink| sink.looked_up(collection, &lookups))
        .await
}

/// The results for all rows until the first request that fails.
async fn look_up_all(lms: &Lms, operation: &str, missing: Missing) -> Vec<(Key, Lookup)> {
    let Missing { rows, known } = missing;
    let Some(absent) = known.first().map(absent_key) else {
        return Vec::new();
    };
    let Some(form) = control(lms, operation, &known, &absent).await else {
        return Vec::new();
    };
    let calls = rows.into_iter().map(async |key| {
        let found = look_up(lms, operation, &key).await?;
        Some((key, found.is(&form)?))
    });
    let mut lookups = stream::iter(calls.collect::<Vec<_>>())
        .buffer_unordered(CONCURRENCY)
        // An outage would keep each of the others waiting for its retries.
        .take_while(|found| ready(found.is_some()))
        .filter_map(ready)
        .collect::<Vec<_>>()
        .await;
    if lookups.iter().any(|(_, lookup)| *lookup == Lookup::Gone)
        && control(lms, operation, &known, &absent).await.as_ref() != Some(&form)
    {
        lookups.retain(|(_, lookup)| *lookup != Lookup::Gone);
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

/// The properties of the response for an absent object that do not depend on the object.
#[derive(Debug, PartialEq)]
struct AbsentForm {
    status: Option<u16>,
    content_type: Option<String>,
    /// The JSON without its values; `None` if the body is not JSON.
    json: Option<Value>,
}

impl AbsentForm {
    fn of(error: &lms_ext::Error) -> Self {
        let body = error.body().unwrap_or_default();
        Self {
            status: error.status(),
            content_type: error.content_type().map(ToOwned::to_owned),
            json: serde_json::from_slice(body).ok().map(without_values),
        }
    }
}

/// JSON with the names of its members and the types of its values.
fn without_values(value: Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Bool(_) => false.into(),
        Value::Number(_) => 0.into(),
        Value::String(_) => "".into(),
        Value::Array(items) => items.into_iter().take(1).map(without_values).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| (name, without_values(value)))
            .collect(),
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
        Err(error) if error.kind() == TenantErrorKind::NotFound => {
            Some(Found::Absent(AbsentForm::of(&error)))
        }
        Err(_) => None,
    }
}

/// Number of letters and digits of an id that are sufficient to replace all of them.
const LONG: usize = 16;

/// A key like this one that no object has: a service may respond in another way to an id of another form.
fn absent_key(key: &Key) -> Key {
    key.iter().map(|id| absent_id(id)).collect()
}

/// Replaces the letters and digits of a long id, and appends digits to a short one. The new ones follow from its hash, so they
/// are the same each time.
fn absent_id(id: &str) -> String {
    let hash: [u8; 32] = Sha256::digest(id).into();
    let mut bytes = hash.into_iter().cycle();
    let mut one_of = |letters: u8| bytes.next().unwrap_or_default() % letters;
    let length = id.chars().filter(char::is_ascii_alphanumeric).count();
    if length < LONG {
        let digits = (length..LONG).map(|_| char::from(b'0' + one_of(10)));
        return id.chars().chain(digits).collect();
    }
    let other = id.chars().map(|letter| match letter {
        '0'..='9' => char::from(b'0' + one_of(10)),
        // Also a digit of a hexadecimal number.
        'a'..='z' => char::from(b'a' + one_of(6)),
        'A'..='Z' => char::from(b'A' + one_of(6)),
        other => other,
    });
    other.collect()
}

#[cfg(test)]
mod tests {
    use super::{absent_id, without_values};

    #[test]
    fn an_id_that_cannot_exist_has_the_form_of_the_others() {
        for id in ["l1", "12", "7f3a", "u-17"] {
            let absent = absent_id(id);
            assert!(absent.starts_with(id) && absent.len() >= 16, "{absent}");
        }
        assert!(absent_id("123").parse::<i64>().is_ok());
        let uuid = "0b7a3c1e-91d2-4f6b-8a55-6f0e2d4c9b18";
        let absent = absent_id(uuid);
        assert_ne!(absent, uuid);
        assert_eq!(absent.len(), uuid.len());
        for (new, old) in absent.chars().zip(uuid.chars()) {
            assert_eq!(new == '-', old == '-', "{absent}");
            assert!(new == '-' || new.is_ascii_hexdigit(), "{absent}");
        }
    }

    #[test]
    fn a_form_has_names_and_types() {
        let form = |text: &str| without_values(serde_json::from_str(text).unwrap());
        let of = r#"{"error": {"code": "not_found", "at": 7}, "tries": [1, 2]}"#;
        for (other, same) in [
            (
                r#"{"error": {"code": "gone", "at": 9}, "tries": [3]}"#,
                true,
            ),
            (r#"{"tries": [3], "error": {"at": 9, "code": ""}}"#, true),
            (r#"{"error": {"code": "gone"}, "tries": [3]}"#, false),
            (r#"{"error": "not found"}"#, false),
            (
                r#"{"message": "no Route matched with those values"}"#,
                false,
            ),
            ("{}", false),
            ("null", false),
        ] {
            assert_eq!(form(of) == form(other), same, "{other}");
        }
    }
}
