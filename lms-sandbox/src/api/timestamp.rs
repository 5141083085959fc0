//! Timestamps.
//!
//! The service's documentation does not specify the format of most timestamps. The sandbox writes all of them as RFC
//! 3339 in UTC with seconds, `2026-03-01T09:30:00Z`, and accepts any RFC 3339 text. A text without a zone is read as
//! UTC.

use jiff::SignedDuration;
use jiff::civil::{DateTime, datetime};
use jiff::fmt::temporal::{DateTimePrinter, Pieces};
use jiff::tz::Offset;

const EPOCH: DateTime = datetime(1970, 1, 1, 0, 0, 0, 0);

/// The last second of the year 9999.
const MAX: i64 = 253_402_300_799;

/// Appends a time in seconds since 1970, at most the end of the year 9999.
pub(crate) fn write(out: &mut Vec<u8>, seconds: i64) {
    let time = EPOCH.saturating_add(SignedDuration::from_secs(seconds.clamp(0, MAX)));
    // Writing to a `Vec` does not fail.
    let _ = DateTimePrinter::new().print_datetime(&time, &mut *out);
    out.push(b'Z');
}

/// Formats a time in seconds since 1970.
pub(crate) fn format(seconds: i64) -> String {
    let mut out = Vec::with_capacity(20);
    write(&mut out, seconds);
    String::from_utf8(out).unwrap_or_default()
}

/// Parses a timestamp into seconds since 1970; fractions of a second are dropped.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let pieces = Pieces::parse(text).ok()?;
    let time = pieces.date().to_datetime(pieces.time()?);
    let offset = pieces.to_numeric_offset().map_or(0, Offset::seconds);
    Some(time.duration_since(EPOCH).as_secs() - i64::from(offset))
}

#[cfg(test)]
mod tests {
    use super::{format, parse};

    #[test]
    fn a_timestamp_is_parsed_as_it_was_formatted() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_740_787_199, "2025-02-28T23:59:59Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(format(seconds), expected);
            assert_eq!(parse(expected), Some(seconds));
        }
    }

    #[test]
    fn zones_and_fractions_are_accepted() {
        for text in [
            "2026-03-01T09:30:00Z",
            "2026-03-01T09:30:00",
            "2026-03-01 09:30:00.123Z",
            "2026-03-01T11:30:00+02:00",
            "2026-03-01T04:00:00.5-05:30",
        ] {
            assert_eq!(parse(text), Some(1_772_357_400), "{text}");
        }
    }

    #[test]
    fn other_texts_are_rejected() {
        let texts = " 2026-03-01 2026-04-31T00:00:00Z 2026-13-01T00:00:00Z 2026-03-01T24:00:00Z 2026-03-01T00:00:00.Z \
                     2026-03-01T00:00:00+2:00 2026-03-01T00:00:00Zulu yesterday ２026-03-01";
        for text in texts.split(' ') {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
