//! The result of parsing a timestamp.

use std::fmt;

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
