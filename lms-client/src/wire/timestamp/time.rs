//! To and from the times of `time`.

use ::time::{Date, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

use super::{
    CivilDate, CivilDateTime, ParseTimestampError, Timestamp, UtcInstant,
    moment::{Offset, Shown, ShownDate, rfc3339},
};

read_as!(instant => OffsetDateTime, local => PrimitiveDateTime, date => Date);

impl TryFrom<UtcInstant> for OffsetDateTime {
    type Error = ParseTimestampError;

    /// With the offset that was written.
    fn try_from(instant: UtcInstant) -> Result<Self, Self::Error> {
        let offset = UtcOffset::from_whole_seconds(instant.offset().seconds())
            .map_err(|_| ParseTimestampError::OutOfRange)?;
        let time = Self::new_in_offset(
            instant.civil().date().try_into()?,
            time_of_day(instant.civil())?,
            offset,
        );
        // Where UTC has a year of five digits, most of what `time` can do with it panics.
        match time.checked_to_offset(UtcOffset::UTC) {
            Some(_) => Ok(time),
            None => Err(ParseTimestampError::OutOfRange),
        }
    }
}

impl TryFrom<CivilDateTime> for PrimitiveDateTime {
    type Error = ParseTimestampError;

    fn try_from(clock: CivilDateTime) -> Result<Self, Self::Error> {
        Ok(Self::new(clock.date().try_into()?, time_of_day(clock)?))
    }
}

impl TryFrom<CivilDate> for Date {
    type Error = ParseTimestampError;

    fn try_from(date: CivilDate) -> Result<Self, Self::Error> {
        Month::try_from(date.month())
            .and_then(|month| Self::from_calendar_date(date.year().into(), month, date.day()))
            .map_err(|_| ParseTimestampError::OutOfRange)
    }
}

fn time_of_day(clock: CivilDateTime) -> Result<Time, ParseTimestampError> {
    Time::from_hms_nano(
        clock.hour(),
        clock.minute(),
        clock.second(),
        clock.nanosecond(),
    )
    .map_err(|_| ParseTimestampError::OutOfRange)
}

impl From<OffsetDateTime> for Timestamp {
    /// In RFC 3339, with the offset; in UTC when the offset is no whole number of minutes, or a day or
    /// more.
    fn from(time: OffsetDateTime) -> Self {
        let offset = Offset::from_seconds(time.offset().whole_seconds());
        Self(rfc3339(
            time.unix_timestamp().into(),
            time.nanosecond(),
            offset.unwrap_or(Offset::UTC),
        ))
    }
}

impl From<PrimitiveDateTime> for Timestamp {
    /// In ISO 8601, without a zone.
    fn from(clock: PrimitiveDateTime) -> Self {
        let shown = Shown {
            date: shown(clock.date()),
            hour: clock.hour(),
            minute: clock.minute(),
            second: clock.second(),
            nanosecond: clock.nanosecond(),
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
        month: date.month().into(),
        day: date.day(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_times_and_timestamps_are_exchanged() {
        for (text, nanos, offset) in [
            (
                "2024-02-29T23:59:59.000000001Z",
                1_709_251_199_000_000_001,
                0,
            ),
            (
                "2024-05-01T09:30:00+05:45",
                1_714_535_100_000_000_000,
                20_700,
            ),
            ("1969-12-31T20:00:59.5-03:30", -1_740_500_000_000, -12_600),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000_000_000, 0),
            ("9999-12-31T23:59:59Z", 253_402_300_799_000_000_000, 0),
        ] {
            let timestamp = Timestamp::from(text);
            let time = OffsetDateTime::try_from(&timestamp).unwrap();
            assert_eq!(time.unix_timestamp_nanos(), nanos, "{text}");
            assert_eq!(time.offset().whole_seconds(), offset, "{text}");
            let back = Timestamp::from(time).instant().unwrap();
            assert_eq!(back, timestamp.instant().unwrap(), "{text}");
            assert_eq!(back.offset().seconds(), offset, "{text}");
        }
        for text in ["2024-02-29T09:30:00.250", "0000-01-01T00:00:00"] {
            let clock = PrimitiveDateTime::try_from(&Timestamp::from(text)).unwrap();
            assert_eq!(Timestamp::from(clock).as_str(), text);
        }
        let date = Date::try_from(&Timestamp::from("2024-02-29")).unwrap();
        assert_eq!(Timestamp::from(date).as_str(), "2024-02-29");
    }

    #[test]
    fn no_zone_is_made_up_and_none_is_dropped() {
        use ParseTimestampError::{HasTimeOfDay, HasZone, NoTimeOfDay, NoZone, OutOfRange};
        let local = Timestamp::from("2024-05-01 09:30:00");
        let zoned = Timestamp::from("2024-05-01T09:30:00Z");
        let date = Timestamp::from("2024-05-01");
        assert_eq!(OffsetDateTime::try_from(&local), Err(NoZone));
        assert_eq!(OffsetDateTime::try_from(&date), Err(NoZone));
        assert_eq!(PrimitiveDateTime::try_from(&zoned), Err(HasZone));
        assert_eq!(PrimitiveDateTime::try_from(&date), Err(NoTimeOfDay));
        assert_eq!(Date::try_from(&local), Err(HasTimeOfDay));
        let late = Timestamp::from("9999-12-31T23:30:00-01:00");
        assert_eq!(OffsetDateTime::try_from(&late), Err(OutOfRange));
    }

    #[test]
    fn every_time_of_time_has_a_text() {
        for (date, text) in [(Date::MIN, "-009999-01-01"), (Date::MAX, "9999-12-31")] {
            assert_eq!(Timestamp::from(date).as_str(), text);
        }
        let odd = UtcOffset::from_whole_seconds(1_172).unwrap();
        let time = OffsetDateTime::UNIX_EPOCH.to_offset(odd);
        assert_eq!(Timestamp::from(time).as_str(), "1970-01-01T00:00:00Z");
    }
}
