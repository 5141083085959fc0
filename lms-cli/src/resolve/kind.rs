//! The kinds of objects that have names, as the document describes them.

use crate::operations::{
    lookup::{COMMANDS, find, is_write},
    table::{Command, Field, Kind, Output, Schema},
};

/// The fields of an object that identify it, besides `id`.
pub(super) const UNIQUE: [&str; 2] = ["email", "username"];

/// A kind of objects with a list, by its word in commands, such as `courses`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ObjectKind(&'static str);

/// A field whose text refers to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) kind: ObjectKind,
    /// The field of the object that the text is: `id`, or another.
    pub(crate) by: &'static str,
}

impl Reference {
    /// The object that a field refers to; `None` if its text is no reference.
    ///
    /// An id says of which kind it is. Other text refers to the objects of a list with the name of the field, such as
    /// `signup_page`. It is an id, unless all such objects must have a name, like tags.
    pub(crate) fn of(field: &Field) -> Option<Self> {
        match field.kind {
            Kind::Id(format) => {
                let kind = ObjectKind::all().find(|kind| kind.format() == Some(format))?;
                Some(Self { kind, by: "id" })
            }
            Kind::Text => {
                let name = field.name.replace('_', "-");
                let is_it =
                    |kind: &ObjectKind| kind.0 == name || kind.0.strip_suffix('s') == Some(&name);
                let kind = ObjectKind::all().find(is_it)?;
                let by = match kind.field("name") {
                    Some(name) if name.required => "name",
                    _ => "id",
                };
                Some(Self { kind, by })
            }
            _ => None,
        }
    }

    /// The object that a parameter of the path refers to: also one that is the text of another field, such as `email`.
    pub(crate) fn of_path(command: &Command, field: &Field) -> Option<Self> {
        let of_object = || {
            let Output::Object(schema) = command.output else {
                return None;
            };
            let id = schema.fields.iter().find(|known| known.name == "id")?;
            let kind = Self::of(id)?.kind;
            let by = UNIQUE.into_iter().find(|name| *name == field.name)?;
            Some(Self { kind, by })
        };
        Self::of(field).or_else(of_object)
    }

    /// The object that a filter refers to.
    pub(crate) fn of_filter(name: &str) -> Option<Self> {
        let mut fields = COMMANDS
            .iter()
            .flat_map(|row| row.query.iter().chain(row.path));
        fields.find(|field| field.name == name).and_then(Self::of)
    }

    /// `true` if an object comes into being when its name is used first.
    pub(crate) fn may_be_new(self) -> bool {
        self.by == "name"
    }
}

impl ObjectKind {
    /// The kinds whose list can be read as it is.
    fn all() -> impl Iterator<Item = Self> {
        let lists = COMMANDS.iter().filter(|row| {
            row.verb == "list"
                && row.path.is_empty()
                && row.query.iter().all(|field| !field.required)
        });
        lists
            .map(|row| Self(row.resource))
            .filter(|kind| kind.field("name").or(kind.field("email")).is_some())
    }

    /// The kind with this word in commands.
    pub(crate) fn named(resource: &str) -> Option<Self> {
        Self::all().find(|kind| kind.0 == resource)
    }

    /// The word in commands.
    pub(crate) fn resource(self) -> &'static str {
        self.0
    }

    /// The command that lists the objects.
    pub(crate) fn list(self) -> Option<&'static Command> {
        find(self.0, "list")
    }

    fn item(self) -> Option<&'static Schema> {
        self.list()?.output.schema()
    }

    fn field(self, name: &str) -> Option<&'static Field> {
        self.item()?.fields.iter().find(|field| field.name == name)
    }

    fn format(self) -> Option<&'static str> {
        match self.field("id")?.kind {
            Kind::Id(format) => Some(format),
            _ => None,
        }
    }

    /// The command that reads one object by its id.
    pub(crate) fn get(self) -> Option<&'static Command> {
        COMMANDS.iter().find(|row| {
            let returned = row.output.schema().map(|schema| schema.name);
            !is_write(row)
                && matches!(row.path, [id] if Some(id.kind) == self.format().map(Kind::Id))
                && returned == self.item().map(|item| item.name)
        })
    }

    /// The filters of the list that select by a text that identifies an object.
    pub(super) fn filters(self) -> impl Iterator<Item = &'static str> {
        let query = self.list().map_or(&[][..], |list| list.query);
        let query = query.iter().map(|field| field.name);
        query.filter(move |name| UNIQUE.contains(name) && self.field(name).is_some())
    }

    /// `true` for a field with a text by which an object is found.
    pub(crate) fn is_named_by(self, field: &str) -> bool {
        ["name"].iter().chain(&UNIQUE).any(|name| *name == field) && self.field(field).is_some()
    }

    /// The collection of the objects.
    pub(crate) fn collection(self) -> String {
        self.0.replace('-', "_")
    }

    /// The name of one object.
    pub(crate) fn noun(self) -> String {
        self.0.strip_suffix('s').unwrap_or(self.0).replace('-', " ")
    }

    /// The texts that stand for an id, such as `email address, username or name`.
    pub(crate) fn names(self) -> &'static str {
        match self.field("email") {
            Some(_) => "email address, username or full name",
            None => "name",
        }
    }

    /// The requests that it costs to find an object of this kind.
    pub(crate) fn cost(self) -> String {
        let noun = self.noun();
        match (self.get(), self.filters().next()) {
            (None, _) => format!("a {noun} is found in the list of all"),
            (Some(_), None) => {
                format!("the id of a {noun} costs a request, and a name the list of all")
            }
            (Some(_), Some(_)) => format!(
                "the id of a {noun} costs a request, an email address or a username up to four more, and a full name the list of all"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The references of a command as `field kind by`.
    fn references(name: &str) -> Vec<String> {
        let row = COMMANDS.iter().find(|row| row.name() == name).unwrap();
        let body = row.body.map_or(&[][..], |body| body.fields);
        let of_path = row
            .path
            .iter()
            .map(|field| (field, Reference::of_path(row, field)));
        let others = row
            .query
            .iter()
            .chain(body)
            .map(|field| (field, Reference::of(field)));
        let found = of_path.chain(others);
        found
            .filter_map(|(field, of)| {
                of.map(|of| format!("{} {} {}", field.name, of.kind.0, of.by))
            })
            .collect()
    }

    #[test]
    fn the_document_says_which_text_refers_to_which_object() {
        for (command, expected) in [
            ("courses get", &["id courses id"][..]),
            ("courses duplicate", &["course courses id"]),
            ("courses duplication", &[]),
            ("topics list", &["course courses id"]),
            (
                "learners list",
                &["signup_page signup-pages id", "tags tags name"],
            ),
            ("learners find", &["email learners email"]),
            (
                "learners add",
                &[
                    "signup_page signup-pages id",
                    "tags tags name",
                    "profiles profiles id",
                    "courses courses id",
                ],
            ),
            ("enrolments rm", &["user learners id", "course courses id"]),
            (
                "topic-progress get",
                &["user learners id", "topic topics id", "course courses id"],
            ),
            (
                "user-fields record",
                &["user learners id", "user_field user-fields id"],
            ),
        ] {
            assert_eq!(references(command), expected, "{command}");
        }
    }
}
