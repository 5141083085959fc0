//! To and from the times of `jiff`.

use ::jiff::civil::{Date, DateTime};

use super::{
    CivilDate, CivilDateTime, ParseTimestampError, Timestamp, UtcInstant,
    moment::{Offset, Shown, ShownDate, rfc3339},
};

read_as!(instant => jiff::Timestamp, local => DateTime, date => Date);

impl TryFrom<UtcInstant> for jiff::Timestamp {
    type Error = ParseTimestampError;

    fn try_from(instant: UtcInstant) -> Result<Self, Self::Error> {
        Self::from_nanosecond(instant.unix_nanos()).map_err(|_| ParseTimestampError::OutOfRange)
    }
}

impl TryFrom<CivilDateTime> for DateTime {
    type Error = ParseTimestampError;

    fn try_from(clock: CivilDateTime) -> Result<Self, Self::Error> {
        // No part of a date or clock is beyond these types.
        let time = jiff::civil::Time::new(
            clock.hour() as i8,
            clock.minute() as i8,
            clock.second() as i8,
            clock.nanosecond() as i32,
        )
        .map_err(|_| ParseTimestampError::OutOfRange)?;
        Ok(Self::from_parts(clock.date().try_into()?, time))
    }
}

impl TryFrom<CivilDate> for Date {
    type Error = ParseTimestampError;

    fn try_from(date: CivilDate) -> Result<Self, Self::Error> {
        Self::new(date.year() as i16, date.month() as i8, date.day() as i8)
            .map_err(|_| ParseTimestampError::OutOfRange)
    }
}

impl From<jiff::Timestamp> for Timestamp {
    /// In RFC 3339, UTC.
    fn from(timestamp: jiff::Timestamp) -> Self {
        let nanos = timestamp.as_nanosecond();
        let second = 1_000_000_000;
        Self(rfc3339(
            nanos.div_euclid(second),
            nanos.rem_euclid(second) as u32,
            Offset::UTC,
        ))
    }
}

impl From<DateTime> for Timestamp {
    /// In ISO 8601, without a zone.
    fn from(clock: DateTime) -> Self {
        let shown = Shown {
            date: shown(clock.date()),
            hour: clock.hour().unsigned_abs(),
            minute: clock.minute().unsigned_abs(),
            second: clock.second().unsigned_abs(),
            nanosecond: clock.subsec_nanosecond().unsigned_abs(),
        };
        Self(shown.to_string())
    }
}

impl From<Date> for Timestamp {
    /// As `YYYY-MM-DD`.
    fn from(date: Date) -> Self {
        Self(shown(date).to_string())
    }
}

fn shown(date: Date) -> ShownDate {
    ShownDate {
        year: date.year().into(),
        month: date.month().unsigned_abs(),
        day: date.day().unsigned_abs(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jiffs_times_and_timestamps_are_exchanged() {
        for (text, jiffs) in [
            (
                "2024-02-29T23:59:59.000000001Z",
                "2024-02-29T23:59:59.000000001Z",
            ),
            ("2024-05-01T09:30:00+05:45", "2024-05-01T03:45:00Z"),
            ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5Z"),
            ("1714555800123", "2024-05-01T09:30:00.123Z"),
        ] {
            let expected: jiff::Timestamp = jiffs.parse().unwrap();
            let timestamp = Timestamp::from(text);
            assert_eq!(
                jiff::Timestamp::try_from(&timestamp),
                Ok(expected),
                "{text}"
            );
            let back = Timestamp::from(expected);
            assert_eq!(back.instant(), timestamp.instant(), "{text}");
        }
        let clock: DateTime = "2024-02-29T09:30:00.25".parse().unwrap();
        assert_eq!(DateTime::try_from(&Timestamp::from(clock)), Ok(clock));
        let date: Date = "2024-02-29".parse().unwrap();
        assert_eq!(Date::try_from(&Timestamp::from(date)), Ok(date));
    }

    #[test]
    fn no_zone_is_made_up_and_none_is_dropped() {
        use ParseTimestampError::{HasTimeOfDay, HasZone, NoTimeOfDay, NoZone, OutOfRange};
        let local = Timestamp::from("2024-05-01 09:30:00");
        let zoned = Timestamp::from("2024-05-01T09:30:00Z");
        let date = Timestamp::from("2024-05-01");
        assert_eq!(jiff::Timestamp::try_from(&local), Err(NoZone));
        assert_eq!(jiff::Timestamp::try_from(&date), Err(NoZone));
        assert_eq!(DateTime::try_from(&zoned), Err(HasZone));
        assert_eq!(DateTime::try_from(&date), Err(NoTimeOfDay));
        assert_eq!(Date::try_from(&local), Err(HasTimeOfDay));
        let late = Timestamp::from("9999-12-31T23:59:59Z");
        assert_eq!(jiff::Timestamp::try_from(&late), Err(OutOfRange));
    }

    #[test]
    fn every_time_of_jiff_has_a_text() {
        for time in [jiff::Timestamp::MIN, jiff::Timestamp::MAX] {
            assert_eq!(Timestamp::from(time).as_str(), time.to_string());
        }
        for clock in [DateTime::MIN, DateTime::MAX] {
            assert_eq!(Timestamp::from(clock).as_str(), clock.to_string());
        }
    }
}
