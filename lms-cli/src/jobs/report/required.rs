//! The reports `required` and `status`: where people stand in courses.
//!
//! The query reads the data of a mirror about each person and course; [`standing`](super::standing) decides from that. Without
//! rules, the due date and the renewal of the course count.

use jiff::{Timestamp, tz::TimeZone};
use lms_sync::{Value, collections, mirror::MirrorReader};

use super::{
    asked::Asked,
    definition::Definition,
    key::{By, Key},
    only::Condition,
    parameter::{ParameterKind, RULES, utc},
    row::{NamedRow, Row},
    rules::{Requirement, Rules},
    standing::{Facts, State, Time, decide},
};
use crate::failure::Failure;

/// `true` for the report that has rules.
pub(super) fn has_rules(report: &Definition) -> bool {
    let mut parameters = report.parameters.iter();
    parameters.any(|of| matches!(of.kind, ParameterKind::Rules))
}

/// The rules of a report, by the ids of a mirror.
pub(super) struct Resolved {
    rules: Rules,
    pub(super) zone: TimeZone,
    pub(super) now: Timestamp,
    /// The zone of times without one, if the rules name it.
    assumed: Option<TimeZone>,
}

impl Resolved {
    /// Puts ids in place of the names in the rules of a report. `None` for a report without states.
    pub(super) fn of(
        asked: &mut Asked,
        mirror: &mut MirrorReader<'_>,
        shown: &mut Vec<String>,
    ) -> Result<Option<Self>, Failure> {
        if !asked.report.decides() {
            return Ok(None);
        }
        let rules = match asked.rules.take() {
            Some(rules) => rules.resolved(mirror, shown)?,
            // Everybody in every course.
            None => Rules {
                required: vec![Requirement::default()],
                ..Rules::default()
            },
        };
        let (mut states, values) = (Vec::new(), &mut asked.values);
        for (name, _, value) in values {
            match (&**name, &value) {
                (RULES, _) => *value = Value::Json(serde_json::to_string(&rules.required)?),
                ("state", Value::Text(state)) => states.push(state.clone()),
                _ => {}
            }
        }
        asked.only.extend(states.into_iter().map(|value| Condition {
            key: Key::by(By::Column, "state"),
            value,
        }));
        let zone = rules.zone().map_err(Failure::usage)?;
        Ok(Some(Self {
            assumed: rules.timezone.is_some().then(|| zone.clone()),
            zone,
            rules,
            now: asked.now,
        }))
    }

    /// The names of the requirements.
    pub(super) fn requirements(&self) -> impl Iterator<Item = &str> {
        self.rules.required.iter().map(|of| &*of.name)
    }

    /// The row of the report. `None` if it is of no rule.
    pub(super) fn row(&self, found: &NamedRow<'_>, report: &Definition) -> Option<Row> {
        let rule = usize::try_from(found.integer("rule")?).ok()?;
        let requirement = self.rules.required.get(rule)?;
        let now = (self.now, &self.zone);
        let facts = facts(found, self.assumed.as_ref());
        let standing = decide(&facts, requirement, self.rules.expires_soon, now);
        let text = |text: &str| Value::Text(text.to_owned());
        let value = |name: &str| match name {
            "state" => text(standing.state.word()),
            "due_at" => standing.due.map_or(Value::Null, utc),
            "since" => standing.since.map_or(Value::Null, utc),
            "requirement" => text(&requirement.name),
            "evidence" => evidence(found, standing.state),
            "undecided" => match standing.undecided {
                Some(reason) => text(reason),
                None => found.value("unclear").clone(),
            },
            name => found.value(name).clone(),
        };
        let names = report.columns.iter().map(|(name, _)| name);
        Some(names.map(|name| value(name)).collect())
    }
}

fn facts(found: &NamedRow<'_>, zone: Option<&TimeZone>) -> Facts {
    let time = |utc: &str, text: &str| Time::of(found.value(utc), found.value(text), zone);
    let of = |id: &str, time| (!found.value(id).is_null()).then_some(time);
    // A text that is not a time is not the same as none.
    let end = |utc: &str, text: &str| {
        let end = time(utc, text);
        (end.0.is_some() || !found.text(text).trim().is_empty()).then_some(end)
    };
    Facts {
        joined: time("joined_utc", "joined"),
        enrolled: of("enrolment", time("enrolled_utc", "enrolled")),
        completed: of("completion", time("completed_utc", "completed")),
        begun: (found.value("begun") == &Value::Boolean(true)).then(|| time("begun_utc", "")),
        course_due: end("course_due", "due_text"),
        due_seconds: found.integer("due_seconds"),
        renewal_days: found.integer("renewal_days"),
        renewal_date: end("renewal_date", "renewal_text"),
        certificate: (!found.value("certificate").is_null()).then(|| end("expires_utc", "expires")),
        is_invalid: found.integer("invalid") == Some(1),
    }
}

/// The row that decided, with its collection.
fn evidence(found: &NamedRow<'_>, state: State) -> Value {
    let rows = [
        ("certificate", collections::RECORDS),
        ("completion", collections::COURSE_COMPLETIONS),
        ("enrolment", collections::ENROLMENTS),
    ];
    let is_enough =
        |row: &&(&str, &str)| !found.value(row.0).is_null() && state != State::NotEnrolled;
    let row = rows.iter().find(is_enough);
    row.map_or(Value::Null, |(id, collection)| {
        Value::Text(format!("{collection} {}", found.text(id)))
    })
}
