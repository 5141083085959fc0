//! Conversions to and from the types of jiff, by their texts.

use ::jiff::{
    Timestamp as Instant,
    civil::{Date, DateTime},
};

use super::{Moment, ParseTimestampError, Timestamp, written};

written!(Instant, DateTime, Date);

impl TryFrom<&Timestamp> for Instant {
    type Error = ParseTimestampError;

    fn try_from(timestamp: &Timestamp) -> Result<Self, Self::Error> {
        let nanos = timestamp.instant()?.unix_nanos();
        Self::from_nanosecond(nanos).map_err(|_| ParseTimestampError::OutOfRange)
    }
}

impl TryFrom<&Timestamp> for DateTime {
    type Error = ParseTimestampError;

    fn try_from(timestamp: &Timestamp) -> Result<Self, Self::Error> {
        let Moment::Local(clock) = timestamp.parse()? else {
            return Err(ParseTimestampError::OtherMoment);
        };
        let clock = clock.to_string().parse();
        clock.map_err(|_| ParseTimestampError::OutOfRange)
    }
}

impl TryFrom<&Timestamp> for Date {
    type Error = ParseTimestampError;

    fn try_from(timestamp: &Timestamp) -> Result<Self, Self::Error> {
        let Moment::Date(date) = timestamp.parse()? else {
            return Err(ParseTimestampError::OtherMoment);
        };
        let date = date.to_string().parse();
        date.map_err(|_| ParseTimestampError::OutOfRange)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ParseTimestampError::{NoZone, OtherMoment, OutOfRange};

    #[test]
    fn times_are_converted_both_ways() {
        for (text, nanos) in [
            ("2024-05-01T09:30:00+05:45", 1_714_535_100_000_000_000),
            ("1969-12-31T23:59:59.5Z", -500_000_000),
            ("1714555800123", 1_714_555_800_123_000_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000_000_000),
        ] {
            let instant = Instant::try_from(&Timestamp::from(text)).unwrap();
            assert_eq!(instant.as_nanosecond(), nanos, "{text}");
            assert_eq!(Timestamp::from(instant).to_unix_nanos(), Some(nanos));
        }
        for text in ["2024-02-29T09:30:00.25", "0000-01-01T00:00:00"] {
            let text = Timestamp::from(text);
            assert_eq!(Timestamp::from(DateTime::try_from(&text).unwrap()), text);
        }
        for text in ["2024-02-29", "9999-12-31"] {
            let text = Timestamp::from(text);
            assert_eq!(Timestamp::from(Date::try_from(&text).unwrap()), text);
        }
    }

    #[test]
    fn zones_and_times_of_day_are_neither_invented_nor_dropped() {
        for (text, instant, local, date) in [
            (
                "2024-05-01T09:30:00Z",
                None,
                Some(OtherMoment),
                Some(OtherMoment),
            ),
            ("2024-05-01 09:30:00", Some(NoZone), None, Some(OtherMoment)),
            ("2024-05-01", Some(NoZone), Some(OtherMoment), None),
            (
                "9999-12-31T23:59:59Z",
                Some(OutOfRange),
                Some(OtherMoment),
                Some(OtherMoment),
            ),
        ] {
            let timestamp = Timestamp::from(text);
            assert_eq!(Instant::try_from(&timestamp).err(), instant, "{text}");
            assert_eq!(DateTime::try_from(&timestamp).err(), local, "{text}");
            assert_eq!(Date::try_from(&timestamp).err(), date, "{text}");
        }
    }
}
