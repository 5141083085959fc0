//! Reads the client secret of a profile: from a command, from a file that only its owner can read, or that another user lets a group read, or from the keyring.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
    process::{Command, Stdio},
};

use lms_ext::Secret;

use super::{config::SecretSource, keyring};
use crate::failure::Failure;

/// Number of bytes after which reading stops. Far more than a secret needs.
const MAX_BYTES: u64 = 64 * 1024;

/// Reads a secret: the first line, without its end.
pub(crate) fn read(source: &SecretSource) -> Result<Secret, Failure> {
    let text = match source {
        SecretSource::Command(command) => of_command(command)?,
        SecretSource::File(file) => of_file(file)?,
        SecretSource::Keyring(profile) => return keyring::read(profile),
    };
    let secret = text.lines().next().unwrap_or_default();
    if secret.is_empty() {
        return Err(Failure::credentials(match source {
            SecretSource::File(file) => format!("the secret file {} is empty", file.display()),
            _ => "credential_command printed no secret".to_owned(),
        }));
    }
    Ok(Secret::from(secret))
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
    let unreadable = |reason: &dyn std::fmt::Display| {
        Failure::credentials(format!(
            "could not read the secret file {}: {reason}",
            path.display()
        ))
    };
    let file = File::open(path).map_err(|error| unreadable(&error))?;
    let metadata = file.metadata().map_err(|error| unreadable(&error))?;
    check(&metadata).map_err(|reason| {
        unreadable(&reason).advice(format!("run `chmod 600 {}`", path.display()))
    })?;
    let mut text = String::new();
    file.take(MAX_BYTES)
        .read_to_string(&mut text)
        .map_err(|error| unreadable(&error))?;
    Ok(text)
}

/// Fails if others can read the file. Checked on the open file, which nothing can replace meanwhile.
fn check(metadata: &fs::Metadata) -> Result<(), &'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;

        // Another user, such as root in a container, may give a file to a group of this user.
        let own = metadata.uid() == rustix::process::geteuid().as_raw();
        let refused = if own { 0o077 } else { 0o037 };
        if metadata.mode() & refused != 0 {
            return Err("other users can access it");
        }
    }
    if metadata.is_file() {
        Ok(())
    } else {
        Err("it is not a regular file")
    }
}
