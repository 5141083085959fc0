//! `remind`: who has to be reminded of required training today, as a file for a mail merge. It sends nothing.
//!
//! The [ledger](lms_plan::Ledger) keeps what was written, so a run repeats nothing, and catches up after nights without one.

mod calendar;
mod due;
mod letters;

use std::{collections::HashMap, path::Path, time::Duration};

use clap::{ArgMatches, Command, ValueHint};
use jiff::Timestamp;
use lms_plan::Ledger;
use lms_sync::{
    ColumnKind, Value,
    mirror::{MirrorReader, Query},
};

use self::due::{People, Person, Thresholds};
use super::{
    asked::Asked,
    cache,
    definition::FIELDS,
    file::{self, ReportFile, ending},
    names::{FIELD, find},
    parameter::{self, Parameter},
    read::objects,
    rules::number_of_days,
    sources::Header,
    training::{self, Row},
};
use crate::{
    args::text,
    context::Context,
    exit::Exit,
    failure::Failure,
    jobs::{database, freshness},
    ledger,
    output::{csv, json::Members},
    profile::config::{create_private_folder, write_private},
    wording::count,
};

pub(in crate::jobs) fn command() -> Command {
    let report = training::definition().unwrap_or_default();
    let days = |name, help| {
        text(name, "DAYS", help)
            .value_delimiter(',')
            .value_parser(number_of_days)
    };
    Command::new("remind")
        .about("Write whom to remind of required training, for a mail merge")
        .after_help(
            "It sends nothing. A row has all courses of a person that have passed a threshold since the last run; a run that was \
             missed is caught up once, and nothing is repeated. Data that is not complete is refused.",
        )
        .args(report.parameters.iter().map(Parameter::option))
        .args([
            days("before", "Days before the last day in time, and before a completion expires: 90d,30d,7d")
                .required_unless_present("after"),
            days("after", "Days after it: 1d,14d"),
            text("to", "FILE", "New file for the rows, which ends with .csv, .ndjson or .xlsx")
                .required(true)
                .value_hint(ValueHint::FilePath)
                .value_parser(named),
            text("managers", "FIELD", "Also write a row for each manager: the custom field of learners with the manager's address"),
            text("ics", "DIR", "Also write a calendar file for each person who is reminded")
                .value_hint(ValueHint::DirPath),
            ledger::state(),
            text("max-age", "AGE", "Refuse a mirror that was read longer ago: people may have completed a course since")
                .value_parser(humantime::parse_duration)
                .default_value("2d"),
            text("at", "TIME", "The time of the run [default: now]").value_parser(parameter::time),
            database::argument(
                "mirror",
                "The database of `lms mirror`; without it, the collections that the rules need are mirrored into a cache first",
            )
            .required(false),
        ])
}

fn named(path: &str) -> Result<String, String> {
    match ending(path) {
        Some("csv" | "ndjson") => Ok(path.to_owned()),
        Some("xlsx") => file::named(path),
        _ => Err("name a file that ends with .csv, .ndjson or .xlsx".to_owned()),
    }
}

pub(in crate::jobs) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let given = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let to = given("to").unwrap_or_default();
    if Path::new(to).exists() {
        let message =
            format!("--to {to}: the file exists, and its reminders are not written again");
        return Err(Failure::usage(message)
            .advice("send them and remove the file, or name a file for each day"));
    }
    let mut asked = training::asked(matches)?;
    if given("managers").is_some() {
        asked.report.also_needs(&FIELDS);
    }
    let database = cache::open(context, matches, &asked.report.needs).await?;
    let found = database
        .read(|mirror| Found::read(&asked, mirror, &database.argument(), given("managers")))?;
    let header = &found.header;
    header.lines().iter().for_each(|line| context.note(line));
    check_age(header, matches)?;
    if found.people.undecided > 0 {
        let rows = count(found.people.undecided, "row");
        context.note(&format!(
            "not reminded, because a time is not known: {rows}"
        ));
    }
    let tenant = header.tenant_id.as_ref().unwrap_or(&header.tenant);
    let ledger = Ledger::open(&ledger::path_of(matches, &header.tenant)?, tenant)?;
    let days = |name: &str| -> Vec<i32> {
        let days = matches.get_many(name).into_iter().flatten();
        days.copied().collect()
    };
    let thresholds = Thresholds::new(&days("before"), &days("after"));
    let (people, reminders) = found.people.select(&thresholds, ledger.reminders()?);
    if people.is_empty() {
        context.note("no reminders are due; no file was written");
        return Ok(());
    }
    if let Some(managers) = given("managers") {
        note_managers(context, managers, &people, &found.managers);
    }
    if let Some(folder) = given("ics") {
        write_calendars(Path::new(folder), &people, found.now, &header.tenant)?;
    }
    write(context, (to, header), &people, &found.managers)?;
    // Not before: after a crash in between, the next run writes the same rows again.
    Ok(ledger.add_reminders(&reminders)?)
}

/// Fails if the mirror is old, because a reminder of what is done annoys.
fn check_age(header: &Header, matches: &ArgMatches) -> Result<(), Failure> {
    let limit = matches.get_one::<Duration>("max-age");
    let age = freshness::age_of(&header.mirrored_at);
    match (limit, age) {
        (Some(limit), Some(age)) if age > *limit => {
            let message = format!(
                "the mirror was read {} ago, longer than --max-age {}",
                freshness::in_words(age),
                freshness::in_words(*limit)
            );
            Err(Failure::of_job((Exit::Partial, "incomplete"), message)
                .advice("run `lms mirror` again, or allow an older mirror with --max-age"))
        }
        _ => Ok(()),
    }
}

/// The data of a mirror about the people.
struct Found {
    header: Header,
    people: People,
    /// The addresses of managers by learner.
    managers: HashMap<String, String>,
    now: Timestamp,
}

impl Found {
    /// Reads complete data. Blocks.
    fn read(
        asked: &Asked,
        mirror: &mut MirrorReader<'_>,
        place: &str,
        managers: Option<&str>,
    ) -> Result<Self, Failure> {
        let (asked, required, header) = asked.opened(mirror, place)?;
        header.verdict()?;
        let required = required.ok_or_else(|| Failure::fault("the report has no rules"))?;
        let now = required.now;
        let mut people = People::new(required.zone.clone(), now);
        required.read(&asked, mirror, &mut |row| {
            people.add(&Row(&asked.report.columns, &row));
        })?;
        let managers = match managers {
            Some(field) => addresses(mirror, field)?,
            None => HashMap::new(),
        };
        Ok(Self {
            header,
            people,
            managers,
            now,
        })
    }
}

/// The values of a custom field that are addresses, by learner.
fn addresses(
    mirror: &mut MirrorReader<'_>,
    field: &str,
) -> Result<HashMap<String, String>, Failure> {
    let found = find(mirror, &FIELD, field)?;
    let id = found.map_or(Value::Null, |(_, of)| Value::Text(of.id));
    let columns = ["learner", "value"].map(|name| (name.to_owned(), ColumnKind::Text));
    let query = Query {
        sql: "SELECT f.\"user\" AS learner, f.value FROM records f WHERE f.user_field = :field AND f._deleted_at IS NULL",
        parameters: &[("field".to_owned(), ColumnKind::Text, id)],
        columns: &columns,
        order: &[],
    };
    let mut addresses = HashMap::new();
    mirror.query(&query, &mut |row| {
        if let [Value::Text(learner), Value::Text(address)] = &*row
            && address.contains('@')
        {
            addresses.insert(learner.clone(), address.trim().to_owned());
        }
    })?;
    Ok(addresses)
}

fn note_managers(
    context: &Context,
    field: &str,
    people: &[Person],
    managers: &HashMap<String, String>,
) {
    let without = people
        .iter()
        .filter(|person| !managers.contains_key(&person.learner));
    match without.count() {
        0 => {}
        number => context.note(&format!("people without an address in {field}: {number}")),
    }
}

fn write_calendars(
    folder: &Path,
    people: &[Person],
    now: Timestamp,
    tenant: &str,
) -> Result<(), Failure> {
    create_private_folder(folder).map_err(|error| Failure::destination(folder, &error))?;
    people.iter().try_for_each(|person| {
        let path = folder.join(calendar::file_name(&person.learner));
        write_private(&path, &calendar::calendar(person, now, tenant))
    })
}

/// Writes the rows.
fn write(
    context: &Context,
    (to, header): (&str, &Header),
    people: &[Person],
    managers: &HashMap<String, String>,
) -> Result<(), Failure> {
    let for_programs = ending(to) == Some("ndjson");
    let columns = letters::columns(for_programs);
    let rows = letters::rows(people, managers, for_programs);
    if ending(to) == Some("xlsx") {
        let mut file = ReportFile::create(to, header, &columns)?;
        file.write(&rows)?;
        return file.finish(context);
    }
    let objects = objects(&columns, &rows)?;
    let mut text = Vec::new();
    if for_programs {
        for object in &objects {
            text.extend_from_slice(object.get().as_bytes());
            text.push(b'\n');
        }
    } else {
        if context.csv.bom {
            text.extend_from_slice(csv::BYTE_ORDER_MARK.as_bytes());
        }
        let names: Vec<String> = columns.into_iter().map(|(name, _)| name).collect();
        let members: Vec<_> = objects.iter().filter_map(|row| Members::of(row)).collect();
        csv::write(&mut text, &names, true, &members, context.csv)?;
    }
    write_private(Path::new(to), &text)?;
    context.note(&format!("wrote {} to {to}", count(rows.len(), "row")));
    Ok(())
}
