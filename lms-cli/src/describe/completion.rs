//! `completion`: a script for a shell.

use clap::{Arg, ArgMatches, Command, builder::PossibleValuesParser};
use clap_complete::{Shell, generate};

use crate::{
    console::{Reader, Stdout},
    failure::Failure,
};

const SHELLS: [(&str, Shell); 4] = [
    ("bash", Shell::Bash),
    ("zsh", Shell::Zsh),
    ("fish", Shell::Fish),
    ("powershell", Shell::PowerShell),
];

pub(crate) fn command() -> Command {
    Command::new("completion")
        .about("Print a completion script for a shell")
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .value_parser(PossibleValuesParser::new(SHELLS.map(|(name, _)| name))),
        )
}

/// Prints the script.
pub(crate) fn run(mut root: Command, matches: &ArgMatches) -> Result<(), Failure> {
    let wanted = matches
        .get_one::<String>("shell")
        .map_or("", String::as_str);
    for (_, shell) in SHELLS.into_iter().filter(|(name, _)| *name == wanted) {
        let mut script = Vec::new();
        generate(shell, &mut root, "lms", &mut script);
        Stdout::new(Reader::MayLeave).print(&script)?;
    }
    Ok(())
}
