//! The values of a report's parameters: from options, or from `--set` for a report of a file.

use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, ValueHint};
use jiff::{Timestamp, Unit, civil::Date, tz::TimeZone};
use lms_sync::{ColumnKind, Value};

use super::{
    definition::{Definition, Parameter, ParameterKind},
    people,
};
use crate::failure::Failure;

/// The values of the parameters of a query.
pub(super) type Values = Vec<(String, ColumnKind, Value)>;

/// The options for the parameters of a report.
pub(super) fn options(report: &Definition) -> Vec<Arg> {
    let option = |parameter: &Parameter| {
        let default = parameter.default.iter();
        let default: String = default.map(|text| format!(" [default: {text}]")).collect();
        let option = Arg::new(parameter.name.clone())
            .long(parameter.name.clone())
            .help(format!("{}{default}", parameter.help));
        match &parameter.kind {
            ParameterKind::Flag => option.action(ArgAction::SetTrue),
            ParameterKind::Text | ParameterKind::Name(_) => option.value_name("TEXT"),
            ParameterKind::Choice(_) => option.value_name("NAME"),
            ParameterKind::Integer => option.value_name("N"),
            ParameterKind::Time => option.value_name("TIME"),
            ParameterKind::Ago | ParameterKind::Ahead => option.value_name("DURATION"),
            ParameterKind::People => option
                .value_name("FILE")
                .value_hint(ValueHint::FilePath)
                .required(true),
        }
    };
    report.parameters.iter().map(option).collect()
}

/// The time that durations count from: that of `--at`, or now. Without a fraction of a second.
pub(super) fn now(matches: &ArgMatches) -> Result<Timestamp, Failure> {
    let Some(text) = matches.get_one::<String>("at") else {
        let now = Timestamp::now().round(Unit::Second);
        return now.map_err(|error| Failure::fault(error.to_string()));
    };
    time(text).map_err(|reason| Failure::usage(format!("--at {text}: {reason}")))
}

/// The values that were given to a report of this program as options.
pub(super) fn of_options(
    report: &Definition,
    matches: &ArgMatches,
    now: Timestamp,
) -> Result<Values, Failure> {
    let given = |parameter: &Parameter| match parameter.kind {
        ParameterKind::Flag => Some(matches.get_flag(&parameter.name).to_string()),
        _ => matches.get_one::<String>(&parameter.name).cloned(),
    };
    values(report, given, |name| format!("--{name}"), now)
}

/// The values that were given to a report of a file as `NAME=VALUE`.
pub(super) fn of_settings(
    report: &Definition,
    matches: &ArgMatches,
    now: Timestamp,
) -> Result<Values, Failure> {
    let mut settings = Vec::new();
    for setting in matches.get_many::<String>("set").into_iter().flatten() {
        let Some((name, value)) = setting.split_once('=') else {
            return Err(Failure::usage(format!("--set {setting}: write NAME=VALUE")));
        };
        let known: Vec<&str> = report.parameters.iter().map(|known| &*known.name).collect();
        if !known.contains(&name) {
            let failure = Failure::usage(format!("--set {name}: the report has no such parameter"));
            return Err(failure.advice(format!("its parameters: {}", known.join(", "))));
        }
        settings.push((name, value));
    }
    let given = |parameter: &Parameter| {
        let last = settings.iter().rfind(|(name, _)| *name == parameter.name);
        last.map(|(_, value)| (*value).to_owned())
    };
    values(report, given, |name| format!("--set {name}"), now)
}

fn values(
    report: &Definition,
    given: impl Fn(&Parameter) -> Option<String>,
    option: impl Fn(&str) -> String,
    now: Timestamp,
) -> Result<Values, Failure> {
    let mut values = vec![("at".to_owned(), ColumnKind::Utc, utc(now))];
    for parameter in &report.parameters {
        let text = given(parameter).or_else(|| parameter.default.clone());
        let value = match (&text, &parameter.kind) {
            (Some(text), kind) => kind.value(text, now),
            (None, ParameterKind::Flag) => Ok(Value::Boolean(false)),
            (None, ParameterKind::People) => Err("name a file".to_owned()),
            (None, _) => Ok(Value::Null),
        };
        let value = value.map_err(|reason| {
            let text = text.unwrap_or_default();
            Failure::usage(format!("{} {text}: {reason}", option(&parameter.name)))
        })?;
        values.push((parameter.name.clone(), parameter.kind.column(), value));
    }
    let time = |name: &str| match values.iter().find(|(known, ..)| known == name) {
        Some((_, _, Value::Utc(time))) => Some(*time),
        _ => None,
    };
    if let (Some(since), Some(until)) = (time("since"), time("until"))
        && since >= until
    {
        let [since, until] = ["since", "until"].map(option);
        return Err(Failure::usage(format!("{since} is not before {until}")));
    }
    Ok(values)
}

impl ParameterKind {
    /// The type of its values in a query.
    fn column(&self) -> ColumnKind {
        match self {
            Self::Text | Self::Choice(_) | Self::Name(_) => ColumnKind::Text,
            Self::Integer => ColumnKind::Integer,
            Self::Flag => ColumnKind::Boolean,
            Self::People => ColumnKind::Json,
            Self::Time | Self::Ago | Self::Ahead => ColumnKind::Utc,
        }
    }

    fn value(&self, text: &str, now: Timestamp) -> Result<Value, String> {
        Ok(match self {
            Self::Text => Value::Text(text.to_owned()),
            Self::Name(_) => Value::Text(text.trim().to_owned()),
            Self::Choice(known) if !known.iter().any(|one| one == text) => {
                return Err(format!("write one of: {}", known.join(", ")));
            }
            Self::Choice(_) => Value::Text(text.to_owned()),
            Self::Integer => Value::Integer(text.parse().map_err(|_| "write a whole number")?),
            Self::Flag => Value::Boolean(text.parse().map_err(|_| "write true or false")?),
            Self::People => {
                Value::Json(people::read(text).map_err(|failure| failure.message().to_owned())?)
            }
            Self::Time => utc(time(text)?),
            Self::Ago | Self::Ahead => {
                let duration = duration(text)?;
                let time = match self {
                    Self::Ago => now.checked_sub(duration),
                    _ => now.checked_add(duration),
                };
                utc(time.map_err(|error| error.to_string())?)
            }
        })
    }
}

fn utc(time: Timestamp) -> Value {
    Value::Utc(time.as_microsecond())
}

fn duration(text: &str) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text);
    let duration = duration.map_err(|_| "write a duration such as 30d or 12h".to_owned())?;
    // A time has no fraction of a second.
    Ok(Duration::from_secs(duration.as_secs()))
}

/// A point in time, or the first second of a day in UTC.
fn time(text: &str) -> Result<Timestamp, String> {
    let day = text
        .parse::<Date>()
        .ok()
        .filter(|_| !text.contains(['T', ' ']));
    let time = match day {
        Some(day) => day.to_zoned(TimeZone::UTC).map(|day| day.timestamp()),
        None => text.parse::<Timestamp>(),
    };
    let time = time.and_then(|time| time.round(Unit::Second));
    time.map_err(|_| {
        "write a day such as 2026-01-31, which begins at midnight UTC, or a time with its zone such as \
         2026-01-31T09:00:00+01:00"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_its_first_second_in_utc_and_a_time_needs_a_zone() {
        for (text, expected) in [
            ("2026-01-31", Some("2026-01-31T00:00:00Z")),
            ("2026-01-31T09:00:00+01:00", Some("2026-01-31T08:00:00Z")),
            ("2026-01-31T09:00:00Z", Some("2026-01-31T09:00:00Z")),
            ("2026-01-31T09:00:00", None),
            ("2026-02-30", None),
            ("yesterday", None),
        ] {
            let found = time(text).ok().map(|time| time.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
