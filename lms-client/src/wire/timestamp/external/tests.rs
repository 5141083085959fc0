use std::fmt::Debug;

use ::chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, Utc};
use ::jiff::civil;
use ::time::{Date, OffsetDateTime, PrimitiveDateTime, UtcOffset};

use crate::wire::{ParseTimestampError, Timestamp};
use ParseTimestampError::{HasTimeOfDay, HasZone, NoTimeOfDay, NoZone, OutOfRange};

/// A type that timestamps are converted to and from.
trait External:
    for<'a> TryFrom<&'a Timestamp, Error = ParseTimestampError> + Into<Timestamp> + Debug + PartialEq
{
}

impl<T> External for T where
    T: for<'a> TryFrom<&'a Timestamp, Error = ParseTimestampError>
        + Into<Timestamp>
        + Debug
        + PartialEq
{
}

fn convert<T: External>(text: &str) -> Result<T, ParseTimestampError> {
    T::try_from(&Timestamp::from(text))
}

/// `read` returns the nanoseconds since 1970, and the offset in seconds if the type has one.
fn check_instants<T: External>(read: fn(&T) -> (i128, Option<i32>)) {
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
        ("1969-12-31T23:59:59.5Z", -500_000_000, 0),
        ("1714555800123", 1_714_555_800_123_000_000, 0),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000_000_000, 0),
        ("9999-12-30T22:00:00Z", 253_402_207_200_000_000_000, 0),
    ] {
        let time: T = convert(text).unwrap();
        let (found_nanos, found_offset) = read(&time);
        assert_eq!(found_nanos, nanos, "{text}");
        assert_eq!(found_offset.unwrap_or(offset), offset, "{text}");
        let written: Timestamp = time.into();
        let written = written.instant().unwrap();
        assert_eq!(written.unix_nanos(), nanos, "{text}");
        assert_eq!(
            Some(written.offset().seconds()),
            found_offset.or(Some(0)),
            "{text}"
        );
    }
}

#[test]
fn instants_are_converted_both_ways() {
    check_instants::<DateTime<Utc>>(|time| (unix_nanos(time), None));
    check_instants::<DateTime<FixedOffset>>(|time| {
        (unix_nanos(time), Some(time.offset().local_minus_utc()))
    });
    check_instants::<::jiff::Timestamp>(|time| (time.as_nanosecond(), None));
    check_instants::<OffsetDateTime>(|time| {
        (
            time.unix_timestamp_nanos(),
            Some(time.offset().whole_seconds()),
        )
    });
}

fn unix_nanos<Z: ::chrono::TimeZone>(time: &DateTime<Z>) -> i128 {
    i128::from(time.timestamp()) * 1_000_000_000 + i128::from(time.timestamp_subsec_nanos())
}

fn check_text<T: External>(text: &str) {
    let time: T = convert(text).unwrap();
    let written: Timestamp = time.into();
    assert_eq!(written.as_str(), text);
}

#[test]
fn local_times_and_dates_are_converted_both_ways() {
    for text in ["2024-02-29T09:30:00.250", "0000-01-01T00:00:00"] {
        check_text::<NaiveDateTime>(text);
        check_text::<civil::DateTime>(text);
        check_text::<PrimitiveDateTime>(text);
    }
    for text in ["2024-02-29", "9999-12-31"] {
        check_text::<NaiveDate>(text);
        check_text::<civil::Date>(text);
        check_text::<Date>(text);
    }
}

fn check_kinds<I: External, L: External, D: External>() {
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
    ] {
        assert_eq!(convert::<I>(text).err(), instant, "{text}");
        assert_eq!(convert::<L>(text).err(), local, "{text}");
        assert_eq!(convert::<D>(text).err(), date, "{text}");
    }
}

#[test]
fn zones_and_times_of_day_are_neither_invented_nor_dropped() {
    check_kinds::<DateTime<Utc>, NaiveDateTime, NaiveDate>();
    check_kinds::<DateTime<FixedOffset>, NaiveDateTime, NaiveDate>();
    check_kinds::<::jiff::Timestamp, civil::DateTime, civil::Date>();
    check_kinds::<OffsetDateTime, PrimitiveDateTime, Date>();
}

#[test]
fn a_time_that_a_type_cannot_hold_is_out_of_range() {
    let late = "9999-12-31T23:59:59Z";
    assert_eq!(convert::<::jiff::Timestamp>(late), Err(OutOfRange));
    assert!(convert::<DateTime<Utc>>(late).is_ok());
    assert!(convert::<OffsetDateTime>(late).is_ok());
    let later = "9999-12-31T23:30:00-01:00";
    assert_eq!(convert::<OffsetDateTime>(later), Err(OutOfRange));
}

fn check_written(time: impl Into<Timestamp>, text: &str) {
    assert_eq!(time.into().as_str(), text);
}

#[test]
fn every_time_can_be_written() {
    check_written(DateTime::<Utc>::MIN_UTC, "-262143-01-01T00:00:00Z");
    check_written(
        DateTime::<Utc>::MAX_UTC,
        "+262142-12-31T23:59:59.999999999Z",
    );
    for time in [::jiff::Timestamp::MIN, ::jiff::Timestamp::MAX] {
        check_written(time, &time.to_string());
    }
    for clock in [civil::DateTime::MIN, civil::DateTime::MAX] {
        check_written(clock, &clock.to_string());
    }
    check_written(Date::MIN, "-009999-01-01");
    check_written(Date::MAX, "9999-12-31");
}

#[test]
fn an_offset_with_seconds_is_written_in_utc() {
    let odd = FixedOffset::east_opt(1_172).unwrap();
    let noon = DateTime::<Utc>::from_timestamp(43_200, 0).unwrap();
    check_written(noon.with_timezone(&odd), "1970-01-01T12:00:00Z");
    let odd = UtcOffset::from_whole_seconds(1_172).unwrap();
    check_written(
        OffsetDateTime::UNIX_EPOCH.to_offset(odd),
        "1970-01-01T00:00:00Z",
    );
}

#[test]
fn a_leap_second_is_written_as_the_nanosecond_before_it() {
    let leap = NaiveDate::from_ymd_opt(2016, 12, 31)
        .and_then(|date| date.and_hms_milli_opt(23, 59, 59, 1_500))
        .unwrap();
    check_written(leap.and_utc(), "2016-12-31T23:59:59.999999999Z");
    check_written(leap, "2016-12-31T23:59:59.999999999");
}
