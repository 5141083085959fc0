//! Durations as text: a number with its unit, such as `250ms`. A number without a unit is refused.

use std::time::Duration;

use jiff::fmt::friendly::{Designator, Spacing, SpanParser, SpanPrinter};

/// Formats a duration, such as `250ms` or `1m30s`.
pub(crate) fn format(duration: Duration) -> String {
    SpanPrinter::new()
        .designator(Designator::HumanTime)
        .spacing(Spacing::None)
        .unsigned_duration_to_string(&duration)
}

/// Parses a duration.
pub(crate) fn parse(text: &str) -> Option<Duration> {
    SpanParser::new().parse_unsigned_duration(text).ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{format, parse};

    #[test]
    fn a_duration_is_parsed_as_it_was_formatted() {
        for (text, micros) in [
            ("0s", 0),
            ("7us", 7),
            ("250ms", 250_000),
            ("1s500ms", 1_500_000),
            ("5m", 300_000_000),
        ] {
            let duration = Duration::from_micros(micros);
            assert_eq!(format(duration), text);
            assert_eq!(parse(text), Some(duration));
        }
        for (text, seconds) in [("2h", 7_200), ("300s", 300), ("1h 30m", 5_400)] {
            assert_eq!(parse(text), Some(Duration::from_secs(seconds)));
        }
        for wrong in ["", "5", "ms", "-1s", "5 weeks ago"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
