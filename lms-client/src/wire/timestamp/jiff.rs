//! Conversions to and from the types of jiff.

use ::jiff::{
    Timestamp as Instant,
    civil::{Date, DateTime, Time},
};

use super::{CivilDate, CivilDateTime, Offset, ParseTimestampError, Timestamp, moment::rfc3339};

impl TryFrom<&Timestamp> for Instant {
    type Error = ParseTimestampError;

    fn try_from(timestamp: &Timestamp) -> Result<Self, Self::Error> {
        let instant = timestamp.instant()?;
        Self::from_nanosecond(instant.unix_nanos()).map_err(|_| ParseTimestampError::OutOfRange)
    }
}

impl TryFrom<&Timestamp> for DateTime {
    type Error = ParseTimestampError;

    fn try_from(timestamp: &Timestamp) -> Result<Self, Self::Error> {
        let clock = timestamp.local()?;
        // All of them are within these types.
        let [hour, minute, second] = [clock.hour, clock.minute, clock.second].map(|n| n as i8);
        let time = Time::new(hour, minute, second, clock.nanosecond as i32);
        let time = time.map_err(|_| ParseTimestampError::OutOfRange)?;
        Ok(Self::from_parts(date(clock.date)?, time))
    }
}

impl TryFrom<&Timestamp> for Date {
    type Error = ParseTimestampError;

    fn try_from(timestamp: &Timestamp) -> Result<Self, Self::Error> {
        date(timestamp.date()?)
    }
}

fn date(date: CivilDate) -> Result<Date, ParseTimestampError> {
    let year = i16::try_from(date.year).map_err(|_| ParseTimestampError::OutOfRange)?;
    Date::new(year, date.month as i8, date.day as i8).map_err(|_| ParseTimestampError::OutOfRange)
}

impl From<Instant> for Timestamp {
    /// In RFC 3339, UTC.
    fn from(instant: Instant) -> Self {
        Self(rfc3339(instant.as_nanosecond(), Offset::UTC))
    }
}

impl From<DateTime> for Timestamp {
    /// In ISO 8601, without a UTC offset.
    fn from(clock: DateTime) -> Self {
        let clock = CivilDateTime {
            date: civil(clock.date()),
            hour: clock.hour().unsigned_abs(),
            minute: clock.minute().unsigned_abs(),
            second: clock.second().unsigned_abs(),
            nanosecond: clock.subsec_nanosecond().unsigned_abs(),
        };
        clock.into()
    }
}

impl From<Date> for Timestamp {
    /// As `YYYY-MM-DD`.
    fn from(date: Date) -> Self {
        civil(date).into()
    }
}

fn civil(date: Date) -> CivilDate {
    CivilDate {
        year: date.year().into(),
        month: date.month().unsigned_abs(),
        day: date.day().unsigned_abs(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ParseTimestampError::{HasTimeOfDay, HasZone, NoTimeOfDay, NoZone, OutOfRange};

    fn check_text<'a, T>(text: &'a Timestamp)
    where
        T: TryFrom<&'a Timestamp, Error = ParseTimestampError> + Into<Timestamp>,
    {
        let written: Timestamp = T::try_from(text).unwrap().into();
        assert_eq!(written, *text);
    }

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
        for text in ["2024-02-29T09:30:00.250", "0000-01-01T00:00:00"] {
            check_text::<DateTime>(&text.into());
        }
        for text in ["2024-02-29", "9999-12-31"] {
            check_text::<Date>(&text.into());
        }
        for time in [Instant::MIN, Instant::MAX] {
            assert_eq!(Timestamp::from(time).as_str(), time.to_string());
        }
        for clock in [DateTime::MIN, DateTime::MAX] {
            assert_eq!(Timestamp::from(clock).as_str(), clock.to_string());
        }
    }

    #[test]
    fn zones_and_times_of_day_are_neither_invented_nor_dropped() {
        for (text, instant, local, date) in [
            (
                "2024-05-01T09:30:00Z",
                None,
                Some(HasZone),
                Some(HasTimeOfDay),
            ),
            (
                "2024-05-01 09:30:00",
                Some(NoZone),
                None,
                Some(HasTimeOfDay),
            ),
            ("2024-05-01", Some(NoZone), Some(NoTimeOfDay), None),
            (
                "9999-12-31T23:59:59Z",
                Some(OutOfRange),
                Some(HasZone),
                Some(HasTimeOfDay),
            ),
        ] {
            let timestamp = Timestamp::from(text);
            assert_eq!(Instant::try_from(&timestamp).err(), instant, "{text}");
            assert_eq!(DateTime::try_from(&timestamp).err(), local, "{text}");
            assert_eq!(Date::try_from(&timestamp).err(), date, "{text}");
        }
    }
}
