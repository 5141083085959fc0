//! `--where NAME=VALUE`: only some rows of a report, by one of its columns, or by a tag or a custom field of the learner.

use clap::{Arg, ArgAction, ArgMatches};
use lms_sync::{ColumnKind, mirror::MirrorReader};

use super::{
    definition::Definition,
    key::{By, Key, Values},
    names::{NAMED, Named, TAG, objects, take},
    parameter::ParameterKind,
    row::NamedRow,
};
use crate::{
    args::text,
    failure::Failure,
    resolve::object::{Object, Objects, Unresolved},
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
        let found = known.map(|known| known.find_or_propose(&self.value).map(drop));
        if let Some(Err(unresolved @ Unresolved::None(_))) = found {
            let message = unresolved.message(&name.replace('_', " "), &self.value);
            return Err(Failure::not_found(message));
        }
        let wanted = taken.map_or_else(|| self.value.clone(), |taken| taken.value);
        Ok(Filter {
            values,
            key: self.key.clone(),
            wanted: wanted.trim().to_lowercase(),
        })
    }
}

/// Texts to find one of.
fn texts<'a>(texts: impl Iterator<Item = &'a str>) -> Objects {
    let object = |text: &str| Object::new(String::new(), vec![("name", text.to_owned())]);
    texts.map(object).collect()
}

impl Filter {
    /// Upper and lower case, and spaces around a value, do not matter.
    pub(super) fn is_met(&self, row: &NamedRow<'_>) -> bool {
        let values = self.key.of_row(row, &self.values).into_iter();
        let mut values = values.map(Option::unwrap_or_default);
        values.any(|value| value.to_lowercase() == self.wanted)
    }
}
