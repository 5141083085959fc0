//! The result of parsing a timestamp: a point in time, or a date and a time of day without a time zone.

use std::fmt;

/// The result of parsing a timestamp: a point in time, a local time or a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// A point in time: the text has a UTC offset or is a Unix timestamp.
    Instant(UtcInstant),
    /// A date and a time of day without a UTC offset.
    Local(CivilDateTime),
    /// A date alone.
    Date(CivilDate),
}

impl fmt::Display for Moment {
    /// RFC 3339, without the parts that are missing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Instant(instant) => instant.fmt(f),
            Self::Local(clock) => clock.fmt(f),
            Self::Date(date) => date.fmt(f),
        }
    }
}

/// A point in time with nanoseconds, in the years 0 to 9999 of UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UtcInstant {
    unix_nanos: i128,
}

impl UtcInstant {
    /// The point in time `nanos` nanoseconds after 1970-01-01T00:00:00Z; `None` outside the years 0 to 9999.
    pub(super) fn from_unix_nanos(nanos: i128) -> Option<Self> {
        let year = CivilDateTime::at(nanos).date.year;
        (0..=9999)
            .contains(&year)
            .then_some(Self { unix_nanos: nanos })
    }

    /// The point in time of a date and a time of day in UTC.
    pub(super) fn utc(clock: CivilDateTime) -> Self {
        Self {
            unix_nanos: clock.nanos(),
        }
    }

    /// Seconds since 1970-01-01T00:00:00Z, rounded down.
    #[must_use]
    pub const fn unix_seconds(self) -> i64 {
        self.unix_nanos.div_euclid(NANOS) as i64
    }

    /// Nanoseconds since the last full second.
    #[must_use]
    pub const fn subsec_nanos(self) -> u32 {
        self.unix_nanos.rem_euclid(NANOS) as u32
    }

    /// Nanoseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn unix_nanos(self) -> i128 {
        self.unix_nanos
    }
}

impl fmt::Display for UtcInstant {
    /// RFC 3339, in UTC.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}Z", CivilDateTime::at(self.unix_nanos))
    }
}

/// A date of the Gregorian calendar, without a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct CivilDate {
    /// The year, 0 to 9999.
    // Other years occur only while a `SystemTime` is formatted.
    pub year: i64,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month, 1 to 31.
    pub day: u8,
}

impl CivilDate {
    /// `None` when the calendar has no such day.
    pub(super) const fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        if year > 9999 || day == 0 || day > days_in(year, month) {
            return None;
        }
        Some(Self {
            year: year as i64,
            month,
            day,
        })
    }
}

/// The number of days of a month; 0 when there is no such month.
const fn days_in(year: u16, month: u8) -> u8 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 0,
    }
}

impl fmt::Display for CivilDate {
    /// `YYYY-MM-DD`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.year {
            0..=9999 => write!(f, "{:04}", self.year)?,
            // As in ISO 8601: with a sign, and at least six digits.
            _ => write!(f, "{:+07}", self.year)?,
        }
        write!(f, "-{:02}-{:02}", self.month, self.day)
    }
}

/// A date and a time of day, without a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct CivilDateTime {
    /// The date.
    pub date: CivilDate,
    /// The hour, 0 to 23.
    pub hour: u8,
    /// The minute, 0 to 59.
    pub minute: u8,
    /// The second, 0 to 59.
    pub second: u8,
    /// The nanosecond, 0 to 999,999,999.
    pub nanosecond: u32,
}

impl CivilDateTime {
    /// `None` when there is no such time of day.
    pub(super) const fn new(
        date: CivilDate,
        hour: u8,
        minute: u8,
        second: u8,
        nanosecond: u32,
    ) -> Option<Self> {
        if hour > 23 || minute > 59 || second > 59 || nanosecond > 999_999_999 {
            return None;
        }
        Some(Self {
            date,
            hour,
            minute,
            second,
            nanosecond,
        })
    }

    /// 00:00 on a date.
    pub(super) const fn midnight(date: CivilDate) -> Self {
        Self {
            date,
            hour: 0,
            minute: 0,
            second: 0,
            nanosecond: 0,
        }
    }

    /// Nanoseconds since 1970-01-01T00:00:00.
    pub(super) fn nanos(self) -> i128 {
        let time = (i64::from(self.hour) * 60 + i64::from(self.minute)) * 60;
        let seconds = days_since_1970(self.date) * 86_400 + time + i64::from(self.second);
        i128::from(seconds) * NANOS + i128::from(self.nanosecond)
    }

    /// The time that many nanoseconds after 1970-01-01T00:00:00, in any year.
    pub(super) fn at(nanos: i128) -> Self {
        let seconds = nanos.div_euclid(NANOS);
        let time = seconds.rem_euclid(86_400);
        Self {
            date: date_at(seconds.div_euclid(86_400) as i64),
            hour: (time / 3_600) as u8,
            minute: (time / 60 % 60) as u8,
            second: (time % 60) as u8,
            nanosecond: nanos.rem_euclid(NANOS) as u32,
        }
    }
}

/// Nanoseconds of a second.
pub(super) const NANOS: i128 = 1_000_000_000;

impl fmt::Display for CivilDateTime {
    /// `YYYY-MM-DDThh:mm:ss`, with three, six or nine digits of a fraction when it is not 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hour, minute, second) = (self.hour, self.minute, self.second);
        write!(f, "{}T{hour:02}:{minute:02}:{second:02}", self.date)?;
        match self.nanosecond {
            0 => Ok(()),
            n if n % 1_000_000 == 0 => write!(f, ".{:03}", n / 1_000_000),
            n if n % 1_000 == 0 => write!(f, ".{:06}", n / 1_000),
            n => write!(f, ".{n:09}"),
        }
    }
}

// Both conversions let years start in March, so that a leap day is the last day of its year. The calendar repeats every
// 400 years.

const DAYS_IN_400_YEARS: i64 = 146_097;
/// From 0000-03-01 to 1970-01-01.
const DAYS_TO_1970: i64 = 719_468;

fn days_since_1970(date: CivilDate) -> i64 {
    let year = date.year - i64::from(date.month <= 2);
    let (cycle, year) = (year.div_euclid(400), year.rem_euclid(400));
    let month = (i64::from(date.month) + 9) % 12;
    // Any five months from March, or from August, have 153 days.
    let day = (month * 153 + 2) / 5 + i64::from(date.day) - 1;
    cycle * DAYS_IN_400_YEARS + year * 365 + year / 4 - year / 100 + day - DAYS_TO_1970
}

pub(super) fn date_at(days_since_1970: i64) -> CivilDate {
    let days = days_since_1970 + DAYS_TO_1970;
    let cycle = days.div_euclid(DAYS_IN_400_YEARS);
    let day = days.rem_euclid(DAYS_IN_400_YEARS);
    // Without the leap days before it, every year has 365 days.
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (year * 365 + year / 4 - year / 100);
    let month = (day * 5 + 2) / 153;
    let day = day - (month * 153 + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    CivilDate {
        year: cycle * 400 + year + i64::from(month <= 2),
        month: month as u8,
        day: day as u8,
    }
}
