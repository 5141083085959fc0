//! `report dossier`: everything that a mirror holds on one person, for a request under data-protection law.

use std::{fs, path::Path};

use clap::{Arg, ArgMatches, Command, ValueHint};
use lms_sync::{Collection, ColumnKind, Value, collections, mirror::MirrorReader};

use super::{
    cache, erase, html, names,
    part::{DossierPart, Part},
    row::each_row,
};
use crate::{
    args::{switch, text},
    context::Context,
    exit::Exit,
    failure::{Failure, conclude},
    jobs::{
        database::{self, Database},
        print_rows,
    },
    profile::config::{create_private_folder, write_private},
};

const TEMPLATE: &str = include_str!("pages/dossier.html");

pub(super) fn command() -> Command {
    Command::new("dossier")
        .about("Write all data about one person to a folder, with a page to read")
        .after_help(
            format!("It has the learner, and the rows of all collections with a `user`. `lms mirror all` also mirrors those that need a \
             request for each learner. --erase deletes nothing: it writes the commands. {}", names::COST),
        )
        .args([
            Arg::new("learner")
                .value_name("LEARNER")
                .required(true)
                .help("Id, email address, username or full name of the learner"),
            text("to", "DIR", "New folder for the files")
                .required(true)
                .value_hint(ValueHint::DirPath),
            switch("erase", "Also write a plan that ends the enrolments and deletes the account"),
            database::argument("mirror", "The database of `lms mirror`; without it, the lists are mirrored into a cache first")
                .required(false),
        ])
}

/// The names of the collections that have rows on a person.
pub(super) fn needs() -> Vec<&'static str> {
    of_people().map(|(known, _)| known.name).collect()
}

/// Writes the folder. Partial if the mirror lacks something, or something was not complete.
pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let given = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    let folder = Path::new(given("to"));
    if fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some()) {
        return Err(Failure::usage(format!(
            "--to {}: the folder is not empty",
            folder.display()
        )));
    }
    let lists = of_people().filter(|(known, _)| !known.is_derived());
    let lists: Vec<_> = lists.map(|(known, _)| known).collect();
    let database = cache::open(context, matches, &lists).await?;
    let (parts, person) = database.read(|mirror| {
        let (id, person) = names::learner(mirror, given("learner"))?;
        let learner = ("learner".to_owned(), ColumnKind::Text, Value::Text(id));
        Ok((parts(mirror, &[learner])?, person))
    })?;
    create_private_folder(folder).map_err(|error| Failure::destination(folder, &error))?;
    let page = parts.iter().map(|part| part.write(folder));
    let page = page.collect::<Result<Vec<_>, _>>()?;
    let page = html::page("Data about a person", TEMPLATE, &page)?;
    write_private(&folder.join("index.html"), &page)?;
    if matches.get_flag("erase") {
        erase::write(context, folder, &person, &parts)?;
    }
    let listed: Vec<DossierPart> = parts.iter().map(Part::listed).collect();
    let columns = ["collection", "rows", "mirrored_at", "complete"];
    conclude(
        verdict(&listed, &database),
        print_rows(context, &columns, &listed),
    )
}

/// The collections with data about people, each with the column that has the id of a learner.
fn of_people() -> impl Iterator<Item = (&'static Collection, &'static str)> {
    collections().iter().filter_map(|known| match known.name {
        collections::LEARNERS => Some((known, "id")),
        _ => known.column("user").map(|_| (known, "user")),
    })
}

fn parts(
    mirror: &mut MirrorReader<'_>,
    learner: &[(String, ColumnKind, Value)],
) -> Result<Vec<Part>, Failure> {
    let records = mirror.records()?;
    let record = |name: &str| records.iter().find(|record| record.collection == name);
    let has_courses = record(collections::COURSES).is_some();
    let part = |(known, key): (&'static Collection, &str)| {
        let columns = known.columns.iter();
        let columns = columns.map(|column| (column.name.to_owned(), column.kind));
        let mut part = Part {
            collection: known.name,
            record: record(known.name).cloned(),
            columns: columns.collect(),
            rows: Vec::new(),
        };
        if part.record.is_none() {
            return Ok(part);
        }
        let mut more = "";
        if known.column("course").is_some() && has_courses {
            let name = ("course_name".to_owned(), ColumnKind::Text);
            part.columns.push(name);
            more = ", (SELECT c.name FROM courses c WHERE c.id = t.course) AS course_name";
        }
        let name = known.name;
        let sql = format!(
            "SELECT t.*{more} FROM {name} t WHERE t.\"{key}\" = :learner AND t._deleted_at IS NULL"
        );
        let rows = &mut part.rows;
        each_row(mirror, &sql, learner, &part.columns, &mut |row| {
            rows.push(row);
        })?;
        Ok(part)
    };
    of_people().map(part).collect()
}

fn verdict(parts: &[DossierPart], database: &Database) -> Result<(), Failure> {
    let incomplete = parts.iter().filter(|part| !part.complete);
    let incomplete: Vec<&str> = incomplete.map(|part| part.collection).collect();
    if incomplete.is_empty() {
        return Ok(());
    }
    let message = format!(
        "the dossier lacks data: {} are not in the mirror, or not complete",
        incomplete.join(", ")
    );
    let advice = cache::advice(&incomplete, &database.argument());
    Err(Failure::of_job((Exit::Partial, "incomplete"), message).advice(advice))
}
