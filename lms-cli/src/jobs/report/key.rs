//! The values by which rows are selected and counted: those of a column, or the tags or a custom field of the learner.

use std::collections::HashMap;

use lms_plan::folded;
use lms_sync::{ColumnKind, Value, collections, mirror::MirrorReader};

use super::{
    definition::Definition,
    names::{FIELD, FIELDS, find, objects, of_field, tags, texts},
    row::NamedRow,
};
use crate::{failure::Failure, resolve::object::Unresolved};

/// The name for the tags of learners, which is that of no column.
const TAG: &str = "tag";

/// A name by which rows are selected or counted.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) by: By,
}

/// The origin of the values of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Column,
    /// The names of the tags of the learner.
    Tag,
    /// A custom field of the learner.
    Field,
    /// The name of the tenant.
    Tenant,
}

/// The values of a key in one mirror.
pub(super) enum Values {
    Column(String),
    /// The texts of each learner.
    Learners(HashMap<String, Vec<String>>),
    Tenant(Option<String>),
}

impl Key {
    pub(super) fn by(by: By, name: &str) -> Self {
        let name = name.to_owned();
        Self { name, by }
    }

    /// The key of an option. The report then needs its collections.
    ///
    /// # Errors
    ///
    /// Usage, if the name is that of no column of these kinds, and the report is not about learners.
    pub(super) fn of(
        option: &str,
        name: &str,
        report: &mut Definition,
        kinds: &[ColumnKind],
    ) -> Result<Self, Failure> {
        let column = report.columns.iter().find(|(known, _)| known == name);
        let by = match column {
            Some((_, kind)) if kinds.contains(kind) => By::Column,
            None if report.has_learners() && name == TAG => By::Tag,
            None if report.has_learners() => By::Field,
            _ => {
                let names = report.columns.iter();
                let names = names.filter(|(_, kind)| kinds.contains(kind));
                let names: Vec<&str> = names.map(|(name, _)| &**name).collect();
                let names = names.join(", ");
                return Err(Failure::usage(format!(
                    "{option} {name}: name one of {names}"
                )));
            }
        };
        if matches!(by, By::Tag | By::Field) {
            report.also_needs(&[collections::LEARNERS]);
        }
        if by == By::Field {
            report.also_needs(&FIELDS);
        }
        Ok(Self::by(by, name))
    }

    /// Its values in the mirror of a tenant.
    ///
    /// # Errors
    ///
    /// Those of [`field`](Self::field).
    pub(super) fn values(
        &self,
        report: &Definition,
        mirror: &mut MirrorReader<'_>,
        tenant: Option<&str>,
    ) -> Result<Values, Failure> {
        let texts = match self.by {
            By::Column => return Ok(Values::Column(self.name.clone())),
            By::Tenant => return Ok(Values::Tenant(tenant.map(str::to_owned))),
            By::Tag => tags(mirror)?,
            By::Field => match self.field(report, mirror)? {
                Some(field) => spelled(of_field(mirror, &field)?),
                None => Vec::new(),
            },
        };
        let mut learners: HashMap<String, Vec<String>> = HashMap::new();
        for (learner, text) in texts {
            if !text.trim().is_empty() {
                let known = learners.entry(learner).or_default();
                known.push(text.trim().to_owned());
            }
        }
        Ok(Values::Learners(learners))
    }

    /// The id of its custom field. `None` if the mirror lacks the collections of fields, which is reported as a whole.
    ///
    /// # Errors
    ///
    /// Not found, with the nearest names; usage, if there are several, or if the mirror does not say which fields there are and the
    /// name is nearly that of a column.
    fn field(
        &self,
        report: &Definition,
        mirror: &mut MirrorReader<'_>,
    ) -> Result<Option<String>, Failure> {
        let fields = objects(mirror, &FIELD)?.map(|(_, fields)| fields);
        let found = fields.as_ref().map(|of| of.find_or_propose(&self.name));
        let mut nearest = match found {
            Some(Err(Unresolved::None(names))) => names,
            Some(_) => return Ok(find(mirror, &FIELD, &self.name)?.map(|(_, field)| field.id)),
            None => Vec::new(),
        };
        let columns = report.columns.iter().map(|(column, _)| &**column);
        match texts(columns.chain([TAG])).find_or_propose(&self.name) {
            Ok(object) => nearest.extend(object.name().map(str::to_owned)),
            Err(Unresolved::None(names)) => nearest.extend(names),
            Err(Unresolved::Several(_)) => {}
        }
        let is_column = !nearest.is_empty();
        let message = |noun| Unresolved::None(nearest).message(noun, &self.name);
        match fields {
            Some(_) => Err(Failure::not_found(message("user field"))
                .advice("if it is new, run `lms mirror` again")),
            None if is_column => Err(Failure::usage(message("column"))
                .advice("a custom field needs a mirror of user_fields and records")),
            None => Ok(None),
        }
    }
}

impl Values {
    /// The values of a row; `None` for an empty one.
    pub(super) fn of_row(&self, row: &NamedRow<'_>) -> Vec<Option<String>> {
        match self {
            Self::Tenant(name) => vec![name.clone()],
            Self::Column(name) => vec![shown(row.value(name))],
            Self::Learners(texts) => match texts.get(&row.text("learner")) {
                Some(texts) => texts.iter().cloned().map(Some).collect(),
                None => vec![None],
            },
        }
    }

    /// All texts of learners.
    pub(super) fn texts(&self) -> impl Iterator<Item = &String> {
        let learners = match self {
            Self::Learners(texts) => Some(texts.values().flatten()),
            _ => None,
        };
        learners.into_iter().flatten()
    }
}

/// Texts that differ only in case and spaces, as the first of them is spelled.
fn spelled(mut texts: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut first: HashMap<String, String> = HashMap::new();
    for (_, text) in &mut texts {
        let spelling = first.entry(folded(text));
        text.clone_from(spelling.or_insert_with(|| text.clone()));
    }
    texts
}

/// A value as text: the month of a time. `None` if it is empty.
fn shown(value: &Value) -> Option<String> {
    let text = match value {
        Value::Text(text) => text.trim().to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(boolean) => boolean.to_string(),
        time => time.utc_text()?.get(..7)?.to_owned(),
    };
    Some(text).filter(|text| !text.is_empty())
}
