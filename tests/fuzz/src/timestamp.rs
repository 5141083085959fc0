use lms_client::wire::{Moment, Timestamp};

/// Any text is kept, and its time is parsed correctly.
pub fn timestamp(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let timestamp = Timestamp::from(text);
    assert_eq!(timestamp.as_str(), text);
    let json = serde_json::to_string(&timestamp).expect("a text can be written");
    assert_eq!(
        serde_json::from_str::<Timestamp>(&json).expect("its own output"),
        timestamp
    );

    let parsed = timestamp.parse();
    if let Ok(moment) = parsed {
        // It parses its own output.
        let again = Timestamp::from(moment);
        assert_eq!(again.parse(), Ok(moment), "{text:?} was written as {again}");
        match moment {
            Moment::Instant(instant) => {
                assert_eq!(timestamp.to_unix_nanos(), Some(instant.unix_nanos()));
                assert_eq!(
                    i128::from(instant.unix_seconds()) * 1_000_000_000
                        + i128::from(instant.subsec_nanos()),
                    instant.unix_nanos()
                );
                assert!(timestamp.local().is_err() && timestamp.date().is_err());
            }
            Moment::Local(clock) => {
                assert_eq!(timestamp.local(), Ok(clock));
                assert_eq!(timestamp.to_unix_nanos(), None);
            }
            Moment::Date(date) => {
                assert_eq!(timestamp.date(), Ok(date));
                assert_eq!(timestamp.to_unix_nanos(), None);
            }
        }
    } else {
        assert!(timestamp.instant().is_err() && timestamp.assuming_utc().is_err());
    }

    // Both libraries parse the same time, and jiff parses our output.
    let ours = timestamp.instant().ok();
    if let (Some(ours), Ok(theirs)) = (ours, text.parse::<jiff::Timestamp>()) {
        // jiff parses a leap second as the second before it, this crate as the end of that second.
        if !text.contains("60") {
            assert_eq!(ours.unix_nanos(), theirs.as_nanosecond(), "{text:?}");
        }
    }
    if let Some(ours) = ours
        && let Ok(theirs) = jiff::Timestamp::try_from(&timestamp)
    {
        let written = Timestamp::from(ours);
        let read: jiff::Timestamp = written.as_str().parse().expect("RFC 3339 was written");
        assert_eq!(read, theirs, "{text:?} was written as {written}");
        // RFC 3339 has only years up to 9999.
        let year = theirs.to_zoned(jiff::tz::TimeZone::UTC).year();
        let again = Timestamp::from(theirs).to_unix_nanos();
        assert_eq!(
            again,
            (0..=9999).contains(&year).then_some(ours.unix_nanos())
        );
    }
}
