//! Parses timestamps without a fixed format.
//!
//! Ambiguous texts and invalid dates are errors. Nothing is rounded. The parsers of jiff, chrono and time would reject
//! or misread formats that have to be accepted here: Unix timestamps, `UTC`, leap seconds, missing seconds.

use std::fmt;

use ParseTimestampError::{Ambiguous, Empty, NoSuchTime, OutOfRange, TooPrecise, UnknownFormat};

use super::{CivilDate, CivilDateTime, Moment, UtcInstant, moment::NANOS};

/// The reason why a timestamp could not be parsed or converted.
///
/// The message does not repeat the text, which is data of the tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseTimestampError {
    /// The text is empty.
    Empty,
    /// [`Timestamp::parse`](super::Timestamp::parse) does not know the format.
    UnknownFormat,
    /// The date or time does not exist: 30 February, 25:00.
    NoSuchTime,
    /// The fraction has more than nine digits.
    TooPrecise,
    /// The time is outside the years 0 to 9999 of UTC, or outside the range of the target type.
    OutOfRange,
    /// The digits could be a date without separators or a Unix timestamp.
    Ambiguous,
    /// A point in time was requested, but the text has no UTC offset.
    NoZone,
    /// A local time or a date was requested, but the text is another [`Moment`].
    OtherMoment,
}

impl fmt::Display for ParseTimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "expected a timestamp, found an empty string",
            Self::UnknownFormat => {
                "unknown timestamp format, neither RFC 3339 nor Unix time; use its text"
            }
            Self::NoSuchTime => "the date or time of the timestamp does not exist",
            Self::TooPrecise => "the timestamp has more than nine digits of a fraction",
            Self::OutOfRange => "the timestamp is out of range",
            Self::Ambiguous => {
                "the timestamp could be a date without separators or Unix time; use its text"
            }
            Self::NoZone => {
                "the timestamp has no UTC offset; choose one, for example with assuming_utc()"
            }
            Self::OtherMoment => {
                "the timestamp has other parts than the requested type; match the result of parse()"
            }
        })
    }
}

impl std::error::Error for ParseTimestampError {}

/// From here on a Unix timestamp is in milliseconds: as seconds it would be in the year 5138. Milliseconds are below
/// this only before March 1973.
const MILLISECONDS: u64 = 100_000_000_000;

pub(super) fn parse(text: &str) -> Result<Moment, ParseTimestampError> {
    let mut rest = Rest(text.trim_ascii().as_bytes());
    if rest.is_empty() {
        return Err(Empty);
    }
    let moment = match rest.0.get(4) {
        Some(b'-') => calendar_date(&mut rest),
        _ => unix_time(&mut rest),
    }?;
    rest.is_empty().then_some(moment).ok_or(UnknownFormat)
}

/// `YYYY-MM-DD` with an optional time and UTC offset.
fn calendar_date(rest: &mut Rest<'_>) -> Result<Moment, ParseTimestampError> {
    let year = u16::from(rest.two_digits()?) * 100 + u16::from(rest.two_digits()?);
    rest.expect(b'-')?;
    let month = rest.two_digits()?;
    rest.expect(b'-')?;
    let date = CivilDate::new(year, month, rest.two_digits()?);
    if rest.is_empty() {
        return date.map(Moment::Date).ok_or(NoSuchTime);
    }
    if !rest.take_any(b"Tt ") {
        return Err(UnknownFormat);
    }
    let hour = rest.two_digits()?;
    rest.expect(b':')?;
    let minute = rest.two_digits()?;
    let (mut second, mut nanosecond) = (0, 0);
    if rest.take(b':') {
        second = rest.two_digits()?;
        if rest.take_any(b".,") {
            nanosecond = rest.fraction()?;
        }
    }
    let offset = zone(rest)?;
    let leap = second == 60;
    if leap {
        (second, nanosecond) = (59, 999_999_999);
    }
    let clock = date
        .and_then(|date| CivilDateTime::new(date, hour, minute, second, nanosecond))
        .ok_or(NoSuchTime)?;
    // Leap seconds are inserted at midnight UTC, and offsets are multiples of 15 minutes.
    let Some(offset) = offset else {
        return if leap && clock.minute % 15 != 14 {
            Err(NoSuchTime)
        } else {
            Ok(Moment::Local(clock))
        };
    };
    let instant = UtcInstant::from_unix_nanos(clock.nanos() - i128::from(offset) * 60 * NANOS);
    let instant = instant.ok_or(OutOfRange)?;
    if leap && instant.unix_seconds().rem_euclid(86_400) != 86_399 {
        return Err(NoSuchTime);
    }
    Ok(Moment::Instant(instant))
}

/// `Z`, `UTC`, `+hh:mm`, `+hhmm`, `+hh`, or nothing. In minutes.
fn zone(rest: &mut Rest<'_>) -> Result<Option<i32>, ParseTimestampError> {
    if rest.is_empty() {
        return Ok(None);
    }
    rest.take(b' ');
    if rest.take_any(b"Zz") || rest.take_word(b"UTC") {
        return Ok(Some(0));
    }
    let sign = if rest.take(b'-') {
        -1
    } else {
        rest.expect(b'+')?;
        1
    };
    let hours = rest.two_digits()?;
    let minutes = if rest.is_empty() {
        0
    } else {
        rest.take(b':');
        rest.two_digits()?
    };
    if hours > 23 || minutes > 59 {
        return Err(NoSuchTime);
    }
    Ok(Some(sign * (i32::from(hours) * 60 + i32::from(minutes))))
}

/// A Unix timestamp in seconds or milliseconds.
fn unix_time(rest: &mut Rest<'_>) -> Result<Moment, ParseTimestampError> {
    if is_date_prefix(rest.0) {
        return Err(Ambiguous);
    }
    let negative = rest.take(b'-');
    let whole = rest.number()?;
    // In nanoseconds, if the whole is in seconds.
    let fraction = if rest.take(b'.') { rest.fraction()? } else { 0 };
    let nanos = if whole < MILLISECONDS {
        i128::from(whole) * 1_000_000_000 + i128::from(fraction)
    } else if fraction % 1_000 == 0 {
        i128::from(whole) * 1_000_000 + i128::from(fraction / 1_000)
    } else {
        return Err(TooPrecise);
    };
    UtcInstant::from_unix_nanos(if negative { -nanos } else { nanos })
        .map(Moment::Instant)
        .ok_or(OutOfRange)
}

/// Returns `true` if digits could also be a date or a prefix of one without separators, from `YYYY` to
/// `YYYYMMDDhhmmss`.
fn is_date_prefix(text: &[u8]) -> bool {
    let mut rest = Rest(text);
    let mut read = |default: u8| {
        if rest.is_empty() {
            Some(default)
        } else {
            rest.two_digits().ok()
        }
    };
    let mut date = || {
        let year = u16::from(read(0)?) * 100 + u16::from(read(0)?);
        let date = CivilDate::new(year, read(1)?, read(1)?)?;
        CivilDateTime::new(date, read(0)?, read(0)?, read(0)?, 0)
    };
    let plausible = date().is_some_and(|clock| (1900..2200).contains(&clock.date.year));
    plausible && rest.is_empty()
}

/// The text that is not parsed yet.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn take(&mut self, byte: u8) -> bool {
        self.take_any(&[byte])
    }

    fn take_any(&mut self, bytes: &[u8]) -> bool {
        match self.0.split_first() {
            Some((first, rest)) if bytes.contains(first) => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    fn take_word(&mut self, word: &[u8]) -> bool {
        let rest = self.0.strip_prefix(word);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, byte: u8) -> Result<(), ParseTimestampError> {
        if self.take(byte) {
            Ok(())
        } else {
            Err(UnknownFormat)
        }
    }

    fn digit(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        let digit = first.is_ascii_digit().then(|| first - b'0')?;
        self.0 = rest;
        Some(digit)
    }

    fn two_digits(&mut self) -> Result<u8, ParseTimestampError> {
        let tens = self.digit().ok_or(UnknownFormat)?;
        let ones = self.digit().ok_or(UnknownFormat)?;
        Ok(tens * 10 + ones)
    }

    /// One or more digits.
    fn number(&mut self) -> Result<u64, ParseTimestampError> {
        let mut number = u64::from(self.digit().ok_or(UnknownFormat)?);
        while let Some(digit) = self.digit() {
            number = number
                .checked_mul(10)
                .and_then(|number| number.checked_add(digit.into()))
                .ok_or(OutOfRange)?;
        }
        Ok(number)
    }

    /// One or more digits after a decimal point, in billionths.
    fn fraction(&mut self) -> Result<u32, ParseTimestampError> {
        let mut billionths = 0;
        let mut unit = 1_000_000_000;
        let mut digit = Some(self.digit().ok_or(UnknownFormat)?);
        while let Some(value) = digit {
            unit /= 10;
            if unit == 0 && value != 0 {
                return Err(TooPrecise);
            }
            billionths += u32::from(value) * unit;
            digit = self.digit();
        }
        Ok(billionths)
    }
}
