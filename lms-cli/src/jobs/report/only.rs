//! `--where NAME=VALUE`: only some rows of a report, by one of its columns, or by a tag or a custom field of the learner.

use std::collections::BTreeSet;

use clap::{Arg, ArgAction, ArgMatches};
use lms_plan::folded;
use lms_sync::{ColumnKind, mirror::MirrorReader};

use super::{
    definition::Definition,
    key::{By, Key, Values, column_of_learners},
    names::{NAMED, Named, TAG, objects, take, texts},
    parameter::ParameterKind,
    row::NamedRow,
};
use crate::{
    args::text,
    failure::Failure,
    resolve::object::{Objects, Unresolved},
};

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
    key: Key,
    values: Values,
    wanted: String,
    /// `true` if the value is that of an object, which is compared as it is.
    is_exact: bool,
    /// Values elsewhere in the mirror, if only the rows can tell whether the value is one.
    open: Option<Vec<String>>,
}

impl Condition {
    /// The condition with ids in place of names; `shown` gets the lines about these.
    ///
    /// # Errors
    ///
    /// Not found or usage, if the mirror does not have the object, the tag or the custom field, or if the value is none of
    /// those that are known. A report without rows would say that there are none.
    pub(super) fn of_mirror(
        &self,
        (report, requirements): (&Definition, &[&str]),
        mirror: &mut MirrorReader<'_>,
        shown: &mut Vec<String>,
    ) -> Result<Filter, Failure> {
        let Key { name, by } = &self.key;
        let is_named = |named: &&Named| {
            let mut declared = report.objects.iter();
            *by == By::Column && (report.decides() || declared.any(|of| of.word == named.word))
        };
        let mut named = NAMED.iter().filter(is_named);
        let object = match by {
            By::Tag => Some(&TAG),
            _ => named.clone().find(|named| named.word == name),
        };
        // Rows without a value are asked for, whatever the values are.
        let is_empty = self.value.trim().is_empty();
        let object = object.filter(|_| !is_empty);
        let taken = object.map(|named| take(mirror, named, &self.value));
        let taken = taken.transpose()?.flatten();
        shown.extend(taken.as_ref().and_then(|taken| taken.line.clone()));
        let values = self.key.values(mirror, None)?;
        let mut parameters = report.parameters.iter();
        let parameter = parameters.find(|known| known.name == *name);
        let known = match (&values, parameter.map(|known| &known.kind)) {
            (Values::Learners(values), _) if taken.is_none() => {
                Some(texts(values.values().flatten().map(String::as_str)))
            }
            (Values::Column, Some(ParameterKind::Choice(known))) => {
                Some(texts(known.iter().map(String::as_str)))
            }
            (Values::Column, _) if name == "requirement" && !requirements.is_empty() => {
                Some(texts(requirements.iter().copied()))
            }
            (Values::Column, _) => {
                let named = named.find(|named| name.strip_suffix("_name") == Some(named.word));
                let objects = named.map(|named| objects(mirror, named)).transpose()?;
                objects.flatten().map(|(_, objects)| objects)
            }
            _ => None,
        };
        let mut open = None;
        if !is_empty && let Some(known) = known {
            self.check(&known)?;
        } else if !is_empty && taken.is_none() && report.is_text(name) {
            let elsewhere = column_of_learners(report, name, mirror)?;
            let known = texts(elsewhere.iter().map(String::as_str));
            open = self.check(&known).is_err().then_some(elsewhere);
        }
        Ok(Filter {
            values,
            key: self.key.clone(),
            is_exact: taken.is_some(),
            wanted: match taken {
                Some(taken) => taken.value.trim().to_owned(),
                None => folded(&self.value),
            },
            open,
        })
    }

    /// Not found, if the value is none of those that are known.
    fn check(&self, known: &Objects) -> Result<(), Failure> {
        match known.find_or_propose(&self.value) {
            Err(unresolved @ Unresolved::None(_)) => {
                let message = unresolved.message(&self.key.name.replace('_', " "), &self.value);
                Err(Failure::not_found(message))
            }
            _ => Ok(()),
        }
    }
}

impl Filter {
    /// Upper and lower case, and spaces, do not matter, as in names.
    pub(super) fn is_met(&self, row: &NamedRow<'_>) -> bool {
        let values = self.key.of_row(row, &self.values).into_iter();
        let mut values = values.map(Option::unwrap_or_default);
        values.any(|value| match self.is_exact {
            true => value == self.wanted,
            false => folded(&value) == self.wanted,
        })
    }
}

/// The values that the rows have for a condition that none of them meets.
pub(super) struct Unmet<'a> {
    condition: &'a Condition,
    filter: &'a Filter,
    known: BTreeSet<String>,
}

impl<'a> Unmet<'a> {
    /// Every condition for which only the rows can tell whether there is such a value.
    pub(super) fn all(conditions: &'a [Condition], filters: &'a [Filter]) -> Vec<Self> {
        let pairs = conditions.iter().zip(filters);
        let unmet = pairs.filter_map(|(condition, filter)| {
            let known = filter.open.iter().flatten().cloned().collect();
            filter.open.as_ref().map(|_| Self {
                condition,
                filter,
                known,
            })
        });
        unmet.collect()
    }

    /// Returns `false` if a row meets the condition.
    pub(super) fn stays(&mut self, row: &NamedRow<'_>) -> bool {
        let values = self.filter.key.of_row(row, &self.filter.values);
        self.known.extend(values.into_iter().flatten());
        !self.filter.is_met(row)
    }

    /// Not found, unless there is no value at all.
    pub(super) fn refuse(self) -> Result<(), Failure> {
        match self.known.is_empty() {
            true => Ok(()),
            false => {
                let known = self.known.iter().map(String::as_str);
                self.condition.check(&texts(known))
            }
        }
    }
}
