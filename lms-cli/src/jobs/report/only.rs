//! `--where NAME=VALUE`: only some rows of a report, by one of its columns, or by a tag or a custom field of the learner.

use std::collections::BTreeSet;

use clap::{Arg, ArgAction, ArgMatches};
use lms_plan::folded;
use lms_sync::{ColumnKind, mirror::MirrorReader};

use super::{
    definition::Definition,
    key::{By, Key},
    names::{NAMED, Named, TAG, objects, take, texts},
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
    /// The text of the value without case and spaces; `None` for the id of an object, which is compared as it is.
    text: Option<String>,
    /// The object that the value names, as queries are given it, and its kind.
    object: Option<(String, &'static Named)>,
    /// The reason why the value names no object.
    unresolved: Option<Failure>,
    /// The values of the rows, until one of them meets the condition.
    unmet: Option<BTreeSet<String>>,
}

impl Condition {
    /// The condition with the object that it names; `shown` gets the line about it. A value that a row has needs no object: a report
    /// of a file may have names in place of ids, and completions have learners that the mirror lacks.
    ///
    /// # Errors
    ///
    /// Not found or usage, if the mirror does not have the tag.
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
        let mut filter = Filter {
            condition: self.clone(),
            text: Some(folded(&self.value)),
            object: None,
            unresolved: None,
            unmet: Some(BTreeSet::new()),
        };
        let Some(named) = named else {
            return Ok(filter);
        };
        match take(mirror, named, &self.value) {
            Ok(taken) => {
                shown.extend(taken.as_ref().and_then(|taken| taken.line.clone()));
                let object = taken.map(|taken| taken.value.trim().to_owned());
                filter
                    .text
                    .take_if(|_| object.as_deref() == Some(self.value.trim()));
                filter.object = object.map(|object| (object, named));
            }
            Err(failure) if *by == By::Column => filter.unresolved = Some(failure),
            Err(failure) => return Err(failure),
        }
        Ok(filter)
    }
}

impl Filter {
    /// `true` if a row meets it. Upper and lower case, and spaces, do not matter, as in names.
    pub(super) fn meets(&mut self, row: &NamedRow<'_>) -> bool {
        let values = self.condition.key.of_row(row, None).into_iter();
        let values: Vec<String> = values.map(Option::unwrap_or_default).collect();
        let is_met = values.iter().any(|value| {
            let is_object = matches!(&self.object, Some((object, _)) if object == value);
            is_object || self.text.as_ref() == Some(&folded(value))
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
        &mut self,
        (report, requirements): (&Definition, &[&str]),
        mirror: &mut MirrorReader<'_>,
    ) -> Result<(), Failure> {
        let Condition { key, value } = &self.condition;
        let Some(unmet) = self
            .unmet
            .as_ref()
            .filter(|_| self.text.as_deref() != Some(""))
        else {
            return Ok(());
        };
        if let Some(failure) = self.unresolved.take() {
            return Err(failure);
        }
        // The object may have no rows. A column of names has no ids.
        if let Some((_, named)) = &self.object
            && (self.text.is_some() || has_objects(unmet, named, mirror)?)
        {
            return Ok(());
        }
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

/// `false` if a column has texts, and none of them is that of an object as queries are given it.
fn has_objects(
    texts: &BTreeSet<String>,
    named: &Named,
    mirror: &mut MirrorReader<'_>,
) -> Result<bool, Failure> {
    let Some((_, objects)) = objects(mirror, named)? else {
        return Ok(true);
    };
    let is_of = |text: &String| {
        let found = objects.find(text);
        found.is_ok_and(|object| object.text(named.by) == Some(text))
    };
    Ok(texts.iter().all(String::is_empty) || texts.iter().any(is_of))
}
