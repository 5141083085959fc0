//! An object by its id or its names, among others.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value, value::RawValue};

use super::kind::{ObjectKind, UNIQUE};
use crate::{failure::Failure, pseudonyms};

/// Similarity of names from which one is proposed for another.
const NEAR: f64 = 0.6;

/// Number of names that are proposed.
const PROPOSED: usize = 3;

/// Number of objects of one name that are listed.
const LISTED: usize = 10;

/// The texts by which an object is found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Object {
    pub(crate) id: String,
    /// Field and text: the name of a person is that of no field.
    names: Vec<(&'static str, String)>,
    pub(crate) deleted: bool,
    archived: bool,
}

/// Why a text is no object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unresolved {
    /// No object has the id or the name; the nearest names.
    None(Vec<String>),
    /// The objects with the name.
    Several(Vec<String>),
}

impl Object {
    /// The object of a response; `None` if it has neither an id nor a name.
    pub(crate) fn of(fields: &Map<String, Value>) -> Option<Self> {
        let text = |name: &str| {
            let text = fields.get(name).and_then(Value::as_str).unwrap_or_default();
            text.trim().to_owned()
        };
        let flag = |name: &str| fields.get(name) == Some(&Value::Bool(true));
        let person = format!("{} {}", text("firstname"), text("surname"));
        let names = [("name", text("name")), ("person", person.trim().to_owned())];
        let unique = UNIQUE.map(|field| (field, text(field)));
        let mut names: Vec<_> = names.into_iter().chain(unique).collect();
        names.retain(|(_, text)| !text.is_empty());
        names
            .iter()
            .for_each(|(field, text)| pseudonyms::learn(field, text));
        let object = Self {
            id: text("id"),
            names,
            deleted: flag("deleted"),
            archived: flag("archived"),
        };
        (!object.id.is_empty() || !object.names.is_empty()).then_some(object)
    }

    /// The object of an item of a list; `None` as for [`of`](Self::of).
    pub(crate) fn of_item(item: &RawValue) -> Option<Self> {
        Self::of(&serde_json::from_str(item.get()).ok()?)
    }

    /// The text of a field: `id` or another.
    pub(crate) fn text(&self, field: &str) -> Option<&str> {
        if field == "id" {
            return Some(&self.id)
                .filter(|id| !id.is_empty())
                .map(String::as_str);
        }
        let mut names = self.names.iter();
        names
            .find(|(known, _)| *known == field)
            .map(|(_, text)| &**text)
    }

    /// The object for a person who has to choose, such as `c1 (Fire safety, archived)`.
    fn described(&self) -> String {
        let mut about: Vec<&str> = self.names.iter().map(|(_, text)| &**text).collect();
        about.extend(self.archived.then_some("archived"));
        about.extend(self.deleted.then_some("deleted"));
        match self.id.as_str() {
            "" => about.join(", "),
            id => format!("{id} ({})", about.join(", ")),
        }
    }
}

/// Objects to find by id or name.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    all: Vec<Object>,
    /// The positions of objects by id, and by folded name.
    ids: HashMap<String, usize>,
    names: HashMap<String, Vec<usize>>,
}

impl FromIterator<Object> for Objects {
    fn from_iter<I: IntoIterator<Item = Object>>(objects: I) -> Self {
        let mut known = Self::default();
        for object in objects {
            let at = known.all.len();
            // A list may have an object twice.
            if known.ids.contains_key(&object.id) {
                continue;
            }
            if !object.id.is_empty() {
                known.ids.insert(object.id.clone(), at);
            }
            let folded: BTreeSet<String> =
                object.names.iter().map(|(_, name)| folded(name)).collect();
            for name in folded {
                known.names.entry(name).or_default().push(at);
            }
            known.all.push(object);
        }
        known
    }
}

impl Objects {
    /// The one object with this id or name. Objects that are deleted come last.
    pub(crate) fn find(&self, text: &str) -> Result<&Object, Unresolved> {
        let text = text.trim();
        if let Some(at) = self.ids.get(text) {
            return Ok(&self.all[*at]);
        }
        let named = self.names.get(&folded(text)).into_iter().flatten();
        let named: Vec<&Object> = named.map(|at| &self.all[*at]).collect();
        let is_exact = |object: &Object| object.names.iter().any(|(_, name)| name == text);
        for (deleted, exact) in [(false, true), (false, false), (true, true), (true, false)] {
            let is_it =
                |object: &&&Object| (deleted || !object.deleted) && (!exact || is_exact(object));
            let found: Vec<&Object> = named.iter().filter(is_it).copied().collect();
            match found.as_slice() {
                [] => {}
                [one] => return Ok(one),
                several => return Err(Unresolved::several(several)),
            }
        }
        Err(Unresolved::None(Vec::new()))
    }

    /// `true` if an object has exactly the name of this one.
    pub(super) fn has_name_of(&self, object: &Object) -> bool {
        let Some(name) = object.text("name") else {
            return false;
        };
        let named = self.names.get(&folded(name)).into_iter().flatten();
        let mut named = named.map(|at| &self.all[*at]);
        named.any(|known| known.text("name") == Some(name))
    }

    /// Like [`find`](Self::find), with the nearest names if there is none.
    pub(crate) fn find_or_propose(&self, text: &str) -> Result<&Object, Unresolved> {
        self.find(text).map_err(|unresolved| match unresolved {
            Unresolved::None(_) => Unresolved::None(self.nearest(&folded(text))),
            several @ Unresolved::Several(_) => several,
        })
    }

    /// The names that are spelled nearly the same, the nearest first.
    fn nearest(&self, text: &str) -> Vec<String> {
        let mut near: Vec<(f64, &str)> = Vec::new();
        for object in self.all.iter().filter(|object| !object.deleted) {
            for (_, name) in &object.names {
                let known = folded(name);
                let alike = match !text.is_empty() && known.contains(text) {
                    true => 1.0,
                    false => strsim::normalized_damerau_levenshtein(&known, text),
                };
                if alike >= NEAR {
                    near.push((alike, name));
                }
            }
        }
        near.sort_by(|(a, left), (b, right)| b.total_cmp(a).then(left.cmp(right)));
        near.dedup_by_key(|(_, name)| *name);
        near.into_iter()
            .take(PROPOSED)
            .map(|(_, name)| name.to_owned())
            .collect()
    }
}

/// A name as it is compared: without invisible characters, in lower case, with single spaces.
fn folded(text: &str) -> String {
    let invisible = |c: &char| {
        c.is_control() && !c.is_whitespace()
            || matches!(
                c,
                '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'
            )
    };
    let visible: String = text.chars().filter(|c| !invisible(c)).collect();
    let words: Vec<&str> = visible.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

impl Unresolved {
    fn several(objects: &[&Object]) -> Self {
        let mut listed: Vec<String> = objects
            .iter()
            .take(LISTED)
            .map(|object| object.described())
            .collect();
        if objects.len() > LISTED {
            listed.push(format!("and {} more", objects.len() - LISTED));
        }
        Self::Several(listed)
    }

    /// The failure of a command that was given a text.
    pub(crate) fn failure(&self, kind: ObjectKind, text: &str) -> Failure {
        let noun = kind.noun();
        match self {
            Self::None(_) => {
                let nearest = self
                    .nearest()
                    .map_or(String::new(), |nearest| format!("; {nearest}"));
                let failure = Failure::not_found(format!("there is no {noun} {text}{nearest}"));
                match kind.list() {
                    Some(list) => failure.advice(format!(
                        "check the id or the {}; `lms {}` shows what there is",
                        kind.names(),
                        list.name()
                    )),
                    None => failure,
                }
            }
            Self::Several(listed) => Failure::usage(format!(
                "{text} is the name of more than one {noun}: {}",
                listed.join("; ")
            ))
            .advice("use the id of one of them"),
        }
    }

    /// The nearest names, as a part of a sentence.
    pub(crate) fn nearest(&self) -> Option<String> {
        match self {
            Self::None(names) => match names.as_slice() {
                [] => None,
                [one] => Some(format!("the nearest is {one}")),
                several => Some(format!("the nearest are {}", several.join(", "))),
            },
            Self::Several(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn objects() -> Objects {
        let objects = json!([
            { "id": "c1", "name": "Fire safety" },
            { "id": "c2", "name": "First aid" },
            { "id": "c3", "name": "first aid" },
            { "id": "c4", "name": "c1" },
            { "id": "c5", "name": "Lifting" },
            { "id": "c6", "name": " Lifting " },
            { "id": "c7", "name": "Lifting", "deleted": true },
            { "id": "c8", "name": "Noise", "deleted": true },
            { "id": "c9", "name": "Über\u{a0}\u{200b}uns" },
            { "id": "l1", "firstname": "Ann", "surname": "Lee", "email": "ann@acme.example", "username": "al" },
        ]);
        let objects = objects.as_array().unwrap().iter();
        objects
            .filter_map(|object| Object::of(object.as_object()?))
            .collect()
    }

    #[test]
    fn a_text_is_an_id_before_an_exact_name_and_an_exact_name_before_a_similar_one() {
        let objects = objects();
        for (text, expected) in [
            ("c1", "c1"),
            (" c1 ", "c1"),
            ("Fire safety", "c1"),
            ("FIRE  safety", "c1"),
            ("First aid", "c2"),
            ("first aid", "c3"),
            ("Noise", "c8"),
            ("über uns", "c9"),
            ("Ann Lee", "l1"),
            ("ann lee", "l1"),
            ("ANN@acme.example", "l1"),
            ("AL", "l1"),
        ] {
            assert_eq!(
                objects.find(text).map(|object| &*object.id),
                Ok(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn a_name_of_several_objects_is_none_of_them() {
        for (text, expected) in [
            ("Lifting", "c5 (Lifting); c6 (Lifting)"),
            ("FIRST AID", "c2 (First aid); c3 (first aid)"),
        ] {
            let objects = objects();
            let Err(Unresolved::Several(listed)) = objects.find(text) else {
                panic!("{text}");
            };
            assert_eq!(listed.join("; "), expected);
        }
    }

    #[test]
    fn the_nearest_names_are_proposed() {
        for (text, expected) in [
            ("Fire saftey", &["Fire safety"][..]),
            ("lee", &["Ann Lee"]),
            ("zzz", &[]),
            ("", &[]),
        ] {
            let objects = objects();
            let Err(Unresolved::None(nearest)) = objects.find_or_propose(text) else {
                panic!("{text}");
            };
            assert_eq!(nearest, expected, "{text}");
        }
    }
}
