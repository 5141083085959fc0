//! `report dossier`: everything that a mirror holds on one person, for a request under data-protection law.

use std::{fs, path::Path};

use clap::{Arg, ArgMatches, Command, ValueHint};
use lms_sync::{
    Collection, Column, ColumnKind, CompletenessRecord, Value, collections, mirror::MirrorReader,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::{
    cache, html, names,
    read::objects,
    row::{NamedRow, Row, each_row},
};
use crate::{
    args::{switch, text},
    context::Context,
    exit::Exit,
    failure::{Failure, conclude},
    format::CsvOptions,
    jobs::{
        database::{self, Database},
        print_rows,
    },
    output::{cell, csv, json::Members},
    profile::{
        config::{Config, create_private_folder, write_private},
        without_path,
    },
    wording::{count, quoted},
};

const TEMPLATE: &str = include_str!("pages/dossier.html");

/// The rows of a collection about a person.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DossierPart {
    collection: &'static str,
    /// The rows about the person; null if the collection is not in the mirror.
    rows: Option<usize>,
    /// The time at which the last page of the collection was read, in UTC.
    mirrored_at: Option<String>,
    /// `true` if the collection was complete.
    complete: bool,
    /// The base URL of the tenant, if the collection is in the mirror.
    #[serde(skip)]
    tenant: Option<String>,
    #[serde(skip)]
    columns: Vec<(String, ColumnKind)>,
    #[serde(skip)]
    found: Vec<Row>,
}

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
        plan(context, folder, &person, &parts)?;
    }
    let columns = ["collection", "rows", "mirrored_at", "complete"];
    conclude(
        verdict(&parts, &database),
        print_rows(context, &columns, &parts),
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
) -> Result<Vec<DossierPart>, Failure> {
    let records = mirror.records()?;
    let record = |name: &str| records.iter().find(|record| record.collection == name);
    let has_courses = record(collections::COURSES).is_some();
    let part = |(known, key): (&'static Collection, &str)| {
        let (name, record) = (known.name, record(known.name));
        let columns = known.columns.iter();
        let columns = columns.map(|column| (column.name.to_owned(), column.kind));
        let mut part = DossierPart {
            collection: name,
            rows: None,
            mirrored_at: record.map(|record| record.ended.clone()),
            complete: record.is_some_and(CompletenessRecord::is_complete),
            tenant: record.map(|record| record.tenant.clone()),
            columns: columns.collect(),
            found: Vec::new(),
        };
        if record.is_none() {
            return Ok(part);
        }
        let mut more = "";
        if known.column("course").is_some() && has_courses {
            let name = ("course_name".to_owned(), ColumnKind::Text);
            part.columns.push(name);
            more = ", (SELECT c.name FROM courses c WHERE c.id = t.course) AS course_name";
        }
        let sql = format!(
            "SELECT t.*{more} FROM {name} t WHERE t.\"{key}\" = :learner AND t._deleted_at IS NULL"
        );
        let found = &mut part.found;
        each_row(mirror, &sql, learner, &part.columns, &mut |row| {
            found.push(row);
        })?;
        part.rows = Some(found.len());
        Ok(part)
    };
    of_people().map(part).collect()
}

impl DossierPart {
    /// Writes its files, which only the user can read. Returns its section of the page, without the columns that have no value.
    fn write(&self, folder: &Path) -> Result<serde_json::Value, Failure> {
        let title = self.collection.replace('_', " ");
        let Some(time) = &self.mirrored_at else {
            let state = "Not read: this page does not say whether there are rows.";
            return Ok(json!({ "title": title, "state": state }));
        };
        let objects = objects(&self.columns, &self.found)?;
        let file = |ending: &str| folder.join(format!("{}.{ending}", self.collection));
        let text = serde_json::to_string_pretty(&objects)? + "\n";
        write_private(&file("json"), &text)?;
        let rows: Vec<_> = objects.iter().filter_map(|row| Members::of(row)).collect();
        let names: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        let mut text = Vec::new();
        csv::write(&mut text, &names, true, &rows, CsvOptions::default())?;
        write_private(&file("csv"), &text)?;
        let cell = |row: &Members<'_>, name: &str| cell::text(row.get(name));
        let is_filled = |name: &&String| rows.iter().any(|row| !cell(row, name).is_empty());
        let names: Vec<&String> = names.iter().filter(is_filled).collect();
        let heading = |name: &&String| match name.as_str() {
            Column::EXTRA_NAME => "other fields".to_owned(),
            name => name.replace('_', " "),
        };
        let cells = |row| names.iter().map(|name| cell(row, name)).collect();
        let cells: Vec<Vec<String>> = rows.iter().map(cells).collect();
        let missing = match self.complete {
            true => "",
            false => " Rows may be missing.",
        };
        Ok(json!({
            "title": title,
            "state": format!("{}, read until {time}.{missing}", count(rows.len(), "row")),
            "names": names.iter().map(heading).collect::<Vec<_>>(),
            "rows": cells,
        }))
    }
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

/// Writes a plan for the tenant of a dossier, which ends the enrolments of the person and deletes the account.
///
/// An id such as `l2` is that of another person at another tenant. So the commands name the tenant of the mirror, and the person
/// by an email address that one account alone has: a tenant that does not know the address refuses the command.
fn plan(
    context: &Context,
    folder: &Path,
    person: &str,
    parts: &[DossierPart],
) -> Result<(), Failure> {
    let tenant = parts.iter().find_map(|part| part.tenant.as_deref());
    let tenant = tenant.unwrap_or_default();
    let (connection, person) = (connection(context, tenant)?, quoted(person));
    let mut commands = String::new();
    let enrolments = parts
        .iter()
        .filter(|of| of.collection == collections::ENROLMENTS);
    for (part, row) in enrolments.flat_map(|part| part.found.iter().map(move |row| (part, row))) {
        let course = quoted(&NamedRow(&part.columns, row).text("course"));
        commands += &format!(
            "  lms enrolments rm --user {person} --course {course} {connection} --dry-run\n"
        );
    }
    commands += &format!("  lms learners rm {person} {connection} --dry-run\n");
    let plan = format!(
        "\
Nothing was deleted. These commands, in this order, end the enrolments of the person and delete the account at
{tenant}:

{commands}
They name the person by email address, which a tenant that does not know it refuses. If the address is not theirs alone, they have
the id, and the same id is another person at another tenant.

Without --dry-run, the commands ask and then delete. The service does not document what happens to progress, completions and
records of a learner who is deleted. Copies are not part of the plan: mirrors, their `lms changes`, exports, and this folder.
"
    );
    write_private(&folder.join("erase.txt"), &plan)
}

/// The option that connects to a tenant, whatever the default profile is then: a profile for it, or its base URL.
fn connection(context: &Context, tenant: &str) -> Result<String, Failure> {
    let base_url = without_path(tenant);
    let config = Config::load()?;
    let is_it = |name: &&String| {
        let profile = config.profile(name);
        profile.is_ok_and(|profile| without_path(&profile.base_url) == base_url)
    };
    let names = config.names();
    let chosen = context.profile.iter().chain(&names).find(is_it);
    Ok(match chosen {
        Some(name) => format!("--profile {}", quoted(name)),
        None => format!("--base-url {}", quoted(base_url)),
    })
}
