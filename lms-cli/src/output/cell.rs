//! A value as text, for tables and CSV.

use serde_json::value::RawValue;

use super::json::{self, Style};

/// The text of a value: that of a string, the elements of an array separated by `, `, and JSON for all others, also for an array
/// whose elements could not be told apart. Absent and `null` are empty.
pub(crate) fn text(value: Option<&RawValue>) -> String {
    let Some(value) = value else {
        return String::new();
    };
    let received = value.get().trim();
    match received.as_bytes().first() {
        Some(b'n') => String::new(),
        Some(b'"') => serde_json::from_str(received).unwrap_or_else(|_| received.to_owned()),
        Some(b'[') => match serde_json::from_str::<Vec<&RawValue>>(received) {
            Ok(values) if !received.contains('{') => {
                let texts: Vec<_> = values.into_iter().map(|value| text(Some(value))).collect();
                match texts.iter().all(|text| is_plain(text)) {
                    true => texts.join(", "),
                    false => json::text(value, Style::Line),
                }
            }
            _ => json::text(value, Style::Line),
        },
        Some(b'{') => json::text(value, Style::Line),
        _ => received.to_owned(),
    }
}

fn is_plain(element: &str) -> bool {
    !element.is_empty()
        && element.trim() == element
        && !element.contains(',')
        && !element.starts_with('[')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_has_a_text() {
        for (json, expected) in [
            (r#""a \"b\"""#, "a \"b\""),
            ("null", ""),
            ("1.50", "1.50"),
            ("true", "true"),
            (r#"["a", "b"]"#, "a, b"),
            (r#"["x,y", "z"]"#, r#"["x,y","z"]"#),
            ("[]", ""),
            (r#"[{"a": 1}]"#, r#"[{"a":1}]"#),
            (r#"{"a": 1}"#, r#"{"a":1}"#),
        ] {
            assert_eq!(text(Some(serde_json::from_str(json).unwrap())), expected);
        }
        assert_eq!(text(None), "");
    }
}
