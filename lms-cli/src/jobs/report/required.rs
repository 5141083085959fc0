//! The reports `required` and `status`: where people stand in courses.
//!
//! The query reads what a mirror has on each person and course; [`standing`](super::standing) decides from that. Without rules,
//! the due date and the renewal of the course count.

use clap::ArgMatches;
use jiff::{Timestamp, tz::TimeZone};
use lms_sync::{
    ColumnKind, Value, collections,
    mirror::{MirrorReader, Query},
};

use super::{
    asked::{Asked, Condition},
    definition::{Definition, FIELDS},
    group::By,
    parameter::{Given, ParameterKind, RULES},
    row::NamedRow,
    rules::{Requirement, Rules},
    standing::{Facts, Standing, State, Time, decide},
};
use crate::failure::Failure;

/// The columns of the query.
const FACTS: [(&str, ColumnKind); 25] = [
    ("rule", ColumnKind::Integer),
    ("learner", ColumnKind::Text),
    ("firstname", ColumnKind::Text),
    ("surname", ColumnKind::Text),
    ("email", ColumnKind::Text),
    ("course", ColumnKind::Text),
    ("course_name", ColumnKind::Text),
    ("percent", ColumnKind::Integer),
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

/// `true` for the report that has rules.
pub(super) fn has_rules(report: &Definition) -> bool {
    let mut parameters = report.parameters.iter();
    parameters.any(|of| matches!(of.kind, ParameterKind::Rules))
}

/// `true` for a column whose values are decided, and not part of the query.
pub(super) fn is_decided(report: &Definition, name: &str) -> bool {
    report.decides && !FACTS.iter().any(|(known, _)| *known == name)
}

/// Completes a report with states by what its rules need. Other reports stay as they are.
pub(super) fn complete(report: &mut Definition, matches: &ArgMatches) -> Result<(), Failure> {
    if !report.decides {
        return Ok(());
    }
    let rules = match matches.try_get_one(RULES) {
        Ok(Some(Given::Rules(rules))) => rules,
        _ => &Rules::of_courses(),
    };
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
    Ok(())
}

/// The rules of a report, by the ids of a mirror.
pub(super) struct Resolved {
    rules: Rules,
    pub(super) zone: TimeZone,
    pub(super) now: Timestamp,
    /// The zone of times without one, if the rules name it.
    assumed: Option<TimeZone>,
}

/// A row of the query.
struct Found<'a>(NamedRow<'a>);

impl Found<'_> {
    fn value(&self, name: &str) -> &Value {
        self.0.value(name)
    }

    fn integer(&self, name: &str) -> Option<i64> {
        match self.value(name) {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    fn facts(&self, zone: Option<&TimeZone>) -> Facts {
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
            Value::Text(format!("{collection} {}", self.0.text(id)))
        })
    }
}

impl Resolved {
    /// Puts ids in place of the names in the rules of a report. `None` for a report without states.
    pub(super) fn of(
        asked: &mut Asked,
        mirror: &mut MirrorReader<'_>,
        shown: &mut Vec<String>,
    ) -> Result<Option<Self>, Failure> {
        if !asked.report.decides {
            return Ok(None);
        }
        let has_rules = asked.rules.is_some();
        let rules = match asked.rules.take() {
            Some(rules) => rules.resolved(mirror, shown)?,
            None => Rules::of_courses(),
        };
        if let Some((.., value)) = asked.values.iter_mut().find(|(name, ..)| name == RULES) {
            *value = Value::Json(rules.rows()?);
        }
        let mut values = asked.values.iter();
        if let Some((name, _, Value::Text(state))) = values.find(|(name, ..)| name == "state") {
            asked.only.push(Condition {
                name: name.clone(),
                value: state.clone(),
                by: By::Column,
            });
        }
        let zone = rules.zone().map_err(Failure::usage)?;
        Ok(Some(Self {
            assumed: has_rules.then(|| zone.clone()),
            zone,
            rules,
            now: asked
                .now
                .parse()
                .map_err(|error: jiff::Error| Failure::fault(error.to_string()))?,
        }))
    }

    /// Passes the rows with these columns to `take`.
    pub(super) fn read(
        &self,
        asked: &Asked,
        mirror: &mut MirrorReader<'_>,
        columns: &[(String, ColumnKind)],
        take: &mut dyn FnMut(Vec<Value>),
    ) -> Result<(), Failure> {
        let facts = FACTS.map(|(name, kind)| (name.to_owned(), kind));
        let query = Query {
            sql: &asked.report.sql,
            parameters: &asked.values,
            columns: &facts,
            order: &asked.report.order,
        };
        mirror.query(&query, &mut |values| {
            let found = Found(NamedRow(&facts, &values));
            if let Some(row) = self.row(&found, &asked.only, columns) {
                take(row);
            }
        })?;
        Ok(())
    }

    /// The row of the report, if it meets the conditions.
    fn row(
        &self,
        found: &Found<'_>,
        only: &[Condition],
        columns: &[(String, ColumnKind)],
    ) -> Option<Vec<Value>> {
        let rule = usize::try_from(found.integer("rule")?).ok()?;
        let requirement = self.rules.required.get(rule)?;
        let now = (self.now, &self.zone);
        let soon = self.rules.expires_soon;
        let standing = decide(&found.facts(self.assumed.as_ref()), requirement, soon, now);
        let value = |name: &str| column(name, found, requirement, &standing);
        let is_met = |condition: &Condition| match value(&condition.name) {
            Value::Text(text) => {
                text.trim().to_lowercase() == condition.value.trim().to_lowercase()
            }
            _ => false,
        };
        let is_wanted = only.iter().all(is_met);
        is_wanted.then(|| columns.iter().map(|(name, _)| value(name)).collect())
    }
}

fn column(name: &str, found: &Found<'_>, requirement: &Requirement, standing: &Standing) -> Value {
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
