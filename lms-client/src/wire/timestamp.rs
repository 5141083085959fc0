//! Points in time whose text has no fixed format.
//!
//! The service types some fields as ISO 8601 and leaves the format of the others open (§2). A typed
//! reader fails a whole page over one value without a zone, so [`Timestamp`] keeps the text as it came,
//! whatever it is, and reads a time out of it only when asked. What it finds then is a [`Moment`], which
//! says whether there was a zone: 09:30 without one is a different hour in every country, and nothing here
//! picks one.
//!
//! ```
//! use lms_client::wire::{Moment, Timestamp};
//!
//! for text in ["2024-05-01T09:30:00+02:00", "2024-05-01 09:30", "2024-05-01", "1714548600", "soon"] {
//!     match Timestamp::from(text).parse() {
//!         Ok(Moment::Instant(instant)) => println!("{} s after 1970", instant.unix_seconds()),
//!         Ok(Moment::Local(clock)) => println!("{clock}, somewhere"),
//!         Ok(Moment::Date(date)) => println!("some time on {date}"),
//!         Err(error) => println!("{error}"),
//!     }
//! }
//! ```

/// Reads a timestamp as another crate's type, by way of the part of it that the type is for.
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
macro_rules! read_as {
    ($($part:ident => $time:ty),* $(,)?) => {$(
        impl TryFrom<&Timestamp> for $time {
            type Error = ParseTimestampError;

            fn try_from(timestamp: &Timestamp) -> Result<Self, Self::Error> {
                timestamp.$part()?.try_into()
            }
        }
    )*};
}

#[cfg(feature = "chrono")]
mod chrono;
mod civil;
#[cfg(feature = "jiff")]
mod jiff;
mod moment;
mod parse;
#[cfg(test)]
mod tests;
#[cfg(feature = "time")]
mod time;

use std::{
    convert::Infallible,
    fmt,
    str::FromStr,
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

pub use civil::{CivilDate, CivilDateTime};
pub use moment::{Moment, Offset, UtcInstant};
pub use parse::ParseTimestampError;

/// A timestamp as the service wrote it.
///
/// Reading one never fails over its format: any text, number or boolean is kept as text. Two are equal
/// when their texts are; to compare times, compare what [`parse`](Self::parse) gives.
///
/// ```
/// use lms_client::wire::Timestamp;
///
/// let due: Timestamp = serde_json::from_str("\"2024-05-01T09:30:00\"")?;
/// assert_eq!(due.as_str(), "2024-05-01T09:30:00");
/// assert!(!due.has_zone());
/// assert_eq!(due.to_unix_seconds(), None);
/// assert_eq!(due.assuming_utc()?.unix_seconds(), 1_714_555_800);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Fields that are plain strings hold timestamps too (`created`, `modified` and the like):
///
/// ```
/// use lms_client::{types::Learner, wire::Timestamp};
///
/// # fn example(learner: Learner) {
/// let created = learner.created.as_deref().map(Timestamp::from);
/// # }
/// ```
///
/// # Other crates' times
///
/// The features `jiff`, `chrono` and `time` convert to and from the types of those crates; without any
/// feature there is [`SystemTime`]. A conversion to a type with a zone fails with
/// [`NoZone`](ParseTimestampError::NoZone) when the text has none, one to a type without a zone with
/// [`HasZone`](ParseTimestampError::HasZone) when it has one: neither is made up or dropped.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Timestamp(String);

impl Timestamp {
    /// Keeps a text as a timestamp; it is not checked.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text as it came.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text as it came.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// Whether the text has nothing but spaces, as some services write where there is no time.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.0.trim_ascii().is_empty()
    }

    /// Reads the text.
    ///
    /// It may be
    ///
    /// - RFC 3339, also in what surrounds it: `T`, `t` or a space between date and time, no seconds, up
    ///   to nine digits behind the second, and as a zone `Z`, `z`, `UTC`, `+hh:mm`, `+hhmm` or `+hh`;
    /// - the same without a zone;
    /// - a date alone, `YYYY-MM-DD`;
    /// - seconds since 1970-01-01T00:00:00Z, with or without a fraction; from 100,000,000,000 on, which
    ///   would be past the year 5000, milliseconds.
    ///
    /// A leap second (`:60`) is read as the last nanosecond before it.
    ///
    /// # Errors
    ///
    /// [`ParseTimestampError`] when the text is none of these, has no place in the calendar, or could mean
    /// more than one time. The text is still there, in [`as_str`](Self::as_str).
    pub fn parse(&self) -> Result<Moment, ParseTimestampError> {
        parse::parse(&self.0)
    }

    /// Whether the text says which zone it is in, or is a number, which needs none.
    #[must_use]
    pub fn has_zone(&self) -> bool {
        self.parse().is_ok_and(Moment::has_zone)
    }

    /// The point in time, when the text says it all.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), and [`ParseTimestampError::NoZone`] when the text has no zone.
    pub fn instant(&self) -> Result<UtcInstant, ParseTimestampError> {
        self.parse()?.instant().ok_or(ParseTimestampError::NoZone)
    }

    /// The point in time, taking a text without a zone for UTC, and a date alone for its first moment.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn assuming_utc(&self) -> Result<UtcInstant, ParseTimestampError> {
        Ok(self.parse()?.assuming_utc())
    }

    /// The date and the time of day, when the text has both and no zone.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), [`ParseTimestampError::HasZone`] and
    /// [`ParseTimestampError::NoTimeOfDay`].
    pub fn local(&self) -> Result<CivilDateTime, ParseTimestampError> {
        match self.parse()? {
            Moment::Instant(_) => Err(ParseTimestampError::HasZone),
            Moment::Local(clock) => Ok(clock),
            Moment::Date(_) => Err(ParseTimestampError::NoTimeOfDay),
        }
    }

    /// The date, when the text is a date alone.
    ///
    /// For the date as it was written with a time of day, there is [`Moment::date`].
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), and [`ParseTimestampError::HasTimeOfDay`].
    pub fn date(&self) -> Result<CivilDate, ParseTimestampError> {
        match self.parse()? {
            Moment::Instant(_) | Moment::Local(_) => Err(ParseTimestampError::HasTimeOfDay),
            Moment::Date(date) => Ok(date),
        }
    }

    /// Whole seconds since 1970-01-01T00:00:00Z; `None` when the text does not say them for certain.
    #[must_use]
    pub fn to_unix_seconds(&self) -> Option<i64> {
        self.instant().ok().map(UtcInstant::unix_seconds)
    }

    /// Nanoseconds since 1970-01-01T00:00:00Z; `None` when the text does not say them for certain.
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

written!(UtcInstant, CivilDateTime, CivilDate, Moment);

impl From<SystemTime> for Timestamp {
    /// In RFC 3339, UTC.
    fn from(time: SystemTime) -> Self {
        let (seconds, nanos) = match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => (i128::from(after.as_secs()), after.subsec_nanos()),
            Err(error) => {
                let before = error.duration();
                let seconds = -i128::from(before.as_secs());
                match before.subsec_nanos() {
                    0 => (seconds, 0),
                    nanos => (seconds - 1, 1_000_000_000 - nanos),
                }
            }
        };
        Self(moment::rfc3339(seconds, nanos, Offset::UTC))
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

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reading)
    }
}

/// Keeps any scalar as text.
struct Reading;

macro_rules! as_text {
    ($($visit:ident($scalar:ty)),*) => {$(
        fn $visit<E: de::Error>(self, value: $scalar) -> Result<Timestamp, E> {
            Ok(Timestamp(value.to_string()))
        }
    )*};
}

impl<'de> de::Visitor<'de> for Reading {
    type Value = Timestamp;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a timestamp, as a string or a number")
    }

    as_text!(
        visit_str(&str),
        visit_bool(bool),
        visit_i64(i64),
        visit_u64(u64),
        visit_i128(i128),
        visit_u128(u128),
        visit_f64(f64)
    );

    fn visit_string<E: de::Error>(self, text: String) -> Result<Timestamp, E> {
        Ok(Timestamp(text))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Timestamp, A::Error> {
        match super::number_text(map)? {
            Some(text) => Ok(Timestamp(text)),
            None => Err(de::Error::invalid_type(de::Unexpected::Map, &self)),
        }
    }
}
