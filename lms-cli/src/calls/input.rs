//! The values of a command: from arguments, from a body in a file, from stdin, and from a row of a file.

use std::fmt;

use clap::ArgMatches;
use serde::Deserialize;
use serde_json::{Value, value::to_raw_value};

use super::{
    body::Body,
    invalid::{Invalid, empty},
    stdin::Stdin,
    value::json,
};
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
        f.write_str(&format!("{self:?}").to_lowercase())
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
    /// The fields of the body, in the order of the document; those of a file first.
    pub(crate) body: Body,
    /// The texts of the fields of all other places.
    texts: Vec<(Place, &'static Field, Vec<String>)>,
    /// True if a row has an empty cell for a field of the edit, which keeps the value of the field.
    pub(crate) keeps: bool,
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
                Place::Add | Place::Remove => format!("--{place}-{}", field.flag),
                _ => format!("--{}", field.flag),
            };
            let texts = given
                .map(|text| stdin.value(context, field, text.clone(), &by))
                .collect::<Result<Vec<_>, _>>()?;
            // Those of the path and of filters are checked below, also if they are from a file.
            let is_checked = matches!(place, Place::Path | Place::Query);
            if !is_checked && texts.iter().all(|text| text.trim().is_empty()) {
                return Err(empty(&by));
            }
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
        mut texts: Vec<String>,
    ) -> Result<(), Invalid> {
        if place == Place::Query && texts.iter().any(|text| text.trim().is_empty()) {
            // The service may take an empty filter for none.
            return Err(Invalid::Empty(field.flag.to_owned()));
        }
        if place == Place::Body {
            self.body.set(field.name, json(field, texts)?);
            return Ok(());
        }
        if matches!(place, Place::Add | Place::Remove) {
            json(field, texts.clone())?;
            texts.retain(|text| !text.is_empty());
        }
        self.texts
            .retain(|(at, known, _)| *at != place || known.name != field.name);
        self.texts.push((place, field, texts));
        Ok(())
    }

    /// Adds texts to those that a list of steps has, and sets any other field.
    pub(crate) fn extend(
        &mut self,
        place: Place,
        field: &'static Field,
        texts: Vec<String>,
    ) -> Result<(), Invalid> {
        let mut all = match place {
            Place::Add | Place::Remove | Place::Enrol | Place::Clear => {
                self.texts(place, field.name).to_vec()
            }
            _ => Vec::new(),
        };
        for text in texts {
            if !all.contains(&text) {
                all.push(text);
            }
        }
        self.set(place, field, all)
    }

    /// The values that are added to lists, or removed from them.
    pub(crate) fn lists(&self, place: Place) -> Result<Vec<(&'static str, Vec<Value>)>, Failure> {
        let lists = self.at(place).map(|(field, texts)| {
            let values = json(field, texts.to_vec());
            let values =
                values.map_err(|_| Failure::usage(format!("{} is not a list", field.name)))?;
            Ok((field.name, serde_json::from_str(values.get())?))
        });
        lists.collect()
    }

    /// The fields of a place with their texts. Those of the body are none of them.
    pub(crate) fn at(&self, place: Place) -> impl Iterator<Item = (&'static Field, &[String])> {
        let texts = self.texts.iter().filter(move |(at, ..)| *at == place);
        texts.map(|(_, field, texts)| (*field, texts.as_slice()))
    }

    /// The texts of a field.
    pub(crate) fn texts(&self, place: Place, name: &str) -> &[String] {
        let mut fields = self.at(place);
        let found = fields.find(|(field, _)| field.name == name);
        found.map_or(&[], |(_, texts)| texts)
    }

    /// Returns `true` if a value was given.
    pub(crate) fn has(&self, place: Place, field: &Field) -> bool {
        match place {
            Place::Body => self.body.get(field.name).is_some(),
            _ => !self.texts(place, field.name).is_empty(),
        }
    }

    /// The values of the path, in its order.
    pub(crate) fn path(&self, command: &Command) -> Vec<&str> {
        let fields = command.path.iter();
        let texts = fields.filter_map(|field| self.texts(Place::Path, field.name).first());
        texts.map(String::as_str).collect()
    }

    /// The value of a parameter of the query.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        let texts = self.texts(Place::Query, name);
        texts.first().map(String::as_str)
    }

    /// Replaces each text that refers to an object. The place of a text says what the object is for.
    pub(crate) fn replace_references<E: From<Failure>>(
        &mut self,
        command: &'static Command,
        mut replace: impl FnMut(Reference, Place, &str) -> Result<String, E>,
    ) -> Result<(), E> {
        for (place, field, texts) in &mut self.texts {
            let reference = match place {
                Place::Path => Reference::of_path(command, field),
                _ => Reference::of(field),
            };
            let Some(reference) = reference else { continue };
            for text in texts {
                *text = replace(reference, *place, text)?;
            }
        }
        for field in body_fields(command) {
            let (Some(reference), Some(value)) = (Reference::of(field), self.body.get(field.name))
            else {
                continue;
            };
            let mut replace = |text: &String| replace(reference, Place::Body, text);
            let replaced = match serde_json::from_str::<Texts>(value.get()) {
                Ok(Texts::One(text)) if !text.is_empty() => to_raw_value(&replace(&text)?),
                Ok(Texts::Several(texts)) => {
                    let texts = texts.iter().map(replace);
                    to_raw_value(&texts.collect::<Result<Vec<_>, _>>()?)
                }
                // The service decides about other values.
                _ => continue,
            };
            self.body.set(field.name, replaced.map_err(Failure::from)?);
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
