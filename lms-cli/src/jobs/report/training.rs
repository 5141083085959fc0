//! `report page`: required training as one file to look at, to send and to print.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use clap::{Arg, ArgMatches, Command, ValueHint};
use jiff::{ToSpan as _, civil::Date, tz::TimeZone};
use lms_sync::mirror::MirrorReader;
use serde::Serialize;

use super::{
    asked::Asked,
    cache,
    definition::{Definition, reports},
    group::{self, Counted},
    html,
    key::{By, Key, Values},
    parameter::Parameter,
    print::ending,
    read::Verdict,
    row::{NamedRow, Row},
    standing::{STATES, State},
};
use crate::{
    args::{switch, text},
    context::Context,
    exit::Exit,
    failure::Failure,
    profile::config::{check_replaced, write_private},
    selection, tenants,
};

const TEMPLATE: &str = include_str!("pages/training.html");

/// Number of people that are listed for a course.
const LISTED: usize = 20;

/// Number of months before and after the time of the page.
const MONTHS: i32 = 12;

pub(super) fn command() -> Command {
    Command::new("page")
        .about("Write required training as one HTML page")
        .after_help(
            "The page needs no network, and has no names of people without --names. It says how old the data is, and whether it was \
             complete; if it was not, the exit code is 8.",
        )
        .args(rules())
        .args([
            text("to", "FILE", "The file, such as training.html")
                .required(true)
                .value_hint(ValueHint::FilePath)
                .value_parser(named),
            group::option().help("Also count by `tag`, or by a custom field of the learner, such as the department"),
            switch("names", "Also list the people who are overdue for longest, by name"),
        ])
        .args(cache::options())
        .args(selection::options())
}

fn named(path: &str) -> Result<String, String> {
    match ending(path) {
        Some("html" | "htm") => Ok(path.to_owned()),
        _ => Err("name a file that ends with .html; a browser prints it as PDF".to_owned()),
    }
}

/// The report whose rows the page has, all of them: of its parameters, only the rules are options.
pub(super) fn definition() -> Result<Definition, Failure> {
    let mut reports = reports()?.into_iter();
    let found = reports.find(Definition::has_rules);
    found.ok_or_else(|| Failure::fault("there is no report with rules"))
}

/// The option with the rules.
pub(super) fn rules() -> Option<Arg> {
    let report = definition().ok()?;
    let rules = report.parameters.iter().find(|of| of.is_rules());
    rules.map(Parameter::option)
}

pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let mut asked = Asked::of(definition()?, matches, matches.get_one("at"))?;
    let mut training = Training::default();
    let names = group::names(matches).into_iter().map(|name| vec![name]);
    for names in [vec!["course_name", "requirement"]]
        .into_iter()
        .chain(names)
    {
        let keys = group::keys(&mut asked.report, &names)?;
        training.groups.push(Counted::by(keys));
    }
    let tenants = match &context.selection {
        Some(selection) => {
            let key = Key::by(By::Tenant, "tenant");
            training.groups.push(Counted::by(vec![key]));
            tenants::contexts(context, selection)?
        }
        None => vec![context.clone()],
    };
    let keys = training.groups.iter().flat_map(|group| &group.keys);
    asked.groups = keys.cloned().collect();
    let mut verdict = Ok(());
    for context in &tenants {
        let database = cache::open(context, matches, &asked.report.needs).await?;
        let tenant = context.tenant.as_deref();
        let read =
            database.read(|mirror| training.read(&asked, mirror, &database.argument(), tenant));
        match read {
            Ok(read) => verdict = verdict.and(read),
            // Not every tenant has every course.
            Err(failure) if tenant.is_some() && failure.exit() == Exit::NotFound => {
                context.line(failure.message());
                let line = format!("{}: {}", tenant.unwrap_or_default(), failure.message());
                training.sources.push((true, line));
                verdict = verdict.and(Err(failure));
            }
            Err(failure) => return Err(failure),
        }
    }
    let to = matches.get_one::<String>("to").map_or("", String::as_str);
    let page = training.page(&asked, matches.get_flag("names"));
    let page = html::page("Required training", TEMPLATE, &page)?;
    check_replaced(Path::new(to), "<")?;
    write_private(Path::new(to), &page)?;
    context.note(&format!("wrote {to}"));
    verdict
}

/// The tenant, if there are several, and the id of a learner.
type Learner = (Option<String>, String);

/// Valid completions by month, each with the learner and the course: it may count for several requirements.
type Months = BTreeMap<String, BTreeSet<(Learner, String)>>;

/// The rows that the page is made of.
#[derive(Default)]
struct Training {
    /// Lines about the data, each with whether it is a warning.
    sources: Vec<(bool, String)>,
    /// Rows by state: by course, and by each group that was asked for.
    groups: Vec<Counted>,
    /// The months since when completions are valid, and in which they expire.
    months: [Months; 2],
    /// The people who are overdue in a course by any requirement, each with the first time since when, and the name.
    overdue: BTreeMap<String, BTreeMap<Learner, (String, String)>>,
    undecided: i64,
}

/// The page, as its template reads it.
#[derive(Serialize)]
struct Page {
    sources: Vec<(bool, String)>,
    at: String,
    undecided: i64,
    states: [&'static str; STATES.len()],
    groups: Vec<Section>,
    /// The number of months that `months` has.
    span: i32,
    /// The number of valid completions by the month since when they are valid, and by that in which they expire.
    months: [Vec<(String, usize)>; 2],
    /// The number of people who are overdue in each course, and the first day.
    overdue: Vec<(String, usize, String)>,
    /// Those who are overdue for longest in each course.
    people: Vec<(String, Vec<[String; 2]>)>,
}

/// Rows by state.
#[derive(Serialize)]
struct Section {
    title: String,
    names: Vec<String>,
    rows: Vec<Row>,
    /// The number of columns that name a row.
    keys: usize,
}

impl Training {
    /// Adds the rows of a mirror.
    fn read(
        &mut self,
        asked: &Asked,
        mirror: &mut MirrorReader<'_>,
        place: &str,
        tenant: Option<&str>,
    ) -> Result<Verdict, Failure> {
        let mut opened = asked.opened(mirror, place, tenant)?;
        opened.rows(mirror, &mut |row, values| self.add(row, values, tenant))?;
        let header = &opened.header;
        let lines = header.lines().into_iter().zip(0..);
        let lines = lines.map(|(line, number)| (number == 0 && !header.is_complete(), line));
        self.sources.extend(lines);
        Ok(header.verdict())
    }

    fn add(&mut self, row: &NamedRow<'_>, mut values: &[Values], tenant: Option<&str>) {
        for group in &mut self.groups {
            let (own, others) = values.split_at(group.keys.len());
            group.add(row, own, tenant);
            values = others;
        }
        let learner = (tenant.map(str::to_owned), row.text("learner"));
        let state = State::position(&row.text("state"));
        if state >= Some(State::ExpiresSoon as usize) {
            for (months, column) in self.months.iter_mut().zip(["since", "due_at"]) {
                if let Some(month) = row.text(column).get(..7) {
                    let months = months.entry(month.to_owned()).or_default();
                    months.insert((learner.clone(), row.text("course")));
                }
            }
        }
        self.undecided += i64::from(!row.text("undecided").is_empty());
        if state == Some(State::Overdue as usize) {
            let person = format!("{} {}", row.text("firstname"), row.text("surname"));
            let found = (row.text("since"), person.trim().to_owned());
            let overdue = self.overdue.entry(row.text("course_name")).or_default();
            let first = overdue.entry(learner).or_insert_with(|| found.clone());
            *first = found.min(first.clone());
        }
    }

    fn page(self, asked: &Asked, names: bool) -> Page {
        let today = asked.now.to_zoned(TimeZone::UTC).date();
        let month = |day: Date| day.strftime("%Y-%m").to_string();
        let first = month(today.saturating_sub(MONTHS.months()));
        let last = month(today.saturating_add(MONTHS.months()));
        let [since, due] = &self.months;
        let number = |(month, valid): (&String, &BTreeSet<_>)| (month.clone(), valid.len());
        let groups = self.groups.iter().map(|of| states(of, &asked.report));
        let mut page = Page {
            groups: groups.collect(),
            sources: self.sources,
            at: asked.now.to_string(),
            undecided: self.undecided,
            states: STATES,
            span: MONTHS,
            months: [
                since.range(first..).map(number).collect(),
                due.range(..=last).map(number).collect(),
            ],
            overdue: Vec::new(),
            people: Vec::new(),
        };
        for (course, people) in self.overdue {
            let mut people: Vec<_> = people.into_values().collect();
            people.sort();
            let number = people.len();
            let people = people.into_iter().take(LISTED);
            let people = people.map(|(since, person)| [person, day(&since)]);
            let people: Vec<_> = people.collect();
            let first = people.first().map(|[_, since]| since.clone());
            let overdue = (course.clone(), number, first.unwrap_or_default());
            page.overdue.push(overdue);
            if names {
                page.people.push((course, people));
            }
        }
        page
    }
}

/// Rows by state, one for each group.
fn states(counted: &Counted, report: &Definition) -> Section {
    let title = match &*counted.keys[0].name {
        "course_name" => "Courses".to_owned(),
        name => format!("By {name}"),
    };
    let mut columns = group::columns(report, &counted.keys);
    columns.retain(|(name, _)| name != group::ROWS);
    let mut rows = Vec::new();
    counted.rows(&columns, &mut |row| rows.push(row));
    let heading = |name: &str| match name {
        group::SHARE => "done, in percent".to_owned(),
        name => name.trim_end_matches("_name").replace('_', " "),
    };
    Section {
        title,
        names: columns.iter().map(|(name, _)| heading(name)).collect(),
        rows,
        keys: counted.keys.len(),
    }
}

fn day(time: &str) -> String {
    time.get(..10).unwrap_or("").to_owned()
}
