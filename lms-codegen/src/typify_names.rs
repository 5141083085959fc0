//! The Rust names that typify makes of names in the document.
//!
//! typify does not publish the rule, so each name is read from a type that it makes. Operations and parameters are named by
//! the same rule.

use serde_json::{from_value, json};
use typify::{TypeDetails, TypeSpace};

/// The name of a type or of a variant: `CourseList` for `course_list`.
pub(crate) fn type_name(name: &str) -> String {
    made(name, "property").map_or_else(|| name.to_owned(), |(name, _)| name)
}

/// The name of a field, a method or a variable: `type_` for `type`.
pub(crate) fn field_name(name: &str) -> String {
    made("Type", name).map_or_else(|| name.to_owned(), |(_, field)| field)
}

/// The names of a type and of its only field.
fn made(name: &str, property: &str) -> Option<(String, String)> {
    let schema = json!({ "type": "object", "properties": { property: { "type": "string" } } });
    let schema = from_value(schema).ok()?;
    let mut space = TypeSpace::default();
    let made = space.add_type_with_name(&schema, Some(name.to_owned()));
    let made = space.get_type(&made.ok()?).ok()?;
    let TypeDetails::Struct(details) = made.details() else {
        return None;
    };
    let (field, _) = details.properties().next()?;
    Some((made.name(), field.to_owned()))
}
