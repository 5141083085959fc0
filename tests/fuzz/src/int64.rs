use lms_client::{types::Record, wire::Int64};

/// An integer is parsed exactly or not at all, as a string and as a number.
pub fn int64(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let exact = exactly(text);

    let parsed = text.parse::<Int64>().ok();
    assert_eq!(parsed.map(Int64::get), exact, "{text:?} as a text");
    if let Some(value) = parsed {
        assert_eq!(value.to_string().parse(), Ok(value));
        assert_eq!(i64::from(value), value.get());
    }

    // As a JSON string.
    let json = serde_json::to_string(text).expect("a text can be written");
    let read = serde_json::from_str::<Int64>(&json).ok();
    assert_eq!(read, parsed, "{json} as JSON");
    if let Some(value) = read {
        let written = serde_json::to_string(&value).expect("an integer can be written");
        assert_eq!(written, format!("\"{}\"", value.get()));
        assert_eq!(serde_json::from_str::<Int64>(&written).ok(), Some(value));
    }

    // As JSON: only strings and numbers, and numbers exactly.
    if let Ok(value) = serde_json::from_str::<serde_json::Value>(text) {
        let read = serde_json::from_str::<Int64>(text).ok();
        let expected = match &value {
            serde_json::Value::String(text) => exactly(text),
            serde_json::Value::Number(number) => number.as_i64(),
            _ => None,
        };
        assert_eq!(read.map(Int64::get), expected, "{text:?} as it stands");
    }

    // As an optional field, where a blank string is `None` and any other text that is not an integer is an error.
    let field = serde_json::from_str::<Record>(&format!("{{\"file_size\":{json}}}"));
    match (text.trim_ascii().is_empty(), field) {
        (true, Ok(record)) => assert_eq!(record.file_size, None),
        (true, Err(error)) => panic!("a blank text is an error: {error}"),
        (false, Ok(record)) => assert_eq!(record.file_size, parsed),
        (false, Err(_)) => assert_eq!(parsed, None),
    }
}

/// Parses an integer with another algorithm than the one under test.
fn exactly(text: &str) -> Option<i64> {
    let text = text.trim_ascii();
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut value: i128 = 0;
    for digit in digits.bytes() {
        value = value * 10 + i128::from(digit - b'0');
        if value > 1 << 64 {
            return None;
        }
    }
    i64::try_from(if negative { -value } else { value }).ok()
}
