//! `--where NAME=VALUE`: only some rows of a report, by one of its columns, or by a tag or a custom field of the learner.

use clap::{Arg, ArgAction, ArgMatches};
use lms_sync::{ColumnKind, mirror::MirrorReader};

use super::{
    definition::Definition,
    key::{By, Key, Values},
    names::{TAG, take},
    row::NamedRow,
};
use crate::{args::text, failure::Failure};

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
}

impl Condition {
    /// # Errors
    ///
    /// Not found or usage, if the mirror does not have the tag or the custom field.
    pub(super) fn of_mirror(&self, mirror: &mut MirrorReader<'_>) -> Result<Filter, Failure> {
        let tag = match self.key.by {
            By::Tag => take(mirror, &TAG, &self.value)?,
            _ => None,
        };
        let wanted = tag.map_or_else(|| self.value.clone(), |tag| tag.value);
        Ok(Filter {
            values: self.key.values(mirror, None)?,
            key: self.key.clone(),
            wanted: wanted.trim().to_lowercase(),
        })
    }
}

impl Filter {
    /// Upper and lower case, and spaces around a value, do not matter.
    pub(super) fn is_met(&self, row: &NamedRow<'_>) -> bool {
        let values = self.key.of_row(row, &self.values).into_iter();
        let mut values = values.map(Option::unwrap_or_default);
        values.any(|value| value.to_lowercase() == self.wanted)
    }
}
