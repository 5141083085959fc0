//! `report page`: required training as one file to look at, to send and to print.

use std::{collections::BTreeMap, fmt::Write as _, ops::Range, path::Path};

use clap::{ArgMatches, Command, ValueHint};
use jiff::{ToSpan as _, civil::Date};
use lms_sync::{ColumnKind, Value, mirror::MirrorReader};

use super::{
    asked::Asked,
    cache,
    definition::{Definition, reports},
    group::{self, Counted, GroupBy},
    html::{self, escaped},
    parameter::{Parameter, RULES},
    required::{self, Resolved},
    row::NamedRow,
    sources::Header,
    standing::{State, percent_valid, valid},
};
use crate::{
    args::{switch, text},
    context::Context,
    exit::Exit,
    failure::Failure,
    profile::config::write_private,
    selection, tenants,
};

/// Number of people that are listed for a course.
const LISTED: usize = 20;

/// The group of those without a value.
const NONE: &str = "(none)";

/// Number of months before and after the time of the page.
const MONTHS: i32 = 12;

pub(super) fn command() -> Command {
    let report = definition().unwrap_or_default();
    Command::new("page")
        .about("Write required training as one HTML page")
        .after_help(
            "The page needs no network, and has no names of people without --names. It says how old the data is, and whether it was \
             complete; if it was not, the exit code is 8.",
        )
        .args(report.parameters.iter().map(Parameter::option))
        .args([
            text("to", "FILE", "The file, such as training.html")
                .required(true)
                .value_hint(ValueHint::FilePath),
            group::option().help("Also count by `tag`, or by a custom field of the learner, such as the department"),
            switch("names", "Also list the people who are overdue for longest, by name"),
        ])
        .args(cache::options())
        .args(selection::options())
}

/// The report whose rows the page has, all of them.
pub(super) fn definition() -> Result<Definition, Failure> {
    let mut reports = reports()?.into_iter();
    let found = reports.find(required::has_rules);
    let mut report = found.ok_or_else(|| Failure::fault("there is no report with rules"))?;
    report.parameters.retain(|of| of.name == RULES);
    Ok(report)
}

/// The report with the rules of the options.
pub(super) fn asked(matches: &ArgMatches) -> Result<Asked, Failure> {
    let mut report = definition()?;
    required::complete(&mut report, matches)?;
    let mut asked = Asked::of(report, matches, matches.get_one("at"))?;
    let every = |name: &str| (name.to_owned(), ColumnKind::Text, Value::Null);
    asked.values.push(every("course"));
    Ok(asked)
}

pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let mut asked = asked(matches)?;
    let courses = &["course_name", "requirement"][..];
    let mut groups = Vec::new();
    for names in [&["since"][..], &["due_at"], courses] {
        groups.push(GroupBy::new(&mut asked.report, names)?);
    }
    for name in group::names(matches) {
        groups.push(GroupBy::new(&mut asked.report, &[name])?);
    }
    let tenants = match &context.selection {
        Some(selection) => {
            groups.push(GroupBy::tenants(&asked.report));
            tenants::contexts(context, selection)?
        }
        None => vec![context.clone()],
    };
    let mut training = Training {
        groups: groups.iter().map(GroupBy::counted).collect(),
        ..Training::default()
    };
    let mut verdict = Ok(());
    for context in &tenants {
        let database = cache::open(context, matches, &asked.report.needs).await?;
        let read = database.read(|mirror| {
            let (asked, required, header) = asked.opened(mirror, &database.argument())?;
            training.read(&asked, required, mirror, context.tenant.as_deref())?;
            training.sources(&header);
            Ok(header.verdict())
        });
        match read {
            Ok(read) => verdict = verdict.and(read),
            // Not every tenant has every course.
            Err(failure) if context.tenant.is_some() && failure.exit() == Exit::NotFound => {
                context.line(failure.message());
                let tenant = context.tenant.as_deref().unwrap_or_default();
                training
                    .sources
                    .push((true, format!("{tenant}: {}", failure.message())));
            }
            Err(failure) => return Err(failure),
        }
    }
    let to = matches.get_one::<String>("to").map_or("", String::as_str);
    let page = training.page(&asked.now, matches.get_flag("names"));
    write_private(Path::new(to), &page)?;
    context.note(&format!("wrote {to}"));
    verdict
}

/// What the page shows.
#[derive(Default)]
struct Training<'a> {
    /// Lines about the data, each with whether it is a warning.
    sources: Vec<(bool, String)>,
    /// People by state: by month of `since` and of `due_at`, by course, and by each group that was asked for.
    groups: Vec<Counted<'a>>,
    /// The people who are overdue in a course, with the day since when.
    overdue: BTreeMap<String, Vec<(String, String)>>,
    undecided: i64,
}

impl Training<'_> {
    /// Adds the rows of a mirror.
    fn read(
        &mut self,
        asked: &Asked,
        required: Option<Resolved>,
        mirror: &mut MirrorReader<'_>,
        tenant: Option<&str>,
    ) -> Result<(), Failure> {
        for group in &mut self.groups {
            group.begin(mirror, tenant)?;
        }
        let columns = &asked.report.columns;
        asked.rows(required, mirror, columns, &mut |row| {
            let row = NamedRow(columns, &row);
            self.groups.iter_mut().for_each(|group| group.add(&row));
            self.add(&row);
        })
    }

    fn sources(&mut self, header: &Header) {
        let lines = header.lines().into_iter().zip(0..);
        let lines = lines.map(|(line, number)| (number == 0 && !header.is_complete(), line));
        self.sources.extend(lines);
    }

    fn add(&mut self, row: &NamedRow<'_>) {
        self.undecided += i64::from(!row.text("undecided").is_empty());
        if row.text("state") == State::Overdue.word() {
            let person = format!("{} {}", row.text("firstname"), row.text("surname"));
            let overdue = self.overdue.entry(row.text("course_name")).or_default();
            overdue.push((row.text("since"), person.trim().to_owned()));
        }
    }

    fn page(mut self, at: &str, names: bool) -> String {
        let mut body = String::new();
        for (is_warning, line) in &self.sources {
            let class = if *is_warning {
                " class=\"warning\""
            } else {
                ""
            };
            let _ = writeln!(body, "<p{class}>{}</p>", escaped(line));
        }
        let _ = writeln!(body, "<p>As of {}.</p>", escaped(at));
        if self.undecided > 0 {
            let _ = writeln!(
                body,
                "<p class=\"warning\">For {} rows, a time is not known; the worst state that is possible is shown.</p>",
                self.undecided
            );
        }
        body.push_str(&legend());
        let (by_month, groups) = self.groups.split_at(2);
        groups.iter().for_each(|group| states(&mut body, group));
        let now = at.get(..10).and_then(|day| day.parse::<Date>().ok());
        let now = now.unwrap_or_default();
        let month = |day: Date| day.strftime("%Y-%m").to_string();
        let first = month(now.saturating_sub(MONTHS.months()));
        let last = month(now.saturating_add(MONTHS.months()));
        for (counted, title, class, shown) in [
            (
                &by_month[0],
                "Valid completions by month",
                "done",
                first..month(Date::MAX),
            ),
            (
                &by_month[1],
                "Completions that expire by month",
                "expires_soon",
                String::new()..last + "~",
            ),
        ] {
            months(&mut body, title, class, counted, &shown);
        }
        self.overdue(&mut body, names);
        html::page("Required training", &body)
    }

    fn overdue(&mut self, body: &mut String, names: bool) {
        if self.overdue.is_empty() {
            return;
        }
        body.push_str("<section><h2>Overdue</h2>\n");
        let mut rows = Vec::new();
        for (course, people) in &mut self.overdue {
            people.sort();
            let first = people.first().map_or("", |(since, _)| day(since));
            let people = people.len().to_string();
            rows.push(vec![course.clone(), people, first.to_owned()]);
        }
        body.push_str(&html::table(
            "",
            &["course", "people", "the longest since"],
            &rows,
        ));
        if names {
            for (course, people) in &self.overdue {
                let rows = people.iter().take(LISTED);
                let rows = rows.map(|(since, person)| vec![person.clone(), day(since).to_owned()]);
                let caption = format!("{course}: overdue for longest");
                let rows: Vec<_> = rows.collect();
                body.push_str(&html::table(&caption, &["person", "since"], &rows));
            }
        }
        body.push_str("</section>\n");
    }
}

/// People by state, as a bar and as a row for each group.
fn states(body: &mut String, counted: &Counted<'_>) {
    let names = counted.names();
    let title = match names[0] {
        "course_name" => "Courses".to_owned(),
        name => format!("By {name}"),
    };
    let (mut bars, mut rows) = (Vec::new(), Vec::new());
    for (values, of) in &counted.groups {
        let texts = values.iter();
        let texts = texts.map(|value| value.clone().unwrap_or_else(|| NONE.to_owned()));
        let mut texts: Vec<String> = texts.collect();
        let numbers = [of.people()].into_iter().chain(of.states);
        let numbers = numbers.chain([percent_valid(&of.states)]);
        let numbers = numbers.map(|number| number.to_string());
        rows.push(texts.iter().cloned().chain(numbers).collect());
        texts.dedup();
        // From done to not enrolled.
        let parts = State::ALL.map(State::word).into_iter().zip(of.states);
        bars.push((texts.join(" – "), parts.rev().collect()));
    }
    let words = State::ALL.map(|state| state.word().replace('_', " "));
    let mut headings: Vec<&str> = names
        .iter()
        .map(|name| name.trim_end_matches("_name"))
        .collect();
    headings.push("people");
    headings.extend(words.iter().map(String::as_str));
    headings.push("done, in percent");
    let _ = write!(
        body,
        "<section><h2>{}</h2>\n{}{}</section>\n",
        escaped(&title),
        html::bars(&format!("{title}: number in each state"), &bars),
        html::table("", &headings, &rows)
    );
}

/// The colour of each state.
fn legend() -> String {
    let states = State::ALL.map(State::word).map(|word| {
        format!(
            "<svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect width=\"10\" height=\"10\" class=\"{word}\"/></svg>{}",
            word.replace('_', " ")
        )
    });
    format!("<p class=\"legend\">{}</p>\n", states.concat())
}

/// The valid completions of each of these months: bars and a table.
fn months(
    body: &mut String,
    title: &str,
    class: &str,
    counted: &Counted<'_>,
    shown: &Range<String>,
) {
    let months = counted.groups.iter().filter_map(|(values, of)| {
        let (month, number) = (values[0].as_ref()?, valid(&of.states));
        (number > 0 && shown.contains(month)).then(|| (month.clone(), number))
    });
    let months: Vec<_> = months.collect();
    if months.is_empty() {
        return;
    }
    let bars = months.iter();
    let bars = bars.map(|(month, number)| (month.clone(), vec![(class, *number)]));
    let rows = months.iter();
    let rows = rows.map(|(month, number)| vec![month.clone(), number.to_string()]);
    let _ = write!(
        body,
        "<section><h2>{title}</h2>\n{}{}</section>\n",
        html::bars(title, &bars.collect::<Vec<_>>()),
        html::table("", &["month", "completions"], &rows.collect::<Vec<_>>())
    );
}

fn day(time: &str) -> &str {
    time.get(..10).unwrap_or("")
}
