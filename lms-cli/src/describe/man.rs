//! `man`: the man page of the program, or a folder with a page for each command.

use std::io::{self, Write};

use clap::{Arg, ArgMatches, Command, ValueHint};
use clap_mangen::{Man, generate_to};

use crate::failure::Failure;

pub(crate) fn command() -> Command {
    Command::new("man")
        .about("Print the man page, or write all pages to a folder")
        .arg(
            Arg::new("to")
                .long("to")
                .value_name("DIR")
                .value_hint(ValueHint::DirPath)
                .help("Write a page for each command to this folder"),
        )
}

/// Prints or writes the pages.
pub(crate) fn run(root: Command, matches: &ArgMatches) -> Result<(), Failure> {
    let Some(folder) = matches.get_one::<String>("to") else {
        let mut page = Vec::new();
        Man::new(root).render(&mut page)?;
        io::stdout().lock().write_all(&page)?;
        return Ok(());
    };
    let written = std::fs::create_dir_all(folder).and_then(|()| generate_to(root, folder));
    written.map_err(|error| Failure::fault(format!("could not write to {folder}: {error}")))
}
