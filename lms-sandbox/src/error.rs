//! What can go wrong with a sandbox itself, as opposed to a request to it?

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::Path;

use crate::api::problem::Problem;

/// Why a sandbox could not be started or filled.
///
/// The message is one sentence that says what was tried, what happened and what to do.
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
        Self::new(format!("the in-memory store could not be made: {error}")).because(error)
    }

    pub(crate) fn data_file(path: &Path, error: &rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let file = path.display();
        Self::new(match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => {
                format!(
                    "{file} is not a sandbox's data file; name another, or one that does not exist yet"
                )
            }
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                unwritable(path)
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => in_use(path),
            _ => format!("the data file {file} could not be opened: {error}"),
        })
    }

    pub(crate) fn unwritable_file(file: &Path, error: io::Error) -> Self {
        Self::new(unwritable(file)).because(error)
    }

    pub(crate) fn file_in_use(file: &Path) -> Self {
        Self::new(in_use(file))
    }

    pub(crate) fn foreign_file(file: &Path) -> Self {
        let file = file.display();
        Self::new(format!(
            "{file} is a database, but not one that this version of the sandbox made; name another file"
        ))
    }

    pub(crate) fn unfinished_file(file: &Path) -> Self {
        let file = file.display();
        Self::new(format!(
            "{file} was being filled when that was stopped, and only a part is there; delete it and fill it again"
        ))
    }

    pub(crate) fn not_loopback(address: SocketAddr) -> Self {
        Self::new(format!(
            "{address} can be reached from other machines, and the sandbox is made for this one; listen on \
             127.0.0.1, or allow remote connections explicitly"
        ))
    }

    pub(crate) fn listen(address: SocketAddr, error: io::Error) -> Self {
        let message = match error.kind() {
            io::ErrorKind::AddrInUse => {
                format!(
                    "{address} is in use by another process; choose another port, or 0 for a free one"
                )
            }
            io::ErrorKind::PermissionDenied => {
                format!("listening on {address} is not permitted; choose a port above 1023")
            }
            io::ErrorKind::AddrNotAvailable => {
                format!("{address} is not an address of this machine")
            }
            _ => format!("listening on {address} failed: {error}"),
        };
        Self::new(message).because(error)
    }

    pub(crate) fn setting(message: impl Into<String>) -> Self {
        Self::new(message)
    }
}

fn unwritable(file: &Path) -> String {
    format!(
        "the data file {} cannot be written; check that its folder exists and is writable",
        file.display()
    )
}

fn in_use(file: &Path) -> String {
    format!(
        "the data file {} is in use by another sandbox; stop that one, or name another file",
        file.display()
    )
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

impl From<Problem> for SandboxError {
    /// What a fixture asked for and the tenant refuses.
    fn from(problem: Problem) -> Self {
        Self::new(problem.message)
    }
}
