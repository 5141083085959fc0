//! The response for an object that does not exist, and ids that no object has.
//!
//! A 404 does not always come from the service: a gateway responds like this during an outage, and a tenant without the
//! operation to every request. It says that an object does not exist only if it has the form of the response for an object that
//! cannot exist.

use std::collections::BTreeMap;

use lms_ext::ErrorKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The properties of the response for an absent object that do not depend on the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AbsentForm {
    status: Option<u16>,
    /// The hash of the content type, and of the names and types in the JSON.
    hash: [u8; 32],
    pub(super) is_json: bool,
}

impl AbsentForm {
    /// The form of the response; `None` if it does not say that the object is absent.
    pub(crate) fn of(error: &lms_ext::Error) -> Option<Self> {
        matches!(error.status(), Some(404 | 410)).then(|| Self::of_any(error))
    }

    /// The form of the response for an object that cannot exist. Its id may also be refused.
    pub(super) fn of_impossible(error: &lms_ext::Error) -> Option<Self> {
        let refused = matches!(error.kind(), ErrorKind::Forbidden | ErrorKind::Rejected);
        Self::of(error).or_else(|| refused.then(|| Self::of_any(error)))
    }

    /// Returns `true` if both are responses of the same server: an absent learner may have another status than a learner without
    /// a record.
    pub(super) fn is_like(self, other: Self) -> bool {
        self.hash == other.hash && (self.is_json || self.status == other.status)
    }

    fn of_any(error: &lms_ext::Error) -> Self {
        let body = error.body().unwrap_or_default();
        let json: Option<Value> = serde_json::from_slice(body).ok();
        let shape = json.as_ref().map(shape);
        let content_type = error.content_type();
        let form = format!("{content_type:?} {shape:?}");
        Self {
            status: error.status(),
            hash: Sha256::digest(form).into(),
            is_json: json.is_some_and(|json| json.is_object())
                && content_type.is_none_or(|content_type| content_type.contains("json")),
        }
    }
}

/// The names of the members of JSON and the types of its values.
fn shape(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "boolean".to_owned(),
        Value::Number(_) => "number".to_owned(),
        Value::String(_) => "text".to_owned(),
        Value::Array(items) => format!("[{}]", items.first().map(shape).unwrap_or_default()),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| (name, shape(value)));
            format!("{:?}", members.collect::<BTreeMap<_, _>>())
        }
    }
}

/// Number of letters and digits of an id that are sufficient to replace all of them.
const LONG: usize = 16;

/// An id like this one that no object has: a service may respond in another way to an id of another form.
///
/// The letters and digits of a long id are replaced, and digits are appended to a short one. The new ones follow from its hash, so
/// they are the same each time.
pub(crate) fn absent_id(id: &str) -> String {
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
    use super::{absent_id, shape};

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
        let form = |text: &str| shape(&serde_json::from_str(text).unwrap());
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
