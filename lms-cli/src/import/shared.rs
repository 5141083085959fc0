//! The options and files that the commands share.

use std::{fs, path::Path};

use clap::ArgMatches;

use crate::failure::Failure;

/// The file of a command.
pub(super) fn given<'a>(matches: &'a ArgMatches, name: &str) -> &'a str {
    matches.get_one::<String>(name).map_or("", String::as_str)
}

/// Writes a file that only its owner can read, because it has personal data.
pub(super) fn write_private(path: &Path, content: &[u8]) -> Result<(), Failure> {
    use std::io::Write as _;
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = Path::new(&new);
    let written = || {
        let _ = fs::remove_file(new);
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(new)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(new, path)
    };
    written().map_err(|error| Failure::destination(path, &error))
}

/// Reads a text that the user named.
pub(super) fn read_text(path: &str) -> Result<String, Failure> {
    fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("could not read {path}: {error}")))
}
