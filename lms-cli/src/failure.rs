//! How a failure is reported: a message and advice on stderr, or one JSON object.

use std::{
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
};

use lms_ext::{Error, ErrorKind};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    exit::Exit,
    operations::lookup::{find, of_operation},
    sanitize::visible,
};

/// Why a command failed.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    kind: &'static str,
    message: String,
    advice: Option<String>,
    call: Option<Box<FailedCall>>,
}

/// What is known about the call that failed.
#[derive(Debug)]
struct FailedCall {
    operation: Option<&'static str>,
    status: Option<u16>,
    attempts: u32,
    retryable: bool,
    ambiguous: bool,
    request_id: Option<String>,
}

/// An error, as it is written to stderr with `-o json` or `-o ndjson`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ErrorObject<'a> {
    /// What went wrong, for programs.
    kind: &'a str,
    /// What went wrong, for people.
    message: &'a str,
    /// The operation that failed; null if no request was made.
    operation: Option<&'a str>,
    /// The HTTP status of the response.
    status: Option<u16>,
    /// How many requests were sent.
    attempts: u32,
    /// Whether the same command may succeed later.
    retryable: bool,
    /// Whether a change may have been made.
    ambiguous: bool,
    /// The id of the request, for the service's support.
    request_id: Option<&'a str>,
    /// What to do.
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

    /// A file could not be read or written, or something else that is not about the service.
    pub(crate) fn fault(message: impl Into<String>) -> Self {
        Self::new(Exit::Fault, "fault", message)
    }

    /// A list ended before its end, after `rows` were printed.
    pub(crate) fn partial(rows: u64, error: &Error) -> Self {
        Self::from(error)
            .into_partial(&format!("the list is incomplete, {rows} were printed"))
            .advice("do not use the output as the whole list; run the command again")
    }

    /// The failure of a command that did a part of its work; `what` says which.
    pub(crate) fn into_partial(self, what: &str) -> Self {
        Self {
            exit: Exit::Partial,
            kind: "partial",
            message: format!("{what}: {}", self.message),
            ..self
        }
    }

    /// A file or a destination of a job is not as it should be.
    pub(crate) fn incomplete(message: impl Into<String>) -> Self {
        Self::new(Exit::Partial, "incomplete", message)
    }

    /// Another program is using what this one needs.
    pub(crate) fn locked(message: impl Into<String>) -> Self {
        Self::new(Exit::Unavailable, "locked", message)
    }

    /// Sets what to do about it.
    pub(crate) fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Writes the failure to stderr, and returns the exit code.
    pub(crate) fn report(&self, as_json: bool) -> ExitCode {
        let mut stderr = io::stderr().lock();
        // Without stderr, the exit code is all that is left.
        let _ = match (self.exit, as_json) {
            (Exit::Done, _) => Ok(()),
            (_, true) => serde_json::to_writer(&mut stderr, &self.object())
                .map_err(io::Error::from)
                .and_then(|()| writeln!(stderr)),
            (_, false) => {
                let advice = self
                    .advice
                    .as_deref()
                    .map(|advice| format!("\nhint: {advice}"));
                let message = visible(&self.message);
                writeln!(stderr, "error: {message}{}", advice.unwrap_or_default())
            }
        };
        ExitCode::from(self.exit as u8)
    }

    fn object(&self) -> ErrorObject<'_> {
        let call = self.call.as_deref();
        ErrorObject {
            kind: self.kind,
            message: &self.message,
            operation: call.and_then(|call| call.operation),
            status: call.and_then(|call| call.status),
            attempts: call.map_or(0, |call| call.attempts),
            retryable: call.is_some_and(|call| call.retryable),
            ambiguous: call.is_some_and(|call| call.ambiguous),
            request_id: call.and_then(|call| call.request_id.as_deref()),
            advice: self.advice.as_deref(),
            exit_code: self.exit as u8,
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
        let (exit, advice) = outcome(error);
        // With the server's message: the user sees what the user's own request was refused for.
        let message = format!("{error:#}");
        Self {
            exit,
            kind: error.kind().name(),
            message: message.replace(FOR_PROGRAMS, ""),
            advice: match exit {
                Exit::NotFound if error.operation() == Some("get_learner_by_id") => {
                    Some(WHERE_TO_LOOK_FOR_LEARNERS.to_owned())
                }
                Exit::NotFound => Some(where_to_look(error.operation())),
                _ => advice.map(str::to_owned),
            },
            call: Some(Box::new(FailedCall {
                operation: error.operation(),
                status: error.status(),
                attempts: error.attempts(),
                retryable: error.is_retryable(),
                ambiguous: error.is_ambiguous(),
                request_id: error.request_id().map(str::to_owned),
            })),
        }
    }
}

impl From<io::Error> for Failure {
    /// An error of writing to stdout.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            // The reader, such as `head`, has what it wanted.
            return Self::new(Exit::Done, "closed", "the reader closed the output");
        }
        Self::fault(format!("could not write the output: {error}"))
    }
}

/// Advice in messages of `lms-ext` that only a program can follow.
const FOR_PROGRAMS: &str = ", or call allow_plain_http() if the network is trusted";

/// What to do about a learner who was not found: most people know the email address, not the id.
const WHERE_TO_LOOK_FOR_LEARNERS: &str = "check the id; `lms learners find` takes an email address, and `lms learners list` shows what there is";

/// What to do about an object that was not found.
fn where_to_look(operation: Option<&str>) -> String {
    let command = operation.and_then(of_operation);
    let Some(command) = command.filter(|command| !command.resource.is_empty()) else {
        return "check the path".to_owned();
    };
    let what = match command.path {
        [one] => one.name.replace('_', " "),
        _ => "ids".to_owned(),
    };
    match find(command.resource, "list") {
        Some(list) => format!(
            "check the {what}; `lms {}` shows what there is",
            list.name()
        ),
        None => format!("check the {what}"),
    }
}

/// The exit code of an error, and what to do about it unless the message says so.
fn outcome(error: &Error) -> (Exit, Option<&'static str>) {
    match error.kind() {
        ErrorKind::Usage => (Exit::Usage, None),
        ErrorKind::NotFound => (Exit::NotFound, None),
        ErrorKind::Unauthenticated => (
            Exit::Credentials,
            Some("check the client id and the secret with `lms profile check`"),
        ),
        ErrorKind::Forbidden => (
            Exit::Credentials,
            Some("ask an administrator of the tenant for the permission"),
        ),
        ErrorKind::Token if !error.is_retryable() => (
            Exit::Credentials,
            Some("check the base URL and the credentials with `lms profile check`"),
        ),
        ErrorKind::Conflict | ErrorKind::Rejected => (
            Exit::Refused,
            Some("correct the values; the same command fails again"),
        ),
        ErrorKind::Redirect => (
            Exit::Refused,
            Some("check the base URL with `lms profile check`"),
        ),
        ErrorKind::TaskFailed => (Exit::Refused, None),
        ErrorKind::Ambiguous => (
            Exit::Ambiguous,
            Some("the change may have been made; read the object before you run the command again"),
        ),
        ErrorKind::Mismatch => (Exit::Partial, None),
        _ if error.is_retryable() => (
            Exit::Unavailable,
            Some("the same command may succeed later"),
        ),
        _ => (
            Exit::Fault,
            Some("the response is not as documented; report it to the service's support"),
        ),
    }
}

/// Whether the arguments ask for errors as JSON. Read before they are parsed, because parsing may fail.
pub(crate) fn wants_json(arguments: &[OsString]) -> bool {
    let texts: Vec<_> = arguments
        .iter()
        .filter_map(|argument| argument.to_str())
        .collect();
    let json = |value: &str| matches!(value, "json" | "ndjson");
    texts.iter().any(|text| {
        let value = text
            .strip_prefix("--output=")
            .or_else(|| text.strip_prefix("-o"));
        value.is_some_and(|value| json(value.trim_start_matches('=')))
    }) || texts
        .windows(2)
        .any(|pair| matches!(pair[0], "-o" | "--output") && json(pair[1]))
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
