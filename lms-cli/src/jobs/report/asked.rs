//! A report with the values of its parameters: from options, or from `--set` for a report of a file.

use clap::{ArgMatches, Command};
use jiff::{Timestamp, Unit};
use lms_sync::{ColumnKind, Value};

use super::{
    definition::Definition,
    group::{By, GroupBy},
    parameter::{Given, Parameter, ParameterKind, utc},
    rules::Rules,
};
use crate::failure::Failure;

/// A report with the values of its parameters.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) report: Definition,
    pub(super) values: Vec<(String, ColumnKind, Value)>,
    /// The rules of a report that has some, before their names are resolved.
    pub(super) rules: Option<Rules>,
    /// The time that durations count from.
    pub(super) now: String,
    /// The conditions of `--where`.
    pub(super) only: Vec<Condition>,
    /// The groups whose rows are counted.
    pub(super) groups: Option<GroupBy>,
}

/// A condition on the rows of a report: a column, a tag, or a custom field of the learner is this value.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) by: By,
}

impl Asked {
    /// A report with the values of its options. Durations count from `at`, or from now.
    pub(super) fn of(
        report: Definition,
        matches: &ArgMatches,
        at: Option<&Timestamp>,
    ) -> Result<Self, Failure> {
        let now = at.copied().unwrap_or_else(Timestamp::now);
        let now = now.round(Unit::Second).unwrap_or(now);
        let mut values = vec![("at".to_owned(), ColumnKind::Utc, utc(now))];
        let mut rules = None;
        for Parameter { name, kind, .. } in &report.parameters {
            let value = match kind {
                ParameterKind::Flag => Value::Boolean(matches.get_flag(name)),
                _ => match matches.get_one::<Given>(name) {
                    None => Value::Null,
                    Some(Given::Value(value)) => value.clone(),
                    Some(Given::Rules(read)) => {
                        rules = Some(read.clone());
                        Value::Null
                    }
                    Some(Given::FromNow(duration)) => {
                        let time = now.checked_add(*duration);
                        utc(time.map_err(|error| Failure::usage(format!("--{name}: {error}")))?)
                    }
                },
            };
            values.push((name.clone(), kind.column(), value));
        }
        let time = |name: &str| match values.iter().find(|(known, ..)| known == name) {
            Some((_, _, Value::Utc(time))) => Some(*time),
            _ => None,
        };
        if let (Some(since), Some(until)) = (time("since"), time("until"))
            && since >= until
        {
            return Err(Failure::usage("--since is not before --until"));
        }
        Ok(Self {
            report,
            values,
            rules,
            now: now.to_string(),
            only: Vec::new(),
            groups: None,
        })
    }
}

/// The options of a report of a file: `--set NAME=VALUE` is `--NAME=VALUE`.
pub(super) fn of_settings(
    report: &Definition,
    matches: &ArgMatches,
) -> Result<ArgMatches, Failure> {
    let settings = matches.get_many::<String>("set").into_iter().flatten();
    let command = Command::new("report")
        .no_binary_name(true)
        .disable_help_flag(true)
        .args(report.parameters.iter().map(Parameter::option));
    let parsed = command.try_get_matches_from(settings.map(|setting| format!("--{setting}")));
    parsed.map_err(|error| {
        let text = error.to_string().replace("--", "--set ");
        let message = text.split("\n\n").next().unwrap_or_default();
        let names: Vec<&str> = report.parameters.iter().map(|known| &*known.name).collect();
        Failure::usage(message.trim_start_matches("error: ")).advice(format!(
            "the parameters of the report: {}",
            names.join(", ")
        ))
    })
}
