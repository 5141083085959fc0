//! An object of a response by its names, and the failure of a text that names none.

pub(crate) use lms_plan::{Object, Objects, Unresolved};
use serde_json::{Map, Value, value::RawValue};

use super::kind::{ObjectKind, UNIQUE};
use crate::{failure::Failure, pseudonyms};

/// The object of a response; `None` if it has neither an id nor a name.
pub(crate) fn of(fields: &Map<String, Value>) -> Option<Object> {
    let text = |name: &str| {
        let text = fields.get(name).and_then(Value::as_str).unwrap_or_default();
        text.trim().to_owned()
    };
    let flag = |name: &str| fields.get(name) == Some(&Value::Bool(true));
    let person = format!("{} {}", text("firstname"), text("surname"));
    // As it is written: an exact name comes before one with other spaces.
    let name = fields.get("name").and_then(Value::as_str);
    let name = name.filter(|name| !name.trim().is_empty());
    let name = name.unwrap_or_default().to_owned();
    let names = [("name", name), ("person", person.trim().to_owned())];
    let unique = UNIQUE.map(|field| (field, text(field)));
    let mut object = Object::new(text("id"), names.into_iter().chain(unique).collect());
    object.deleted = flag("deleted");
    object.archived = flag("archived");
    object
        .names
        .iter()
        .for_each(|(field, text)| pseudonyms::learn(field, text));
    (!object.id.is_empty() || !object.names.is_empty()).then_some(object)
}

/// The object of an item of a list; `None` as for [`of`].
pub(crate) fn of_item(item: &RawValue) -> Option<Object> {
    of(&serde_json::from_str(item.get()).ok()?)
}

/// The failure of a command that was given a text.
pub(crate) fn failure(unresolved: &Unresolved, kind: ObjectKind, text: &str) -> Failure {
    let message = unresolved.message(&kind.noun(), text);
    match (unresolved, kind.list()) {
        (Unresolved::Several(_), _) => Failure::usage(message).advice("use the id of one of them"),
        (Unresolved::None(_), None) => Failure::not_found(message),
        (Unresolved::None(_), Some(list)) => Failure::not_found(message).advice(format!(
            "check the id or the {}; `lms {}` shows what there is",
            kind.names(),
            list.name()
        )),
    }
}
