//! The values of a command: from arguments, from a body in a file, from stdin, and from a row of a file.

use std::fmt;

use clap::ArgMatches;
use serde::Deserialize;
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use super::{body::Body, invalid::Invalid, stdin::Stdin, value::json};
use crate::{
    context::Context,
    failure::Failure,
    operations::{
        lookup::body_fields,
        table::{Command, Field, Kind},
    },
    resolve::kind::Reference,
};

/// The target of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Path,
    Query,
    Body,
    /// Values that are added to a list.
    Add,
    /// Values that an edit removes from a list.
    Remove,
    /// Names of fields that an edit clears.
    Clear,
    /// Courses in which a learner who is added is enrolled.
    Enrol,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Body => "body",
            Self::Add => "add",
            Self::Remove => "remove",
            Self::Clear => "clear",
            Self::Enrol => "enrol",
        })
    }
}

/// The option that names fields to clear, which is not in the document.
pub(crate) static CLEAR: Field = own(
    "clear",
    "Clear these fields, separated by commas",
    Kind::Text,
);
/// The option that names courses to enrol a learner in.
pub(crate) static ENROL: Field = own(
    "enrol",
    "Also enrol the learner in these courses, separated by commas, unless the learner is enrolled",
    Kind::Id("course-id"),
);

const fn own(name: &'static str, about: &'static str, kind: Kind) -> Field {
    Field {
        name,
        flag: name,
        about,
        kind,
        list: true,
        required: false,
        secret: false,
        values: &[],
    }
}

/// The values of a command.
#[derive(Clone, Debug, Default)]
pub(crate) struct Input {
    pub(crate) path: Vec<(&'static str, String)>,
    pub(crate) query: Vec<(&'static str, String)>,
    /// The fields of the body, in the order of the document; those of a file first.
    pub(crate) body: Body,
    /// Values that are added to lists, and values that an edit removes from them: arrays by the name of the field.
    pub(crate) added: Body,
    pub(crate) removed: Body,
    pub(crate) cleared: Vec<String>,
    /// True if a row has an empty cell for a field of the edit, which keeps the value of the field.
    pub(crate) keeps: bool,
    pub(crate) enrol: Vec<String>,
}

/// All fields that arguments of a command can set.
pub(crate) fn fields(command: &'static Command) -> impl Iterator<Item = (Place, &'static Field)> {
    let of =
        |place: Place, fields: &'static [Field]| fields.iter().map(move |field| (place, field));
    let body = [Place::Body, Place::Add, Place::Remove]
        .into_iter()
        .flat_map(move |place| body_fields(command).map(move |field| (place, field)));
    of(Place::Path, command.path)
        .chain(of(Place::Query, command.query))
        .chain(body)
        .chain([(Place::Clear, &CLEAR), (Place::Enrol, &ENROL)])
}

/// The id of the argument of a field: fields of the path, the query and the body may have the same name.
pub(crate) fn id(place: Place, field: &Field) -> String {
    format!("{place}.{}", field.name)
}

impl Input {
    /// Reads the values of the arguments of a command.
    ///
    /// # Errors
    ///
    /// Usage, if the body is not a JSON object, if stdin is needed twice, or if a secret is an argument.
    pub(crate) fn read(
        context: &Context,
        command: &'static Command,
        matches: &ArgMatches,
        stdin: &mut Stdin,
    ) -> Result<Self, Failure> {
        let mut input = Self::default();
        if command.body.is_some()
            && let Some(file) = matches.get_one::<String>("body")
        {
            input.body = Body::parse(&stdin.or_text_file(file, "--body")?)?;
        }
        for (place, field) in fields(command) {
            // Not every place has every field.
            let Some(given) = matches
                .try_get_many::<String>(&id(place, field))
                .ok()
                .flatten()
            else {
                continue;
            };
            let by = match place {
                Place::Path => field.name.to_owned(),
                _ => format!("--{}", field.flag),
            };
            let texts = given
                .map(|text| stdin.value(context, field, text.clone(), &by))
                .collect::<Result<_, _>>()?;
            input
                .set(place, field, texts)
                .map_err(|invalid| invalid.of_options(command))?;
        }
        Ok(input)
    }

    /// Sets a field to texts that it takes, instead of its old value.
    pub(crate) fn set(
        &mut self,
        place: Place,
        field: &'static Field,
        texts: Vec<String>,
    ) -> Result<(), Invalid> {
        match place {
            Place::Path | Place::Query => {
                if place == Place::Query && texts.iter().any(|text| text.trim().is_empty()) {
                    // The service may take an empty filter for none.
                    return Err(Invalid::Empty(field.flag.to_owned()));
                }
                let values = match place {
                    Place::Path => &mut self.path,
                    _ => &mut self.query,
                };
                values.retain(|(name, _)| *name != field.name);
                values.extend(texts.into_iter().map(|text| (field.name, text)));
            }
            Place::Clear => self.cleared = texts,
            Place::Enrol => self.enrol = texts,
            Place::Body | Place::Add | Place::Remove => {
                self.body_of(place).set(field.name, json(field, texts)?);
            }
        }
        Ok(())
    }

    /// The fields of the body, or the values that are added to their lists or removed.
    fn body_of(&mut self, place: Place) -> &mut Body {
        match place {
            Place::Add => &mut self.added,
            Place::Remove => &mut self.removed,
            _ => &mut self.body,
        }
    }

    /// Adds texts to those that a list of steps has, and sets any other field.
    pub(crate) fn extend(
        &mut self,
        place: Place,
        field: &'static Field,
        texts: Vec<String>,
    ) -> Result<(), Invalid> {
        match place {
            Place::Add | Place::Remove => {}
            Place::Enrol => {
                append(&mut self.enrol, texts);
                return Ok(());
            }
            _ => return self.set(place, field, texts),
        }
        let body = self.body_of(place);
        let mut values = elements(body.get(field.name))?;
        append(&mut values, elements(Some(&json(field, texts)?))?);
        body.set(field.name, to_raw_value(&values).map_err(Failure::from)?);
        Ok(())
    }

    /// Adds to the lists of an edit that replaces them what is added to each, and removes what is removed.
    pub(crate) fn join_lists(&mut self) -> Result<(), Failure> {
        let names: Vec<String> = self.body.iter().map(|(name, _)| name.to_owned()).collect();
        for name in names {
            let (added, removed) = (self.added.remove(&name), self.removed.remove(&name));
            if added.is_none() && removed.is_none() {
                continue;
            }
            let mut values = elements(self.body.get(&name))?;
            append(&mut values, elements(added.as_deref())?);
            let removed = elements(removed.as_deref())?;
            values.retain(|value| !removed.contains(value));
            self.body.set(&name, to_raw_value(&values)?);
        }
        Ok(())
    }

    /// Returns `true` if a value was given.
    pub(crate) fn has(&self, place: Place, field: &Field) -> bool {
        let named = |values: &[(&str, String)]| values.iter().any(|(name, _)| *name == field.name);
        match place {
            Place::Path => named(&self.path),
            Place::Query => named(&self.query),
            Place::Body => self.body.get(field.name).is_some(),
            Place::Add => self.added.get(field.name).is_some(),
            Place::Remove => self.removed.get(field.name).is_some(),
            Place::Clear => !self.cleared.is_empty(),
            Place::Enrol => !self.enrol.is_empty(),
        }
    }

    /// The values of the path, in its order.
    pub(crate) fn path(&self, command: &Command) -> Vec<&str> {
        let value = |field: &Field| {
            let mut values = self.path.iter();
            values.find(|(name, _)| *name == field.name)
        };
        let values = command.path.iter().filter_map(value);
        values.map(|(_, value)| value.as_str()).collect()
    }

    /// The value of a parameter of the query.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        let mut values = self.query.iter();
        values
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Replaces each text that refers to an object. The place of a text says what the object is for.
    pub(crate) fn replace_references<E: From<Failure>>(
        &mut self,
        command: &'static Command,
        mut replace: impl FnMut(Reference, Place, &str) -> Result<String, E>,
    ) -> Result<(), E> {
        for field in command.path {
            if let Some(reference) = Reference::of_path(command, field) {
                for (_, text) in self.path.iter_mut().filter(|(name, _)| *name == field.name) {
                    *text = replace(reference, Place::Path, text)?;
                }
            }
        }
        for field in command.query {
            if let Some(reference) = Reference::of(field) {
                for (_, text) in self
                    .query
                    .iter_mut()
                    .filter(|(name, _)| *name == field.name)
                {
                    *text = replace(reference, Place::Query, text)?;
                }
            }
        }
        for (place, body) in [
            (Place::Body, &mut self.body),
            (Place::Add, &mut self.added),
            (Place::Remove, &mut self.removed),
        ] {
            for field in body_fields(command) {
                let (Some(reference), Some(value)) = (Reference::of(field), body.get(field.name))
                else {
                    continue;
                };
                let replaced = match serde_json::from_str::<Texts>(value.get()) {
                    Ok(Texts::One(text)) if !text.is_empty() => {
                        to_raw_value(&replace(reference, place, &text)?)
                    }
                    Ok(Texts::Several(texts)) => {
                        let texts = texts.iter().map(|text| replace(reference, place, text));
                        to_raw_value(&texts.collect::<Result<Vec<_>, _>>()?)
                    }
                    // The service decides about other values.
                    _ => continue,
                };
                body.set(field.name, replaced.map_err(Failure::from)?);
            }
        }
        if let Some(reference) = Reference::of(&ENROL) {
            for text in &mut self.enrol {
                *text = replace(reference, Place::Enrol, text)?;
            }
        }
        Ok(())
    }
}

/// Text of a body, or a list of it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Texts {
    One(String),
    Several(Vec<String>),
}

/// The elements of an array.
fn elements(array: Option<&RawValue>) -> Result<Vec<Value>, Failure> {
    let array = array.map_or("[]", RawValue::get);
    serde_json::from_str(array).map_err(|error| Failure::usage(format!("not a list: {error}")))
}

fn append<T: PartialEq>(values: &mut Vec<T>, more: Vec<T>) {
    for value in more {
        if !values.contains(&value) {
            values.push(value);
        }
    }
}
