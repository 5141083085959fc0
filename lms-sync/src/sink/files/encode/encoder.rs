//! The encoders of the formats.

use super::output::FileInfo;
use crate::{collection::Row, error::Error};

/// Writes one file.
pub(in crate::sink) trait Encoder: Send {
    fn write(&mut self, row: &Row) -> Result<(), Error>;

    /// Passes all rows to the operating system, and returns the state of the file. `None` if the format does not allow to
    /// [continue](crate::sink::files::FilesOptions::can_continue) a file that is not complete.
    fn stored(&mut self) -> Result<Option<FileInfo>, Error> {
        Ok(None)
    }

    /// Completes the file and makes it durable.
    fn finish(self: Box<Self>) -> Result<FileInfo, Error>;
}
