//! The result of parsing a timestamp.

use std::{
    cmp::Ordering,
    fmt::{self, Write as _},
    hash::{Hash, Hasher},
};

use super::civil::{CivilDate, CivilDateTime, NANOS};

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

impl Moment {
    /// Returns `true` if it is a point in time.
    #[must_use]
    pub const fn has_zone(self) -> bool {
        matches!(self, Self::Instant(_))
    }

    /// The point in time; `None` for a local time or a date.
    #[must_use]
    pub const fn instant(self) -> Option<UtcInstant> {
        match self {
            Self::Instant(instant) => Some(instant),
            Self::Local(_) | Self::Date(_) => None,
        }
    }

    /// The date as written, in the original zone.
    #[must_use]
    pub fn date(self) -> CivilDate {
        match self {
            Self::Instant(instant) => instant.civil().date(),
            Self::Local(clock) => clock.date(),
            Self::Date(date) => date,
        }
    }

    /// The point in time, with UTC for a missing zone and 00:00 for a missing time of day.
    #[must_use]
    pub fn assuming_utc(self) -> UtcInstant {
        self.assuming(Offset::UTC)
    }

    /// The point in time, with `offset` for a missing zone and 00:00 for a missing time of day.
    #[must_use]
    pub fn assuming(self, offset: Offset) -> UtcInstant {
        match self {
            Self::Instant(instant) => instant,
            Self::Local(clock) => UtcInstant::new(clock, offset),
            Self::Date(date) => UtcInstant::new(CivilDateTime::midnight(date), offset),
        }
    }
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

/// An offset from UTC in whole minutes, less than a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset {
    minutes: i16,
}

impl Offset {
    /// No offset.
    pub const UTC: Self = Self { minutes: 0 };

    /// An offset in minutes, positive east of Greenwich; `None` for a day or more.
    #[must_use]
    pub const fn from_minutes(minutes: i16) -> Option<Self> {
        if minutes.unsigned_abs() < 24 * 60 {
            Some(Self { minutes })
        } else {
            None
        }
    }

    /// In minutes, positive east of Greenwich.
    #[must_use]
    pub const fn minutes(self) -> i16 {
        self.minutes
    }

    /// In seconds, positive east of Greenwich.
    #[must_use]
    pub const fn seconds(self) -> i32 {
        self.minutes as i32 * 60
    }
}

impl fmt::Display for Offset {
    /// `Z`, or `+hh:mm`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.minutes.cmp(&0) {
            Ordering::Equal => return f.write_char('Z'),
            Ordering::Less => '-',
            Ordering::Greater => '+',
        };
        let minutes = self.minutes.unsigned_abs();
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

/// A point in time with nanoseconds, and its original UTC offset.
///
/// Comparison ignores the offset: two values are equal if they are the same point in time.
#[derive(Clone, Copy, Debug)]
pub struct UtcInstant {
    // Local time, so that the written year always has four digits.
    clock: CivilDateTime,
    offset: Offset,
}

impl UtcInstant {
    pub(super) const fn new(clock: CivilDateTime, offset: Offset) -> Self {
        Self { clock, offset }
    }

    /// The point in time `nanos` nanoseconds after 1970-01-01T00:00:00Z, in UTC; `None` outside the years 0 to 9999.
    #[must_use]
    pub fn from_unix_nanos(nanos: i128) -> Option<Self> {
        let clock = CivilDateTime::at(nanos);
        (0..=9999)
            .contains(&clock.date.year)
            .then_some(Self::new(clock, Offset::UTC))
    }

    /// Seconds since 1970-01-01T00:00:00Z, rounded down.
    #[must_use]
    pub fn unix_seconds(self) -> i64 {
        self.clock.seconds() - i64::from(self.offset.seconds())
    }

    /// Nanoseconds since the last full second.
    #[must_use]
    pub const fn subsec_nanos(self) -> u32 {
        self.clock.nanosecond()
    }

    /// Nanoseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn unix_nanos(self) -> i128 {
        i128::from(self.unix_seconds()) * NANOS + i128::from(self.subsec_nanos())
    }

    /// The original offset; UTC for a Unix timestamp.
    #[must_use]
    pub const fn offset(self) -> Offset {
        self.offset
    }

    /// Local date and time at [`offset`](Self::offset).
    #[must_use]
    pub const fn civil(self) -> CivilDateTime {
        self.clock
    }

    fn key(self) -> (i64, u32) {
        (self.unix_seconds(), self.subsec_nanos())
    }
}

impl PartialEq for UtcInstant {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for UtcInstant {}

impl PartialOrd for UtcInstant {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for UtcInstant {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for UtcInstant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl fmt::Display for UtcInstant {
    /// RFC 3339, with [`offset`](Self::offset).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.clock, self.offset)
    }
}

/// RFC 3339 for that many nanoseconds since 1970-01-01T00:00:00Z, in any year.
pub(super) fn rfc3339(unix_nanos: i128, offset: Offset) -> String {
    let local = CivilDateTime::at(unix_nanos + i128::from(offset.seconds()) * NANOS);
    format!("{local}{offset}")
}
