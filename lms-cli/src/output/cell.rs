//! A value as text, for tables and CSV.

use serde_json::value::RawValue;

/// The text of a value: that of a string, the elements of an array separated by `, `, and JSON for all others, also for an array
/// whose elements could not be told apart. Absent and `null` are empty.
pub(crate) fn text(value: Option<&RawValue>) -> String {
    let Some(value) = value else {
        return String::new();
    };
    let json = value.get().trim();
    match json.as_bytes().first() {
        Some(b'n') => String::new(),
        Some(b'"') => serde_json::from_str(json).unwrap_or_else(|_| json.to_owned()),
        Some(b'[') => match serde_json::from_str::<Vec<&RawValue>>(json) {
            Ok(values) if !json.contains('{') => {
                let texts: Vec<_> = values.into_iter().map(|value| text(Some(value))).collect();
                match texts.iter().all(|text| is_plain(text)) {
                    true => texts.join(", "),
                    false => compact(value),
                }
            }
            _ => compact(value),
        },
        Some(b'{') => compact(value),
        _ => json.to_owned(),
    }
}

fn is_plain(element: &str) -> bool {
    !element.is_empty()
        && element.trim() == element
        && !element.contains(',')
        && !element.starts_with('[')
}

fn compact(value: &RawValue) -> String {
    let mut out = String::new();
    super::json::write(value, &mut out, super::json::Style::Line);
    out
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
