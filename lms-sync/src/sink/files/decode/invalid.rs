//! The error of a damaged file.

use std::io;

/// The file is not as the sink writes it.
pub(super) fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.into())
}
