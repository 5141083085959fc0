//! Bounds how many objects and values the body of a response contains.
//!
//! A body within its size limit can take a hundred times its size in memory: `{},{},…` as learners, or `[],[],…` as JSON
//! values. So both are counted before the body is decoded. Most bodies are too short for too many, and are not looked at.

/// How many values a body may contain for each object that it may contain. Lists and members count as values.
const VALUES_PER_OBJECT: usize = 20;

/// Whether a JSON body contains more than `max_objects` objects, or more than 20 times as many values.
pub(super) fn exceed(body: &[u8], max_objects: usize) -> bool {
    // `{},` is the shortest object. A body that is too short for the objects is too short for the values.
    if body.len() / 3 < max_objects {
        return false;
    }
    let (mut objects, mut separators) = (0, 0);
    let mut at = 0;
    while let Some(byte) = body.get(at) {
        match byte {
            b'{' => objects += 1,
            b',' => separators += 1,
            b'"' => {
                at = end_of_string(body, at + 1);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    objects > max_objects || separators >= max_objects.saturating_mul(VALUES_PER_OBJECT)
}

/// The position after the string whose content starts at `at`.
fn end_of_string(body: &[u8], mut at: usize) -> usize {
    while let Some(byte) = body.get(at) {
        at += match byte {
            b'"' => return at + 1,
            b'\\' => 2,
            _ => 1,
        };
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(item: &str, count: usize) -> Vec<u8> {
        format!("[{}]", vec![item; count].join(",")).into_bytes()
    }

    #[test]
    fn objects_and_values_are_counted_outside_of_strings() {
        assert!(!exceed(&list("{}", 100), 100));
        assert!(exceed(&list("{}", 101), 100));
        assert!(exceed(&list(r#"{"a": "\"{"}"#, 101), 100));
        assert!(!exceed(&list(r#""{,{,{,\"{,\\""#, 500), 100));
        for value in ["0", "[]", "\"\""] {
            assert!(!exceed(&list(value, 2000), 100), "{value}");
            assert!(exceed(&list(value, 2001), 100), "{value}");
        }
        let members: Vec<_> = (0..2001).map(|n| format!("\"{n}\":0")).collect();
        assert!(exceed(format!("{{{}}}", members.join(",")).as_bytes(), 100));
        assert!(!exceed(&list("{}", 100_000), usize::MAX));
    }

    #[test]
    fn what_is_not_json_is_counted_without_an_end() {
        for body in ["", "\"", "\"\\", "{\"{", "\u{0}"] {
            assert!(!exceed(body.as_bytes(), 1), "{body:?}");
        }
    }
}
