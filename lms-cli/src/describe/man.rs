//! `man`: the man page of the program, or a folder with a page for each command.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

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
        .and_then(|()| write(&root, folder))
        .and_then(|()| fs::write(folder.join("lms.1"), page));
    written.map_err(|error| {
        Failure::fault(format!("could not write to {}: {error}", folder.display()))
    })
}

fn man(command: &Command) -> Man {
    Man::new(command.clone()).source(concat!("lms ", env!("CARGO_PKG_VERSION")))
}

/// Writes the page of a command, and those of the commands below it.
fn write(command: &Command, folder: &Path) -> io::Result<()> {
    man(command).generate_to(folder)?;
    let mut inner = command.get_subcommands();
    inner.try_for_each(|inner| write(inner, folder))
}

/// The page of the program.
fn page(root: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    man(root).render(&mut page)?;
    let codes = exit_codes().chain([("*", DOCTOR)]);
    list("EXIT STATUS", codes, &mut page)?;
    for section in SECTIONS.trim().split("\n\n") {
        let (title, entries) = section.split_once('\n').unwrap_or((section, ""));
        let entries = entries.lines().filter_map(|line| line.split_once(": "));
        list(title, entries, &mut page)?;
    }
    Ok(page)
}

/// A section with a paragraph for each entry.
fn list<'a>(
    title: &str,
    entries: impl IntoIterator<Item = (&'a str, &'a str)>,
    page: &mut impl Write,
) -> io::Result<()> {
    let mut section = Roff::new();
    section.control("SH", [title]);
    for (entry, text) in entries {
        section.control("TP", []);
        section.text([bold(entry)]);
        section.text([roman(text)]);
    }
    section.to_writer(page)
}
