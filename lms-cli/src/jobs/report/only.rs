//! `--where NAME=VALUE`: only some rows of a report, by one of its columns, or by a tag or a custom field of the learner.

use std::collections::BTreeSet;

use clap::{Arg, ArgAction, ArgMatches};
use lms_plan::folded;
use lms_sync::{ColumnKind, collections, mirror::MirrorReader};

use super::{
    definition::Definition,
    key::{By, Key, Values},
    names::{NAMED, TAG, take, texts, texts_of},
    row::NamedRow,
    rules::Rules,
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
    values: Values,
    /// The text of the value without case and spaces; `None` for the id of an object, which is compared as it is.
    text: Option<String>,
    /// The object that the value names, as queries are given it.
    object: Option<String>,
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
        values: Values,
        report: &Definition,
        mirror: &mut MirrorReader<'_>,
        shown: &mut Vec<String>,
    ) -> Result<Filter, Failure> {
        let Key { name, by } = &self.key;
        let named = match by {
            By::Tag => Some(&TAG),
            By::Column if report.is_text(name) => NAMED.iter().find(|named| named.word == name),
            _ => None,
        };
        let mut filter = Filter {
            condition: self.clone(),
            values,
            text: Some(folded(&self.value)),
            object: None,
            unresolved: None,
            unmet: Some(BTreeSet::new()),
        };
        // Rows without a value are asked for, whatever the values are.
        let Some(named) = named.filter(|_| !self.value.trim().is_empty()) else {
            return Ok(filter);
        };
        match take(mirror, named, &self.value, "") {
            Ok(taken) => {
                shown.extend(taken.as_ref().and_then(|taken| taken.line.clone()));
                let object = taken.map(|taken| taken.value.trim().to_owned());
                filter
                    .text
                    .take_if(|_| object.as_deref() == Some(self.value.trim()));
                filter.object = object;
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
        let values = self.values.of_row(row);
        let is_met = values.iter().any(|value| {
            let value = value.as_deref().unwrap_or_default();
            self.object.as_deref() == Some(value) || self.text.as_ref() == Some(&folded(value))
        });
        match &mut self.unmet {
            unmet @ Some(_) if is_met => *unmet = None,
            Some(unmet) => unmet.extend(values.into_iter().flatten()),
            None => {}
        }
        is_met
    }

    /// Not found, if no row meets it and its value is nowhere else. A report without rows would say that there are none.
    pub(super) fn check(
        &mut self,
        report: &Definition,
        rules: Option<&Rules>,
        mirror: &mut MirrorReader<'_>,
    ) -> Result<(), Failure> {
        let Condition { key, value } = &self.condition;
        let unmet = self.unmet.take();
        let Some(mut known) = unmet.filter(|_| self.text.as_deref() != Some("")) else {
            return Ok(());
        };
        if let Some(failure) = self.unresolved.take() {
            return Err(failure);
        }
        let is_column = key.by == By::Column;
        // The object of a name may have no rows.
        let is_object = self.object.is_some() && (self.text.is_some() || !is_column);
        if is_object || is_column && !report.is_text(&key.name) {
            return Ok(());
        }
        known.extend(self.values.texts().cloned());
        if is_column {
            // A column of names has no ids.
            let stored = of_column(&key.name, report, mirror)?;
            let is_of_rows = known.is_empty() || stored.iter().any(|text| known.contains(text));
            known.extend(stored.into_iter().filter(|_| is_of_rows));
        }
        let parameter = report.parameters.iter().find(|of| of.name == key.name);
        known.extend(parameter.iter().flat_map(|of| of.choices.iter().cloned()));
        if key.name == "requirement" {
            let required = rules.iter().flat_map(|rules| &rules.required);
            known.extend(required.map(|of| of.name.clone()));
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

/// The texts that the mirror has for a column of a report, whatever rows the report has.
fn of_column(
    name: &str,
    report: &Definition,
    mirror: &mut MirrorReader<'_>,
) -> Result<Vec<String>, Failure> {
    let word = name.strip_suffix("_name");
    let named = NAMED
        .iter()
        .find(|named| named.word == word.unwrap_or(name));
    let (of, column) = match named {
        Some(named) => (named.collection, word.map_or(named.by, |_| "name")),
        None => (collections::LEARNERS, name),
    };
    let known = report.needs.iter().find(|known| known.name == of);
    match known.and_then(|known| known.column(column)) {
        Some(known) if known.kind == ColumnKind::Text => {
            let sql = format!("SELECT id AS learner, \"{column}\" AS value FROM {of}");
            let texts = texts_of(mirror, &sql, &[], &[])?;
            let texts = texts.into_iter().map(|(_, text)| text);
            Ok(texts.filter(|text| !text.is_empty()).collect())
        }
        _ => Ok(Vec::new()),
    }
}
