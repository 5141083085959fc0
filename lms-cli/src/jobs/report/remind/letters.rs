//! The rows of a mail merge: one for each person, and one for each manager.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    due::{Due, Person},
    managers::Addresses,
};

/// The columns of a spreadsheet. Programs also get `details`.
pub(super) const COLUMNS: [&str; 9] = [
    "to",
    "email",
    "firstname",
    "surname",
    "learner",
    "number",
    "overdue",
    "first_day",
    "courses",
];

/// The row of a recipient.
#[derive(Serialize)]
pub(super) struct Letter<'a> {
    to: &'static str,
    email: &'a str,
    firstname: Option<&'a str>,
    surname: Option<&'a str>,
    learner: Option<&'a str>,
    number: usize,
    overdue: usize,
    first_day: Option<String>,
    courses: String,
    details: Vec<&'a Due>,
}

/// The rows, people first.
pub(super) fn rows<'a>(people: &'a [Person], managers: &'a Addresses) -> Vec<Letter<'a>> {
    let mut by_manager: BTreeMap<&str, Vec<&Person>> = BTreeMap::new();
    for person in people {
        if let Some(address) = managers.get(&person.learner) {
            by_manager.entry(address).or_default().push(person);
        }
    }
    let to_people = people.iter();
    let to_people = to_people.map(|person| row(&person.email, Some(person), &[person]));
    let to_managers = by_manager.iter();
    let to_managers = to_managers.map(|(address, people)| row(address, None, people));
    to_people.chain(to_managers).collect()
}

/// The row of a person, or else that of a manager, which names these people.
fn row<'a>(email: &'a str, person: Option<&'a Person>, people: &[&'a Person]) -> Letter<'a> {
    let texts = people.iter().map(|of| {
        let courses = of.courses.iter();
        let courses = courses.map(|due| format!("{} ({})", due.course_name, due.day));
        let courses = courses.collect::<Vec<_>>().join("; ");
        match person {
            Some(_) => courses,
            None => format!("{} {}: {courses}", of.firstname, of.surname),
        }
    });
    let details: Vec<&Due> = people.iter().flat_map(|of| &of.courses).collect();
    let first = details.iter().map(|due| due.day).min();
    Letter {
        to: person.map_or("manager", |_| "learner"),
        email,
        firstname: person.map(|of| &*of.firstname),
        surname: person.map(|of| &*of.surname),
        learner: person.map(|of| &*of.learner),
        number: details.len(),
        overdue: details.iter().filter(|due| due.days_since > 0).count(),
        first_day: first.map(|day| day.to_string()),
        courses: texts.collect::<Vec<_>>().join("; "),
        details,
    }
}
