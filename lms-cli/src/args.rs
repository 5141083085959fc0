//! The kinds of options that commands have.

use clap::{Arg, ArgAction, ArgMatches};

/// The option of the additions that can be repeated.
pub(crate) const IF_NOT_EXISTS: &str = "if-not-exists";

/// An option with a value.
pub(crate) fn text(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

/// An option without a value.
pub(crate) fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .action(ArgAction::SetTrue)
        .help(help)
}

/// Confirms the question in advance.
pub(crate) fn yes(help: &'static str) -> Arg {
    switch("yes", help).short('y')
}

/// Returns `true` if an argument has a value, be it a default. An argument that the command does not have has none: clap
/// returns an error for it in debug builds only.
pub(crate) fn has(matches: &ArgMatches, id: &str) -> bool {
    matches!(matches.try_contains_id(id), Ok(true))
}
