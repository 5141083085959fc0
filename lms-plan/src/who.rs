//! Conditions on the columns of a person, as rules write them: `when = { department = "Warehouse" }`.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use crate::names::folded;

/// A condition. Every column must have the text, or one of the texts; `"*"` stands for any text. Case, spaces at the
/// ends and invisible characters do not matter. An empty condition holds for all people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Condition(BTreeMap<String, Texts>);

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
struct Texts(#[serde(deserialize_with = "texts")] Vec<String>);

/// Reads a list of texts, of which a single one needs no brackets.
///
/// # Errors
///
/// An error with the form of such a list, for any other value.
pub fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "write a text in quotes, or several: [\"Fire safety\", \"First aid\"]"
    )]
    enum Texts {
        One(String),
        Several(Vec<String>),
    }
    Ok(match Texts::deserialize(deserializer)? {
        Texts::One(text) => vec![text],
        Texts::Several(texts) => texts,
    })
}

impl Condition {
    /// The columns that the condition reads.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns `true` if the condition holds for a person whose columns have these texts.
    pub fn holds<'a>(&self, text: impl Fn(&str) -> &'a str) -> bool {
        self.0.iter().all(|(column, wanted)| {
            let found = folded(text(column));
            let is_it = |wanted: &String| match wanted.as_str() {
                "*" => !found.is_empty(),
                wanted => folded(wanted) == found,
            };
            wanted.0.iter().any(is_it)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_holds_if_every_column_has_one_of_its_texts() {
        let person = |column: &str| match column {
            "department" => " Warehouse ",
            "site" => "Kiel",
            _ => "",
        };
        for (json, expected) in [
            (r#"{}"#, true),
            (r#"{"department": "warehouse"}"#, true),
            (
                r#"{"department": ["Sales", "Warehouse"], "site": "*"}"#,
                true,
            ),
            (r#"{"department": "Warehouse", "site": "Bonn"}"#, false),
            (r#"{"manager": "*"}"#, false),
            (r#"{"manager": ""}"#, true),
        ] {
            let condition: Condition = serde_json::from_str(json).unwrap();
            assert_eq!(condition.holds(person), expected, "{json}");
        }
    }
}
