//! The ledger of a tenant: where it is, and its errors.

use std::path::PathBuf;

use clap::{Arg, ArgMatches};
use lms_ext::Lms;
use lms_plan::{Error, ErrorKind, Ledger};

use crate::{
    args::file,
    calls::label,
    context::Context,
    exit::Exit,
    failure::Failure,
    profile,
    wording::{self, quoted},
};

/// The option that names the ledger.
pub(crate) fn state() -> Arg {
    file(
        "state",
        "FILE",
        "The ledger of the tenant, with links of people, sent steps and reminders [default: in the state folder, by the address of the tenant]",
    )
}

/// The path of the ledger of the tenant with this base URL.
pub(crate) fn path(matches: &ArgMatches, base_url: &str) -> Result<PathBuf, Failure> {
    if let Some(path) = matches.get_one::<String>("state") {
        return Ok(path.into());
    }
    let folder = profile::state_folder().ok_or_else(|| {
        Failure::usage("there is no folder for the ledger").advice("name a file with --state")
    })?;
    let is_other = |c: char| !c.is_ascii_alphanumeric() && c != '.';
    let name = label::address(base_url).replace(is_other, "_");
    Ok(folder.join(format!("{name}.ledger")))
}

/// The options of another command for the same tenant and ledger, each after a space.
pub(crate) fn options(context: &Context, matches: &ArgMatches) -> String {
    let state = matches.get_one::<String>("state");
    let state = state.map_or_else(String::new, |file| format!(" --state {}", quoted(file)));
    context.tenant_options() + &state
}

/// Opens the ledger of a tenant.
pub(crate) fn open(matches: &ArgMatches, lms: &Lms, tenant: &str) -> Result<Ledger, Failure> {
    Ok(Ledger::open(&path(matches, lms.base_url())?, Some(tenant))?)
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        if let Some(error) = error.tenant_error() {
            return Self::from(error);
        }
        let message = wording::of_commands(&error.to_string());
        let exit = match error.kind() {
            ErrorKind::NotFound => return Self::not_found(message),
            ErrorKind::Cancelled => return Self::cancelled(message),
            ErrorKind::Incomplete => (Exit::Partial, "incomplete"),
            ErrorKind::Ledger => (Exit::Unavailable, "destination"),
            ErrorKind::Locked => {
                return Self::of_job((Exit::Unavailable, "locked"), message).advice(
                    "one import or command with --from changes a tenant at a time, because its ledger is locked; wait for the other",
                );
            }
            ErrorKind::Held => (Exit::Held, "held"),
            // Without the error of a request.
            ErrorKind::Tenant => (Exit::Fault, "fault"),
            _ => (Exit::Usage, "usage"),
        };
        Self::of_job(exit, message)
    }
}
