//! Conversions to and from the types of `chrono`, `jiff` and `time`.

/// Implements `TryFrom` for a type: from `&Timestamp`, and from the part of a timestamp that the type represents. The
/// function converts that part, and returns `None` when it is out of range.
macro_rules! read_as {
    ($($time:ty: $part:ident($value:ident: $ours:ty) $convert:block)*) => {$(
        impl TryFrom<$ours> for $time {
            type Error = ParseTimestampError;

            fn try_from($value: $ours) -> Result<Self, Self::Error> {
                fn convert($value: $ours) -> Option<$time> $convert
                convert($value).ok_or(ParseTimestampError::OutOfRange)
            }
        }

        impl TryFrom<&Timestamp> for $time {
            type Error = ParseTimestampError;

            fn try_from(timestamp: &Timestamp) -> Result<Self, Self::Error> {
                timestamp.$part()?.try_into()
            }
        }
    )*};
}

/// Implements `From` of a type for `Timestamp`. The expression is formatted as the text of the timestamp.
macro_rules! write_as {
    ($($(#[$doc:meta])* $time:ty: $value:ident => $text:expr;)*) => {$(
        impl From<$time> for Timestamp {
            $(#[$doc])*
            fn from($value: $time) -> Self {
                Self($text.to_string())
            }
        }
    )*};
}

#[cfg(feature = "chrono")]
mod chrono {
    use ::chrono::{
        DateTime, Datelike as _, FixedOffset, NaiveDate, NaiveDateTime, Offset as _, TimeZone,
        Timelike as _, Utc,
    };

    use crate::wire::timestamp::{
        CivilDate, CivilDateTime, Offset, ParseTimestampError, Timestamp, UtcInstant, civil::NANOS,
        moment::rfc3339,
    };

    /// The largest nanosecond that is not part of a leap second.
    const LAST_NANO: u32 = 999_999_999;

    read_as! {
        DateTime<Utc>: instant(instant: UtcInstant) {
            DateTime::from_timestamp(instant.unix_seconds(), instant.subsec_nanos())
        }
        DateTime<FixedOffset>: instant(instant: UtcInstant) {
            let offset = FixedOffset::east_opt(instant.offset().seconds())?;
            Some(DateTime::<Utc>::try_from(instant).ok()?.with_timezone(&offset))
        }
        NaiveDateTime: local(clock: CivilDateTime) {
            let [hour, minute, second] = [clock.hour, clock.minute, clock.second].map(u32::from);
            let date = NaiveDate::try_from(clock.date).ok()?;
            date.and_hms_nano_opt(hour, minute, second, clock.nanosecond)
        }
        NaiveDate: date(date: CivilDate) {
            NaiveDate::from_ymd_opt(date.year.try_into().ok()?, date.month.into(), date.day.into())
        }
    }

    impl<Z: TimeZone> From<DateTime<Z>> for Timestamp {
        /// In RFC 3339 with the offset, or in UTC when the offset has seconds.
        ///
        /// A leap second is written as the last nanosecond before it.
        fn from(time: DateTime<Z>) -> Self {
            let offset = Offset::from_seconds(time.offset().fix().local_minus_utc());
            let nanos = time.timestamp_subsec_nanos().min(LAST_NANO);
            let unix_nanos = i128::from(time.timestamp()) * NANOS + i128::from(nanos);
            Self(rfc3339(unix_nanos, offset.unwrap_or(Offset::UTC)))
        }
    }

    write_as! {
        /// In ISO 8601, without a UTC offset.
        NaiveDateTime: clock => CivilDateTime {
            date: civil(clock.date()),
            // All of them are within these types.
            hour: clock.hour() as u8,
            minute: clock.minute() as u8,
            second: clock.second() as u8,
            nanosecond: clock.nanosecond().min(LAST_NANO),
        };
        /// As `YYYY-MM-DD`.
        NaiveDate: date => civil(date);
    }

    fn civil(date: NaiveDate) -> CivilDate {
        CivilDate {
            year: date.year().into(),
            month: date.month() as u8,
            day: date.day() as u8,
        }
    }
}

#[cfg(feature = "jiff")]
mod jiff {
    use ::jiff::civil::{Date, DateTime};

    use crate::wire::timestamp::{
        CivilDate, CivilDateTime, Offset, ParseTimestampError, Timestamp, UtcInstant,
        moment::rfc3339,
    };

    read_as! {
        ::jiff::Timestamp: instant(instant: UtcInstant) {
            ::jiff::Timestamp::from_nanosecond(instant.unix_nanos()).ok()
        }
        DateTime: local(clock: CivilDateTime) {
            // All of them are within these types.
            let [hour, minute, second] = [clock.hour, clock.minute, clock.second].map(|n| n as i8);
            let nanosecond = clock.nanosecond as i32;
            let time = ::jiff::civil::Time::new(hour, minute, second, nanosecond).ok()?;
            Some(DateTime::from_parts(clock.date.try_into().ok()?, time))
        }
        Date: date(date: CivilDate) {
            Date::new(date.year.try_into().ok()?, date.month as i8, date.day as i8).ok()
        }
    }

    write_as! {
        /// In RFC 3339, UTC.
        ::jiff::Timestamp: instant => rfc3339(instant.as_nanosecond(), Offset::UTC);
        /// In ISO 8601, without a UTC offset.
        DateTime: clock => CivilDateTime {
            date: civil(clock.date()),
            hour: clock.hour().unsigned_abs(),
            minute: clock.minute().unsigned_abs(),
            second: clock.second().unsigned_abs(),
            nanosecond: clock.subsec_nanosecond().unsigned_abs(),
        };
        /// As `YYYY-MM-DD`.
        Date: date => civil(date);
    }

    fn civil(date: Date) -> CivilDate {
        CivilDate {
            year: date.year().into(),
            month: date.month().unsigned_abs(),
            day: date.day().unsigned_abs(),
        }
    }
}

#[cfg(feature = "time")]
mod time {
    use ::time::{Date, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

    use crate::wire::timestamp::{
        CivilDate, CivilDateTime, Offset, ParseTimestampError, Timestamp, UtcInstant,
        moment::rfc3339,
    };

    read_as! {
        OffsetDateTime: instant(instant: UtcInstant) {
            let offset = UtcOffset::from_whole_seconds(instant.offset().seconds()).ok()?;
            let time = PrimitiveDateTime::try_from(instant.civil()).ok()?.assume_offset(offset);
            // Most methods of `time` panic when the year in UTC has five digits.
            time.checked_to_offset(UtcOffset::UTC).and(Some(time))
        }
        PrimitiveDateTime: local(clock: CivilDateTime) {
            let CivilDateTime { date, hour, minute, second, nanosecond } = clock;
            let time = Time::from_hms_nano(hour, minute, second, nanosecond).ok()?;
            Some(PrimitiveDateTime::new(date.try_into().ok()?, time))
        }
        Date: date(date: CivilDate) {
            let month = Month::try_from(date.month).ok()?;
            Date::from_calendar_date(date.year.try_into().ok()?, month, date.day).ok()
        }
    }

    write_as! {
        /// In RFC 3339 with the offset, or in UTC when the offset has seconds or is a day or more.
        OffsetDateTime: time => rfc3339(
            time.unix_timestamp_nanos(),
            Offset::from_seconds(time.offset().whole_seconds()).unwrap_or(Offset::UTC),
        );
        /// In ISO 8601, without a UTC offset.
        PrimitiveDateTime: clock => CivilDateTime {
            date: civil(clock.date()),
            hour: clock.hour(),
            minute: clock.minute(),
            second: clock.second(),
            nanosecond: clock.nanosecond(),
        };
        /// As `YYYY-MM-DD`.
        Date: date => civil(date);
    }

    fn civil(date: Date) -> CivilDate {
        CivilDate {
            year: date.year().into(),
            month: date.month().into(),
            day: date.day(),
        }
    }
}

#[cfg(test)]
#[cfg(all(feature = "chrono", feature = "jiff", feature = "time"))]
mod tests;
