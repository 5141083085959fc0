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

use super::candidates::LIMIT_VARIABLE;
use crate::{
    args::text,
    console::{Reader, Stdout},
    exit::{DOCTOR, EXIT_CODES},
    failure::Failure,
};

const ENVIRONMENT: [(&str, &str); 6] = [
    (
        "LMS_BASE_URL, LMS_CLIENT_ID, LMS_CLIENT_SECRET",
        "The tenant and the credentials, if no option says otherwise.",
    ),
    ("LMS_PROFILE", "The profile to use."),
    (
        LIMIT_VARIABLE,
        "Time for the ids of a tenant when a shell completes a line, such as 5s; 1.5 s without it.",
    ),
    ("HTTPS_PROXY", "The proxy for requests."),
    ("NO_COLOR", "No color, if it is not empty."),
    (
        "XDG_CONFIG_HOME, XDG_CACHE_HOME",
        "Folders for the files below, instead of ~/.config and ~/.cache.",
    ),
];

const FILES: [(&str, &str); 4] = [
    ("~/.config/lms/config.toml", "The profiles."),
    (
        "~/.config/lms/NAME.secret",
        "The client secret of a profile, which only its owner can read.",
    ),
    (
        "~/.cache/lms/tokens.json",
        "Tokens that are still valid, which only their owner can read.",
    ),
    (
        "~/.cache/lms/mirror-*.db",
        "Mirrors of reports that are given none, with data about people. They can be deleted.",
    ),
];

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
        let codes = EXIT_CODES.map(|(code, meaning)| (code.to_string(), meaning));
        let codes = codes
            .iter()
            .map(|(code, meaning)| (code.as_str(), *meaning))
            .chain([("*", DOCTOR)]);
        list("EXIT STATUS", codes, &mut page)?;
        list("ENVIRONMENT", ENVIRONMENT, &mut page)?;
        list("FILES", FILES, &mut page)?;
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
