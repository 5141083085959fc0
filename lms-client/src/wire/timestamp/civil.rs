//! The calendar: which dates there are, and how many days lie between them.

use std::fmt;

/// A date of the Gregorian calendar, from year 0 to 9999, in a zone that is not said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CivilDate {
    year: u16,
    month: u8,
    day: u8,
}

impl CivilDate {
    /// The date; `None` when the calendar has no such day.
    #[must_use]
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        if year > 9999 || day == 0 || day > days_in(year, month) {
            return None;
        }
        Some(Self { year, month, day })
    }

    /// The year, 0 to 9999.
    #[must_use]
    pub const fn year(self) -> u16 {
        self.year
    }

    /// The month, 1 to 12.
    #[must_use]
    pub const fn month(self) -> u8 {
        self.month
    }

    /// The day of the month, from 1.
    #[must_use]
    pub const fn day(self) -> u8 {
        self.day
    }
}

/// How many days a month has; none if there is no such month.
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
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// A date and a time of day, in a zone that is not said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CivilDateTime {
    date: CivilDate,
    hour: u8,
    minute: u8,
    second: u8,
    nanosecond: u32,
}

impl CivilDateTime {
    /// The time of that day; `None` when no clock shows it.
    #[must_use]
    pub const fn new(
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

    /// The first moment of that day.
    #[must_use]
    pub const fn midnight(date: CivilDate) -> Self {
        Self {
            date,
            hour: 0,
            minute: 0,
            second: 0,
            nanosecond: 0,
        }
    }

    /// The date.
    #[must_use]
    pub const fn date(self) -> CivilDate {
        self.date
    }

    /// The hour, 0 to 23.
    #[must_use]
    pub const fn hour(self) -> u8 {
        self.hour
    }

    /// The minute, 0 to 59.
    #[must_use]
    pub const fn minute(self) -> u8 {
        self.minute
    }

    /// The second, 0 to 59.
    #[must_use]
    pub const fn second(self) -> u8 {
        self.second
    }

    /// The nanosecond of the second.
    #[must_use]
    pub const fn nanosecond(self) -> u32 {
        self.nanosecond
    }

    /// Seconds from 1970-01-01T00:00:00, on the same clock.
    pub(super) fn seconds(self) -> i64 {
        let time = (i64::from(self.hour) * 60 + i64::from(self.minute)) * 60;
        days_since_1970(self.date) * 86_400 + time + i64::from(self.second)
    }
}

impl fmt::Display for CivilDateTime {
    /// `YYYY-MM-DDThh:mm:ss`, with as many digits behind the second as are needed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = [self.hour, self.minute, self.second];
        date_time(f, &self.date, time, self.nanosecond)
    }
}

/// A date, and the time of day with none, three, six or nine digits behind the second.
pub(super) fn date_time(
    f: &mut fmt::Formatter<'_>,
    date: &impl fmt::Display,
    [hour, minute, second]: [u8; 3],
    nanosecond: u32,
) -> fmt::Result {
    write!(f, "{date}T{hour:02}:{minute:02}:{second:02}")?;
    match nanosecond {
        0 => Ok(()),
        n if n % 1_000_000 == 0 => write!(f, ".{:03}", n / 1_000_000),
        n if n % 1_000 == 0 => write!(f, ".{:06}", n / 1_000),
        n => write!(f, ".{n:09}"),
    }
}

// Both ways between dates and days, years are taken to begin in March, so that the day that only some
// years have is their last. After 400 years the calendar repeats.

const DAYS_IN_400_YEARS: i64 = 146_097;
/// From 0000-03-01 to 1970-01-01.
const DAYS_TO_1970: i64 = 719_468;

fn days_since_1970(date: CivilDate) -> i64 {
    let year = i64::from(date.year) - i64::from(date.month <= 2);
    let (cycle, year) = (year.div_euclid(400), year.rem_euclid(400));
    let month = (i64::from(date.month) + 9) % 12;
    // Any five months from March, or from August, have 153 days.
    let day = (month * 153 + 2) / 5 + i64::from(date.day) - 1;
    cycle * DAYS_IN_400_YEARS + year * 365 + year / 4 - year / 100 + day - DAYS_TO_1970
}

/// Year, month and day.
pub(super) fn date_of(days_since_1970: i128) -> (i128, u8, u8) {
    let days = days_since_1970 + i128::from(DAYS_TO_1970);
    let cycle = days.div_euclid(i128::from(DAYS_IN_400_YEARS));
    let day = days.rem_euclid(i128::from(DAYS_IN_400_YEARS));
    // Without the leap days before it, every year has 365 days.
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (year * 365 + year / 4 - year / 100);
    let month = (day * 5 + 2) / 153;
    let day = day - (month * 153 + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = cycle * 400 + year + i128::from(month <= 2);
    // By now the month is within 1 to 12 and the day within 1 to 31.
    (year, month as u8, day as u8)
}
