//! The report of a failure: a message and advice on stderr, or one JSON object.

use std::{ffi::OsString, fmt::Display, io, path::Path, process::ExitCode};

use lms_ext::{Error, ErrorKind};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    console,
    exit::{Exit, TERMINATED, of_call},
    signal, wording,
};

/// The failure of a command.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    kind: &'static str,
    message: String,
    advice: Option<String>,
    call: Option<Box<Error>>,
}

/// An error, as it is written to stderr with `-o json` or `-o ndjson`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ErrorObject<'a> {
    /// The kind of the failure, for programs.
    kind: &'a str,
    /// The message for people.
    message: &'a str,
    /// The operation that failed; null if no request was made.
    operation: Option<&'static str>,
    /// The HTTP status of the response.
    status: Option<u16>,
    /// Number of requests that were sent.
    attempts: u32,
    /// `true` if the same command may succeed later.
    retryable: bool,
    /// `true` if a change may have been made.
    ambiguous: bool,
    /// The id of the request, for the service's support.
    request_id: Option<&'a str>,
    /// The advice for people.
    advice: Option<&'a str>,
    exit_code: u8,
}

impl Failure {
    fn new(exit: Exit, kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            exit,
            kind,
            message: message.into(),
            advice: None,
            call: None,
        }
    }

    /// The command is not valid.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, "usage", message)
    }

    /// There are no credentials, or they cannot be read.
    pub(crate) fn credentials(message: impl Into<String>) -> Self {
        Self::new(Exit::Credentials, "credentials", message)
    }

    /// The user stopped the command, or did not confirm it.
    pub(crate) fn cancelled(message: impl Into<String>) -> Self {
        Self::new(Exit::Cancelled, "cancelled", message)
    }

    /// There is no such object.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(Exit::NotFound, "not_found", message)
    }

    /// A file that the user named cannot be written.
    pub(crate) fn destination(path: &Path, error: &impl Display) -> Self {
        let message = format!("could not write {}: {error}", path.display());
        Self::new(Exit::Unavailable, "destination", message)
    }

    /// A file could not be read or written, or something else that is not about the service.
    pub(crate) fn fault(message: impl Into<String>) -> Self {
        Self::new(Exit::Fault, "fault", message)
    }

    /// A list ended before its end, after `rows` were printed.
    pub(crate) fn partial(rows: u64, failure: Self) -> Self {
        failure
            .into_partial(&format!("the list is incomplete, {rows} were printed"))
            .advice("do not use the output as the complete list; run the command again")
    }

    /// The failure of a command that did a part of its work; `what` names it.
    pub(crate) fn into_partial(self, what: &str) -> Self {
        Self {
            exit: Exit::Partial,
            kind: "partial",
            message: format!("{what}: {}", self.message),
            ..self
        }
    }

    /// Another failure. One without a message is an exit code that a script asked for.
    pub(crate) fn of_job((exit, kind): (Exit, &'static str), message: impl Into<String>) -> Self {
        Self::new(exit, kind, message)
    }

    /// The operation that found nothing, if that is why the command failed.
    pub(crate) fn not_found_in(&self) -> Option<Option<&'static str>> {
        let call = self.call.as_deref()?;
        (self.exit == Exit::NotFound).then_some(call.operation())
    }

    /// The error of the call that failed, if one did.
    pub(crate) fn call(&self) -> Option<&Error> {
        self.call.as_deref()
    }

    /// Adds a part of a sentence to the message.
    pub(crate) fn extended(mut self, more: &str) -> Self {
        self.message = format!("{}; {more}", self.message);
        self
    }

    /// The failure of a value of this option.
    pub(crate) fn of(mut self, option: &str) -> Self {
        self.message = format!("{option}: {}", self.message);
        self
    }

    /// Names the purpose of requests that the user did not ask for, instead of their operation.
    pub(crate) fn while_doing(mut self, what: &str) -> Self {
        let operation = self.call().and_then(Error::operation);
        let command = operation.map(wording::of_commands).unwrap_or_default();
        if let Some(rest) = self.message.strip_prefix(&command) {
            self.message = format!("{what}{rest}");
        }
        self
    }

    /// Sets the advice.
    pub(crate) fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// Adds the help of the command to the advice, unless that names another command.
    pub(crate) fn or_help(mut self, command: &str) -> Self {
        let help = format!("see `{command} --help`");
        self.advice = Some(match self.advice {
            None => help,
            Some(advice) if advice.contains("`lms ") => advice,
            Some(advice) => format!("{advice}; {help}"),
        });
        self
    }

    /// Returns `true` if the base URL, the network or the credentials are wrong, which `lms profile check` and `lms doctor` find.
    pub(crate) fn is_of_connection(&self) -> bool {
        let kinds = [
            ErrorKind::Unauthenticated,
            ErrorKind::Token,
            ErrorKind::Redirect,
            ErrorKind::Connect,
        ];
        kinds.iter().any(|kind| kind.name() == self.kind)
    }

    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// The kind, for programs. It has no text of the service or of a user.
    pub(crate) fn kind(&self) -> &'static str {
        self.kind
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The advice.
    pub(crate) fn hint(&self) -> Option<&str> {
        self.advice.as_deref()
    }

    /// Writes the failure to stderr, and returns the exit code.
    pub(crate) fn report(&self, as_json: bool) -> ExitCode {
        let code = ExitCode::from(self.exit_code());
        if self.message.is_empty() {
            return code;
        }
        // Without a value that JSON lacks, so this cannot fail.
        let object = || serde_json::to_value(self.object()).unwrap_or_default();
        if console::logs_json() {
            console::event("error", None, &self.message, &[("error", object())]);
        } else if as_json {
            console::line(&object().to_string());
        } else {
            let advice = self.hint().map(|advice| format!("\nhint: {advice}"));
            let advice = advice.unwrap_or_default();
            console::line(&format!("error: {}{advice}", self.message));
        }
        code
    }

    fn exit_code(&self) -> u8 {
        match self.exit {
            Exit::Cancelled if signal::is_terminated() => TERMINATED,
            exit => exit as u8,
        }
    }

    fn object(&self) -> ErrorObject<'_> {
        let call = self.call();
        let none = self.exit == Exit::Unavailable;
        ErrorObject {
            kind: self.kind,
            message: &self.message,
            operation: call.and_then(Error::operation),
            status: call.and_then(Error::status),
            attempts: call.map_or(0, Error::attempts),
            retryable: call.map_or(none, Error::is_retryable),
            ambiguous: call.is_some_and(Error::is_ambiguous),
            request_id: call.and_then(Error::request_id),
            advice: self.advice.as_deref(),
            exit_code: self.exit_code(),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::from(&error)
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        let (exit, advice) = of_call(error);
        Self {
            exit,
            kind: error.kind().name(),
            message: wording::of_call(error),
            advice: advice.map(str::to_owned),
            call: Some(Box::new(error.clone())),
        }
    }
}

impl From<serde_json::Error> for Failure {
    /// An error of writing JSON. What reads JSON says where the text is from.
    fn from(error: serde_json::Error) -> Self {
        Self::fault(format!("could not write the result: {error}"))
    }
}

impl From<io::Error> for Failure {
    /// An error of writing to stdout.
    fn from(error: io::Error) -> Self {
        Self::fault(format!("could not write the output: {error}"))
    }
}

/// The end of a command that was decided before its result was printed: an error of printing replaces success only.
pub(crate) fn conclude(
    decided: Result<(), Failure>,
    printed: Result<(), Failure>,
) -> Result<(), Failure> {
    decided.and(printed)
}

/// Returns `true` if the arguments ask for errors as JSON. Read before they are parsed, because parsing may fail.
pub(crate) fn wants_json(arguments: &[OsString]) -> bool {
    let mut texts = arguments.iter().filter_map(|argument| argument.to_str());
    while let Some(text) = texts.next() {
        let value = text.strip_prefix("--output").or(text.strip_prefix("-o"));
        let value = match value {
            Some("") => texts.next(),
            value => value.map(|value| value.trim_start_matches('=')),
        };
        if let Some("json" | "ndjson") = value {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_json_if_the_arguments_ask_for_it() {
        for (arguments, expected) in [
            (&["lms", "-o", "json"][..], true),
            (&["lms", "-ojson"], true),
            (&["lms", "-o=ndjson"], true),
            (&["lms", "--output=json"], true),
            (&["lms", "--output", "ndjson"], true),
            (&["lms", "-o", "csv"], false),
            (&["lms", "json"], false),
        ] {
            let arguments: Vec<_> = arguments.iter().map(OsString::from).collect();
            assert_eq!(wants_json(&arguments), expected, "{arguments:?}");
        }
    }
}
