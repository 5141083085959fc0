//! The lock on a destination: one run at a time.
//!
//! It is a lock of the operating system, so it ends with the process, however that ends. A file names the holder. The lock of
//! a folder is on the folder itself, so it is found by every path, and removing the file does not release it.

use std::{
    fmt,
    fs::{File, OpenOptions, TryLockError},
    io::Write as _,
    path::{Path, PathBuf},
};

use same_file::Handle;
use serde::{Deserialize, Serialize};

use super::regular;
use crate::error::{Error, ErrorKind};

/// Holds a destination until it is dropped.
#[derive(Debug)]
pub struct DestinationLock {
    locked: Handle,
    path: PathBuf,
}

/// The holder of a lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Holder {
    pub(super) process: u32,
    pub(super) host: String,
    pub(super) since: String,
}

impl Holder {
    /// This process, from now.
    pub(super) fn this() -> Self {
        Self {
            process: std::process::id(),
            host: gethostname::gethostname().to_string_lossy().into_owned(),
            since: jiff::Timestamp::now().to_string(),
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            process,
            host,
            since,
        } = self;
        write!(f, "process {process} on {host}, since {since}")
    }
}

impl DestinationLock {
    /// Takes the lock, and creates its file if it does not exist.
    ///
    /// # Errors
    ///
    /// [`Locked`](ErrorKind::Locked) with the process and the host of the holder if another run has it, and
    /// [`Destination`](ErrorKind::Destination) if the file cannot be opened.
    pub fn acquire(path: &Path) -> Result<Self, Error> {
        let locked = open(path)?;
        match locked.try_lock() {
            Ok(()) => Self::named(locked, path, path),
            Err(TryLockError::WouldBlock) => Err(refuse(path)),
            Err(TryLockError::Error(error)) => Err(Error::file("lock", path, error)),
        }
    }

    /// Takes the lock of a folder, whose holder is named in a file. Where folders cannot be locked, such as on Windows and on
    /// some network file systems, it is that of the file.
    pub(super) fn of_folder(folder: &Path, file: &Path) -> Result<Self, Error> {
        match File::open(folder).map(|locked| (locked.try_lock(), locked)) {
            Ok((Ok(()), locked)) => Self::named(locked, folder, file),
            Ok((Err(TryLockError::WouldBlock), _)) => Err(refuse(file)),
            Ok((Err(TryLockError::Error(_)), _)) | Err(_) => Self::acquire(file),
        }
    }

    /// Names this process in a file as the holder of the lock.
    fn named(locked: File, path: &Path, file: &Path) -> Result<Self, Error> {
        let locked = Handle::from_file(locked);
        let lock = Self {
            locked: locked.map_err(|error| Error::file("lock", path, error))?,
            path: path.to_owned(),
        };
        let text = serde_json::to_vec(&Holder::this()).unwrap_or_default();
        let mut named = open(file)?;
        named
            .set_len(0)
            .and_then(|()| named.write_all(&text))
            .map_err(|error| Error::file("write the lock file", file, error))?;
        Ok(lock)
    }

    /// Returns `true` if a run has the lock. `false` if that is not known.
    #[cfg(feature = "sqlite")]
    pub(super) fn is_held(path: &Path) -> bool {
        let probed = File::open(path).map(|file| file.try_lock_shared());
        matches!(probed, Ok(Err(TryLockError::WouldBlock)))
    }

    /// Fails if what is locked was replaced since, by something that another run may have locked.
    pub(super) fn check(&self) -> Result<(), Error> {
        if Handle::from_path(&self.path).is_ok_and(|found| found == self.locked) {
            return Ok(());
        }
        Err(ErrorKind::Locked.error(format!(
                "{}, which this run has locked, was removed or replaced, so another run may have begun; wait for it to end, \
                 then start this run again",
                self.path.display()
            )))
    }
}

impl Drop for DestinationLock {
    fn drop(&mut self) {
        // Closing the file is not enough while this process starts another one, which has the file open for a moment.
        // Nothing is lost if this fails, because the end of the process releases the lock.
        let _ = self.locked.as_file().unlock();
    }
}

fn open(path: &Path) -> Result<File, Error> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    regular::open(path, &options).map_err(|error| Error::file("open the lock file", path, error))
}

fn refuse(file: &Path) -> Error {
    // The holder may not have written its name yet.
    let text = regular::read(file).unwrap_or_default();
    let holder: Option<Holder> = serde_json::from_slice(&text).ok();
    in_use(holder.as_ref(), &file.display())
}

/// The error for a destination that another run has, with the known facts about that run.
pub(super) fn in_use(holder: Option<&Holder>, destination: &dyn fmt::Display) -> Error {
    let who = holder.map_or_else(|| "another process".to_owned(), ToString::to_string);
    ErrorKind::Locked.error(format!(
        "the destination is in use by {who}; wait for that run to end ({destination})"
    ))
}
