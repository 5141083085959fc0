//! A report with the values of its parameters: from options, or from `--set` for a report of a file.

use clap::{ArgMatches, Command};
use jiff::{Timestamp, Unit};
use lms_sync::{ColumnKind, Value, collections, mirror::MirrorReader};

use super::{
    definition::Definition,
    group,
    key::{By, Key},
    names::{Chosen, take},
    only::{self, Condition},
    parameter::{Given, Parameter, RULES, utc},
    rules::Rules,
};
use crate::{args::given, failure::Failure};

/// A report with the values of its parameters.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) report: Definition,
    pub(super) values: Vec<(String, ColumnKind, Value)>,
    /// The rules of a report that has some.
    pub(super) rules: Option<Rules>,
    /// The time that durations count from.
    pub(super) now: Timestamp,
    /// The conditions of `--where`, and of the parameter `state`.
    pub(super) only: Vec<Condition>,
    /// The keys by which the rows are counted, if they are.
    pub(super) groups: Vec<Key>,
    /// The columns of the output.
    pub(super) columns: Vec<(String, ColumnKind)>,
}

impl Asked {
    /// A report with the values of its options. Durations count from `at`, or from now.
    pub(super) fn of(
        mut report: Definition,
        matches: &ArgMatches,
        at: Option<&Timestamp>,
    ) -> Result<Self, Failure> {
        let now = at.copied().unwrap_or_else(Timestamp::now);
        let now = now.round(Unit::Second).unwrap_or(now);
        let mut values = vec![("at".to_owned(), ColumnKind::Utc, utc(now))];
        let (mut rules, mut only) = (None, Vec::new());
        for Parameter { name, of, .. } in &report.parameters {
            let value = match given(matches, name) {
                None => Value::Null,
                Some(Given::Value(value)) => value,
                Some(Given::Rules(read)) => {
                    rules = Some(read);
                    Value::Null
                }
                Some(Given::FromNow(duration)) => {
                    let time = now.checked_add(duration);
                    utc(time.map_err(|error| Failure::usage(format!("--{name}: {error}")))?)
                }
            };
            if let ("state", Value::Text(state)) = (&**name, &value)
                && report.decides()
            {
                only.push(Condition {
                    key: Key::by(By::Column, name),
                    value: state.clone(),
                });
            }
            values.push((name.clone(), of.column, value));
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
        complete(&mut report, rules.as_ref());
        Ok(Self {
            values,
            rules,
            now,
            only,
            groups: Vec::new(),
            columns: report.columns.clone(),
            report,
        })
    }

    /// The report with the rows that the options of all reports select, or with their numbers.
    pub(super) fn shaped(mut self, matches: &ArgMatches) -> Result<Self, Failure> {
        let only = only::conditions(&mut self.report, matches)?;
        self.only.extend(only);
        self.groups = group::keys(&mut self.report, &group::names(matches))?;
        if !self.groups.is_empty() {
            self.columns = group::columns(&self.report, &self.groups);
        }
        Ok(self)
    }

    /// The report with the ids of the objects that parameters and rules name.
    ///
    /// # Errors
    ///
    /// Not found or usage, if a name is that of no object or of several.
    pub(super) fn resolved(
        &self,
        mirror: &mut MirrorReader<'_>,
    ) -> Result<(Self, Chosen), Failure> {
        let (mut resolved, mut chosen) = (self.clone(), Chosen::default());
        let is_archived = |(name, _, value): &(String, ColumnKind, Value)| {
            name == "archived" && *value == Value::Boolean(false)
        };
        let hint = match self.values.iter().any(is_archived) {
            true => "; --archived shows its rows",
            false => "",
        };
        // The time of the report comes before the values of its parameters.
        let values = resolved.values.iter_mut().skip(1);
        for (parameter, (.., value)) in self.report.parameters.iter().zip(values) {
            if let (Some(named), Value::Text(name)) = (parameter.of.named, &*value)
                && let Some(taken) = take(mirror, named, name, hint)?
            {
                *value = Value::Text(taken.value.clone());
                chosen.add(taken);
            }
        }
        if self.report.decides() {
            let rules = match resolved.rules.take() {
                Some(rules) => rules.resolved(mirror, &mut chosen.shown)?,
                None => Rules::of_courses(),
            };
            let of_rules = resolved
                .values
                .iter_mut()
                .filter(|(name, ..)| name == RULES);
            for (_, _, value) in of_rules {
                *value = Value::Json(serde_json::to_string(&rules.required)?);
            }
            resolved.rules = Some(rules);
        }
        Ok((resolved, chosen))
    }
}

/// Completes a report with states by what its rules need. Other reports stay as they are.
fn complete(report: &mut Definition, rules: Option<&Rules>) {
    let needs = rules.map(Rules::needs).unwrap_or_default();
    if report.decides() {
        let left_out = match needs.contains(&collections::RECORDS) {
            true => "/* without fields */",
            false => "/* with fields */",
        };
        let checks = report.checks.iter_mut().map(|check| &mut check.sql);
        for sql in checks.chain([&mut report.sql]) {
            let lines = sql.lines().filter(|line| !line.contains(left_out));
            *sql = lines.collect::<Vec<_>>().join("\n");
        }
    }
    report.also_needs(&needs);
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
