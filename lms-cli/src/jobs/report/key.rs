//! The values by which rows are selected and counted: those of a column, or the tags or a custom field of the learner.

use std::collections::HashMap;

use lms_plan::folded;
use lms_sync::{ColumnKind, Value, collections, mirror::MirrorReader};

use super::{
    definition::Definition,
    names::{FIELD, FIELDS, NAMED, RECORDS_OF_FIELD, distinct, find, objects, of_field, texts},
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
    /// The column of the query that has the values, as JSON if they are those of the learner.
    pub(super) column: String,
    /// The id of the custom field, and how each text in it is spelled, as JSON, once it is found.
    pub(super) field: Option<(String, String)>,
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

impl Key {
    /// The key by which the rows of several tenants are counted.
    pub(super) fn tenant() -> Self {
        Self::by(By::Tenant, "tenant")
    }

    pub(super) fn by(by: By, name: &str) -> Self {
        let column = match by {
            By::Tag | By::Field => format!("learner's {}", name.replace('"', " ")),
            By::Column | By::Tenant => name.to_owned(),
        };
        Self {
            name: name.to_owned(),
            by,
            column,
            field: None,
        }
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

    /// Finds its custom field, if it is by one.
    ///
    /// # Errors
    ///
    /// Not found, with the nearest names; usage, if there are several, or if the mirror does not say which fields there are and the
    /// name is nearly that of a column.
    pub(super) fn resolve(
        &mut self,
        report: &Definition,
        mirror: &mut MirrorReader<'_>,
    ) -> Result<(), Failure> {
        if self.by != By::Field {
            return Ok(());
        }
        let fields = objects(mirror, &FIELD)?.map(|(_, fields)| fields);
        let found = fields.as_ref().map(|of| of.find_or_propose(&self.name));
        let mut nearest = match found {
            Some(Err(Unresolved::None(names))) => names,
            Some(_) => {
                if let Some((_, field)) = find(mirror, &FIELD, &self.name)? {
                    let spellings = spellings(of_field(mirror, &field.id)?);
                    self.field = Some((field.id, spellings));
                }
                return Ok(());
            }
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
            // The mirror lacks the collections of fields, which is reported as a whole.
            None => Ok(()),
        }
    }

    /// The values of a row, of this tenant; `None` for an empty one.
    pub(super) fn of_row(&self, row: &NamedRow<'_>, tenant: Option<&str>) -> Vec<Option<String>> {
        let of_learner = match (self.by, row.value(&self.column)) {
            (By::Tenant, _) => return vec![tenant.map(str::to_owned)],
            (By::Column, value) => return vec![shown(value)],
            (_, Value::Json(json)) => serde_json::from_str(json).unwrap_or_default(),
            _ => Vec::new(),
        };
        let values = of_learner.iter().filter_map(serde_json::Value::as_str);
        let values = values.map(str::trim).filter(|value| !value.is_empty());
        let values: Vec<_> = values.map(|value| Some(value.to_owned())).collect();
        match values.is_empty() {
            true => vec![None],
            false => values,
        }
    }

    /// The values that the mirror has, whatever rows the report has.
    pub(super) fn known(
        &self,
        report: &Definition,
        mirror: &mut MirrorReader<'_>,
    ) -> Result<Vec<String>, Failure> {
        if let Some((field, _)) = &self.field {
            return of_field(mirror, field);
        }
        let word = self.name.strip_suffix("_name");
        let named = NAMED.iter().find(|named| Some(named.word) == word);
        let (of, column) = match named {
            Some(named) => (named.collection, "name"),
            None => (collections::LEARNERS, &*self.name),
        };
        let known = report.needs.iter().find(|known| known.name == of);
        match known.and_then(|known| known.column(column)) {
            Some(known) if known.kind == ColumnKind::Text && self.by == By::Column => {
                let sql = format!("SELECT \"{column}\" AS value FROM {of}");
                distinct(mirror, &sql, &[])
            }
            _ => Ok(Vec::new()),
        }
    }

    /// A query for the values of each learner, as JSON, with two parameters for a custom field. `None` for a column.
    pub(super) fn of_learners(&self, [id, spellings]: [&str; 2]) -> Option<String> {
        match self.by {
            By::Column | By::Tenant => None,
            By::Tag => Some("SELECT l.id AS learner, l.tags AS value FROM learners l".to_owned()),
            By::Field => {
                let records = RECORDS_OF_FIELD.replace(":field", &format!(":{id}"));
                Some(format!(
                    "SELECT r.learner, json_group_array(coalesce(s.value, r.value)) AS value -- sqlite\n\
                     SELECT r.learner, json_agg(coalesce(s.value, r.value)) AS value -- postgres\n\
                     FROM (\n{records}\n) r\n\
                     LEFT JOIN (SELECT DISTINCT key, value FROM json_each(:{spellings})) s ON s.key = r.value -- sqlite\n\
                     LEFT JOIN json_each_text(:{spellings}) s ON s.key = r.value -- postgres\n\
                     GROUP BY r.learner"
                ))
            }
        }
    }
}

/// The spelling that stands for each of these texts, which are sorted by how often they occur: the first one that differs from it only
/// in case and spaces.
fn spellings(texts: Vec<String>) -> String {
    let mut first: HashMap<String, String> = HashMap::new();
    let spelled = texts.into_iter().map(|text| {
        let spelling = first.entry(folded(&text));
        let spelling = spelling.or_insert_with(|| text.trim().to_owned()).clone();
        (text, spelling.into())
    });
    let spelled: serde_json::Map<String, serde_json::Value> = spelled.collect();
    serde_json::Value::from(spelled).to_string()
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
