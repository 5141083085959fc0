//! How is a moment written?
//!
//! The service description does not fix the format of most timestamps (§2). The sandbox writes all of them as
//! RFC 3339 in UTC with seconds, `2026-03-01T09:30:00Z`, and reads any RFC 3339 text, a missing zone meaning UTC.

/// The latest second that has a four-digit year.
const LAST: i64 = 253_402_300_799;

/// Appends the moment `seconds` after 1970 to `out`.
pub(crate) fn write(out: &mut Vec<u8>, seconds: i64) {
    let seconds = seconds.clamp(0, LAST);
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date_of(days);
    let digits = |out: &mut Vec<u8>, value: i64, separator: u8| {
        out.push(b'0' + u8::try_from(value / 10 % 10).unwrap_or(0));
        out.push(b'0' + u8::try_from(value % 10).unwrap_or(0));
        out.push(separator);
    };
    digits(out, year / 100, b'-');
    out.pop();
    digits(out, year % 100, b'-');
    digits(out, month, b'-');
    digits(out, day, b'T');
    digits(out, second / 3_600, b':');
    digits(out, second / 60 % 60, b':');
    digits(out, second % 60, b'Z');
}

/// The moment `seconds` after 1970 as text.
pub(crate) fn text(seconds: i64) -> String {
    let mut out = Vec::with_capacity(20);
    write(&mut out, seconds);
    String::from_utf8(out).unwrap_or_default()
}

/// The seconds after 1970 of an RFC 3339 text, with or without a fraction and a zone; `None` if it is not one.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to)?;
        if digits.bytes().all(|b| b.is_ascii_digit()) {
            digits.parse().ok()
        } else {
            None
        }
    };
    let separators_fit = bytes.get(4) == Some(&b'-')
        && bytes.get(7) == Some(&b'-')
        && matches!(bytes.get(10), Some(b'T' | b't' | b' '))
        && bytes.get(13) == Some(&b':')
        && bytes.get(16) == Some(&b':');
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    if !separators_fit || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let days = days_to(year, month, day)?;

    let mut rest = text.get(19..)?;
    if let Some(fraction) = rest.strip_prefix('.') {
        let end = fraction
            .bytes()
            .position(|b| !b.is_ascii_digit())
            .unwrap_or(fraction.len());
        if end == 0 {
            return None;
        }
        rest = fraction.get(end..)?;
    }
    let offset = match rest {
        "" | "Z" | "z" => 0,
        zone if zone.len() == 6 && zone.as_bytes().get(3) == Some(&b':') => {
            let at = text.len() - 6;
            let (hours, minutes) = (number(at + 1, at + 3)?, number(at + 4, at + 6)?);
            let sign = match zone.as_bytes().first() {
                Some(b'+') => 1,
                Some(b'-') => -1,
                _ => return None,
            };
            if hours > 23 || minutes > 59 {
                return None;
            }
            sign * (hours * 3_600 + minutes * 60)
        }
        _ => return None,
    };
    Some(days * 86_400 + hour * 3_600 + minute * 60 + second - offset)
}

/// Year, month and day of a day counted from 1970, by the proleptic Gregorian calendar counted from March, so that
/// the leap day is the last of its year.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// The day counted from 1970 of a date; `None` if there is no such day.
fn days_to(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let shifted_year = if month <= 2 { year - 1 } else { year };
    let era = shifted_year.div_euclid(400);
    let year_of_era = shifted_year.rem_euclid(400);
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * shifted + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = era * 146_097 + day_of_era - 719_468;
    // 31 April would come out as 1 May.
    (date_of(days) == (year, month, day)).then_some(days)
}

#[cfg(test)]
mod tests {
    use super::{parse, text};

    #[test]
    fn moments_survive_being_written_and_read() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_740_787_199, "2025-02-28T23:59:59Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(text(seconds), expected);
            assert_eq!(parse(expected), Some(seconds));
        }
    }

    #[test]
    fn zones_and_fractions_are_understood() {
        for written in [
            "2026-03-01T09:30:00Z",
            "2026-03-01T09:30:00",
            "2026-03-01 09:30:00.123Z",
            "2026-03-01T11:30:00+02:00",
            "2026-03-01T04:00:00.5-05:30",
        ] {
            assert_eq!(parse(written), Some(1_772_357_400), "{written}");
        }
    }

    #[test]
    fn what_is_not_a_moment_is_refused() {
        for written in [
            "",
            "2026-03-01",
            "2026-04-31T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-03-01T24:00:00Z",
            "2026-03-01T00:00:00.Z",
            "2026-03-01T00:00:00+2:00",
            "2026-03-01T00:00:00Zulu",
            "yesterday",
            "２026-03-01",
        ] {
            assert_eq!(parse(written), None, "{written}");
        }
    }
}
