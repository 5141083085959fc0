//! The values by which rows are selected and counted: those of a column, or the tags or a custom field of the learner.

use std::collections::HashMap;

use lms_sync::{Collection, ColumnKind, Value, collections, mirror::MirrorReader};

use super::{
    definition::{Definition, FIELDS},
    names::{FIELD, RECORDS_OF_FIELD, find, objects, texts},
    row::{NamedRow, each_row},
};
use crate::{failure::Failure, resolve::object::Unresolved};

/// The name for the tags of learners, which is that of no column.
const TAG: &str = "tag";

/// The tags of each learner.
const TAGS: &str = "SELECT l.id AS learner, t.value FROM learners l, json_each(l.tags) t WHERE t.type = 'text' -- sqlite\n\
    SELECT l.id AS learner, t.value FROM learners l, jsonb_array_elements_text(CASE \
    WHEN jsonb_typeof(CAST(l.tags AS JSONB)) = 'array' THEN CAST(l.tags AS JSONB) END) t -- postgres";

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
    Column,
    Learners(HashMap<String, Vec<String>>),
    Tenant(Option<String>),
}

impl Key {
    /// The key by which the rows of several tenants are counted.
    pub(super) fn tenant() -> Self {
        Self::by(By::Tenant, "tenant")
    }

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

    /// Fails if it is by a custom field and there is none of this name.
    ///
    /// # Errors
    ///
    /// Not found, with the nearest names; usage, if there are several, or if the mirror does not say which fields there are and the
    /// name is nearly that of a column.
    pub(super) fn require(
        &self,
        report: &Definition,
        mirror: &mut MirrorReader<'_>,
    ) -> Result<(), Failure> {
        if self.by != By::Field {
            return Ok(());
        }
        let mut nearest = Vec::new();
        let fields = objects(mirror, &FIELD)?.map(|(_, fields)| fields);
        match fields
            .as_ref()
            .map(|fields| fields.find_or_propose(&self.name))
        {
            Some(Err(Unresolved::None(names))) => nearest = names,
            Some(_) => return find(mirror, &FIELD, &self.name).map(|_| ()),
            None => {}
        }
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

    /// Reads the values of a mirror, which is that of this tenant.
    ///
    /// # Errors
    ///
    /// Not found or usage, if a name is neither that of a column nor that of one custom field.
    pub(super) fn values(
        &self,
        mirror: &mut MirrorReader<'_>,
        tenant: Option<&str>,
    ) -> Result<Values, Failure> {
        Ok(match self.by {
            By::Column => Values::Column,
            By::Tenant => Values::Tenant(tenant.map(str::to_owned)),
            By::Tag => Values::Learners(by_learner(mirror, TAGS, &[])?),
            By::Field => Values::Learners(field(mirror, &self.name)?),
        })
    }

    /// The values of a row; `None` for an empty one.
    pub(super) fn of_row(&self, row: &NamedRow<'_>, values: &Values) -> Vec<Option<String>> {
        match values {
            Values::Column => vec![shown(row.value(&self.name))],
            Values::Tenant(name) => vec![name.clone()],
            Values::Learners(values) => match values.get(&row.text("learner")) {
                Some(values) => values.iter().cloned().map(Some).collect(),
                None => vec![None],
            },
        }
    }
}

/// The values of a custom field by learner.
pub(super) fn field(
    mirror: &mut MirrorReader<'_>,
    name: &str,
) -> Result<HashMap<String, Vec<String>>, Failure> {
    let found = find(mirror, &FIELD, name)?;
    let id = found.map_or(Value::Null, |(_, of)| Value::Text(of.id));
    let parameters = [("field".to_owned(), ColumnKind::Text, id)];
    by_learner(mirror, RECORDS_OF_FIELD, &parameters)
}

/// The texts that learners have in a column of a report about them; none if they have no such column.
pub(super) fn column_of_learners(
    report: &Definition,
    name: &str,
    mirror: &mut MirrorReader<'_>,
) -> Result<Vec<String>, Failure> {
    let is_read = |known: &&&Collection| known.name == collections::LEARNERS;
    let learners = report.needs.iter().find(is_read);
    let column = learners.and_then(|learners| learners.column(name));
    if !report.has_learners() || column.is_none_or(|column| column.kind != ColumnKind::Text) {
        return Ok(Vec::new());
    }
    let sql = format!("SELECT l.id AS learner, l.\"{name}\" AS value FROM learners l");
    let values = by_learner(mirror, &sql, &[])?;
    Ok(values.into_values().flatten().collect())
}

fn by_learner(
    mirror: &mut MirrorReader<'_>,
    sql: &str,
    parameters: &[(String, ColumnKind, Value)],
) -> Result<HashMap<String, Vec<String>>, Failure> {
    let columns = ["learner", "value"].map(|name| (name.to_owned(), ColumnKind::Text));
    let mut values = HashMap::<_, Vec<_>>::new();
    each_row(mirror, sql, parameters, &columns, &mut |row| {
        if let Ok([Value::Text(learner), Value::Text(value)]) = <[Value; 2]>::try_from(row) {
            let of_learner = values.entry(learner).or_default();
            of_learner.push(value.trim().to_owned());
        }
    })?;
    Ok(values)
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
