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
    let Some(folder) = matches.get_one::<String>("to") else {
        Stdout::new(Reader::MayLeave).print(&page(&root)?)?;
        return Ok(());
    };
    let written = fs::create_dir_all(folder).and_then(|()| write(&root, Path::new(folder)));
    written.map_err(|error| Failure::fault(format!("could not write to {folder}: {error}")))
}

/// Writes the page of a command, and those of the commands below it.
fn write(command: &Command, folder: &Path) -> io::Result<()> {
    fs::write(folder.join(format!("{}.1", name(command))), page(command)?)?;
    command
        .get_subcommands()
        .try_for_each(|inner| write(inner, folder))
}

/// The name of a page, such as `lms-courses-list`.
fn name(command: &Command) -> &str {
    command
        .get_display_name()
        .unwrap_or_else(|| command.get_name())
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let name = name(command);
    let source = concat!("lms ", env!("CARGO_PKG_VERSION"));
    let mut page = Vec::new();
    // The second `""` is the date: a page is of a version, not of a day.
    let mut title = Roff::new();
    title.control("TH", [name.to_uppercase().as_str(), "1", "\"\"", source]);
    title.to_writer(&mut page)?;
    let man = Man::new(command.clone());
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command.get_arguments().next().is_some() {
        man.render_options_section(&mut page)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if name == "lms" {
        let codes = exit_codes().chain([("*", DOCTOR)]);
        list("EXIT STATUS", codes, &mut page)?;
        for section in SECTIONS.trim().split("\n\n") {
            let (title, entries) = section.split_once('\n').unwrap_or((section, ""));
            let entries = entries.lines().filter_map(|line| line.split_once(": "));
            list(title, entries, &mut page)?;
        }
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
