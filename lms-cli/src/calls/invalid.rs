//! The errors in the values of a command, in the words of an option or of a column.

use crate::{failure::Failure, operations::table::Command};

/// A mistake in the values of a command, which cannot be sent. Options are named without dashes.
#[derive(Debug)]
pub(crate) enum Invalid {
    /// A value is empty, which often is that of a variable of a script.
    Empty(String),
    /// Required values are missing.
    Missing(Vec<String>),
    Value {
        flag: String,
        reason: String,
    },
    Other(Failure),
}

impl Invalid {
    /// The failure of a command that was given options.
    pub(crate) fn of_options(self, command: &Command) -> Failure {
        match self {
            Self::Empty(flag) => empty(&format!("--{flag}")),
            Self::Missing(flags) => {
                let flags: Vec<_> = flags.iter().map(|flag| format!("--{flag}")).collect();
                Failure::usage(format!("{} needs {}", command.name(), flags.join(", ")))
            }
            Self::Value { flag, reason } => Failure::usage(format!("--{flag}: {reason}")),
            Self::Other(failure) => failure,
        }
    }

    /// The message about a row, with the names of its columns.
    pub(crate) fn of_columns(self, column: impl Fn(&str) -> String) -> String {
        match self {
            Self::Empty(flag) => format!("{}: the cell is empty", column(&flag)),
            Self::Missing(flags) => {
                let columns: Vec<_> = flags.iter().map(|flag| column(flag)).collect();
                format!("{}: there is no value", columns.join(", "))
            }
            Self::Value { flag, reason } => format!("{}: {reason}", column(&flag)),
            Self::Other(failure) => failure.message().to_owned(),
        }
    }
}

impl From<Failure> for Invalid {
    fn from(failure: Failure) -> Self {
        Self::Other(failure)
    }
}

/// The failure of an empty value.
pub(crate) fn empty(what: &str) -> Failure {
    Failure::usage(format!("{what} is empty; nothing was sent"))
        .advice("in a script, check that the command which found the value has succeeded")
}
