//! The rows of a mail merge: one for each person, and one for each manager.

use std::collections::BTreeMap;

use lms_sync::{ColumnKind, Value};
use serde_json::json;

use super::{super::row::Row, due::Person, managers::Addresses};

/// The column for programs.
const DETAILS: &str = "details";

/// The columns, of which the last is only for programs.
pub(super) fn columns(for_programs: bool) -> Vec<(String, ColumnKind)> {
    let columns = [
        ("to", ColumnKind::Text),
        ("email", ColumnKind::Text),
        ("firstname", ColumnKind::Text),
        ("surname", ColumnKind::Text),
        ("learner", ColumnKind::Text),
        ("number", ColumnKind::Integer),
        ("overdue", ColumnKind::Integer),
        ("first_day", ColumnKind::Text),
        ("courses", ColumnKind::Text),
        (DETAILS, ColumnKind::Json),
    ];
    let shown = columns.len() - usize::from(!for_programs);
    let columns = columns.into_iter().take(shown);
    columns
        .map(|(name, kind)| (name.to_owned(), kind))
        .collect()
}

/// The rows with these columns, people first. `managers` has the address of the manager of each learner.
pub(super) fn rows(
    people: &[Person],
    managers: &Addresses,
    columns: &[(String, ColumnKind)],
) -> Vec<Row> {
    let for_programs = columns.iter().any(|(name, _)| name == DETAILS);
    let text = |text: &str| Value::Text(text.to_owned());
    let mut rows: Vec<Row> = Vec::new();
    for person in people {
        let about = (
            "learner",
            &*person.email,
            [
                text(&person.firstname),
                text(&person.surname),
                text(&person.learner),
            ],
        );
        rows.push(row(about, &[person], for_programs));
    }
    let mut by_manager: BTreeMap<String, Vec<&Person>> = BTreeMap::new();
    for person in people {
        if let Some(address) = managers.get(&person.learner) {
            let theirs = by_manager.entry(address.to_lowercase()).or_default();
            theirs.push(person);
        }
    }
    for (address, people) in &by_manager {
        let no_name = [Value::Null, Value::Null, Value::Null];
        rows.push(row(("manager", address, no_name), people, for_programs));
    }
    rows
}

/// The row of one recipient. That of a manager also names the people.
fn row((to, email, who): (&str, &str, [Value; 3]), people: &[&Person], for_programs: bool) -> Row {
    let courses = || {
        let of = |person: &&Person| person.courses.clone();
        people.iter().flat_map(of)
    };
    let texts = people.iter().map(|person| {
        let courses = person.courses.iter();
        let courses = courses.map(|due| format!("{} ({})", due.course_name, due.day));
        let courses = courses.collect::<Vec<_>>().join("; ");
        match to {
            "manager" => format!("{} {}: {courses}", person.firstname, person.surname),
            _ => courses,
        }
    });
    let first = courses().map(|due| due.day).min();
    let late = courses().filter(|due| due.since > 0).count();
    let number = |number: usize| Value::Integer(i64::try_from(number).unwrap_or(i64::MAX));
    let mut row = vec![Value::Text(to.to_owned()), Value::Text(email.to_owned())];
    row.extend(who);
    row.extend([
        number(courses().count()),
        number(late),
        first.map_or(Value::Null, |day| Value::Text(day.to_string())),
        Value::Text(texts.collect::<Vec<_>>().join("; ")),
    ]);
    if for_programs {
        let details = people.iter().flat_map(|person| {
            person.courses.iter().map(|due| {
                json!({
                    "learner": person.learner, "course": due.course, "course_name": due.course_name,
                    "state": due.state, "day": due.day.to_string(), "days_since": due.since,
                })
            })
        });
        let details: serde_json::Value = details.collect();
        row.push(Value::Json(details.to_string()));
    }
    row
}
