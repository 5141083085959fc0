//! The kinds of options that commands have.

use clap::{Arg, ArgAction};

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
