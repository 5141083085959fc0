use proptest::prelude::*;

use super::*;

fn read(json: &str) -> Result<Int64, String> {
    serde_json::from_str(json).map_err(|error| error.to_string())
}

#[test]
fn exact_64_bit_integers_are_read() {
    for (json, value) in [
        ("0", 0),
        ("\"0\"", 0),
        ("\"-0\"", 0),
        ("\"+7\"", 7),
        ("\"007\"", 7),
        ("\"-007\"", -7),
        ("\" 7 \"", 7),
        ("\"\\t7\\n\"", 7),
        ("\"\\u0037\"", 7),
        ("9007199254740993", (1 << 53) + 1),
        ("\"9007199254740993\"", (1 << 53) + 1),
        ("-9007199254740993", -(1 << 53) - 1),
        ("9223372036854775807", i64::MAX),
        ("\"9223372036854775807\"", i64::MAX),
        ("\"0000000000000000000009223372036854775807\"", i64::MAX),
        ("-9223372036854775808", i64::MIN),
        ("\"-9223372036854775808\"", i64::MIN),
        // A number, when a crate in the program enables `arbitrary_precision`.
        (
            r#"{"$serde_json::private::Number":"9007199254740993"}"#,
            (1 << 53) + 1,
        ),
    ] {
        assert_eq!(read(json), Ok(Int64(value)), "{json}");
        let optional: Option<Int64> = serde_json::from_str(json).unwrap();
        assert_eq!(optional, Some(Int64(value)), "{json}");
    }
}

#[test]
fn other_values_are_errors_that_do_not_repeat_the_value() {
    for json in [
        "9223372036854775808",
        "\"9223372036854775808\"",
        "-9223372036854775809",
        "\"-9223372036854775809\"",
        "18446744073709551615",
        "18446744073709551616",
        "\"340282366920938463463374607431768211456\"",
        "1.0",
        "\"1.0\"",
        "1.5",
        "1e2",
        "\"1e2\"",
        "-0",
        "\"1_000\"",
        "\"1,000\"",
        "\"1 000\"",
        "\"0x10\"",
        "\"+\"",
        "\"-\"",
        "\"--1\"",
        "\"\u{0661}\"",
        "\"12 MB\"",
        "\"NaN\"",
        "true",
        "[1]",
        "{}",
        "{\"a\":1}",
        r#"{"$serde_json::private::Number":"1e2"}"#,
    ] {
        let error = read(json).unwrap_err();
        let (found, rest) = error.split_once(", expected ").unwrap();
        assert!(rest.starts_with(Int64::EXPECTED), "{json}: {error}");
        assert!(
            !found.contains(|c: char| c.is_ascii_digit()),
            "{json}: {error}"
        );
    }
}

#[test]
fn a_blank_text_is_no_integer() {
    for json in ["\"\"", "\" \"", "null"] {
        let error = read(json).unwrap_err();
        assert!(error.contains(", expected a 64-bit"), "{json}: {error}");
    }
    assert_eq!(serde_json::from_str::<Option<Int64>>("null").unwrap(), None);
}

#[test]
fn an_invalid_string_has_the_right_error() {
    for (text, error) in [
        ("", ParseInt64Error::Empty),
        (" ", ParseInt64Error::Empty),
        ("1.0", ParseInt64Error::NotAnInteger),
        ("9223372036854775808", ParseInt64Error::OutOfRange),
        ("-9223372036854775809", ParseInt64Error::OutOfRange),
    ] {
        assert_eq!(text.parse::<Int64>(), Err(error), "{text:?}");
        assert_eq!(Int64::try_from(text), Err(error), "{text:?}");
        assert_eq!(Int64::try_from(text.to_owned()), Err(error), "{text:?}");
    }
}

#[test]
fn integers_are_converted_exactly_or_not_at_all() {
    macro_rules! convert {
        ($($integer:ty),*) => {$(
            for value in [<$integer>::MIN, 0, 1, <$integer>::MAX] {
                let there = Int64::try_from(value).ok();
                assert_eq!(there.map(i64::from), i64::try_from(value).ok(), "{value}");
                let back = there.map(<$integer>::try_from);
                assert!(back.is_none_or(|back| back == Ok(value)), "{value}");
            }
            for value in [i64::MIN, -1, 0, 1, i64::MAX] {
                let (there, expected) = (<$integer>::try_from(Int64(value)), <$integer>::try_from(value));
                assert_eq!(there.ok(), expected.ok(), "{value}");
            }
        )*};
    }
    convert!(
        i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
    );
}

/// The text of a JSON number: the grammar, with lengths around the boundaries.
fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        "-?(0|[1-9][0-9]{0,21})(\\.[0-9]{1,4})?([eE][+-]?[0-9]{1,3})?",
        "-?[1-9][0-9]{15,19}",
        "-?922337203685477580[0-9]",
        any::<f64>()
            .prop_filter("JSON has no such number", |float| float.is_finite())
            .prop_map(|float| format!("{float:e}")),
        any::<i64>().prop_map(|integer| integer.to_string()),
    ]
}

/// The integer that a text spells, if any.
fn spelt(text: &str) -> Option<Int64> {
    text.parse::<i128>().ok()?.try_into().ok()
}

proptest! {
    #[test]
    fn a_number_is_read_exactly_or_not_at_all(text in number()) {
        // serde_json reads this one as a float.
        prop_assume!(text != "-0");
        prop_assert_eq!(read(&text).ok(), spelt(&text));
    }

    #[test]
    fn a_string_is_read_exactly_or_not_at_all(
        text in prop_oneof![number(), "[+-]?0{0,30}[0-9]{0,21}", ".{0,8}"],
    ) {
        let json = serde_json::to_string(&text).unwrap();
        prop_assert_eq!(read(&json).ok(), spelt(text.trim_ascii()));
    }

    #[test]
    fn a_written_integer_reads_as_the_same(value: i64) {
        let text = serde_json::to_string(&Int64(value)).unwrap();
        prop_assert_eq!(read(&text), Ok(Int64(value)));
        prop_assert_eq!(Int64(value).to_string().parse(), Ok(Int64(value)));
    }
}
