//! `man`: the man page of the program, or a folder with a page for each command.

use std::{fs, io, path::Path};

use clap::{ArgMatches, Command, ValueHint};
use clap_mangen::{
    Man,
    roff::{Roff, bold, roman},
};

use crate::{
    args::text,
    console::{Reader, Stdout},
    exit::{DOCTOR, exit_codes},
    failure::Failure,
};

/// More sections of the page of the program: a title, and lines of an entry with its text.
const SECTIONS: &str = include_str!("man.txt");

pub(crate) fn command() -> Command {
    Command::new("man")
        .about("Print the man page, or write all pages to a folder")
        .arg(
            text("to", "DIR", "Write a page for each command to this folder")
                .value_hint(ValueHint::DirPath),
        )
}

/// Prints or writes the pages.
pub(crate) fn run(root: Command, matches: &ArgMatches) -> Result<(), Failure> {
    let mut root = root.disable_help_subcommand(true);
    root.build();
    let page = page(&root)?;
    let Some(folder) = matches.get_one::<String>("to") else {
        return Ok(Stdout::new(Reader::MayLeave).print(&page)?);
    };
    let folder = Path::new(folder);
    let written = fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(root, folder))
        .and_then(|()| fs::write(folder.join("lms.1"), page));
    written.map_err(|error| {
        Failure::fault(format!("could not write to {}: {error}", folder.display()))
    })
}

/// The page of the program, with more sections.
fn page(root: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(root.clone()).render(&mut page)?;
    let codes = exit_codes().chain([("*", DOCTOR)]);
    let codes = codes.map(|(code, meaning)| format!("{code}: {meaning}\n"));
    let more = format!("EXIT STATUS\n{}\n{SECTIONS}", codes.collect::<String>());
    let mut roff = Roff::new();
    for line in more.lines().filter(|line| !line.is_empty()) {
        match line.split_once(": ") {
            None => _ = roff.control("SH", [line]),
            Some((entry, text)) => {
                roff.control("TP", []);
                roff.text([bold(entry)]);
                roff.text([roman(text)]);
            }
        }
    }
    roff.to_writer(&mut page)?;
    Ok(page)
}
