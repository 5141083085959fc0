//! `--where NAME=VALUE`: only some rows of a report, by one of its columns, or by a tag or a custom field of the learner.

use std::collections::BTreeSet;

use clap::{Arg, ArgAction, ArgMatches};
use lms_plan::folded;
use lms_sync::{ColumnKind, mirror::MirrorReader};

use super::{
    definition::Definition,
    key::{By, Key},
    names::{NAMED, TAG, take, texts},
    parameter::ParameterKind,
    row::NamedRow,
};
use crate::{args::text, failure::Failure, resolve::object::Unresolved};

pub(super) fn option() -> Arg {
    text(
        "where",
        "NAME=VALUE",
        "Only rows with this value in a column, or whose learner has it as `tag` or in a custom field; can be repeated. Needs records for a field",
    )
    .action(ArgAction::Append)
}

/// A condition on the rows of a report.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) key: Key,
    pub(super) value: String,
}

/// The conditions of the options. The report then needs their collections.
///
/// # Errors
///
/// Usage, if a name is that of no text or integer, and the report is not about learners.
pub(super) fn conditions(
    report: &mut Definition,
    matches: &ArgMatches,
) -> Result<Vec<Condition>, Failure> {
    let entries = matches.get_many::<String>("where").into_iter().flatten();
    let condition = |entry: &String| {
        let Some((name, value)) = entry.split_once('=') else {
            return Err(Failure::usage(format!("--where {entry}: write NAME=VALUE")));
        };
        let kinds = [ColumnKind::Text, ColumnKind::Integer];
        Ok(Condition {
            key: Key::of("--where", name, report, &kinds)?,
            value: value.to_owned(),
        })
    };
    entries.map(condition).collect()
}

/// A condition on the rows of one mirror.
pub(super) struct Filter {
    condition: Condition,
    wanted: String,
    /// `true` if the value is that of an object, which is compared as it is.
    is_exact: bool,
    /// The values of the rows, until one of them meets the condition.
    unmet: Option<BTreeSet<String>>,
}

impl Condition {
    /// The condition with an id in place of a name; `shown` gets the line about it.
    ///
    /// # Errors
    ///
    /// Not found or usage, if the mirror does not have the object.
    pub(super) fn of_mirror(
        &self,
        report: &Definition,
        mirror: &mut MirrorReader<'_>,
        shown: &mut Vec<String>,
    ) -> Result<Filter, Failure> {
        let Key { name, by, .. } = &self.key;
        let named = match by {
            By::Tag => Some(&TAG),
            By::Column if report.is_text(name) => NAMED.iter().find(|named| named.word == name),
            _ => None,
        };
        // Rows without a value are asked for, whatever the values are.
        let named = named.filter(|_| !self.value.trim().is_empty());
        let taken = named.map(|named| take(mirror, named, &self.value));
        let taken = taken.transpose()?.flatten();
        shown.extend(taken.as_ref().and_then(|taken| taken.line.clone()));
        Ok(Filter {
            condition: self.clone(),
            is_exact: taken.is_some(),
            wanted: match taken {
                Some(taken) => taken.value.trim().to_owned(),
                None => folded(&self.value),
            },
            unmet: Some(BTreeSet::new()),
        })
    }
}

impl Filter {
    /// `true` if a row meets it. Upper and lower case, and spaces, do not matter, as in names.
    pub(super) fn meets(&mut self, row: &NamedRow<'_>) -> bool {
        let values = self.condition.key.of_row(row, None).into_iter();
        let values: Vec<String> = values.map(Option::unwrap_or_default).collect();
        let is_met = values.iter().any(|value| match self.is_exact {
            true => *value == self.wanted,
            false => folded(value) == self.wanted,
        });
        match &mut self.unmet {
            unmet @ Some(_) if is_met => *unmet = None,
            Some(unmet) => unmet.extend(values),
            None => {}
        }
        is_met
    }

    /// Not found, if no row meets it and its value is nowhere else. A report without rows would say that there are none.
    pub(super) fn check(
        &self,
        (report, requirements): (&Definition, &[&str]),
        mirror: &mut MirrorReader<'_>,
    ) -> Result<(), Failure> {
        let Condition { key, value } = &self.condition;
        let is_open = !self.is_exact && !self.wanted.is_empty();
        let Some(unmet) = self.unmet.as_ref().filter(|_| is_open) else {
            return Ok(());
        };
        if key.by == By::Column && !report.is_text(&key.name) {
            return Ok(());
        }
        let mut known = key.known(report, mirror)?;
        known.extend(unmet.iter().filter(|value| !value.is_empty()).cloned());
        let parameter = report.parameters.iter().find(|of| of.name == key.name);
        if let Some(ParameterKind::Choice(choices)) = parameter.map(|of| &of.kind) {
            known.extend(choices.iter().cloned());
        }
        if key.name == "requirement" {
            known.extend(requirements.iter().map(|name| (*name).to_owned()));
        }
        match texts(known.iter().map(String::as_str)).find_or_propose(value) {
            Err(none @ Unresolved::None(_)) if !known.is_empty() => {
                let message = none.message(&key.name.replace('_', " "), value);
                Err(Failure::not_found(message))
            }
            _ => Ok(()),
        }
    }
}
