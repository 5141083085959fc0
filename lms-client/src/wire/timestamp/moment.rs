//! What the text of a timestamp turned out to mean.

use std::{
    cmp::Ordering,
    fmt::{self, Write as _},
    hash::{Hash, Hasher},
};

use super::civil::{self, CivilDate, CivilDateTime};

/// What a timestamp says: a point in time, or less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// A point in time: there was a zone, or a count from 1970.
    Instant(UtcInstant),
    /// A date and a time of day in a zone that nobody said.
    Local(CivilDateTime),
    /// A date alone.
    Date(CivilDate),
}

impl Moment {
    /// Whether it is a point in time, which it is when a zone was given.
    #[must_use]
    pub const fn has_zone(self) -> bool {
        matches!(self, Self::Instant(_))
    }

    /// The point in time, if it is one.
    #[must_use]
    pub const fn instant(self) -> Option<UtcInstant> {
        match self {
            Self::Instant(instant) => Some(instant),
            Self::Local(_) | Self::Date(_) => None,
        }
    }

    /// The date as it was written, in whatever zone that was.
    #[must_use]
    pub fn date(self) -> CivilDate {
        match self {
            Self::Instant(instant) => instant.civil().date(),
            Self::Local(clock) => clock.date(),
            Self::Date(date) => date,
        }
    }

    /// The point in time, if what has no zone is in UTC; of a date alone, its first moment.
    #[must_use]
    pub fn assuming_utc(self) -> UtcInstant {
        self.assuming(Offset::UTC)
    }

    /// The point in time, if what has no zone has this one; of a date alone, its first moment.
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
    /// RFC 3339, or as much of it as is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Instant(instant) => instant.fmt(f),
            Self::Local(clock) => clock.fmt(f),
            Self::Date(date) => date.fmt(f),
        }
    }
}

/// How far the clocks of a zone are before those of UTC, less than a day to either side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset {
    minutes: i16,
}

impl Offset {
    /// No difference.
    pub const UTC: Self = Self { minutes: 0 };

    /// An offset of that many seconds; `None` for a day or more, and for what is no whole minute.
    #[cfg(any(feature = "chrono", feature = "time"))]
    pub(super) fn from_seconds(seconds: i32) -> Option<Self> {
        let minutes = i16::try_from(seconds / 60).ok()?;
        Self::from_minutes(minutes).filter(|offset| offset.seconds() == seconds)
    }

    /// An offset of that many minutes, positive east of Greenwich; `None` for a day or more.
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

/// A point in time, to the nanosecond, and the offset that it was written with.
///
/// Two are equal when they are the same point in time, whatever their offsets.
#[derive(Clone, Copy, Debug)]
pub struct UtcInstant {
    // What a clock shows there; in this form no year can be without four digits.
    clock: CivilDateTime,
    offset: Offset,
}

impl UtcInstant {
    pub(super) const fn new(clock: CivilDateTime, offset: Offset) -> Self {
        Self { clock, offset }
    }

    /// The point that many nanoseconds after 1970-01-01T00:00:00Z, in UTC; `None` outside the years 0 to
    /// 9999.
    #[must_use]
    pub fn from_unix_nanos(nanos: i128) -> Option<Self> {
        let subsecond = u32::try_from(nanos.rem_euclid(NANOS)).ok()?;
        let shown = Shown::new(nanos.div_euclid(NANOS), subsecond);
        let ShownDate { year, month, day } = shown.date;
        let date = CivilDate::new(u16::try_from(year).ok()?, month, day)?;
        let clock = CivilDateTime::new(date, shown.hour, shown.minute, shown.second, subsecond)?;
        Some(Self::new(clock, Offset::UTC))
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    #[must_use]
    pub fn unix_seconds(self) -> i64 {
        self.clock.seconds() - i64::from(self.offset.seconds())
    }

    /// Nanoseconds since the last whole second.
    #[must_use]
    pub const fn subsec_nanos(self) -> u32 {
        self.clock.nanosecond()
    }

    /// Nanoseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn unix_nanos(self) -> i128 {
        i128::from(self.unix_seconds()) * NANOS + i128::from(self.subsec_nanos())
    }

    /// The offset it was written with; UTC for a count from 1970.
    #[must_use]
    pub const fn offset(self) -> Offset {
        self.offset
    }

    /// What a clock shows at that time, in the zone that was written.
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
    /// RFC 3339, with the offset that was written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.clock, self.offset)
    }
}

const NANOS: i128 = 1_000_000_000;

/// A date in whatever year, as times of other crates may have it.
pub(super) struct ShownDate {
    pub(super) year: i128,
    pub(super) month: u8,
    pub(super) day: u8,
}

impl fmt::Display for ShownDate {
    /// ISO 8601; a year of more or less than four digits has a sign and at least six.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.year {
            0..=9999 => write!(f, "{:04}", self.year)?,
            _ => write!(f, "{:+07}", self.year)?,
        }
        write!(f, "-{:02}-{:02}", self.month, self.day)
    }
}

/// What a clock shows on such a date.
pub(super) struct Shown {
    pub(super) date: ShownDate,
    pub(super) hour: u8,
    pub(super) minute: u8,
    pub(super) second: u8,
    pub(super) nanosecond: u32,
}

impl Shown {
    /// That many seconds from 1970-01-01T00:00:00 on the same clock.
    fn new(seconds: i128, nanosecond: u32) -> Self {
        let (year, month, day) = civil::date_of(seconds.div_euclid(86_400));
        let time = seconds.rem_euclid(86_400);
        Self {
            date: ShownDate { year, month, day },
            hour: (time / 3_600) as u8,
            minute: (time / 60 % 60) as u8,
            second: (time % 60) as u8,
            nanosecond,
        }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = [self.hour, self.minute, self.second];
        // A leap second, as some crates count it, is written as the last nanosecond before it.
        civil::date_time(f, &self.date, time, self.nanosecond.min(999_999_999))
    }
}

/// The text of a point in time that any clock may have given.
pub(super) fn rfc3339(seconds: i128, nanosecond: u32, offset: Offset) -> String {
    let shown = Shown::new(seconds + i128::from(offset.seconds()), nanosecond);
    format!("{shown}{offset}")
}
