//! How is a length of time written in a fault plan?
//!
//! As a whole number with its unit, `250ms`, in a file and on the command line alike: a bare number would leave the
//! unit to be guessed.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serializer, de};

/// The text of a duration: the largest of `s`, `ms` and `us` in which it is a whole number.
pub(crate) fn text(span: Duration) -> String {
    let micros = span.as_micros();
    if micros.is_multiple_of(1_000_000) {
        format!("{}s", micros / 1_000_000)
    } else if micros.is_multiple_of(1_000) {
        format!("{}ms", micros / 1_000)
    } else {
        format!("{micros}us")
    }
}

/// Reads what [`text`] writes, and `m` and `h` besides.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let wrong = || {
        format!(
            "{text:?} is no length of time; write a whole number and us, ms, s, m or h, such as 250ms"
        )
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    match unit {
        "us" => Ok(Duration::from_micros(number)),
        "ms" => Ok(Duration::from_millis(number)),
        "s" => Ok(Duration::from_secs(number)),
        "m" => Ok(Duration::from_secs(number.saturating_mul(60))),
        "h" => Ok(Duration::from_secs(number.saturating_mul(3_600))),
        _ => Err(wrong()),
    }
}

pub(crate) fn serialize<S: Serializer>(span: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&text(*span))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Duration, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse(&text).map_err(de::Error::custom)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{parse, text};

    #[test]
    fn a_span_is_read_as_it_was_written() {
        for (written, micros) in [
            ("0s", 0),
            ("7us", 7),
            ("250ms", 250_000),
            ("1500ms", 1_500_000),
            ("300s", 300_000_000),
        ] {
            let span = Duration::from_micros(micros);
            assert_eq!(text(span), written);
            assert_eq!(parse(written), Ok(span));
        }
        assert_eq!(parse("2h"), Ok(Duration::from_secs(7_200)));
        for wrong in ["", "5", "ms", "-1s", "1.5s", "5 s", "5d"] {
            assert!(parse(wrong).unwrap_err().contains("250ms"), "{wrong}");
        }
    }
}
