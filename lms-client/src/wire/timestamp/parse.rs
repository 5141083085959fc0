//! Reading a time out of a text whose format nobody promised.
//!
//! What can only mean one time is read; what could mean two is refused, and so is what the calendar does
//! not have. Nothing is rounded.

use std::fmt;

use ParseTimestampError::{Ambiguous, Empty, NoSuchTime, OutOfRange, TooPrecise, UnknownFormat};

use super::{CivilDate, CivilDateTime, Moment, Offset, UtcInstant};

/// Why a timestamp is not the time that was asked of it.
///
/// The text itself is not repeated: it came from a tenant and may hold anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseTimestampError {
    /// There was no text.
    Empty,
    /// It has none of the forms that [`Timestamp::parse`](super::Timestamp::parse) reads.
    UnknownFormat,
    /// It has the form of a time, and no calendar or clock has that time: 30 February, 25 o'clock.
    NoSuchTime,
    /// It is finer than a nanosecond.
    TooPrecise,
    /// It lies outside the years 0 to 9999, or outside those that the type asked for can hold.
    OutOfRange,
    /// Its digits are a date without separators as well as a count from 1970.
    Ambiguous,
    /// A point in time was asked for, and the text has no zone.
    NoZone,
    /// A time without a zone was asked for, and the text has one.
    HasZone,
    /// A time of day was asked for, and the text is a date alone.
    NoTimeOfDay,
    /// A date alone was asked for, and the text has a time of day.
    HasTimeOfDay,
}

impl fmt::Display for ParseTimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "expected a timestamp, found an empty text",
            Self::UnknownFormat => {
                "the timestamp is neither RFC 3339 nor a form close to it nor a count from 1970; read its text"
            }
            Self::NoSuchTime => "the timestamp names a time that no calendar or clock has",
            Self::TooPrecise => "the timestamp is finer than a nanosecond",
            Self::OutOfRange => "the timestamp lies outside the years that can be held",
            Self::Ambiguous => {
                "the timestamp is a date without separators or a count from 1970; read its text"
            }
            Self::NoZone => {
                "the timestamp has no zone; decide on one, for example with assuming_utc()"
            }
            Self::HasZone => "the timestamp has a zone; ask for a point in time",
            Self::NoTimeOfDay => "the timestamp is a date alone; ask for a date",
            Self::HasTimeOfDay => "the timestamp has a time of day; ask for that as well",
        })
    }
}

impl std::error::Error for ParseTimestampError {}

/// From here on a count is in milliseconds. As seconds it would be in the year 5138, and as milliseconds
/// nothing before March 1973 is smaller.
const MILLISECONDS: u64 = 100_000_000_000;

pub(super) fn parse(text: &str) -> Result<Moment, ParseTimestampError> {
    let mut rest = Rest(text.trim_ascii().as_bytes());
    if rest.is_empty() {
        return Err(Empty);
    }
    let moment = match rest.0.get(4) {
        Some(b'-') => date_first(&mut rest),
        _ => count(&mut rest),
    }?;
    if rest.is_empty() {
        Ok(moment)
    } else {
        Err(UnknownFormat)
    }
}

/// `YYYY-MM-DD`, and what follows it.
fn date_first(rest: &mut Rest<'_>) -> Result<Moment, ParseTimestampError> {
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
    if leap && !before_midnight(clock, offset) {
        return Err(NoSuchTime);
    }
    Ok(match offset {
        Some(offset) => Moment::Instant(UtcInstant::new(clock, offset)),
        None => Moment::Local(clock),
    })
}

/// Whether a leap second can follow: they come at midnight in UTC, and zones keep to quarters of an hour.
fn before_midnight(clock: CivilDateTime, offset: Option<Offset>) -> bool {
    match offset {
        Some(offset) => {
            UtcInstant::new(clock, offset)
                .unix_seconds()
                .rem_euclid(86_400)
                == 86_399
        }
        None => clock.minute() % 15 == 14,
    }
}

/// `Z`, `UTC`, `+hh:mm`, `+hhmm`, `+hh`, or none.
fn zone(rest: &mut Rest<'_>) -> Result<Option<Offset>, ParseTimestampError> {
    if rest.is_empty() {
        return Ok(None);
    }
    rest.take(b' ');
    if rest.take_any(b"Zz") || rest.take_word(b"UTC") {
        return Ok(Some(Offset::UTC));
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
    if minutes > 59 {
        return Err(NoSuchTime);
    }
    Offset::from_minutes(sign * (i16::from(hours) * 60 + i16::from(minutes)))
        .ok_or(NoSuchTime)
        .map(Some)
}

/// Seconds or milliseconds from 1970.
fn count(rest: &mut Rest<'_>) -> Result<Moment, ParseTimestampError> {
    if is_date_too(rest.0) {
        return Err(Ambiguous);
    }
    let negative = rest.take(b'-');
    let whole = rest.number()?;
    // In nanoseconds, were it seconds.
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

/// Whether digits could just as well be a year, or year and month, and so on to the second, all without
/// separators.
fn is_date_too(text: &[u8]) -> bool {
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
    let plausible = date().is_some_and(|clock| (1900..2200).contains(&clock.date().year()));
    plausible && rest.is_empty()
}

/// What is left of the text.
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

    /// All digits up to what is none; at least one.
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

    /// The digits behind a decimal point, at least one, in billionths.
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
