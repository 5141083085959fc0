//! The due reminders and their recipients: the rows of a mail merge, one for each person, and one for each manager.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use lms_plan::Reminder;
use serde::{Serialize, Serializer};

use super::{
    super::{row::NamedRow, standing::State},
    managers::Addresses,
};

/// A course that a person has to complete, until the end of a day.
#[derive(Debug, Serialize)]
pub(super) struct Due {
    pub(super) learner: String,
    pub(super) course: String,
    pub(super) course_name: String,
    pub(super) state: String,
    #[serde(serialize_with = "in_words")]
    pub(super) day: Date,
    /// Number of days since that day; negative before it.
    pub(super) days_since: i32,
}

/// A person with the courses that they are reminded of, the first day first.
#[derive(Debug)]
pub(super) struct Person {
    pub(super) learner: String,
    pub(super) email: String,
    pub(super) firstname: String,
    pub(super) surname: String,
    pub(super) courses: Vec<Due>,
}

impl Due {
    /// Reads a row of the report. `None` without a time.
    fn of(row: &NamedRow<'_>, today: Date, zone: &TimeZone) -> Option<Self> {
        let end: Timestamp = row.text("due_at").parse().ok()?;
        // The end of a day is the first moment of the next one.
        let last = Timestamp::from_microsecond(end.as_microsecond() - 1).ok()?;
        let day = last.to_zoned(zone.clone()).date();
        Some(Self {
            learner: row.text("learner"),
            course: row.text("course"),
            course_name: row.text("course_name"),
            state: row.text("state"),
            day,
            days_since: (today - day).get_days(),
        })
    }
}

fn in_words<S: Serializer>(day: &Date, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(day)
}

/// The people of a report, in its order.
#[derive(Debug)]
pub(super) struct People {
    zone: TimeZone,
    today: Date,
    people: Vec<Person>,
    /// The number of rows without a reminder, by the reason.
    pub(super) left_out: BTreeMap<&'static str, usize>,
    /// The people who lack a course that has no last day for them.
    pub(super) without_day: BTreeSet<String>,
}

impl People {
    pub(super) fn new(zone: TimeZone, now: Timestamp) -> Self {
        Self {
            today: now.to_zoned(zone.clone()).date(),
            zone,
            people: Vec::new(),
            left_out: BTreeMap::new(),
            without_day: BTreeSet::new(),
        }
    }

    /// Adds a row. If several rules require a course of a person, the first day counts.
    pub(super) fn add(&mut self, row: &NamedRow<'_>) {
        let mut leave_out = |reason| *self.left_out.entry(reason).or_default() += 1;
        let Some(due) = Due::of(row, self.today, &self.zone) else {
            if !row.text("undecided").is_empty() {
                leave_out("a time is not known");
            } else if row.text("state") != State::Done.word() {
                // A completion that does not expire has no last day either.
                self.without_day.insert(row.text("learner"));
            }
            return;
        };
        let (learner, email) = (row.text("learner"), row.text("email"));
        // The ledger would count it as written.
        if email.trim().is_empty() {
            return leave_out("the person has no email address");
        }
        let last = self.people.last_mut();
        if let Some(last) = last.filter(|last| last.learner == learner) {
            last.courses.push(due);
            return;
        }
        self.people.push(Person {
            learner,
            email,
            firstname: row.text("firstname"),
            surname: row.text("surname"),
            courses: vec![due],
        });
    }

    /// The people to be reminded, each with the courses whose latest threshold was not yet reminded of. A threshold is a number of
    /// days after the last day in time, negative before it.
    pub(super) fn select(
        self,
        thresholds: &[i32],
        written: Vec<Reminder>,
    ) -> (Vec<Person>, Vec<Reminder>) {
        let mut known: HashMap<(String, String, String), i32> = HashMap::new();
        for of in written {
            let last = known.entry((of.learner, of.course, of.day));
            let last = last.or_insert(of.threshold);
            *last = of.threshold.max(*last);
        }
        let mut reminders = Vec::new();
        let mut people = self.people;
        for person in &mut people {
            let by_course = |due: &Due| (due.course.clone(), due.day);
            person.courses.sort_by_cached_key(by_course);
            person
                .courses
                .dedup_by(|later, first| later.course == first.course);
            person.courses.sort_by_key(|due| due.day);
            person.courses.retain(|due| {
                let passed = thresholds.iter().filter(|days| **days <= due.days_since);
                let Some(latest) = passed.max().copied() else {
                    return false;
                };
                let day = due.day.to_string();
                let key = (person.learner.clone(), due.course.clone(), day.clone());
                let is_new = known.get(&key).is_none_or(|last| *last < latest);
                if is_new {
                    let (learner, course, _) = key;
                    reminders.push(Reminder::new(learner, course, day, latest));
                }
                is_new
            });
        }
        people.retain(|person| !person.courses.is_empty());
        (people, reminders)
    }
}

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

#[cfg(test)]
mod tests {
    use jiff::{ToSpan as _, civil::date};
    use lms_sync::{ColumnKind, Value};

    use super::*;

    /// The reminders of a run on a day: rows have a course and the end of its time.
    fn run(today: Date, rows: &[(&str, &str)], written: &[Reminder]) -> Vec<Reminder> {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let now = today.at(0, 30, 0, 0).to_zoned(zone.clone()).unwrap();
        let mut people = People::new(zone, now.timestamp());
        let columns = ["learner", "email", "course", "due_at"];
        let columns = columns.map(|name| (name.into(), ColumnKind::Text));
        for (course, due) in rows {
            let values = ["l1", "a@acme.example", course, due].map(|text| Value::Text(text.into()));
            people.add(&NamedRow(&columns, &values));
        }
        let thresholds = [-90, -30, -7, 1, 14];
        let (people, reminders) = people.select(&thresholds, written.to_vec());
        let courses: usize = people.iter().map(|person| person.courses.len()).sum();
        assert_eq!(courses, reminders.len());
        reminders
    }

    /// The last day in Berlin is 2028-02-29.
    const DUE: [(&str, &str); 1] = [("c1", "2028-02-29T23:00:00Z")];

    fn of(threshold: i32) -> Vec<Reminder> {
        vec![Reminder::new("l1", "c1", "2028-02-29", threshold)]
    }

    #[test]
    fn the_first_run_reminds_of_the_latest_threshold_that_has_passed() {
        for (today, expected) in [
            (date(2027, 11, 30), None),
            (date(2027, 12, 1), Some(-90)),
            (date(2028, 1, 29), Some(-90)),
            (date(2028, 1, 30), Some(-30)),
            (date(2028, 2, 29), Some(-7)),
            (date(2028, 3, 1), Some(1)),
            (date(2029, 1, 1), Some(14)),
        ] {
            let expected = expected.map(of).unwrap_or_default();
            assert_eq!(run(today, &DUE, &[]), expected, "{today}");
        }
    }

    /// Whatever nights are missed, no reminder is repeated, and the first night after them has the latest one.
    #[test]
    fn a_missed_night_is_caught_up_once() {
        for nights in 1..40 {
            let (mut day, mut written) = (date(2027, 10, 1), Vec::new());
            while day < date(2028, 5, 1) {
                let new = run(day, &DUE, &written);
                let passed = (day - date(2028, 2, 29)).get_days();
                let latest = [-90, -30, -7, 1, 14]
                    .into_iter()
                    .rfind(|days| *days <= passed);
                let last = written.last().map(|of: &Reminder| of.threshold);
                let expected = latest.filter(|latest| Some(*latest) != last);
                assert_eq!(new, expected.map(of).unwrap_or_default(), "{day}");
                written.extend(new);
                assert_eq!(run(day, &DUE, &written), []);
                day = day.saturating_add(nights.days());
            }
            assert_eq!(written.last(), of(14).first());
        }
    }

    #[test]
    fn the_first_day_of_several_rules_counts_and_a_new_day_begins_anew() {
        let today = date(2028, 2, 28);
        let two = [("c1", "2029-01-01T00:00:00Z"), DUE[0]];
        assert_eq!(run(today, &two, &[]), of(-7));
        let renewed = [("c1", "2028-03-01T23:00:00Z")];
        let new = Reminder::new("l1", "c1", "2028-03-01", -7);
        assert_eq!(run(today, &renewed, &of(-7)), [new]);
        // A threshold that was removed since is not reminded of backwards.
        assert_eq!(run(today, &DUE, &of(1)), []);
        assert_eq!(run(today, &[("c1", "")], &[]), []);
    }
}
