//! The reports `required` and `status`: where people stand in courses.
//!
//! The query reads the data of a mirror about each person and course; [`standing`](super::standing) decides from that. Without
//! rules, the due date and the renewal of the course count. A text without a time zone has that of the rules, if they name one.

use jiff::tz::TimeZone;
use lms_sync::{Value, collections};

use super::{
    asked::Asked,
    parameter::utc,
    row::{NamedRow, Row},
    rules::{Rules, Zone},
    standing::{Facts, State, Time, decide},
};

/// The row of the report with what a state is decided from. `None` if it is of no rule.
pub(super) fn row(asked: &Asked, rules: &Rules, found: &NamedRow<'_>) -> Option<Row> {
    let rule = usize::try_from(found.integer("rule")?).ok()?;
    let requirement = rules.required.get(rule)?;
    let assumed = rules.timezone.as_ref().map(|Zone(zone)| zone);
    let zone = rules.zone();
    let standing = decide(
        &facts(found, assumed),
        requirement,
        rules.expires_soon,
        (asked.now, &zone),
    );
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
    let names = asked.report.columns.iter().map(|(name, _)| name);
    Some(names.map(|name| value(name)).collect())
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
