//! Errors of the sandbox itself, as opposed to error responses.

use std::fmt;
use std::path::Path;

use crate::api::problem::Problem;

/// A sandbox could not be started, or data could not be added.
///
/// The message is one line with the failure, its cause and the remedy.
#[derive(Debug)]
pub struct SandboxError(String);

impl SandboxError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    pub(crate) fn data_file(path: &Path, error: &rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let file = path.display();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::foreign_file(path),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::new(format!(
                "the data file {file} is in use by another sandbox; stop that one, or use another file"
            )),
            _ => Self::new(format!(
                "could not open the data file {file}: {error}; check that its folder exists and is writable"
            )),
        }
    }

    pub(crate) fn foreign_file(file: &Path) -> Self {
        let file = file.display();
        Self::new(format!(
            "{file} is not a data file of this version of the sandbox, or was not generated completely; use another file"
        ))
    }
}

impl fmt::Display for SandboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SandboxError {}

impl From<Problem> for SandboxError {
    /// Data that the service would reject.
    fn from(problem: Problem) -> Self {
        Self::new(problem.message)
    }
}
