//! Timestamps without a fixed format.
//!
//! The service documents some fields as ISO 8601 and leaves the format of others open ([Field
//! types](crate::service#field-types)). With a strict type, one value without a time zone would be an error for the
//! entire page. [`Timestamp`] therefore keeps any text, and parses it on request. The result is a [`Moment`], which
//! says whether there was a UTC offset. No zone is assumed, because 09:30 without a zone is a different instant in
//! every country.
//!
//! ```
//! use lms_client::wire::{Moment, Timestamp};
//!
//! for text in ["2024-05-01T09:30:00+02:00", "2024-05-01 09:30", "2024-05-01", "1714548600", "soon"] {
//!     match Timestamp::from(text).parse() {
//!         Ok(Moment::Instant(instant)) => println!("{} s after 1970", instant.unix_seconds()),
//!         Ok(Moment::Local(clock)) => println!("{clock} in an unknown zone"),
//!         Ok(Moment::Date(date)) => println!("the day {date}"),
//!         Err(error) => println!("{error}"),
//!     }
//! }
//! ```

#[cfg(feature = "jiff")]
mod jiff;
mod moment;
mod parse;
#[cfg(test)]
mod tests;

use std::{
    borrow::Cow,
    convert::Infallible,
    fmt,
    str::FromStr,
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Deserializer, Serialize};

use super::Scalar;
pub use moment::{CivilDate, CivilDateTime, Moment, UtcInstant};
pub use parse::ParseTimestampError;

/// A timestamp with its original text.
///
/// Deserializing accepts any string, number or boolean and keeps it as text. Comparison is by text; to compare points in
/// time, compare the results of [`parse`](Self::parse).
///
/// ```
/// use lms_client::wire::Timestamp;
///
/// let due: Timestamp = serde_json::from_str("\"2024-05-01T09:30:00\"")?;
/// assert_eq!(due.as_str(), "2024-05-01T09:30:00");
/// assert_eq!(due.to_unix_seconds(), None);
/// assert_eq!(due.assuming_utc()?.unix_seconds(), 1_714_555_800);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Types of other crates
///
/// The feature `jiff` adds conversions to and from the types of that crate. [`SystemTime`] needs no feature. For other
/// crates, use the [seconds](UtcInstant::unix_seconds) and [nanoseconds](UtcInstant::subsec_nanos) of an
/// [`instant`](Self::instant). No zone or time of day is added or dropped: a conversion fails if the text has no UTC offset
/// ([`NoZone`](ParseTimestampError::NoZone)), or is another [`Moment`] than the type of the other crate.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Timestamp(String);

impl Timestamp {
    /// Keeps a text without parsing it.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The original text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The original text.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// Parses the text.
    ///
    /// Accepted formats are
    ///
    /// - RFC 3339, with some variations: `T`, `t` or a space between date and time, optional seconds, up to nine digits
    ///   of a fraction, and `Z`, `z`, `UTC`, `+hh:mm`, `+hhmm` or `+hh` as the UTC offset;
    /// - the same without a UTC offset;
    /// - a date, `YYYY-MM-DD`;
    /// - a Unix timestamp in seconds, with or without a fraction; from 100,000,000,000 on (the year 5138), it is taken
    ///   for milliseconds.
    ///
    /// A leap second (`:60`) becomes the last nanosecond before it.
    ///
    /// # Errors
    ///
    /// [`ParseTimestampError`] when the text has another format, is not a valid date or time, or is ambiguous.
    /// [`as_str`](Self::as_str) still has the text.
    pub fn parse(&self) -> Result<Moment, ParseTimestampError> {
        parse::parse(&self.0)
    }

    /// The point in time.
    ///
    /// # Errors
    ///
    /// [`ParseTimestampError`] when the text has another format, is not a valid date or time, or is ambiguous,
    /// or [`ParseTimestampError::NoZone`] when it has no UTC offset.
    pub fn instant(&self) -> Result<UtcInstant, ParseTimestampError> {
        match self.parse()? {
            Moment::Instant(instant) => Ok(instant),
            Moment::Local(_) | Moment::Date(_) => Err(ParseTimestampError::NoZone),
        }
    }

    /// The point in time, with UTC for a missing zone and 00:00 for a missing time of day.
    ///
    /// # Errors
    ///
    /// [`ParseTimestampError`] when the text has another format, is not a valid date or time, or is ambiguous.
    pub fn assuming_utc(&self) -> Result<UtcInstant, ParseTimestampError> {
        Ok(match self.parse()? {
            Moment::Instant(instant) => instant,
            Moment::Local(clock) => UtcInstant::utc(clock),
            Moment::Date(date) => UtcInstant::utc(CivilDateTime::midnight(date)),
        })
    }

    /// Seconds since 1970-01-01T00:00:00Z; `None` when [`instant`](Self::instant) fails.
    #[must_use]
    pub fn to_unix_seconds(&self) -> Option<i64> {
        self.instant().ok().map(UtcInstant::unix_seconds)
    }

    /// Nanoseconds since 1970-01-01T00:00:00Z; `None` when [`instant`](Self::instant) fails.
    #[must_use]
    pub fn to_unix_nanos(&self) -> Option<i128> {
        self.instant().ok().map(UtcInstant::unix_nanos)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Timestamp {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self::new(text))
    }
}

impl From<&str> for Timestamp {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Timestamp {
    fn from(text: String) -> Self {
        Self(text)
    }
}

macro_rules! written {
    ($($moment:ty),*) => {$(
        impl From<$moment> for Timestamp {
            fn from(moment: $moment) -> Self {
                Self(moment.to_string())
            }
        }
    )*};
}

#[cfg(feature = "jiff")]
use written;

written!(UtcInstant, CivilDateTime, CivilDate, Moment);

impl From<SystemTime> for Timestamp {
    /// In RFC 3339, UTC.
    fn from(time: SystemTime) -> Self {
        // A duration has less than 2^64 seconds.
        let nanos = match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => after.as_nanos() as i128,
            Err(error) => -(error.duration().as_nanos() as i128),
        };
        Self(format!("{}Z", CivilDateTime::at(nanos)))
    }
}

impl TryFrom<&Timestamp> for SystemTime {
    type Error = ParseTimestampError;

    fn try_from(timestamp: &Timestamp) -> Result<Self, Self::Error> {
        let instant = timestamp.instant()?;
        let seconds = Duration::from_secs(instant.unix_seconds().unsigned_abs());
        let whole = if instant.unix_seconds() < 0 {
            Self::UNIX_EPOCH.checked_sub(seconds)
        } else {
            Self::UNIX_EPOCH.checked_add(seconds)
        };
        whole
            .and_then(|time| time.checked_add(Duration::from_nanos(instant.subsec_nanos().into())))
            .ok_or(ParseTimestampError::OutOfRange)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::read(deserializer)
    }
}

impl Scalar for Timestamp {
    const EXPECTED: &'static str = "a timestamp, as a string or a number";

    fn from_text(text: Cow<'_, str>) -> Result<Self, &'static str> {
        Ok(Self(text.into_owned()))
    }
}
