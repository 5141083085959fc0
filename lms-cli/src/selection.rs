//! The options that choose several tenants.

use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches as _, ValueHint,
    builder::RangedU64ValueParser,
};

use crate::args::has;

/// The options that choose several tenants.
pub(crate) const TENANTS: [&str; 3] = ["profiles", "all-profiles", "tag-profiles"];

/// The options for one tenant: each profile has its own of these.
const ONE: [&str; 5] = [
    "profile",
    "base_url",
    "client_id",
    "client_secret_stdin",
    "sandbox",
];

/// The tenants that were chosen, and how many at a time. The comments are the help of the options.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options for several tenants")]
pub(crate) struct Selection {
    /// Run for each of these profiles: acme,globex
    #[arg(
        id = TENANTS[0], long, value_name = "NAMES", value_delimiter = ',', action = ArgAction::Append,
        conflicts_with_all = ONE, conflicts_with_all = [TENANTS[1], TENANTS[2]]
    )]
    pub(crate) profiles: Vec<String>,
    /// Run for every profile
    #[arg(id = TENANTS[1], long, conflicts_with_all = ONE)]
    all_profiles: bool,
    /// Run for every profile with one of these tags; see `lms profile add --tag`
    #[arg(
        id = TENANTS[2], long, value_name = "TAGS", value_delimiter = ',', action = ArgAction::Append,
        conflicts_with_all = ONE, conflicts_with = TENANTS[1]
    )]
    pub(crate) tag_profiles: Vec<String>,
    /// Number of tenants at a time
    #[arg(
        id = AT_ONCE, long, value_name = "N", default_value = "16",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..)
    )]
    pub(crate) at_once: usize,
    /// File for the outcome of each tenant as JSON: rows, changes, complete, error and seconds
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) outcomes: Option<String>,
}

const AT_ONCE: &str = "at-once";

/// The options of a command that can be for several tenants.
pub(crate) fn options() -> Vec<Arg> {
    let command = Selection::augment_args(Command::new("lms"));
    command.get_arguments().cloned().collect()
}

impl Selection {
    /// Reads the options; `None` if the command is for one tenant.
    pub(crate) fn of(matches: &ArgMatches) -> Option<Self> {
        let given = has(matches, AT_ONCE).then(|| Self::from_arg_matches(matches).ok());
        given.flatten().filter(|given| {
            given.all_profiles || !given.profiles.is_empty() || !given.tag_profiles.is_empty()
        })
    }
}
