//! The options that choose several tenants.

use clap::{Arg, ArgAction, ArgMatches, ValueHint, value_parser};

use crate::args::{switch, text};

/// The tenants that were chosen, and how many at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selection {
    pub(crate) tenants: Tenants,
    pub(crate) at_once: usize,
    /// The file for the outcomes.
    pub(crate) outcomes: Option<String>,
}

/// The chosen profiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tenants {
    Named(Vec<String>),
    All,
    /// Those with one of these tags.
    Tagged(Vec<String>),
}

/// The options that choose several tenants.
pub(crate) const TENANTS: [&str; 3] = [PROFILES, ALL, TAGGED];

const HEADING: &str = "Options for several tenants";
const PROFILES: &str = "profiles";
const ALL: &str = "all-profiles";
const TAGGED: &str = "tag-profiles";

/// The options of a command that can be for several tenants.
pub(crate) fn options() -> Vec<Arg> {
    // Each profile has its own of these.
    let one = [
        "profile",
        "base_url",
        "client_id",
        "client_secret_stdin",
        "sandbox",
    ];
    let list = |name, value, help| {
        text(name, value, help)
            .value_delimiter(',')
            .action(ArgAction::Append)
            .conflicts_with_all(one)
    };
    let options = [
        list(PROFILES, "NAMES", "Run for each of these profiles: acme,globex")
            .conflicts_with_all([ALL, TAGGED]),
        switch(ALL, "Run for every profile").conflicts_with_all(one),
        list(TAGGED, "TAGS", "Run for every profile with one of these tags; see `lms profile add --tag`")
            .conflicts_with(ALL),
        text("at-once", "N", "Number of tenants at a time")
            .default_value("16")
            .value_parser(value_parser!(u16).range(1..)),
        text("outcomes", "FILE", "File for the outcome of each tenant as JSON: rows, changes, complete, error and seconds")
            .value_hint(ValueHint::FilePath),
    ];
    options.map(|option| option.help_heading(HEADING)).into()
}

impl Selection {
    /// Reads the options; `None` if the command is for one tenant.
    pub(crate) fn of(matches: &ArgMatches) -> Option<Self> {
        let names = |name: &str| {
            let given = matches.try_get_many::<String>(name).ok().flatten();
            given.map(|names| names.cloned().collect::<Vec<_>>())
        };
        let tenants = match (names(PROFILES), names(TAGGED)) {
            (Some(names), _) => Tenants::Named(names),
            (None, Some(tags)) => Tenants::Tagged(tags),
            (None, None) if matches!(matches.try_get_one(ALL), Ok(Some(true))) => Tenants::All,
            (None, None) => return None,
        };
        let at_once = matches.get_one::<u16>("at-once");
        Some(Self {
            tenants,
            at_once: usize::from(at_once.copied().unwrap_or(16)),
            outcomes: matches.get_one::<String>("outcomes").cloned(),
        })
    }
}
