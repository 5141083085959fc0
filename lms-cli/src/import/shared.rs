//! The options, files and errors that the commands share.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::{Arg, ArgMatches, ValueHint};
use lms_ext::Lms;
use lms_plan::{Error, ErrorKind, Ledger};

use crate::{
    args::text,
    calls::label,
    exit::{Exit, of_call},
    failure::Failure,
    profile, wording,
};

/// The option that names the ledger.
pub(super) fn state() -> Arg {
    text(
        "state",
        "FILE",
        "The ledger of the tenant: links of people, and what was sent [default: in the state folder, by the host of the tenant]",
    )
    .value_hint(ValueHint::FilePath)
}

/// The file of a command.
pub(super) fn given<'a>(matches: &'a ArgMatches, name: &str) -> &'a str {
    matches.get_one::<String>(name).map_or("", String::as_str)
}

/// The path of the ledger.
pub(super) fn ledger_path(matches: &ArgMatches, lms: &Lms) -> Result<PathBuf, Failure> {
    if let Some(path) = matches.get_one::<String>("state") {
        return Ok(path.into());
    }
    let folder = profile::state_folder().ok_or_else(|| {
        Failure::usage("there is no folder for the ledger").advice("name a file with --state")
    })?;
    let host = label::tenant(lms).replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "_");
    Ok(folder.join(format!("{host}.ledger")))
}

/// Opens the ledger of a tenant.
pub(super) fn open(matches: &ArgMatches, lms: &Lms, tenant: &str) -> Result<Ledger, Failure> {
    Ok(Ledger::open(&ledger_path(matches, lms)?, tenant)?)
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

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        if let Some(error) = error.tenant_error() {
            return Self::from(error);
        }
        let message = wording::of_commands(&error.to_string());
        let exit = match error.kind() {
            ErrorKind::NotFound => return Self::not_found(message),
            ErrorKind::Incomplete => (Exit::Partial, "incomplete"),
            ErrorKind::Ledger => (Exit::Unavailable, "destination"),
            ErrorKind::Locked => (Exit::Unavailable, "locked"),
            ErrorKind::Held => (Exit::Held, "held"),
            ErrorKind::Tenant => error
                .tenant_error()
                .map_or((Exit::Fault, "fault"), |error| (of_call(error), "tenant")),
            _ => (Exit::Usage, "usage"),
        };
        Self::of_job(exit, message)
    }
}
