//! The error of everything in this crate.

use std::{error::Error as StdError, fmt};

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The mapping, the input or the plan is not valid. Nothing was sent.
    Usage,
    /// The tenant lacks what the mapping names, or there is no such ledger or run.
    NotFound,
    /// A request failed. [`tenant_error`](Error::tenant_error) has the error of the client.
    Tenant,
    /// The state of the tenant could not be read completely.
    Incomplete,
    /// The ledger, or another file with the results of steps, cannot be read or written.
    Ledger,
    /// Another run is using the ledger.
    Locked,
    /// The ledger or the plan belongs to another tenant.
    OtherTenant,
    /// The plan is beyond a guard, and was not approved. Nothing was sent.
    Held,
    /// The caller ended the run.
    Cancelled,
}

/// The error of a plan, a run or a ledger. Its message contains no secrets.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    tenant_error: Option<lms_ext::Error>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            tenant_error: None,
        }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// A failure to store the results of steps in another place than the ledger.
    pub fn results(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Ledger, message)
    }

    /// A failure of the file of the ledger.
    pub(crate) fn ledger(doing: &str, cause: impl fmt::Display) -> Self {
        Self::new(
            ErrorKind::Ledger,
            format!("cannot {doing} the ledger: {cause}"),
        )
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The error of the client, if a request failed.
    #[must_use]
    pub fn tenant_error(&self) -> Option<&lms_ext::Error> {
        self.tenant_error.as_ref()
    }
}

impl From<lms_ext::Error> for Error {
    fn from(error: lms_ext::Error) -> Self {
        Self {
            tenant_error: Some(error.clone()),
            ..Self::new(ErrorKind::Tenant, error.to_string())
        }
    }
}

impl From<lms_sync::Error> for Error {
    fn from(error: lms_sync::Error) -> Self {
        use lms_sync::ErrorKind as Sync;
        let kind = match error.kind() {
            Sync::Tenant => ErrorKind::Tenant,
            Sync::Locked => ErrorKind::Locked,
            Sync::Incomplete => ErrorKind::Incomplete,
            Sync::Usage => ErrorKind::Usage,
            _ => ErrorKind::Ledger,
        };
        Self {
            tenant_error: error.tenant_error().cloned(),
            ..Self::new(kind, error.to_string())
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Error {}
