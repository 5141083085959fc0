//! The names of courses and learners in a table for people, instead of their ids.
//!
//! Each list that has them is read once, up to a number of objects. Ids beyond that, or of a list that cannot be read, stay ids.

use std::collections::HashMap;

use lms_ext::Lms;
use serde_json::value::{RawValue, to_raw_value};

use crate::{
    failure::Failure,
    operations::{
        lookup::operation,
        table::{Command, Field, Kind},
    },
    output::json::{Members, unquoted},
    resolve::{
        kind::{ObjectKind, Reference},
        object,
    },
};

/// Most objects that are read of a list: five pages, as far as is known.
const MOST: u64 = 1_000;

/// The sentence about the costs, for the help of a list; empty for a list without such columns.
pub(super) fn help(row: &'static Command) -> String {
    let fields = row.output.schema().map_or(&[][..], |item| item.fields);
    let mut nouns: Vec<_> = fields
        .iter()
        .filter_map(kind)
        .map(ObjectKind::noun)
        .collect();
    nouns.dedup();
    match nouns.is_empty() {
        true => String::new(),
        false => format!(
            "A table shows the name instead of the id of each {}. For that, the first {MOST} objects of their lists are read; with \
             --columns, there are ids and no such requests.\n\n",
            nouns.join(" and ")
        ),
    }
}

/// The kind of the objects that a field of another object has the id of.
fn kind(field: &Field) -> Option<ObjectKind> {
    let is_other = field.name != "id" && matches!(field.kind, Kind::Id(_));
    let reference = Reference::of(field).filter(|_| is_other)?;
    (reference.by == "id").then_some(reference.kind)
}

/// The names of the objects that the fields of a list refer to.
pub(super) struct Names(HashMap<&'static str, HashMap<String, String>>);

impl Names {
    /// Reads the lists of the objects.
    pub(super) async fn read(lms: &Lms, fields: &'static [Field]) -> Self {
        let mut names = HashMap::new();
        for field in fields {
            if let Some(kind) = kind(field) {
                names.insert(field.name, of_kind(lms, kind).await.unwrap_or_default());
            }
        }
        Self(names)
    }

    /// An item with the names that are known.
    pub(super) fn of_item(&self, item: &RawValue) -> Result<Box<RawValue>, Failure> {
        let Some(members) = Members::of(item) else {
            return Ok(item.to_owned());
        };
        let members = members.iter().map(|(field, value)| {
            let names = self.0.get(field);
            let value = match names.and_then(|names| names.get(&unquoted(value))) {
                Some(name) => to_raw_value(name)?,
                None => value.to_owned(),
            };
            Ok(format!("{}:{}", serde_json::to_string(field)?, value.get()))
        });
        let members = members.collect::<Result<Vec<_>, serde_json::Error>>()?;
        Ok(RawValue::from_string(format!("{{{}}}", members.join(",")))?)
    }
}

async fn of_kind(lms: &Lms, kind: ObjectKind) -> Option<HashMap<String, String>> {
    let list = operation(kind.list()?)?;
    let request = lms.raw_operation::<&str>(list, &[]).ok()?;
    let mut items = request.pages().max_items(MOST);
    let mut names = HashMap::new();
    while let Ok(Some(page)) = items.try_next().await {
        for object in page.items.iter().filter_map(|item| object::of_item(item)) {
            let name = object.name().map(str::to_owned);
            names.extend(name.map(|name| (object.id.clone(), name)));
        }
    }
    Some(names)
}
