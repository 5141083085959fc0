//! A value as text, for tables and CSV.

use serde_json::value::RawValue;

/// The text of a value: that of a string, the elements of an array separated by `, `, and JSON for all others. Absent and
/// `null` are empty.
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
                texts.join(", ")
            }
            _ => compact(value),
        },
        Some(b'{') => compact(value),
        _ => json.to_owned(),
    }
}

fn compact(value: &RawValue) -> String {
    let mut out = String::new();
    super::json::write(value, &mut out, super::json::Style::Line);
    out
}

/// Text for a terminal: without the control characters that a terminal obeys, and those that reverse the text.
pub(crate) fn visible(text: &str) -> String {
    let acts = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars()
        .map(|c| if acts(c) { '\u{fffd}' } else { c })
        .collect()
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
            ("[]", ""),
            (r#"[{"a": 1}]"#, r#"[{"a":1}]"#),
            (r#"{"a": 1}"#, r#"{"a":1}"#),
        ] {
            assert_eq!(text(Some(serde_json::from_str(json).unwrap())), expected);
        }
        assert_eq!(text(None), "");
    }

    #[test]
    fn a_terminal_gets_no_control_characters() {
        assert_eq!(
            visible("a\u{1b}[31mb\u{9b}c\u{202e}d\n"),
            "a\u{fffd}[31mb\u{fffd}c\u{fffd}d\n"
        );
    }
}
