//! Fields without a value in your own types.
//!
//! The service may send `null` or an empty string where it documents an array, a text or a time ([Field
//! types](lms_client::service#field-types)). The generated types read both as absent, but serde's derive reads neither:
//! a `null` for a `Vec<String>` is an error for the entire page.

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

/// Reads `null` and a blank string as `None`, and any other string as a type that is made from text, such as `String`
/// or [`Timestamp`](crate::Timestamp). For a field that may also be absent, add `default`.
///
/// Integers have [`int64::option`](crate::int64::option).
///
/// ```
/// use lms_ext::Timestamp;
///
/// #[derive(serde::Deserialize)]
/// struct Row {
///     #[serde(default, deserialize_with = "lms_ext::blank_as_none")]
///     completed_on: Option<Timestamp>,
/// }
///
/// for none in ["{}", r#"{"completed_on": null}"#, r#"{"completed_on": " "}"#] {
///     assert_eq!(serde_json::from_str::<Row>(none)?.completed_on, None);
/// }
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
///
/// If the value is neither `null` nor a string.
pub fn blank_as_none<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: From<String>,
{
    let text: Option<String> = Option::deserialize(deserializer)?;
    Ok(text.filter(|text| !text.trim().is_empty()).map(T::from))
}

#[cfg(test)]
mod tests {
    #[derive(Debug, serde::Deserialize)]
    struct Row {
        #[serde(default, deserialize_with = "super::null_as_default")]
        tags: Vec<String>,
        #[serde(default, deserialize_with = "super::blank_as_none")]
        name: Option<String>,
    }

    #[test]
    fn null_blank_and_absent_have_no_value_and_others_keep_theirs() {
        for (json, tags, name) in [
            ("{}", &[][..], None),
            (r#"{"tags":null,"name":null}"#, &[], None),
            (r#"{"tags":[],"name":"\t"}"#, &[], None),
            (r#"{"tags":["a"],"name":" x "}"#, &["a"], Some(" x ")),
        ] {
            let row: Row = serde_json::from_str(json).unwrap();
            assert_eq!(row.tags, tags, "{json}");
            assert_eq!(row.name.as_deref(), name, "{json}");
        }
        for json in [r#"{"tags":"a"}"#, r#"{"tags":[null]}"#, r#"{"name":1}"#] {
            assert!(serde_json::from_str::<Row>(json).is_err(), "{json}");
        }
    }
}
