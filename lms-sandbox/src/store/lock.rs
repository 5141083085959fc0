//! The lock of a data file.
//!
//! SQLite lets several processes share a file, but two sandboxes would cache counts that the other one changes. Therefore
//! a file next to the data file is locked while the store is open. The operating system releases the lock when the
//! process ends.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::path::Path;

use crate::error::SandboxError;

/// Locks a data file until it is dropped.
#[derive(Debug)]
pub(super) struct FileLock {
    _file: File,
}

impl FileLock {
    /// Locks `data_file`.
    pub(super) fn take(data_file: &Path) -> Result<Self, SandboxError> {
        let mut name = OsString::from(data_file);
        name.push("-lock");
        let file = File::options()
            .create(true)
            .write(true)
            .truncate(false)
            .open(&name)
            .map_err(|error| SandboxError::unwritable_file(data_file, error))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(SandboxError::file_in_use(data_file)),
            Err(TryLockError::Error(error)) => Err(SandboxError::unwritable_file(data_file, error)),
        }
    }
}
