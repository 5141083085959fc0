//! Time zones by name.

use jiff::{fmt::temporal::DateTimeParser, tz::TimeZone};

use crate::error::Error;

/// A time zone by its name or its offset.
pub(crate) fn time_zone(name: &str) -> Result<TimeZone, Error> {
    static PARSER: DateTimeParser = DateTimeParser::new();
    PARSER.parse_time_zone(name).map_err(|error| {
        let message = format!(
            "cannot use the time zone {name:?}; write a name such as Europe/Berlin, which needs the system's list of time zones, or an offset such as +02:00"
        );
        Error::usage(message).caused_by(error)
    })
}
