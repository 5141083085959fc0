//! Reads the client secret of a profile: from a command, from a file that only its owner can read, or that another user lets a group read, or from the keyring.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::Path,
    process::{Command, Stdio},
};

use lms_ext::Secret;

use super::{config::SecretSource, keyring};
use crate::failure::Failure;

/// Number of bytes after which reading stops. Far more than a secret needs.
const MAX_BYTES: u64 = 64 * 1024;

/// Reads the secret of the profile of this name: the first line, without its end.
pub(crate) fn read(source: &SecretSource, profile: &str) -> Result<Secret, Failure> {
    let (text, none) = match source {
        SecretSource::Keyring(_) => return keyring::read(profile),
        SecretSource::Command(command) => (
            of_command(command)?,
            "credential_command printed no secret".to_owned(),
        ),
        SecretSource::File(file) => (
            of_file(file)?,
            format!("the secret file {} is empty", file.display()),
        ),
    };
    match text.lines().next() {
        None | Some("") => Err(Failure::credentials(none)),
        Some(secret) => Ok(Secret::from(secret)),
    }
}

fn of_command(command: &str) -> Result<String, Failure> {
    let shell = if cfg!(windows) {
        ("cmd", "/C")
    } else {
        ("sh", "-c")
    };
    let output = Command::new(shell.0)
        .args([shell.1, command])
        .stdin(Stdio::inherit())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| {
            Failure::credentials(format!("could not run credential_command: {error}"))
        })?;
    if !output.status.success() {
        return Err(
            Failure::credentials(format!("credential_command failed: {}", output.status))
                .advice("run the command by itself to see why"),
        );
    }
    String::from_utf8(output.stdout)
        .map_err(|_| Failure::credentials("credential_command printed something that is not text"))
}

fn of_file(path: &Path) -> Result<String, Failure> {
    let read = || -> io::Result<String> {
        // Checked on the open file, which nothing can replace meanwhile.
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if others_can_access(&metadata) {
            return Err(io::Error::other(OPEN));
        }
        if !metadata.is_file() {
            return Err(io::Error::other("it is not a regular file"));
        }
        let mut text = String::new();
        file.take(MAX_BYTES).read_to_string(&mut text)?;
        Ok(text)
    };
    read().map_err(|error| {
        let (file, reason) = (path.display(), error.to_string());
        let failure =
            Failure::credentials(format!("could not read the secret file {file}: {reason}"));
        match reason == OPEN {
            true => failure.advice(format!("run `chmod 600 {file}`")),
            false => failure,
        }
    })
}

const OPEN: &str = "other users can access it";

/// Returns `true` if others can read a file.
#[cfg(unix)]
pub(crate) fn others_can_access(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    // Another user, such as root in a container, may give a file to a group of this user.
    let own = metadata.uid() == rustix::process::geteuid().as_raw();
    metadata.mode() & if own { 0o077 } else { 0o037 } != 0
}

#[cfg(not(unix))]
pub(crate) fn others_can_access(_: &fs::Metadata) -> bool {
    false
}
