//! The lock on a destination: one run at a time.
//!
//! It is a lock of the operating system on a file, so it ends with the process, however that ends. The file names the
//! holder.

use std::{
    fmt,
    fs::{self, File, OpenOptions, TryLockError},
    io::{Read as _, Seek as _, Write as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::regular;
use crate::error::{Error, ErrorKind};

/// Holds a destination until it is dropped.
#[derive(Debug)]
pub struct DestinationLock {
    file: File,
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
        let failed = |error| Error::file("open the lock file", path, error);
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).read(true).write(true);
        let mut file = regular::open(path, &options).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(refuse(&mut file, path)),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let text = serde_json::to_vec(&Holder::this()).unwrap_or_default();
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(&text))
            .map_err(failed)?;
        Ok(Self {
            file,
            path: path.to_owned(),
        })
    }

    /// Returns `true` if a run has the lock. `false` if that is not known.
    pub(super) fn is_held(path: &Path) -> bool {
        let probed = File::open(path).map(|file| file.try_lock_shared());
        matches!(probed, Ok(Err(TryLockError::WouldBlock)))
    }

    /// Fails if the file of the lock is another one by now, which another run may have locked.
    pub(super) fn check(&self) -> Result<(), Error> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;

            let id = |file: fs::Metadata| (file.dev(), file.ino());
            let held = self.file.metadata().ok().map(id);
            if held.is_none() || fs::symlink_metadata(&self.path).ok().map(id) != held {
                return Err(Error::new(
                    ErrorKind::Locked,
                    format!(
                        "the lock {} was removed or replaced during this run, so another run may have begun; wait for it to \
                         end, then start this run again",
                        self.path.display()
                    ),
                ));
            }
        }
        Ok(())
    }
}

impl Drop for DestinationLock {
    fn drop(&mut self) {
        // Closing the file is not enough while this process starts another one, which has the file open for a moment.
        // Nothing is lost if this fails, because the end of the process releases the lock.
        let _ = self.file.unlock();
    }
}

fn refuse(file: &mut File, path: &Path) -> Error {
    let mut text = String::new();
    // The holder may not have written its name yet.
    let read = file.read_to_string(&mut text).is_ok();
    let holder: Option<Holder> = read.then(|| serde_json::from_str(&text).ok()).flatten();
    in_use(holder.as_ref(), &path.display())
}

/// The error for a destination that another run has, with the known facts about that run.
pub(super) fn in_use(holder: Option<&Holder>, destination: &dyn fmt::Display) -> Error {
    let who = holder.map_or_else(|| "another process".to_owned(), ToString::to_string);
    Error::new(
        ErrorKind::Locked,
        format!("the destination is in use by {who}; wait for that run to end ({destination})"),
    )
}
