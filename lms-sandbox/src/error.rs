//! Errors of the sandbox itself, as opposed to error responses.

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::Path;

use crate::api::problem::Problem;

/// A sandbox could not be started, or data could not be added.
///
/// The message is one line with the failure, its cause and the remedy.
#[derive(Debug)]
pub struct SandboxError {
    message: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl SandboxError {
    fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            source: None,
        }
    }

    fn because(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.source = Some(Box::new(source));
        self
    }

    pub(crate) fn store(error: rusqlite::Error) -> Self {
        Self::new(format!("could not create the in-memory store: {error}")).because(error)
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

    pub(crate) fn not_loopback(address: SocketAddr) -> Self {
        Self::new(format!(
            "{address} can be reached from other machines; listen on 127.0.0.1, or allow remote connections \
             explicitly"
        ))
    }

    pub(crate) fn listen(address: SocketAddr, error: io::Error) -> Self {
        let message = format!(
            "could not listen on {address}: {error}; choose another port, or 0 for a free one"
        );
        Self::new(message).because(error)
    }

    pub(crate) fn setting(message: impl Into<String>) -> Self {
        Self::new(message)
    }
}

impl fmt::Display for SandboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SandboxError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source.as_ref() as _)
    }
}

impl From<Infallible> for SandboxError {
    /// The error of a conversion that cannot fail.
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl From<Problem> for SandboxError {
    /// Data that the service would reject.
    fn from(problem: Problem) -> Self {
        Self::new(problem.message)
    }
}
