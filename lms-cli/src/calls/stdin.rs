//! Stdin, which only one value can be read from.

use std::io::Read;

use crate::{
    context::Context,
    failure::Failure,
    operations::table::Field,
    terminal::{read_secret, while_waiting},
};

/// Stdin, which only one value can be read from.
#[derive(Debug)]
pub(crate) struct Stdin {
    taken_by: Option<String>,
}

impl Stdin {
    /// Stdin, unless the client secret is read from it.
    pub(crate) fn of(context: &Context) -> Self {
        let taken_by = context
            .client_secret_stdin
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

    fn bytes(&mut self, by: &str) -> Result<Vec<u8>, Failure> {
        self.take(by)?;
        let mut bytes = Vec::new();
        while_waiting(|| std::io::stdin().read_to_end(&mut bytes))
            .map_err(|error| Failure::usage(format!("could not read {by} from stdin: {error}")))?;
        Ok(bytes)
    }

    /// The bytes of a file, or of stdin for `-`; `option` names it.
    pub(crate) fn or_file(&mut self, file: &str, option: &str) -> Result<Vec<u8>, Failure> {
        match file {
            "-" => self.bytes(option),
            file => std::fs::read(file).map_err(|error| {
                Failure::usage(format!("{option}: could not read {file}: {error}"))
            }),
        }
    }

    /// The text of a file, or of stdin for `-`.
    pub(crate) fn or_text_file(&mut self, file: &str, option: &str) -> Result<String, Failure> {
        String::from_utf8(self.or_file(file, option)?)
            .map_err(|_| Failure::usage(format!("{option}: {file} is not UTF-8")))
    }

    /// The value of an argument, which is read from stdin if it is `-`.
    pub(crate) fn value(
        &mut self,
        context: &Context,
        field: &Field,
        value: String,
        by: &str,
    ) -> Result<String, Failure> {
        if field.secret && value != "-" {
            return Err(Failure::usage(format!(
                "{by}: other users of this machine see arguments; write {by} - and give the value on stdin"
            )));
        }
        if field.secret {
            self.take(by)?;
            return read_secret(context, field.name);
        }
        if value != "-" {
            return Ok(value);
        }
        let text = String::from_utf8(self.bytes(by)?).map_err(|_| {
            Failure::usage(format!("could not read {by} from stdin: it is not UTF-8"))
        })?;
        Ok(text.trim_end_matches(['\r', '\n']).to_owned())
    }
}
