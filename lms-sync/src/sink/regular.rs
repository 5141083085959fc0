//! Opens files by names that others may have taken: there may be a link to another file, or a pipe.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _},
    path::Path,
};

/// Opens a file. Refuses links, pipes and devices. Nothing is truncated.
pub(super) fn open(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let refused = || {
        Err(io::Error::other(
            "it is a link, a pipe or a device, and not a file",
        ))
    };
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return refused();
    }
    let file = options.open(path)?;
    if fs::symlink_metadata(path)?.is_file() && file.metadata()?.is_file() {
        Ok(file)
    } else {
        refused()
    }
}

/// Largest number of bytes of a file that is read as a whole.
const LARGEST: u64 = 1 << 30;

/// The content of a file.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    let file = open(path, OpenOptions::new().read(true))?;
    if file.metadata()?.len() > LARGEST {
        return Err(io::Error::other("it is larger than 1 GiB"));
    }
    file.take(LARGEST).read_to_end(&mut content)?;
    Ok(content)
}

/// Creates a file in place of whatever has its name, without following a link.
pub(super) fn create(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    File::create_new(path)
}

/// Refuses a folder that is a link.
pub(super) fn check_folder(path: &Path) -> io::Result<()> {
    if path.is_symlink() {
        return Err(io::Error::other("it is a link, and not a folder"));
    }
    Ok(())
}
