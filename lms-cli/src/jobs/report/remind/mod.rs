//! `remind`: who has to be reminded of required training today, as a file for a mail merge. It sends nothing.
//!
//! The [ledger](lms_plan::Ledger) keeps what was written, so a run repeats nothing, and catches up after nights without one.

mod calendar;
mod due;
mod managers;

use std::{path::Path, time::Duration};

use clap::{ArgMatches, Command, ValueHint};
use jiff::{Timestamp, tz::TimeZone};
use lms_plan::Ledger;
use lms_sync::mirror::MirrorReader;

use self::{
    due::{People, Person},
    managers::{Addresses, Managers},
};
use super::{
    asked::Asked,
    cache,
    print::{self, ending},
    rules::{Rules, number_of_days},
    sources::Header,
    training,
};
use crate::{
    args::{duration, switch, text},
    context::Context,
    exit::Exit,
    failure::Failure,
    format::Format,
    jobs::freshness,
    ledger,
    output::{About, Printer},
    profile::config::{create_private_folder, write_private},
    wording::count,
};

pub(in crate::jobs) fn command() -> Command {
    let days = |name, help| {
        text(name, "DAYS", help)
            .value_delimiter(',')
            .value_parser(number_of_days)
    };
    Command::new("remind")
        .about("Write reminders of required training, for a mail merge")
        .after_help(
            "It sends nothing. A row has all courses of a person that have passed a threshold since the last run; a run that was \
             missed is caught up once, and nothing is repeated. Data that is not complete is refused.",
        )
        .args(training::rules())
        .args([
            days("before", "Days before the last day in time, and before a completion expires: 90d,30d,7d")
                .required_unless_present("after"),
            days("after", "Days after it: 1d,14d"),
            text("to", "FILE", "New file for the rows, which ends with .csv, .ndjson or .xlsx")
                .required(true)
                .value_hint(ValueHint::FilePath)
                .value_parser(named),
            text(
                "managers",
                "FIELD|FILE",
                "Also write a row for each manager: the custom field of learners with the manager's address, or a file (.csv, .xlsx, \
                 .ndjson) with a column manager_email or manager, and a column id, email, username or sso_id of the person",
            )
            .value_hint(ValueHint::FilePath),
            text("ics", "DIR", "Also write a calendar file for each person who is reminded")
                .value_hint(ValueHint::DirPath),
            switch("dry-run", "Write the file, and record nothing: the next run writes the same reminders again"),
            ledger::state(),
            text("max-age", "AGE", "Refuse a mirror that was read longer ago: people may have completed a course since")
                .value_parser(duration)
                .default_value("2d"),
        ])
        .args(cache::options())
}

fn named(path: &str) -> Result<String, String> {
    match ending(path) {
        Some("csv" | "ndjson") => Ok(path.to_owned()),
        Some("xlsx") => print::named(path),
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
    let mut asked = Asked::of(training::definition()?, matches, matches.get_one("at"))?;
    let managers = given("managers").map(Managers::of).transpose()?;
    if let Some(managers) = &managers {
        managers.ask(&mut asked);
    }
    let database = cache::open(context, matches, &asked.report.needs).await?;
    let (header, people, addresses, without) =
        database.read(|mirror| read(&asked, mirror, &database.argument(), managers.as_ref()))?;
    header.lines().iter().for_each(|line| context.note(line));
    check_age(&header, matches)?;
    note_people(context, &people);
    let path = ledger::path(matches, &header.tenant)?;
    // Without one, the tenant is known by its base URL, which can be written in several ways and is no identity.
    let ledger = Ledger::open(&path, header.tenant_id.as_deref())?;
    let days = |name| matches.get_many::<i32>(name).into_iter().flatten();
    let before = days("before").map(|days| -days);
    let thresholds: Vec<i32> = before.chain(days("after").copied()).collect();
    let (people, reminders) = people.select(&thresholds, ledger.reminders()?);
    if people.is_empty() {
        context.note("no reminders are due; no file was written");
        return Ok(());
    }
    if let Some(managers) = &managers {
        note_managers(context, &managers.name, (&addresses, &without), &people);
    }
    if let Some(folder) = given("ics") {
        write_calendars(Path::new(folder), &people, asked.now, &header.tenant)?;
    }
    write(context, (to, &header), &people, &addresses)?;
    if context.dry_run {
        context.note("a preview: the next run writes these reminders again");
        return Ok(());
    }
    // Not before: after a crash in between, the next run writes the same rows again.
    Ok(ledger.add_reminders(&reminders)?)
}

/// Fails if the mirror is old, because a reminder of what is done annoys.
fn check_age(header: &Header, matches: &ArgMatches) -> Result<(), Failure> {
    let limit = matches.get_one::<Duration>("max-age");
    let limit = limit.copied().unwrap_or(Duration::MAX);
    let message = match lms_sync::age_of(&header.mirrored_at) {
        Some(age) if age <= limit => return Ok(()),
        Some(age) => format!(
            "the mirror was read {} ago, longer than --max-age {}",
            freshness::in_words(age),
            freshness::in_words(limit)
        ),
        None => format!(
            "the mirror was read at {}, in the future: a clock is wrong",
            header.mirrored_at
        ),
    };
    Err(Failure::of_job((Exit::Partial, "incomplete"), message)
        .advice("run `lms mirror` again, or allow an older mirror with --max-age"))
}

/// Reads complete data: what it rests on, the people, the addresses of their managers, and the lines of a file that give none. Blocks.
fn read(
    asked: &Asked,
    mirror: &mut MirrorReader<'_>,
    place: &str,
    managers: Option<&Managers>,
) -> Result<(Header, People, Addresses, Vec<String>), Failure> {
    let mut opened = asked.opened(mirror, place, None)?;
    opened.header.verdict()?;
    let zone = asked.rules.as_ref().map(Rules::zone);
    let mut people = People::new(zone.unwrap_or(TimeZone::UTC), asked.now);
    let addresses = managers.map(|managers| managers.of_file(mirror));
    let (mut addresses, without) = addresses.transpose()?.unwrap_or_default();
    opened.rows(mirror, &mut |row, values| {
        let texts = values.iter().flat_map(|values| values.of_row(row));
        let address = texts.flatten().find(|text| text.contains('@'));
        addresses.extend(address.map(|text| (row.text("learner"), text.to_lowercase())));
        people.add(row);
    })?;
    Ok((opened.header, people, addresses, without))
}

/// Notes who is not reminded, and why.
fn note_people(context: &Context, people: &People) {
    for (reason, rows) in &people.left_out {
        let rows = count(*rows, "row");
        context.note(&format!("not reminded, because {reason}: {rows}"));
    }
    if !people.without_day.is_empty() {
        let learners = count(people.without_day.len(), "learner");
        context.note(&format!(
            "never reminded of a course without a last day: {learners}; `within` sets the day, with after = \"joining\" also for those \
             who are not enrolled"
        ));
    }
}

/// Notes the people without a manager, and the lines of the file that give none.
fn note_managers(
    context: &Context,
    name: &str,
    (managers, without): (&Addresses, &[String]),
    people: &[Person],
) {
    let has_none = |person: &&Person| !managers.contains_key(&person.learner);
    let number = people.iter().filter(has_none).count();
    if number > 0 {
        context.note(&format!("people without an address in {name}: {number}"));
    }
    if let Some(first) = without.first() {
        let more = match without.len() - 1 {
            0 => String::new(),
            more => format!(", and {} like it", count(more, "line")),
        };
        context.note(&format!("{name}, {first}{more}"));
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
    managers: &Addresses,
) -> Result<(), Failure> {
    let format = ending(to).and_then(Format::of);
    let format = format.ok_or_else(|| Failure::fault("the format of the file is not known"))?;
    let about = About::default();
    about.borrow_mut().extend(header.lines());
    let columns = due::COLUMNS.map(str::to_owned).into();
    let printer = Printer::new(context, None)?.of_fields(columns)?;
    let printer = printer.into_file(to, format, &about);
    printer.rows_of(&due::rows(people, managers))
}
