//! `report dossier`: everything that a mirror holds on one person, for a request under data-protection law.

use std::{
    fs,
    io::Error as IoError,
    path::{Path, PathBuf},
};

use clap::{Arg, ArgMatches, Command, ValueHint};
use lms_sync::{
    Collection, ColumnKind, Error, Value, collections,
    mirror::{MirrorReader, Query},
};

use super::{
    cache, erase, page,
    part::{DossierPart, Part},
    rows,
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

pub(super) fn command() -> Command {
    Command::new("dossier")
        .about("Write everything that is held on one person to a folder, with a page to read")
        .after_help(
            "It has the learner, and the rows of all collections with a `user`. `lms mirror all` mirrors those that need a request \
             for each learner, too. --erase deletes nothing: it writes the rows for `lms enrolments remove --from` and \
             `lms learners delete --from`.",
        )
        .args([
            Arg::new("learner")
                .value_name("LEARNER")
                .required(true)
                .help("Id, email address or username of the learner"),
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
    let folder = PathBuf::from(given("to"));
    if fs::read_dir(&folder).is_ok_and(|mut files| files.next().is_some()) {
        return Err(Failure::usage(format!(
            "--to {}: the folder is not empty",
            folder.display()
        )));
    }
    let lists = of_people().filter(|(known, _)| !known.is_derived());
    let lists: Vec<_> = lists.map(|(known, _)| known).collect();
    let database = cache::open(context, matches, &lists).await?;
    let parts = database.read(|mirror| read(mirror, given("learner").trim()))??;
    write(&folder, &parts)?;
    if matches.get_flag("erase") {
        let person = database.read(|mirror| erase::Person::of(mirror, &parts))?;
        erase::write(context, &folder, &parts, &person)?;
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

/// The id of the learner with this id, email address or username.
fn find(mirror: &mut MirrorReader<'_>, learner: &str) -> Result<Result<Value, Failure>, Error> {
    let find = Query {
        sql: "SELECT id FROM learners WHERE _deleted_at IS NULL \
              AND (id = :learner OR lower(trim(email)) = lower(:learner) OR lower(trim(username)) = lower(:learner))",
        parameters: &[(
            "learner".to_owned(),
            ColumnKind::Text,
            Value::Text(learner.to_owned()),
        )],
        columns: &[("id".to_owned(), ColumnKind::Text)],
        order: &[],
    };
    let mut found = Vec::new();
    mirror.query(&find, &mut |row| found.extend(row))?;
    Ok(<[Value; 1]>::try_from(found)
        .map(|[id]| id)
        .map_err(|found| {
            if found.is_empty() {
                return Failure::not_found(format!(
                    "there is no learner with the id, email address or username {learner}"
                ));
            }
            let ids: Vec<String> = found.iter().map(rows::text).collect();
            let ids = ids.join(", ");
            Failure::usage(format!("{learner} is the name of several learners: {ids}"))
                .advice("use the id of one of them")
        }))
}

fn read(mirror: &mut MirrorReader<'_>, learner: &str) -> Result<Result<Vec<Part>, Failure>, Error> {
    let id = match find(mirror, learner)? {
        Ok(id) => id,
        Err(failure) => return Ok(Err(failure)),
    };
    let records = mirror.records()?;
    let record = |name: &str| records.iter().find(|record| record.collection == name);
    let parameters = [("learner".to_owned(), ColumnKind::Text, id)];
    let mut parts = Vec::new();
    for (known, key) in of_people() {
        let columns = known.columns.iter();
        let mut columns: Vec<_> = columns
            .map(|column| (column.name.to_owned(), column.kind))
            .collect();
        let mut more = "";
        if known.column("course").is_some() && record(collections::COURSES).is_some() {
            columns.push(("course_name".to_owned(), ColumnKind::Text));
            more = ", (SELECT c.name FROM courses c WHERE c.id = t.course) AS course_name";
        }
        let mut rows = Vec::new();
        let of_collection = record(known.name);
        if of_collection.is_some() {
            let sql = format!(
                "SELECT t.*{more} FROM {} t WHERE t.\"{key}\" = :learner AND t._deleted_at IS NULL",
                known.name
            );
            let query = Query {
                sql: &sql,
                parameters: &parameters,
                columns: &columns,
                order: &[],
            };
            mirror.query(&query, &mut |row| rows.push(row))?;
        }
        let record = of_collection.cloned();
        parts.push(Part {
            collection: known,
            columns,
            rows,
            record,
        });
    }
    Ok(Ok(parts))
}

/// Writes the files, which only the user can read.
fn write(folder: &Path, parts: &[Part]) -> Result<(), Failure> {
    let failed = |error: IoError| Failure::destination(folder, &error);
    create_private_folder(folder).map_err(failed)?;
    for part in parts.iter().filter(|part| part.record.is_some()) {
        let file = |ending| folder.join(format!("{}.{ending}", part.collection.name));
        let json = rows::json(&part.columns, &part.rows).map_err(failed)?;
        write_private(&file("json"), &json)?;
        let csv = rows::csv(&part.columns, &part.rows).map_err(failed)?;
        write_private(&file("csv"), &csv)?;
    }
    write_private(&folder.join("index.html"), &page::of(parts))
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
    let advice = format!(
        "lms mirror {} --to {}",
        incomplete.join(","),
        database.argument()
    );
    Err(Failure::of_job((Exit::Partial, "incomplete"), message).advice(advice))
}
