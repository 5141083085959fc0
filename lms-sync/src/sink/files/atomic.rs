//! Replaces files in one step, so that a crash leaves either the old content or the new.

use std::{
    fmt::Display,
    fs::{self, File},
    io::{self, Write as _},
    path::Path,
};

use crate::{
    error::{Error, ErrorKind},
    sink::regular,
};

/// Replaces the content of a file, durably.
pub(super) fn replace(path: &Path, content: &[u8]) -> Result<(), Error> {
    let write = || -> io::Result<()> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let temporary = path.with_file_name(name);
        let mut file = regular::create(&temporary)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        sync_folder(path)
    };
    write().map_err(|error| Error::file("write", path, error))
}

/// Makes renames and removals in the folder of a file durable.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    // Only Unix opens a folder as a file.
    if cfg!(unix)
        && let Some(folder) = path.parent()
    {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// The result of reading a file; `None` if it does not exist.
pub(super) fn if_exists<T>(path: &Path, read: io::Result<T>) -> Result<Option<T>, Error> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file("read", path, error)),
    }
}

/// Reads JSON that this program wrote to a place. `advice` says what to do if it is damaged.
pub(super) fn parse_json<T: serde::de::DeserializeOwned>(
    json: &[u8],
    place: impl Display,
    advice: &str,
) -> Result<T, Error> {
    serde_json::from_slice(json).map_err(|error| {
        let (kind, reason) = if error.is_data() {
            let reason = "it was not written by this program, or by a newer version";
            (ErrorKind::Foreign, reason)
        } else {
            (ErrorKind::Damaged, "it was truncated or changed")
        };
        Error::new(kind, format!("cannot read {place}: {reason}; {advice}")).with_source(error)
    })
}

/// Removes a file, if it exists.
pub(super) fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::file("remove", path, error))
        }
        _ => Ok(()),
    }
}
