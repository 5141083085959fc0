//! `report page`: required training as one file to look at, to send and to print.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use clap::{ArgMatches, Command, ValueHint};
use lms_sync::{ColumnKind, Value};

use super::{
    asked::Asked,
    cache,
    definition::{Definition, reports},
    group::{self, Counted, GroupBy},
    html::{self, escaped},
    parameter::{self, Parameter},
    required,
    sources::Header,
    standing::{People, State, percent_valid},
};
use crate::{
    args::{switch, text},
    context::Context,
    failure::Failure,
    jobs::database,
    profile::config::write_private,
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
        .about("Write required training to a page to look at, in one file")
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
            text("at", "TIME", "The time of the page [default: now]").value_parser(parameter::time),
            database::argument(
                "mirror",
                "The database of `lms mirror`; without it, the collections that the page needs are mirrored into a cache first",
            )
            .required(false),
        ])
}

/// The report whose rows the page has, all of them.
pub(super) fn definition() -> Result<Definition, Failure> {
    let mut reports = reports()?.into_iter();
    let found = reports.find(required::has_rules);
    let mut report = found.ok_or_else(|| Failure::fault("there is no report with rules"))?;
    report.parameters.retain(|of| of.name == parameter::RULES);
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
    let mut groups = vec![GroupBy::new(
        &mut asked.report,
        &["course_name", "requirement"],
    )?];
    for name in group::names(matches) {
        groups.push(GroupBy::new(&mut asked.report, &[name])?);
    }
    let database = cache::open(context, matches, &asked.report.needs).await?;
    let to = matches.get_one::<String>("to").map_or("", String::as_str);
    let verdict = database.read(|mirror| {
        let (asked, required, header) = asked.opened(mirror, &database.argument())?;
        let mut training = Training::default();
        for by in &groups {
            training.groups.push(by.counted(mirror)?);
        }
        asked.rows(required, mirror, &asked.report.columns, &mut |row| {
            training.groups.iter_mut().for_each(|group| group.add(&row));
            training.add(&Row(&asked.report.columns, &row), &asked.now);
        })?;
        let page = training.page(&header, matches.get_flag("names"));
        write_private(Path::new(to), &page)?;
        Ok(header.verdict())
    })?;
    context.note(&format!("wrote {to}"));
    verdict
}

/// A row of the report.
pub(super) struct Row<'a>(
    pub(super) &'a [(String, ColumnKind)],
    pub(super) &'a [Value],
);

impl Row<'_> {
    pub(super) fn text(&self, name: &str) -> String {
        let at = self.0.iter().position(|(known, _)| known == name);
        match at.and_then(|at| self.1.get(at)) {
            Some(Value::Text(text)) => text.clone(),
            Some(value) => value.utc_text().unwrap_or_default(),
            None => String::new(),
        }
    }
}

/// What the page shows.
#[derive(Default)]
struct Training<'a> {
    /// People by state, for each course and each group that was asked for.
    groups: Vec<Counted<'a>>,
    /// Months with the completions that count, and with those that expire.
    completed: BTreeMap<String, i64>,
    expire: BTreeMap<String, i64>,
    /// The people who are overdue in a course, with the day since when.
    overdue: BTreeMap<String, Vec<(String, String)>>,
    undecided: i64,
}

impl Training<'_> {
    fn add(&mut self, row: &Row<'_>, now: &str) {
        let Some(at) = State::position(&row.text("state")) else {
            return;
        };
        let (course, state) = (row.text("course_name"), State::ALL[at]);
        self.undecided += i64::from(!row.text("undecided").is_empty());
        let (since, due) = (row.text("since"), row.text("due_at"));
        match state {
            State::Done | State::ExpiresSoon => {
                let first = month(now, -MONTHS);
                count_month(&mut self.completed, &since, first);
                let last = month(now, MONTHS);
                if month(&due, 0) <= last {
                    count_month(&mut self.expire, &due, None);
                }
            }
            State::Overdue => {
                let person = format!("{} {}", row.text("firstname"), row.text("surname"));
                let overdue = self.overdue.entry(course).or_default();
                overdue.push((since, person.trim().to_owned()));
            }
            _ => {}
        }
    }

    fn page(mut self, header: &Header, names: bool) -> String {
        let mut body = String::new();
        for (line, number) in header.lines().iter().zip(0..) {
            let class = match number == 0 && !header.is_complete() {
                true => " class=\"warning\"",
                false => "",
            };
            let _ = writeln!(body, "<p{class}>{}</p>", escaped(line));
        }
        let _ = writeln!(body, "<p>As of {}.</p>", escaped(&header.at));
        if self.undecided > 0 {
            let _ = writeln!(
                body,
                "<p class=\"warning\">For {} rows, a time is not known; the worst state that is possible is shown.</p>",
                self.undecided
            );
        }
        body.push_str(&legend());
        self.groups
            .iter()
            .for_each(|group| states(&mut body, group));
        months(
            &mut body,
            "Valid completions by month",
            "done",
            &self.completed,
        );
        months(
            &mut body,
            "Completions that expire by month",
            "expires_soon",
            &self.expire,
        );
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
    let label = |values: &[Option<String>]| {
        let mut texts: Vec<&str> = values.iter().flatten().map(String::as_str).collect();
        texts.dedup();
        match texts.join(" – ") {
            text if text.is_empty() => NONE.to_owned(),
            text => text,
        }
    };
    let parts = |people: &People| {
        // What is well comes first, what is missing last.
        let parts = State::ALL.map(State::word).into_iter().zip(*people).rev();
        parts.collect::<Vec<_>>()
    };
    let bars = counted.groups.iter();
    let bars: Vec<_> = bars
        .map(|(values, of)| (label(values), parts(&of.states)))
        .collect();
    let words = State::ALL.map(|state| state.word().replace('_', " "));
    let mut headings: Vec<&str> = names
        .iter()
        .map(|name| name.trim_end_matches("_name"))
        .collect();
    headings.push("people");
    headings.extend(words.iter().map(String::as_str));
    headings.push("done, in percent");
    let rows = counted.groups.iter().map(|(values, of)| {
        let texts = values
            .iter()
            .map(|value| value.clone().unwrap_or_else(|| NONE.to_owned()));
        let numbers = [of.people()].into_iter().chain(of.states);
        let numbers = numbers.chain([percent_valid(&of.states)]);
        texts
            .chain(numbers.map(|number| number.to_string()))
            .collect()
    });
    let _ = write!(
        body,
        "<section><h2>{}</h2>\n{}{}</section>\n",
        escaped(&title),
        html::bars(&format!("{title}: number in each state"), &bars),
        html::table("", &headings, &rows.collect::<Vec<_>>())
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

/// A month of a time and the number of months that are counted: bars and a table.
fn months(body: &mut String, title: &str, class: &str, months: &BTreeMap<String, i64>) {
    if months.is_empty() {
        return;
    }
    let bars = months
        .iter()
        .map(|(month, number)| (month.clone(), vec![(class, *number)]));
    let rows = months
        .iter()
        .map(|(month, number)| vec![month.clone(), number.to_string()]);
    let _ = write!(
        body,
        "<section><h2>{title}</h2>\n{}{}</section>\n",
        html::bars(title, &bars.collect::<Vec<_>>()),
        html::table("", &["month", "completions"], &rows.collect::<Vec<_>>())
    );
}

/// The month of a time in UTC, some months later.
fn month(time: &str, later: i32) -> Option<(i32, i32)> {
    let year: i32 = time.get(..4)?.parse().ok()?;
    let month: i32 = time.get(5..7)?.parse().ok()?;
    let months = year * 12 + month - 1 + later;
    Some((months.div_euclid(12), months.rem_euclid(12) + 1))
}

fn count_month(months: &mut BTreeMap<String, i64>, time: &str, first: Option<(i32, i32)>) {
    if let Some(found) = month(time, 0)
        && Some(found) >= first
    {
        let (year, month) = found;
        *months.entry(format!("{year}-{month:02}")).or_default() += 1;
    }
}

fn day(time: &str) -> &str {
    time.get(..10).unwrap_or("")
}
