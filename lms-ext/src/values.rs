//! Types of values: secrets, the properties of operations, and fields without a value in your own types.
//!
//! The service may send `null` or an empty string where it documents an array, a text or a time ([Field
//! types](lms_client::service#field-types)). In a response, both are absent where the type has no such value, also in your own
//! types. serde's derive reads neither: use [`blank_is_absent`] for JSON that you read yourself.

pub use lms_client::operation::OperationInfo;
pub use lms_client::wire::{Secret, expose_secrets};
use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::Value;

/// Reads `null` and blank text as `None`. For a field that may also be absent, add `default`.
///
/// ```
/// #[derive(serde::Deserialize)]
/// struct Row {
///     #[serde(default, deserialize_with = "lms_ext::blank_is_absent")]
///     file_size: Option<lms_ext::Int64>,
/// }
///
/// for none in [r#"{"file_size": ""}"#, r#"{"file_size": null}"#, "{}"] {
///     assert_eq!(serde_json::from_str::<Row>(none)?.file_size, None);
/// }
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
///
/// If the value is neither a `T` nor blank.
pub fn blank_is_absent<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(None),
        Value::String(text) if text.trim().is_empty() => Ok(None),
        value => T::deserialize(value).map(Some).map_err(D::Error::custom),
    }
}
