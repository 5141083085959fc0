//! Objects by id or name, with one rule for every place where a person writes a name.
//!
//! A text is an id before it is an exact name, and an exact name before one that differs in case and spaces. Objects that
//! are deleted come last. If there is none, the nearest names are proposed.

use std::collections::{BTreeSet, HashMap};

/// Similarity of names from which one is proposed for another.
const NEAR: f64 = 0.6;

/// Number of characters from which a part of a name is taken for it.
const PART: usize = 3;

/// Number of names that are proposed.
const PROPOSED: usize = 3;

/// Number of objects of one name that are listed.
const LISTED: usize = 10;

/// The texts by which an object is found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Object {
    /// The id; empty for an object that has only a name.
    pub id: String,
    /// Field and text: the name of a person is that of no field.
    pub names: Vec<(&'static str, String)>,
    /// `true` if the service says so.
    pub archived: bool,
    /// `true` if the service says so.
    pub deleted: bool,
}

/// The reason why a text does not name one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// No object has the id or the name; the nearest names.
    None(Vec<String>),
    /// The objects with the name.
    Several(Vec<String>),
}

impl Object {
    /// An object with an id and names; empty names are left out.
    #[must_use]
    pub fn new(id: String, mut names: Vec<(&'static str, String)>) -> Self {
        names.retain(|(_, text)| !text.is_empty());
        Self {
            id,
            names,
            ..Self::default()
        }
    }

    /// The text of a field: `id` or another.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<&str> {
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

    /// The line that says which object a text was taken for; `value` is the text that is used instead.
    #[must_use]
    pub fn taken_for(&self, noun: &str, text: &str, value: &str) -> String {
        let which = match (self.deleted, self.archived) {
            (true, _) => ", which is deleted",
            (_, true) => ", which is archived",
            _ => "",
        };
        format!("{noun} {text} is {value}{which}")
    }

    /// The name of an object or of a person, or else the email address.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        let mut fields = ["name", "person", "email"].into_iter();
        fields.find_map(|field| self.text(field))
    }

    /// The object for a person who has to choose, such as `c1 (Fire safety, archived)`.
    fn described(&self) -> String {
        let about = self.names.iter().map(|(_, text)| &**text);
        let about = about.chain(self.archived.then_some("archived"));
        let about = about.chain(self.deleted.then_some("deleted"));
        let about = about.collect::<Vec<_>>().join(", ");
        match self.id.as_str() {
            "" => about,
            id => format!("{id} ({about})"),
        }
    }
}

/// Objects to find by id or name.
#[derive(Debug, Default)]
pub struct Objects {
    all: Vec<Object>,
    /// The positions of objects by id, and by folded name.
    ids: HashMap<String, usize>,
    names: HashMap<String, Vec<usize>>,
}

impl FromIterator<Object> for Objects {
    fn from_iter<I: IntoIterator<Item = Object>>(objects: I) -> Self {
        let mut known = Self::default();
        objects.into_iter().for_each(|object| known.add(object));
        known
    }
}

impl Objects {
    /// Adds an object, unless there is one with its id: a list may have an object twice.
    pub fn add(&mut self, object: Object) {
        let at = self.all.len();
        if self.ids.contains_key(&object.id) {
            return;
        }
        if !object.id.is_empty() {
            self.ids.insert(object.id.clone(), at);
        }
        let folded: BTreeSet<String> = object.names.iter().map(|(_, name)| folded(name)).collect();
        for name in folded {
            self.names.entry(name).or_default().push(at);
        }
        self.all.push(object);
    }

    /// The object with this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Object> {
        self.ids.get(id).map(|at| &self.all[*at])
    }

    /// The objects with this name.
    fn named(&self, name: &str) -> Vec<&Object> {
        let named = self.names.get(&folded(name)).into_iter().flatten();
        named.map(|at| &self.all[*at]).collect()
    }

    /// The one object with this id or name.
    ///
    /// # Errors
    ///
    /// There is none, without the nearest names, or there are several.
    pub fn find(&self, text: &str) -> Result<&Object, Unresolved> {
        let text = text.trim();
        if let Some(object) = self.get(text) {
            return Ok(object);
        }
        // The best of them, by the order in which they count.
        let rank = |object: &&Object| {
            let is_exact = object.names.iter().any(|(_, name)| name == text);
            (object.deleted, !is_exact)
        };
        let mut named = self.named(text);
        let best = named.iter().map(rank).min();
        named.retain(|object| Some(rank(object)) == best);
        match named.as_slice() {
            [] => Err(Unresolved::None(Vec::new())),
            [one] => Ok(one),
            several => Err(Unresolved::several(several)),
        }
    }

    /// Returns `true` if an object has exactly the name of this one.
    #[must_use]
    pub fn has_name_of(&self, object: &Object) -> bool {
        object.text("name").is_some_and(|name| {
            let mut named = self.named(name).into_iter();
            named.any(|known| known.text("name") == Some(name))
        })
    }

    /// Like [`find`](Self::find), with the nearest names if there is none.
    ///
    /// # Errors
    ///
    /// There is none, or there are several.
    pub fn find_or_propose(&self, text: &str) -> Result<&Object, Unresolved> {
        self.find(text).map_err(|unresolved| match unresolved {
            Unresolved::None(_) => Unresolved::None(self.nearest(&folded(text))),
            several @ Unresolved::Several(_) => several,
        })
    }

    /// The names that are spelled nearly the same, the nearest first. One that only archived objects have says so.
    fn nearest(&self, text: &str) -> Vec<String> {
        let mut near: Vec<(f64, &str, bool)> = Vec::new();
        for object in self.all.iter().filter(|object| !object.deleted) {
            for (_, name) in &object.names {
                let known = folded(name);
                let alike = match text.chars().count() >= PART && known.contains(text) {
                    true => 1.0,
                    false => strsim::normalized_damerau_levenshtein(&known, text),
                };
                if alike >= NEAR {
                    near.push((alike, name, object.archived));
                }
            }
        }
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        near.dedup_by_key(|(_, name, _)| *name);
        let near = near.into_iter().take(PROPOSED);
        let shown = near.map(|(_, name, archived)| match archived {
            true => format!("{name} (archived)"),
            false => name.to_owned(),
        });
        shown.collect()
    }
}

/// A name as it is compared: without invisible characters, in lower case, with single spaces.
#[must_use]
pub fn folded(text: &str) -> String {
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
        let listed = objects.iter().take(LISTED);
        let mut listed: Vec<String> = listed.map(|object| object.described()).collect();
        if let more @ 1.. = objects.len().saturating_sub(LISTED) {
            listed.push(format!("and {more} more"));
        }
        Self::Several(listed)
    }

    /// The message about a text that was given for an object of this kind.
    #[must_use]
    pub fn message(&self, noun: &str, text: &str) -> String {
        match (self, self.nearest()) {
            (Self::Several(listed), _) => {
                let listed = listed.join("; ");
                format!("{text} is the name of more than one {noun}: {listed}")
            }
            (_, Some(nearest)) => format!("there is no {noun} {text}; {nearest}"),
            (_, None) => format!("there is no {noun} {text}"),
        }
    }

    /// The nearest names, as a part of a sentence.
    #[must_use]
    pub fn nearest(&self) -> Option<String> {
        match self {
            Self::None(names) if names.len() == 1 => Some(format!("the nearest is {}", names[0])),
            Self::None(names) if !names.is_empty() => {
                Some(format!("the nearest are {}", names.join(", ")))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objects() -> Objects {
        let named = |id: &str, field, name: &str| {
            Object::new(id.to_owned(), vec![(field, name.to_owned())])
        };
        let course = |id: &str, name: &str| named(id, "name", name);
        let deleted = |object: Object| Object {
            deleted: true,
            ..object
        };
        let archived = |object: Object| Object {
            archived: true,
            ..object
        };
        let mut ann = named("l1", "person", "Ann Lee");
        ann.names.extend(
            [("email", "ann@acme.example"), ("username", "al")]
                .map(|(field, text)| (field, text.to_owned())),
        );
        [
            course("c1", "Fire safety"),
            course("c2", "First aid"),
            course("c3", "first aid"),
            course("c4", "c1"),
            course("c5", "Lifting"),
            course("c6", "Lifting"),
            deleted(course("c7", "Lifting")),
            deleted(course("c8", "Noise")),
            archived(course("c10", "Noise at work")),
            archived(course("c11", "Lifting loads")),
            course("c12", "Lifting loads"),
            course("c9", "Über\u{a0}\u{200b}uns"),
            ann,
        ]
        .into_iter()
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
            ("noise a", &["Noise at work (archived)"]),
            ("ing loads", &["Lifting loads"]),
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
