//! `report required`: who has to take which courses, and lacks them.
//!
//! The query reads what a mirror has on each person and required course; [`standing`](super::standing) decides from that.

use std::collections::BTreeMap;

use clap::ArgMatches;
use jiff::{Timestamp, tz::TimeZone};
use lms_sync::{
    ColumnKind, Value, collections,
    mirror::{MirrorReader, Query},
};

use super::{
    asked::Asked,
    definition::{Definition, FIELDS},
    parameter::{Given, ParameterKind, RULES},
    rules::{Requirement, Rules},
    standing::{Facts, People, Standing, State, Time, decide, percent_valid},
};
use crate::failure::Failure;

/// The columns of the query.
const FACTS: [(&str, ColumnKind); 24] = [
    ("rule", ColumnKind::Integer),
    ("learner", ColumnKind::Text),
    ("firstname", ColumnKind::Text),
    ("surname", ColumnKind::Text),
    ("email", ColumnKind::Text),
    ("course", ColumnKind::Text),
    ("course_name", ColumnKind::Text),
    ("enrolment", ColumnKind::Text),
    ("completion", ColumnKind::Text),
    ("certificate", ColumnKind::Text),
    ("joined_utc", ColumnKind::Utc),
    ("joined", ColumnKind::Text),
    ("enrolled_utc", ColumnKind::Utc),
    ("enrolled", ColumnKind::Text),
    ("completed_utc", ColumnKind::Utc),
    ("completed", ColumnKind::Text),
    ("begun_utc", ColumnKind::Utc),
    ("begun", ColumnKind::Boolean),
    ("course_due", ColumnKind::Utc),
    ("due_seconds", ColumnKind::Integer),
    ("renewal_days", ColumnKind::Integer),
    ("renewal_date", ColumnKind::Utc),
    ("expires_utc", ColumnKind::Utc),
    ("expires", ColumnKind::Text),
];

/// The texts, and the first number, of a row that counts people.
const COUNTED: ([&str; 3], &str) = (["requirement", "course_name", "course"], "people");
/// The share of people whose completion is valid.
const SHARE: &str = "percent_done";

/// `true` for the report that has rules.
pub(super) fn has_rules(report: &Definition) -> bool {
    let mut parameters = report.parameters.iter();
    parameters.any(|of| matches!(of.kind, ParameterKind::Rules))
}

/// The columns of the query by which people can select rows.
pub(super) fn selectable() -> Vec<(String, ColumnKind)> {
    let facts = FACTS.iter().skip(1).take(6);
    facts
        .map(|(name, kind)| ((*name).to_owned(), *kind))
        .collect()
}

/// Completes the report by what its rules need, and by the columns that are asked for. Other reports stay as they are.
pub(super) fn complete(report: &mut Definition, matches: &ArgMatches) -> Result<(), Failure> {
    if !has_rules(report) {
        return Ok(());
    }
    let Some(Given::Value(Value::Json(json))) = matches.get_one(RULES) else {
        return Ok(());
    };
    let rules: Rules = serde_json::from_str(json)?;
    let left_out = match rules.needs_records() {
        true => "/* without fields */",
        false => "/* with fields */",
    };
    let lines = report.sql.lines().filter(|line| !line.contains(left_out));
    report.sql = lines.collect::<Vec<_>>().join("\n");
    if rules.needs_records() {
        report.also_needs(&FIELDS);
    }
    if rules.needs_signup_pages() {
        report.also_needs(&[collections::SIGNUP_PAGES]);
    }
    if matches!(matches.try_get_one("summary"), Ok(Some(true))) {
        let (texts, people) = COUNTED;
        let texts = texts.map(|name| (name.to_owned(), ColumnKind::Text));
        let states = State::ALL.into_iter().map(State::word);
        let numbers = [people].into_iter().chain(states).chain([SHARE]);
        let numbers = numbers.map(|name| (name.to_owned(), ColumnKind::Integer));
        report.columns = texts.into_iter().chain(numbers).collect();
    }
    Ok(())
}

/// The rules of a report, by the ids of a mirror.
pub(super) struct Resolved {
    rules: Rules,
    pub(super) zone: TimeZone,
    pub(super) now: Timestamp,
    /// Only this state.
    state: Option<String>,
    /// The people in each state, by rule and course.
    counts: Option<Counts>,
}

type Counts = BTreeMap<(usize, String, String), People>;

/// A row of the query.
struct Found(Vec<Value>);

impl Found {
    fn value(&self, name: &str) -> &Value {
        let at = FACTS.iter().position(|(known, _)| *known == name);
        at.and_then(|at| self.0.get(at)).unwrap_or(&Value::Null)
    }

    fn text(&self, name: &str) -> String {
        match self.value(name) {
            Value::Text(text) => text.clone(),
            _ => String::new(),
        }
    }

    fn integer(&self, name: &str) -> Option<i64> {
        match self.value(name) {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    fn facts(&self, zone: &TimeZone) -> Facts {
        let time = |utc: &str, text: &str| Time::of(self.value(utc), self.value(text), zone);
        let of = |id: &str, time| (!self.value(id).is_null()).then_some(time);
        Facts {
            joined: time("joined_utc", "joined"),
            enrolled: of("enrolment", time("enrolled_utc", "enrolled")),
            completed: of("completion", time("completed_utc", "completed")),
            begun: (self.value("begun") == &Value::Boolean(true)).then(|| time("begun_utc", "")),
            course_due: time("course_due", ""),
            due_seconds: self.integer("due_seconds"),
            renewal_days: self.integer("renewal_days"),
            renewal_date: time("renewal_date", ""),
            certificate: of("certificate", time("expires_utc", "expires")),
        }
    }

    /// The row that decided, with its collection.
    fn evidence(&self, state: State) -> Value {
        let rows = [
            ("certificate", collections::RECORDS),
            ("completion", collections::COURSE_COMPLETIONS),
            ("enrolment", collections::ENROLMENTS),
        ];
        let is_enough =
            |row: &&(&str, &str)| !self.value(row.0).is_null() && state != State::NotEnrolled;
        let found = rows.iter().find(is_enough);
        found.map_or(Value::Null, |(id, collection)| {
            Value::Text(format!("{collection} {}", self.text(id)))
        })
    }
}

impl Resolved {
    /// Puts ids in place of the names in the rules of a report. `None` for another report.
    pub(super) fn of(
        asked: &mut Asked,
        mirror: &mut MirrorReader<'_>,
        shown: &mut Vec<String>,
    ) -> Result<Option<Self>, Failure> {
        if !has_rules(&asked.report) {
            return Ok(None);
        }
        let value = |name: &str| {
            let mut values = asked.values.iter();
            values
                .find(|(known, ..)| known == name)
                .map(|(.., value)| value.clone())
        };
        let (state, counts) = (value("state"), value("summary"));
        let mut values = asked.values.iter_mut();
        let Some((.., Value::Json(json))) = values.find(|(name, ..)| name == RULES) else {
            return Ok(None);
        };
        let rules: Rules = serde_json::from_str(json)?;
        let rules = rules.resolved(mirror, shown)?;
        *json = rules.rows()?;
        Ok(Some(Self {
            zone: rules.zone().map_err(Failure::usage)?,
            rules,
            now: asked
                .now
                .parse()
                .map_err(|error: jiff::Error| Failure::fault(error.to_string()))?,
            state: match state {
                Some(Value::Text(state)) => Some(state),
                _ => None,
            },
            counts: (counts == Some(Value::Boolean(true))).then(Counts::new),
        }))
    }

    /// Passes the rows of the report to `row`.
    pub(super) fn read(
        mut self,
        asked: &Asked,
        mirror: &mut MirrorReader<'_>,
        row: &mut dyn FnMut(Vec<Value>),
    ) -> Result<(), Failure> {
        let columns = FACTS.map(|(name, kind)| (name.to_owned(), kind));
        let query = Query {
            sql: &asked.report.sql,
            parameters: &asked.values,
            columns: &columns,
            order: &asked.report.order,
        };
        mirror.query(&query, &mut |values| {
            if let Some(values) = self.row(&Found(values), &asked.report.columns) {
                row(values);
            }
        })?;
        let counts = self.counts.take().unwrap_or_default();
        for (key, people) in &counts {
            row(self.counted(key, people, &asked.report.columns));
        }
        Ok(())
    }

    /// The row of the report, unless it is only counted.
    fn row(&mut self, found: &Found, columns: &[(String, ColumnKind)]) -> Option<Vec<Value>> {
        let rule = usize::try_from(found.integer("rule")?).ok()?;
        let requirement = self.rules.required.get(rule)?;
        let now = (self.now, &self.zone);
        let soon = self.rules.expires_soon;
        let standing = decide(&found.facts(&self.zone), requirement, soon, now);
        let word = standing.state.word();
        if self.state.as_ref().is_some_and(|state| state != word) {
            return None;
        }
        let Some(counts) = &mut self.counts else {
            let columns = columns.iter();
            return Some(
                columns
                    .map(|(name, _)| column(name, found, requirement, &standing))
                    .collect(),
            );
        };
        let key = (rule, found.text("course_name"), found.text("course"));
        let at = State::ALL
            .iter()
            .position(|state| *state == standing.state)?;
        counts.entry(key).or_default()[at] += 1;
        None
    }

    /// A row with `--summary`.
    fn counted(
        &self,
        (rule, course_name, course): &(usize, String, String),
        people: &People,
        columns: &[(String, ColumnKind)],
    ) -> Vec<Value> {
        let all: i64 = people.iter().sum();
        let of = |name: &str| {
            let at = State::ALL.iter().position(|state| state.word() == name);
            at.map_or(0, |at| people[at])
        };
        let value = |(name, _): &(String, ColumnKind)| match name.as_str() {
            "requirement" => Value::Text(self.rules.required[*rule].name.clone()),
            "course_name" => Value::Text(course_name.clone()),
            "course" => Value::Text(course.clone()),
            "people" => Value::Integer(all),
            SHARE => Value::Integer(percent_valid(people)),
            state => Value::Integer(of(state)),
        };
        columns.iter().map(value).collect()
    }
}

fn column(name: &str, found: &Found, requirement: &Requirement, standing: &Standing) -> Value {
    let text = |text: &str| Value::Text(text.to_owned());
    let time = |time: Option<Timestamp>| {
        time.map_or(Value::Null, |time| Value::Utc(time.as_microsecond()))
    };
    match name {
        "state" => text(standing.state.word()),
        "due_at" => time(standing.due),
        "since" => time(standing.since),
        "requirement" => text(&requirement.name),
        "evidence" => found.evidence(standing.state),
        "undecided" => standing.undecided.map_or(Value::Null, text),
        name => found.value(name).clone(),
    }
}
