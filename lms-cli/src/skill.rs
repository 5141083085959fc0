//! `skill`: a page that tells an AI assistant how to use this program, printed or put where assistants look for it.

use std::{fs, path::Path};

use clap::{ArgMatches, Command, ValueHint};

use crate::{
    args::text,
    console::{Reader, Stdout},
    context::Context,
    failure::Failure,
};

const PAGE: &str = include_str!("skill.md");

pub(crate) fn command() -> Command {
    let to = text(
        "to",
        "DIR",
        "Folder of skills, in which lms/SKILL.md is written",
    )
    .default_value(".agents/skills")
    .value_hint(ValueHint::DirPath);
    Command::new("skill")
        .about("Print a page for AI assistants on how to use lms safely")
        .subcommand(
            Command::new("install")
                .about("Write the page where AI assistants look for it")
                .arg(to),
        )
}

/// Prints the page, or writes it.
pub(crate) fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let Some((_, matches)) = matches.subcommand() else {
        return Ok(Stdout::new(Reader::MayLeave).print(PAGE.as_bytes())?);
    };
    let folder = matches.get_one::<String>("to").map_or("", String::as_str);
    let file = Path::new(folder).join("lms").join("SKILL.md");
    file.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(&file, PAGE))
        .map_err(|error| Failure::destination(&file, &error))?;
    context.note(&format!("wrote {}", file.display()));
    Ok(())
}
