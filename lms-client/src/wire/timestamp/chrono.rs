//! To and from the times of `chrono`.

use ::chrono::{
    DateTime, Datelike as _, FixedOffset, NaiveDate, NaiveDateTime, Offset as _, TimeZone,
    Timelike as _, Utc,
};

use super::{
    CivilDate, CivilDateTime, ParseTimestampError, Timestamp, UtcInstant,
    moment::{Offset, Shown, ShownDate, rfc3339},
};

read_as!(
    instant => DateTime<Utc>,
    instant => DateTime<FixedOffset>,
    local => NaiveDateTime,
    date => NaiveDate,
);

impl TryFrom<UtcInstant> for DateTime<Utc> {
    type Error = ParseTimestampError;

    fn try_from(instant: UtcInstant) -> Result<Self, Self::Error> {
        Self::from_timestamp(instant.unix_seconds(), instant.subsec_nanos())
            .ok_or(ParseTimestampError::OutOfRange)
    }
}

impl TryFrom<UtcInstant> for DateTime<FixedOffset> {
    type Error = ParseTimestampError;

    /// With the offset that was written.
    fn try_from(instant: UtcInstant) -> Result<Self, Self::Error> {
        let offset = FixedOffset::east_opt(instant.offset().seconds())
            .ok_or(ParseTimestampError::OutOfRange)?;
        Ok(DateTime::<Utc>::try_from(instant)?.with_timezone(&offset))
    }
}

impl TryFrom<CivilDateTime> for NaiveDateTime {
    type Error = ParseTimestampError;

    fn try_from(clock: CivilDateTime) -> Result<Self, Self::Error> {
        NaiveDate::try_from(clock.date())?
            .and_hms_nano_opt(
                clock.hour().into(),
                clock.minute().into(),
                clock.second().into(),
                clock.nanosecond(),
            )
            .ok_or(ParseTimestampError::OutOfRange)
    }
}

impl TryFrom<CivilDate> for NaiveDate {
    type Error = ParseTimestampError;

    fn try_from(date: CivilDate) -> Result<Self, Self::Error> {
        Self::from_ymd_opt(date.year().into(), date.month().into(), date.day().into())
            .ok_or(ParseTimestampError::OutOfRange)
    }
}

impl<Z: TimeZone> From<DateTime<Z>> for Timestamp {
    /// In RFC 3339, with the offset; in UTC when the offset is no whole number of minutes.
    fn from(time: DateTime<Z>) -> Self {
        let offset = time.offset().fix().local_minus_utc();
        Self(rfc3339(
            time.timestamp().into(),
            time.timestamp_subsec_nanos(),
            Offset::from_seconds(offset).unwrap_or(Offset::UTC),
        ))
    }
}

impl From<NaiveDateTime> for Timestamp {
    /// In ISO 8601, without a zone.
    fn from(clock: NaiveDateTime) -> Self {
        let shown = Shown {
            date: shown(clock.date()),
            // No part of a clock is beyond these types.
            hour: clock.hour() as u8,
            minute: clock.minute() as u8,
            second: clock.second() as u8,
            nanosecond: clock.nanosecond(),
        };
        Self(shown.to_string())
    }
}

impl From<NaiveDate> for Timestamp {
    /// As `YYYY-MM-DD`.
    fn from(date: NaiveDate) -> Self {
        Self(shown(date).to_string())
    }
}

fn shown(date: NaiveDate) -> ShownDate {
    ShownDate {
        year: date.year().into(),
        month: date.month() as u8,
        day: date.day() as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chronos_times_and_timestamps_are_exchanged() {
        for (text, utc, offset) in [
            ("2024-02-29T23:59:59.000000001Z", (1_709_251_199, 1), 0),
            ("2024-05-01T09:30:00+05:45", (1_714_535_100, 0), 20_700),
            (
                "1969-12-31T20:00:59.5-03:30",
                (-1_741, 500_000_000),
                -12_600,
            ),
            ("0000-01-01T00:00:00Z", (-62_167_219_200, 0), 0),
            ("9999-12-31T23:59:59Z", (253_402_300_799, 0), 0),
        ] {
            let timestamp = Timestamp::from(text);
            let expected = DateTime::<Utc>::from_timestamp(utc.0, utc.1).unwrap();
            assert_eq!(
                DateTime::<Utc>::try_from(&timestamp),
                Ok(expected),
                "{text}"
            );
            let fixed = DateTime::<FixedOffset>::try_from(&timestamp).unwrap();
            assert_eq!(
                (fixed.to_utc(), fixed.offset().local_minus_utc()),
                (expected, offset)
            );
            assert_eq!(
                Timestamp::from(expected).instant(),
                timestamp.instant(),
                "{text}"
            );
            let back = Timestamp::from(fixed).instant().unwrap();
            assert_eq!(back, timestamp.instant().unwrap(), "{text}");
            assert_eq!(back.offset().seconds(), offset, "{text}");
        }
        let clock: NaiveDateTime = "2024-02-29T09:30:00.25".parse().unwrap();
        assert_eq!(NaiveDateTime::try_from(&Timestamp::from(clock)), Ok(clock));
        let date: NaiveDate = "2024-02-29".parse().unwrap();
        assert_eq!(NaiveDate::try_from(&Timestamp::from(date)), Ok(date));
    }

    #[test]
    fn no_zone_is_made_up_and_none_is_dropped() {
        use ParseTimestampError::{HasTimeOfDay, HasZone, NoTimeOfDay, NoZone};
        let local = Timestamp::from("2024-05-01 09:30:00");
        let zoned = Timestamp::from("2024-05-01T09:30:00Z");
        let date = Timestamp::from("2024-05-01");
        assert_eq!(DateTime::<Utc>::try_from(&local), Err(NoZone));
        assert_eq!(DateTime::<FixedOffset>::try_from(&date), Err(NoZone));
        assert_eq!(NaiveDateTime::try_from(&zoned), Err(HasZone));
        assert_eq!(NaiveDateTime::try_from(&date), Err(NoTimeOfDay));
        assert_eq!(NaiveDate::try_from(&local), Err(HasTimeOfDay));
    }

    #[test]
    fn every_time_of_chrono_has_a_text() {
        for (time, text) in [
            (DateTime::<Utc>::MIN_UTC, "-262143-01-01T00:00:00Z"),
            (
                DateTime::<Utc>::MAX_UTC,
                "+262142-12-31T23:59:59.999999999Z",
            ),
        ] {
            assert_eq!(Timestamp::from(time).as_str(), text);
        }
        let noon = DateTime::<Utc>::from_timestamp(43_200, 0).unwrap();
        let amsterdam_in_1930 = FixedOffset::east_opt(1_172).unwrap();
        let time = noon.with_timezone(&amsterdam_in_1930);
        assert_eq!(Timestamp::from(time).as_str(), "1970-01-01T12:00:00Z");
        let leap = NaiveDate::from_ymd_opt(2016, 12, 31)
            .and_then(|date| date.and_hms_milli_opt(23, 59, 59, 1_500))
            .unwrap();
        let text = "2016-12-31T23:59:59.999999999Z";
        assert_eq!(Timestamp::from(leap.and_utc()).as_str(), text);
    }
}
