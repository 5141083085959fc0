//! Types of values: secrets, the properties of operations, and fields without a value in your own types.
//!
//! The service may send `null` or an empty string where it documents an array, a text or a time ([Field
//! types](lms_client::service#field-types)). The generated types read both as absent, but serde's derive reads neither:
//! a `null` for a `Vec<String>` is an error for the entire page.

pub use lms_client::operation::OperationInfo;
pub use lms_client::wire::{Secret, blank_is_absent, expose_secrets};
use serde::{Deserialize, Deserializer};

/// Reads `null` as the default of the type: an empty list, `false`, zero. For a field that may also be absent, add
/// `default`.
///
/// ```
/// #[derive(serde::Deserialize)]
/// struct Row {
///     #[serde(default, deserialize_with = "lms_ext::null_as_default")]
///     tags: Vec<String>,
/// }
///
/// for (json, tags) in [("{}", 0), (r#"{"tags": null}"#, 0), (r#"{"tags": ["emea"]}"#, 1)] {
///     assert_eq!(serde_json::from_str::<Row>(json)?.tags.len(), tags);
/// }
/// assert!(serde_json::from_str::<Row>(r#"{"tags": [null]}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
///
/// If the value is neither `null` nor a `T`.
pub fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
