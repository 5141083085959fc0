use proptest::prelude::*;

use super::*;
use ParseTimestampError::{
    Ambiguous, Empty, NoSuchTime, NoZone, OutOfRange, TooPrecise, UnknownFormat,
};

fn parse(text: &str) -> Result<Moment, ParseTimestampError> {
    Timestamp::from(text).parse()
}

#[test]
fn a_text_with_an_offset_is_a_point_in_time() {
    for (text, nanos) in [
        ("2024-05-01T09:30:00Z", 1_714_555_800_000_000_000),
        ("2024-05-01t09:30:00z", 1_714_555_800_000_000_000),
        ("2024-05-01 09:30:00Z", 1_714_555_800_000_000_000),
        ("2024-05-01 09:30:00 UTC", 1_714_555_800_000_000_000),
        ("  2024-05-01T09:30:00Z\n", 1_714_555_800_000_000_000),
        ("2024-05-01T09:30Z", 1_714_555_800_000_000_000),
        ("2024-05-01T09:30:00-00:00", 1_714_555_800_000_000_000),
        ("2024-05-01T11:30:00+02:00", 1_714_555_800_000_000_000),
        ("2024-05-01T11:30:00+0200", 1_714_555_800_000_000_000),
        ("2024-05-01 11:30:00 +02", 1_714_555_800_000_000_000),
        ("2024-05-01T06:00:00-03:30", 1_714_555_800_000_000_000),
        ("2024-05-02T09:29:00+23:59", 1_714_555_800_000_000_000),
        ("2024-05-01T09:30:00.5Z", 1_714_555_800_500_000_000),
        ("2024-05-01T09:30:00,5Z", 1_714_555_800_500_000_000),
        ("2024-05-01T09:30:00.123456789Z", 1_714_555_800_123_456_789),
        (
            "2024-05-01T09:30:00.123456789000Z",
            1_714_555_800_123_456_789,
        ),
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T23:59:59.999999999Z", -1),
        ("2000-02-29T00:00:00Z", 951_782_400_000_000_000),
        ("2100-03-01T00:00:00Z", 4_107_542_400_000_000_000),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000_000_000),
        ("9999-12-31T23:59:59Z", 253_402_300_799_000_000_000),
        // Leap seconds, one of them in Indian time.
        ("2016-12-31T23:59:60Z", 1_483_228_799_999_999_999),
        ("2017-01-01T05:29:60.25+05:30", 1_483_228_799_999_999_999),
        // Unix timestamps.
        ("0", 0),
        ("-1", -1_000_000_000),
        ("1714555800", 1_714_555_800_000_000_000),
        ("1714555800.25", 1_714_555_800_250_000_000),
        ("-1.5", -1_500_000_000),
        ("99999999999", 99_999_999_999_000_000_000),
        ("100000000000", 100_000_000_000_000_000),
        ("1714555800123", 1_714_555_800_123_000_000),
        ("1714555800123.5", 1_714_555_800_123_500_000),
        ("-1714555800123", -1_714_555_800_123_000_000),
        ("253402300799999", 253_402_300_799_999_000_000),
    ] {
        let timestamp = Timestamp::from(text);
        let instant = timestamp.instant().unwrap();
        assert_eq!(instant.unix_nanos(), nanos, "{text}");
        assert_eq!(timestamp.to_unix_nanos(), Some(nanos), "{text}");
        let seconds = nanos.div_euclid(1_000_000_000);
        assert_eq!(
            timestamp.to_unix_seconds().map(i128::from),
            Some(seconds),
            "{text}"
        );
        assert_eq!(timestamp.assuming_utc(), Ok(instant), "{text}");
    }
}

#[test]
fn a_text_without_an_offset_needs_one_to_be_a_point_in_time() {
    for (text, shown, utc) in [
        ("2024-05-01T09:30:00", "2024-05-01T09:30:00", 1_714_555_800),
        ("2024-05-01 09:30:00", "2024-05-01T09:30:00", 1_714_555_800),
        ("2024-05-01 09:30", "2024-05-01T09:30:00", 1_714_555_800),
        (
            "2024-05-01T09:30:00.120",
            "2024-05-01T09:30:00.120",
            1_714_555_800,
        ),
        (
            "2016-12-31T23:59:60",
            "2016-12-31T23:59:59.999999999",
            1_483_228_799,
        ),
    ] {
        let timestamp = Timestamp::from(text);
        let moment = timestamp.parse().unwrap();
        assert!(matches!(moment, Moment::Local(_)), "{text}");
        assert_eq!(moment.to_string(), shown, "{text}");
        assert_eq!(timestamp.instant(), Err(NoZone), "{text}");
        assert_eq!(timestamp.to_unix_seconds(), None, "{text}");
        assert_eq!(timestamp.to_unix_nanos(), None, "{text}");
        assert_eq!(
            timestamp.assuming_utc().unwrap().unix_seconds(),
            utc,
            "{text}"
        );
    }
}

#[test]
fn a_date_without_a_time_of_day_stays_a_date() {
    let timestamp = Timestamp::from("2024-02-29");
    let date = CivilDate::new(2024, 2, 29).unwrap();
    assert_eq!(timestamp.parse(), Ok(Moment::Date(date)));
    assert_eq!(timestamp.instant(), Err(NoZone));
    assert_eq!(
        timestamp.assuming_utc().unwrap().unix_seconds(),
        1_709_164_800
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn an_invalid_text_has_the_right_error() {
    for (text, error) in [
        ("", Empty),
        (" \t", Empty),
        ("soon", UnknownFormat),
        ("never mind", UnknownFormat),
        ("2024-05", UnknownFormat),
        ("2024-5-1", UnknownFormat),
        ("24-05-01", UnknownFormat),
        ("2024/05/01", UnknownFormat),
        ("01.05.2024", UnknownFormat),
        ("2024-05-01T", UnknownFormat),
        ("2024-05-01T09", UnknownFormat),
        ("2024-05-01T9:30", UnknownFormat),
        ("2024-05-01  09:30", UnknownFormat),
        ("2024-05-01T09:30:00.", UnknownFormat),
        ("2024-05-01T09:30.5", UnknownFormat),
        ("2024-05-01T09:30:00 PST", UnknownFormat),
        ("2024-05-01T09:30:00+2", UnknownFormat),
        ("2024-05-01T09:30:00+02:", UnknownFormat),
        ("2024-05-01T09:30:00Z tomorrow", UnknownFormat),
        ("2024-05-01T09:30:00+02:00[Europe/Paris]", UnknownFormat),
        ("Wed, 01 May 2024 09:30:00 GMT", UnknownFormat),
        ("+1714555800", UnknownFormat),
        ("1.7e9", UnknownFormat),
        ("1714555800.", UnknownFormat),
        (".5", UnknownFormat),
        ("-", UnknownFormat),
        ("true", UnknownFormat),
        ("\u{0662}\u{0660}\u{0662}\u{0664}-05-01", UnknownFormat),
        ("2023-02-29", NoSuchTime),
        ("1900-02-29", NoSuchTime),
        ("2024-04-31", NoSuchTime),
        ("2024-00-01", NoSuchTime),
        ("2024-13-01", NoSuchTime),
        ("2024-01-00", NoSuchTime),
        ("2023-02-29T09:30:00Z", NoSuchTime),
        ("2024-05-01T24:00:00Z", NoSuchTime),
        ("2024-05-01T09:60:00Z", NoSuchTime),
        ("2024-05-01T09:30:61Z", NoSuchTime),
        ("2024-05-01T09:30:00+24:00", NoSuchTime),
        ("2024-05-01T09:30:00+02:60", NoSuchTime),
        // Leap seconds are inserted at midnight UTC.
        ("2024-05-01T09:30:60Z", NoSuchTime),
        ("2016-12-31T23:59:60+01:00", NoSuchTime),
        ("2024-05-01 09:30:60", NoSuchTime),
        ("2024-05-01T09:30:00.1234567891Z", TooPrecise),
        ("1714555800.1234567891", TooPrecise),
        ("1714555800123.1234567", TooPrecise),
        ("0000-01-01T00:00:00+01:00", OutOfRange),
        ("9999-12-31T23:59:59-00:01", OutOfRange),
        ("-62167219200001", OutOfRange),
        ("253402300800000", OutOfRange),
        ("99999999999999999999999999", OutOfRange),
        ("2024", Ambiguous),
        ("202405", Ambiguous),
        ("20240501", Ambiguous),
        ("202405010930", Ambiguous),
        ("20240501093000", Ambiguous),
    ] {
        let timestamp = Timestamp::from(text);
        assert_eq!(timestamp.parse(), Err(error), "{text:?}");
        assert_eq!(timestamp.assuming_utc(), Err(error), "{text:?}");
        assert_eq!(SystemTime::try_from(&timestamp), Err(error), "{text:?}");
        assert_eq!(timestamp.as_str(), text);
    }
}

#[test]
fn any_scalar_can_be_deserialized() {
    for (json, text) in [
        ("\"2024-05-01\"", "2024-05-01"),
        ("\" soon \"", " soon "),
        ("\"\"", ""),
        ("1714555800123", "1714555800123"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("18446744073709551615", "18446744073709551615"),
        ("1714555800.25", "1714555800.25"),
        ("true", "true"),
        // A number, when a crate in the program enables `arbitrary_precision`.
        (
            r#"{"$serde_json::private::Number":"1714555800"}"#,
            "1714555800",
        ),
    ] {
        let timestamp: Timestamp = serde_json::from_str(json).unwrap();
        assert_eq!(timestamp.as_str(), text);
        let written = serde_json::to_string(&timestamp).unwrap();
        assert_eq!(written, serde_json::to_string(text).unwrap());
    }
    for json in ["null", "[]", "{}", r#"{"a":"hunter2"}"#] {
        let error = serde_json::from_str::<Timestamp>(json)
            .unwrap_err()
            .to_string();
        assert!(error.contains(", expected a timestamp"), "{error}");
        assert!(!error.contains("hunter2"), "{error}");
    }
}

#[test]
fn system_times_are_converted_both_ways() {
    for (text, seconds, nanos) in [
        ("2024-05-01T09:30:00.000000100Z", 1_714_555_800, 100),
        ("1970-01-01T00:00:00Z", 0, 0),
        ("1969-12-31T23:59:58.000000100Z", -2, 100),
        ("1969-12-31T23:59:58Z", -2, 0),
        ("1700-01-01T00:00:00Z", -8_520_336_000, 0),
    ] {
        let whole = Duration::from_secs(i64::unsigned_abs(seconds));
        let epoch = SystemTime::UNIX_EPOCH;
        let time = if seconds < 0 {
            epoch - whole
        } else {
            epoch + whole
        };
        let time = time + Duration::from_nanos(nanos);
        let timestamp = Timestamp::from(text);
        assert_eq!(SystemTime::try_from(&timestamp), Ok(time), "{text}");
        assert_eq!(Timestamp::from(time), timestamp);
    }
    assert_eq!(
        SystemTime::try_from(&Timestamp::from("2024-05-01")),
        Err(NoZone)
    );
}

#[test]
fn years_without_four_digits_are_written_but_not_parsed() {
    for (seconds, text) in [
        (253_402_300_800_i64, "+010000-01-01T00:00:00Z"),
        (-62_167_219_201, "-000001-12-31T23:59:59Z"),
    ] {
        let clock = CivilDateTime::at(i128::from(seconds) * 1_000_000_000);
        assert_eq!(format!("{clock}Z"), text);
        assert_eq!(parse(text), Err(UnknownFormat));
    }
}

#[test]
fn every_day_of_the_calendar_follows_the_one_before() {
    let mut days = -719_528;
    for year in 0..=9999 {
        for month in 1..=12 {
            for day in 1..=31 {
                let Some(date) = CivilDate::new(year, month, day) else {
                    assert!(day > 28, "{year}-{month}-{day}");
                    continue;
                };
                let clock = CivilDateTime::midnight(date);
                let seconds = i128::from(days) * 86_400;
                assert_eq!(clock.nanos(), seconds * 1_000_000_000, "{date}");
                assert_eq!(moment::date_at(days), date);
                days += 1;
            }
        }
    }
    assert_eq!(days, 2_932_897);
}

fn instants() -> impl Strategy<Value = UtcInstant> {
    let nanos = -62_100_000_000_000_000_000_i128..253_300_000_000_000_000_000;
    let rounding = prop_oneof![
        Just(1_i128),
        Just(1_000),
        Just(1_000_000),
        Just(1_000_000_000)
    ];
    (nanos, rounding)
        .prop_map(|(nanos, unit)| UtcInstant::from_unix_nanos(nanos / unit * unit).unwrap())
}

proptest! {
    #[test]
    fn a_written_timestamp_parses_to_the_same(instant in instants()) {
        let timestamp = Timestamp::from(instant);
        let read = timestamp.instant().unwrap();
        prop_assert_eq!(read, instant);
        let clock = CivilDateTime::at(instant.unix_nanos());
        prop_assert_eq!(Timestamp::from(clock).parse(), Ok(Moment::Local(clock)));
        prop_assert_eq!(Timestamp::from(clock.date).parse(), Ok(Moment::Date(clock.date)));
        prop_assert_eq!(UtcInstant::utc(clock), instant);
    }

    #[test]
    fn a_unix_timestamp_is_parsed_to_the_last_digit(
        seconds in 0..100_000_000_000_i64,
        nanos in 0..1_000_000_000_u32,
    ) {
        let text = format!("{seconds}.{nanos:09}");
        let instant = Timestamp::new(text).instant().unwrap();
        prop_assert_eq!((instant.unix_seconds(), instant.subsec_nanos()), (seconds, nanos));
    }

    #[test]
    fn no_text_makes_the_parser_panic(
        text in prop_oneof![
            ".{0,40}",
            "[-+0-9:.,TZ ]{0,40}",
            "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{0,12})?([-+][0-9]{2}:?[0-9]{2}|Z)?",
            "-?[0-9]{0,40}([.][0-9]{0,20})?",
        ],
    ) {
        let timestamp = Timestamp::from(text.as_str());
        if let Ok(moment) = timestamp.parse() {
            // A parsed moment is written as the same moment.
            prop_assert_eq!(Timestamp::from(moment).parse(), Ok(moment));
            let _ = SystemTime::try_from(&timestamp);
        }
        prop_assert_eq!(timestamp.as_str(), text);
    }
}
