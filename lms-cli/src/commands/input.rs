//! The values of a command: from arguments, from a body in a file, and from stdin.

use std::io::Read;

use clap::ArgMatches;
use serde::{Serialize, Serializer};
use serde_json::{Value, value::RawValue};

use super::arguments::{ADD, REMOVE, id};
use crate::{
    context::Context,
    failure::Failure,
    operations::{
        lookup::body_fields,
        table::{Command, Field, Kind},
    },
    output::json::Members,
    terminal::{read_secret, while_waiting},
};

/// The values of a command.
#[derive(Debug, Default)]
pub(super) struct Input {
    pub(super) path: Vec<String>,
    pub(super) query: Vec<(&'static str, String)>,
    /// The fields of the body, in the order of the document; those of a file first.
    pub(super) body: Body,
    /// What an edit adds to lists, and then removes from them: arrays by the name of the field.
    pub(super) added: Body,
    pub(super) removed: Body,
}

/// The fields of a request body, as JSON.
#[derive(Debug, Default)]
pub(super) struct Body(Vec<(String, Box<RawValue>)>);

impl Body {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), &**value))
    }

    fn set(&mut self, name: &str, value: Box<RawValue>) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&RawValue> {
        self.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// The body as JSON.
    pub(super) fn json(&self) -> Result<String, Failure> {
        serde_json::to_string(self)
            .map_err(|error| Failure::fault(format!("could not write the body: {error}")))
    }
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// Stdin, which only one value can be read from.
#[derive(Debug)]
pub(super) struct Stdin {
    taken_by: Option<String>,
}

impl Stdin {
    /// Stdin, unless the client secret is read from it.
    pub(super) fn of(context: &Context) -> Self {
        let taken_by = context
            .secret_from_stdin
            .then(|| "the client secret".to_owned());
        Self { taken_by }
    }

    fn take(&mut self, by: &str) -> Result<(), Failure> {
        match self.taken_by.replace(by.to_owned()) {
            None => Ok(()),
            Some(other) => Err(Failure::usage(format!(
                "{other} and {by} are both read from stdin; give one of them in another way"
            ))),
        }
    }

    fn text(&mut self, by: &str) -> Result<String, Failure> {
        self.take(by)?;
        let mut text = String::new();
        while_waiting(|| std::io::stdin().read_to_string(&mut text))
            .map_err(|error| Failure::usage(format!("could not read {by} from stdin: {error}")))?;
        Ok(text)
    }

    /// The value of an argument, which is read from stdin if it is `-`.
    fn value(&mut self, value: &str, by: &str) -> Result<String, Failure> {
        if value != "-" {
            return Ok(value.to_owned());
        }
        let text = self.text(by)?;
        Ok(text.trim_end_matches(['\r', '\n']).to_owned())
    }
}

impl Input {
    /// Reads the values of a command.
    ///
    /// # Errors
    ///
    /// Usage, if the body is not a JSON object, if stdin is needed twice, or if a secret is an argument.
    pub(super) fn read(
        context: &Context,
        command: &'static Command,
        matches: &ArgMatches,
    ) -> Result<Self, Failure> {
        let mut stdin = Stdin::of(context);
        let mut input = Self::default();
        for field in command.path {
            for value in values(matches, "path", field) {
                input.path.push(stdin.value(&value, field.name)?);
            }
        }
        for field in command.query {
            for value in values(matches, "query", field) {
                let value = stdin.value(&value, field.name)?;
                if value.trim().is_empty() {
                    // The service may take an empty filter for none.
                    return Err(empty(&format!("--{}", field.flag)));
                }
                input.query.push((field.name, value));
            }
        }
        if command.body.is_some() {
            if let Some(file) = matches.get_one::<String>("body") {
                input.body = parse_body(&read_file(file, &mut stdin)?)?;
            }
            let bodies = [
                ("body", &mut input.body),
                (ADD, &mut input.added),
                (REMOVE, &mut input.removed),
            ];
            for (place, body) in bodies {
                for field in body_fields(command) {
                    let given = values(matches, place, field);
                    if !given.is_empty() {
                        let value = json(context, field, given, &mut stdin)?;
                        body.set(field.name, value);
                    }
                }
            }
        }
        Ok(input)
    }
}

/// The failure of a value that is empty, which often is that of a variable of a script.
pub(super) fn empty(what: &str) -> Failure {
    Failure::usage(format!("{what} is empty; nothing was sent"))
        .advice("in a script, check that the command which found the value has succeeded")
}

fn values(matches: &ArgMatches, place: &str, field: &Field) -> Vec<String> {
    // Only lists of an edit have something to add and to remove.
    let found = matches.try_get_many::<String>(&id(place, field));
    found
        .ok()
        .flatten()
        .map(|values| values.cloned().collect())
        .unwrap_or_default()
}

/// The text of a body; from stdin for `-`.
pub(super) fn read_file(file: &str, stdin: &mut Stdin) -> Result<String, Failure> {
    match file {
        "-" => stdin.text("--body"),
        file => std::fs::read_to_string(file)
            .map_err(|error| Failure::usage(format!("--body: could not read {file}: {error}"))),
    }
}

/// A JSON object as a body.
pub(super) fn parse_body(text: &str) -> Result<Body, Failure> {
    let invalid = |reason: &dyn std::fmt::Display| {
        Failure::usage(format!("--body: it is not a JSON object: {reason}"))
    };
    let members: Members<'_> = serde_json::from_str(text).map_err(|error| invalid(&error))?;
    let mut body = Body::default();
    for (name, value) in members.iter() {
        body.set(name, value.to_owned());
    }
    Ok(body)
}

/// The JSON of a field of the body.
fn json(
    context: &Context,
    field: &Field,
    given: Vec<String>,
    stdin: &mut Stdin,
) -> Result<Box<RawValue>, Failure> {
    let flag = format!("--{}", field.flag);
    let mut elements = Vec::new();
    for text in given {
        if field.secret && text != "-" {
            return Err(Failure::usage(format!(
                "{flag}: other users of this machine see arguments; write {flag} - and give the value on stdin"
            )));
        }
        let text = if field.secret {
            stdin.take(&flag)?;
            read_secret(context, field.name)?
        } else {
            stdin.value(&text, &flag)?
        };
        let element = match field.kind {
            Kind::Boolean | Kind::Number | Kind::Json => text,
            Kind::Text | Kind::Integer | Kind::Timestamp => Value::from(text).to_string(),
        };
        elements.push(element);
    }
    let text = match (field.list, elements.as_slice()) {
        // One empty value is the empty array.
        (true, [one]) if one == "\"\"" => "[]".to_owned(),
        (true, elements) if elements.iter().any(|element| element == "\"\"") => {
            return Err(empty(&flag));
        }
        (true, elements) => format!("[{}]", elements.join(",")),
        (false, elements) => elements.last().cloned().unwrap_or_default(),
    };
    RawValue::from_string(text).map_err(|error| Failure::usage(format!("{flag}: {error}")))
}
