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

#[cfg(test)]
mod tests {
    use super::{field_name, type_name};

    #[test]
    fn names_are_those_of_generated_code() {
        for (name, of_a_type, of_a_field) in [
            ("course_list", "CourseList", "course_list"),
            ("listLearners", "ListLearners", "list_learners"),
            ("1st list", "X1stList", "x1st_list"),
            ("+1", "plus1", "plus1"),
            ("type", "Type", "type_"),
            ("self", "Self_", "self_"),
            ("", "X", "x"),
        ] {
            assert_eq!(type_name(name), of_a_type);
            assert_eq!(field_name(name), of_a_field);
        }
    }
}
