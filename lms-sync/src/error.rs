//! The error of everything in this crate.

use std::{error::Error as StdError, fmt, io, path::Path};

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The arguments of the run are not valid: an unknown collection, an unknown filter, a checkpoint of another
    /// collection. Nothing was sent or written.
    Usage,
    /// A request failed. [`tenant_error`](Error::tenant_error) has the error of the client.
    Tenant,
    /// The collection is incomplete, or changed each time it was read, so rows may be missing.
    Incomplete,
    /// The destination cannot be read or written: a full disk, a lost connection. Without the permission to do so, the kind is
    /// [`Permission`](Self::Permission), also where only this kind is named.
    Destination,
    /// The destination does not allow it: a missing privilege, role or password. Another attempt fails as well.
    Permission,
    /// Another run is using the destination.
    Locked,
    /// The destination or the checkpoint is of another tenant, or of an unfinished run with other arguments.
    OtherRun,
    /// The destination contains something that another program or a newer version of this crate wrote.
    Foreign,
    /// Data that this crate has stored cannot be read any more: it was truncated or changed.
    Damaged,
    /// A stored row does not have the type that it was [read](crate::read_files) as.
    Decode,
    /// More rows of a mirror are gone than one run may delete. The collection has not changed.
    TooManyDeletes,
    /// The run was cancelled. Started again with the same arguments, it continues after its last checkpoint.
    Cancelled,
}

impl ErrorKind {
    /// An error of this kind, with a message that starts lower-case.
    pub(crate) fn error(self, message: impl Into<String>) -> Error {
        Error::new(self, message)
    }
}

/// The error of a run, an extract or a sink.
///
/// The message names the activity, all causes and the remedy, so [`source`](StdError::source) is `None`. It contains no secrets.
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    tenant_error: Option<lms_ext::Error>,
}

impl Error {
    /// An error with a message that starts lower-case.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            tenant_error: None,
        }
    }

    /// A failure of the destination.
    pub fn destination(
        message: impl Into<String>,
        source: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Self {
        Self::new(ErrorKind::Destination, message).with_source(source)
    }

    /// Appends a cause, and its own causes, to the message.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let source = match source.into().downcast::<lms_ext::Error>() {
            // Its message contains its own causes.
            Ok(error) => {
                self.message.push_str(&format!(": {error}"));
                self.tenant_error = Some(*error);
                return self;
            }
            Err(other) => other,
        };
        let mut cause: Option<&dyn StdError> = Some(&*source);
        while let Some(error) = cause {
            self.message.push_str(&format!(": {error}"));
            cause = error.source();
        }
        self
    }

    /// The end of a run that was told to stop.
    pub(crate) fn cancelled() -> Self {
        let message = "the run was cancelled; start it again with the same arguments to resume";
        ErrorKind::Cancelled.error(message)
    }

    /// Several errors as one: that of the first, with this message.
    pub(crate) fn summarized(self, message: String) -> Self {
        Self { message, ..self }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// A failed operation on a file.
    pub(crate) fn file(doing: &str, path: &Path, source: io::Error) -> Self {
        let (kind, advice) = match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => (
                ErrorKind::Destination,
                "; free some space and start the run again",
            ),
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => (
                ErrorKind::Permission,
                "; give this user the permission to write there, or choose another folder",
            ),
            _ => (ErrorKind::Destination, ""),
        };
        let message = format!("cannot {doing} {}{advice}", path.display());
        Self::new(kind, message).with_source(source)
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

    /// Returns `true` if no connection to the tenant could be made, so that another request would fail as well.
    pub(crate) fn is_unreachable(&self) -> bool {
        self.tenant_error().is_some_and(|error| {
            matches!(
                error.kind(),
                lms_ext::ErrorKind::Connect | lms_ext::ErrorKind::ConnectTimeout
            )
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_every_cause_once() {
        let cause = || io::Error::other(Error::usage("inner").with_source("innermost"));
        let error = Error::destination("outer", cause());
        let mut chain = vec![error.to_string()];
        let mut source = error.source();
        while let Some(cause) = source {
            chain.push(cause.to_string());
            source = cause.source();
        }
        assert_eq!(chain, ["outer: inner: innermost"]);
    }
}
