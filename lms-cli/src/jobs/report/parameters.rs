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
        let help = match &parameter.default {
            Some(default) => format!("{} [default: {default}]", parameter.help),
            None => parameter.help.clone(),
        };
        let option = Arg::new(parameter.name.clone())
            .long(parameter.name.clone())
            .help(help);
        match parameter.kind {
            ParameterKind::Flag => option.action(ArgAction::SetTrue),
            ParameterKind::Text | ParameterKind::Name(_) => option.value_name("TEXT"),
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
    let given = |parameter: &Parameter| {
        let name = &parameter.name;
        if parameter.kind == ParameterKind::Flag {
            return matches.get_flag(name).then(|| "true".to_owned());
        }
        matches.get_one::<String>(name).cloned()
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
        if !report.parameters.iter().any(|known| known.name == name) {
            let known: Vec<&str> = report.parameters.iter().map(|known| &*known.name).collect();
            let failure = Failure::usage(format!("--set {name}: the report has no such parameter"));
            return Err(if known.is_empty() {
                failure.advice("it has none")
            } else {
                failure.advice(format!("it has {}", known.join(", ")))
            });
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
        let (kind, value) = parameter.value(text.as_deref(), now).map_err(|reason| {
            let text = text.unwrap_or_default();
            Failure::usage(format!("{} {text}: {reason}", option(&parameter.name)))
        })?;
        values.push((parameter.name.clone(), kind, value));
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

impl Parameter {
    /// The type and the value of a text; null without one.
    fn value(&self, text: Option<&str>, now: Timestamp) -> Result<(ColumnKind, Value), String> {
        let null = |kind| Ok((kind, Value::Null));
        match (self.kind, text) {
            (ParameterKind::Flag, text) => {
                let flag = text.unwrap_or("false").parse();
                let flag: bool = flag.map_err(|_| "write true or false".to_owned())?;
                Ok((ColumnKind::Boolean, Value::Boolean(flag)))
            }
            (ParameterKind::People, None) => Err("name a file".to_owned()),
            (ParameterKind::People, Some(file)) => {
                let people = people::read(file).map_err(|failure| failure.message().to_owned());
                Ok((ColumnKind::Json, Value::Json(people?)))
            }
            (ParameterKind::Text | ParameterKind::Name(_), None) => null(ColumnKind::Text),
            (ParameterKind::Name(_), Some(text)) => {
                Ok((ColumnKind::Text, Value::Text(text.trim().to_owned())))
            }
            (ParameterKind::Text, Some(text)) => {
                Ok((ColumnKind::Text, Value::Text(text.to_owned())))
            }
            (ParameterKind::Integer, None) => null(ColumnKind::Integer),
            (ParameterKind::Integer, Some(text)) => {
                let number = text
                    .parse()
                    .map_err(|_| "write a whole number".to_owned())?;
                Ok((ColumnKind::Integer, Value::Integer(number)))
            }
            (ParameterKind::Time | ParameterKind::Ago | ParameterKind::Ahead, None) => {
                null(ColumnKind::Utc)
            }
            (ParameterKind::Time, Some(text)) => Ok((ColumnKind::Utc, utc(time(text)?))),
            (ParameterKind::Ago, Some(text)) => {
                let then = now.checked_sub(duration(text)?);
                Ok((
                    ColumnKind::Utc,
                    utc(then.map_err(|error| error.to_string())?),
                ))
            }
            (ParameterKind::Ahead, Some(text)) => {
                let then = now.checked_add(duration(text)?);
                Ok((
                    ColumnKind::Utc,
                    utc(then.map_err(|error| error.to_string())?),
                ))
            }
        }
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
