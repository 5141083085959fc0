//! The state of a person in a course, for the reports `required` and `status`.
//!
//! The query reads the data of a mirror about each person and course. Without rules, the due date and the renewal of the course
//! count. A text without a time zone has that of the rules, if they name one.

use jiff::{
    Timestamp, ToSpan as _,
    civil::{Date, DateTime},
    tz::TimeZone,
};
use lms_sync::{ColumnKind, Value, collections};

use super::{
    parameter::utc,
    row::{NamedRow, Row},
    rules::{After, Days, Requirement, Rules},
};

/// A person in a required course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// No completion is valid, and there is no enrolment.
    NotEnrolled,
    NotStarted,
    InProgress,
    /// The time is over, or the last completion has expired.
    Overdue,
    ExpiresSoon,
    Done,
}

/// The states as people read them, in the order of [`State`].
pub(super) const STATES: [&str; 6] = [
    "not_enrolled",
    "not_started",
    "in_progress",
    "overdue",
    "expires_soon",
    "done",
];

impl State {
    pub(super) fn word(self) -> &'static str {
        STATES[self as usize]
    }

    /// The place of a word in [`STATES`].
    pub(super) fn position(word: &str) -> Option<usize> {
        STATES.iter().position(|state| *state == word)
    }
}

/// The number of rows in each state, in the order of [`STATES`]. A person has one for each requirement and course.
pub(super) type Counts = [i64; STATES.len()];

/// The share of rows with a valid completion, in whole percent.
pub(super) fn percent_valid(counts: &Counts) -> i64 {
    let valid: i64 = counts[State::ExpiresSoon as usize..].iter().sum();
    valid * 100 / counts.iter().sum::<i64>().max(1)
}

/// The data of a mirror about a person and a course.
#[derive(Clone, Debug, Default)]
struct Facts {
    joined: Time,
    /// `None` without an enrolment.
    enrolled: Option<Time>,
    /// The last completion.
    completed: Option<Time>,
    /// A topic is completed, the first at this time.
    begun: Option<Time>,
    /// The due date of the course, and the seconds after an enrolment.
    course_due: Option<Time>,
    due_seconds: Option<i64>,
    /// The days after a completion, and the day on which all expire.
    renewal_days: Option<i64>,
    renewal_date: Option<Time>,
    /// The record of the custom field, and its expiry.
    certificate: Option<Option<Time>>,
    /// The record says that it is not valid, whatever its expiry.
    is_invalid: bool,
}

/// A time, or none that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Time(Option<Timestamp>);

/// The state of a person in a course, and what it follows from.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Standing {
    state: State,
    /// The time of the enrolment, the completion, the first topic, or the end of the time.
    since: Option<Timestamp>,
    /// The end of the time, or that of the last completion.
    due: Option<Timestamp>,
    /// The reason for assuming the worst possible state.
    undecided: Option<&'static str>,
}

impl Time {
    /// A point in time, or else a text without a time zone, as it is in this zone, if one is given.
    fn of(utc: &Value, text: &Value, zone: Option<&TimeZone>) -> Self {
        if let Value::Utc(microseconds) = utc {
            return Self(Timestamp::from_microsecond(*microseconds).ok());
        }
        let (Value::Text(text), Some(zone)) = (text, zone) else {
            return Self(None);
        };
        let text = text.trim();
        let local = text
            .parse::<DateTime>()
            .or_else(|_| text.parse::<Date>().map(DateTime::from));
        let zoned = local.ok().and_then(|local| zone.to_zoned(local).ok());
        Self(zoned.map(|zoned| zoned.timestamp()))
    }
}

/// The end of the day that comes some days after a time.
fn end_of_day(time: Timestamp, days: i64, zone: &TimeZone) -> Option<Timestamp> {
    let day = time.to_zoned(zone.clone()).date();
    let after = day.checked_add((days + 1).days()).ok()?;
    Some(after.to_zoned(zone.clone()).ok()?.timestamp())
}

const INVALID: &str = "counts as expired: the record of the certificate says that it is not valid";

/// Decides the state at a time.
fn decide(
    facts: &Facts,
    requirement: &Requirement,
    Days(expires_soon): Days,
    (now, zone): (Timestamp, &TimeZone),
) -> Standing {
    let standing = |state, since, due| Standing {
        state,
        since,
        due,
        undecided: None,
    };
    let (end, mut undecided) = match expiry(facts, requirement, zone) {
        None => (None, None),
        Some(Err(reason)) => (Some(None), Some(reason)),
        Some(Ok(Some(end))) if end <= now => (Some(Some(end)), None),
        Some(Ok(_)) if facts.is_invalid => (Some(None), Some(INVALID)),
        Some(Ok(end)) => {
            let soon = end_of_day(now, i64::from(expires_soon), zone);
            let state = match (end, soon) {
                (Some(end), Some(soon)) if end <= soon => State::ExpiresSoon,
                _ => State::Done,
            };
            return standing(state, facts.completed.and_then(|time| time.0), end);
        }
    };
    let Some(enrolled) = facts.enrolled else {
        let due = end.unwrap_or_else(|| due(facts, requirement, zone).ok().flatten());
        let state = standing(State::NotEnrolled, facts.joined.0, due);
        return Standing { undecided, ..state };
    };
    let (due, is_overdue) = match end {
        Some(end) => (end, true),
        None => match due(facts, requirement, zone) {
            Ok(due) => (due, due.is_some_and(|due| due <= now)),
            Err(reason) => {
                undecided = Some(reason);
                (None, true)
            }
        },
    };
    let state = match (is_overdue, facts.begun) {
        (true, _) => standing(State::Overdue, due, due),
        (false, Some(begun)) => standing(State::InProgress, begun.0, due),
        (false, None) => standing(State::NotStarted, enrolled.0, due),
    };
    Standing { undecided, ..state }
}

/// The time at which the last completion expires, if it does. `None` without a completion.
fn expiry(
    facts: &Facts,
    requirement: &Requirement,
    zone: &TimeZone,
) -> Option<Result<Option<Timestamp>, &'static str>> {
    if let Some(certificate) = facts.certificate {
        let end = known(
            certificate,
            "counts as expired: the end of the certificate is not known",
        );
        return Some(end.map(|end| end.and_then(|day| end_of_day(day, 0, zone))));
    }
    let completed = facts.completed?.0;
    let end = |end: &dyn Fn(Timestamp) -> Option<Timestamp>| match completed {
        Some(time) => Ok(end(time)),
        None => Err("counts as expired: the time of the completion is not known"),
    };
    Some(match (requirement.valid_for, facts.renewal_days) {
        (Some(Days(days)), _) => end(&|time| end_of_day(time, i64::from(days), zone)),
        (None, Some(days)) => end(&|time| time.checked_add((days * 24).hours()).ok()),
        (None, None) => known(
            facts.renewal_date,
            "counts as expired: the renewal date of the course is not known",
        ),
    })
}

/// A time, if there is one. Fails if there is one that cannot be read.
fn known(time: Option<Time>, reason: &'static str) -> Result<Option<Timestamp>, &'static str> {
    match time {
        Some(Time(None)) => Err(reason),
        time => Ok(time.and_then(|time| time.0)),
    }
}

/// The end of the time, if there is one.
fn due(
    facts: &Facts,
    requirement: &Requirement,
    zone: &TimeZone,
) -> Result<Option<Timestamp>, &'static str> {
    const UNKNOWN: &str = "counts as overdue: the time of the enrolment is not known";
    let Some(Days(days)) = requirement.within else {
        let due = known(
            facts.course_due,
            "counts as overdue: the due date of the course is not known",
        )?;
        return match (due, facts.due_seconds, facts.enrolled) {
            (None, Some(_), Some(Time(None))) => Err(UNKNOWN),
            (None, Some(seconds), Some(Time(Some(time)))) => {
                Ok(time.checked_add(seconds.seconds()).ok())
            }
            (due, ..) => Ok(due),
        };
    };
    let (start, unknown) = match requirement.after {
        After::Joining => (
            Some(facts.joined),
            "counts as overdue: the time at which the account was created is not known",
        ),
        After::Enrolment => (facts.enrolled, UNKNOWN),
    };
    match start {
        Some(Time(Some(time))) => Ok(end_of_day(time, i64::from(days), zone)),
        Some(Time(None)) => Err(unknown),
        None => Ok(None),
    }
}

/// The row of the report with what a state is decided from. `None` if it is of no rule.
pub(super) fn row(
    rules: &Rules,
    now: Timestamp,
    found: &NamedRow<'_>,
    columns: &[(String, ColumnKind)],
) -> Option<Row> {
    let rule = usize::try_from(found.integer("rule")?).ok()?;
    let requirement = rules.required.get(rule)?;
    let assumed = rules.timezone.as_ref();
    let zone = rules.zone();
    let standing = decide(
        &facts(found, assumed),
        requirement,
        rules.expires_soon,
        (now, &zone),
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
    let names = columns.iter().map(|(name, _)| name);
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

#[cfg(test)]
mod tests {
    use super::*;

    const BERLIN: &str = "Europe/Berlin";

    fn requirement(more: &str) -> Requirement {
        toml::from_str(&format!("name = \"n\"\ncourses = [\"c\"]\n{more}")).unwrap()
    }

    /// The case, facts (`?` is a time that is not known), rules, the time in Berlin, the state and the end.
    const CASES: &str = "
        no rule for the time | enrolled 2026-01-01T00:00:00Z | | 2036-01-01T00:00 | not_started |
        a topic is done | enrolled 2026-01-01T00:00:00Z, begun 2026-01-02T00:00:00Z | within = '30d' | 2026-01-10T00:00 | in_progress | 2026-01-31T23:00:00Z
        the last minute of the last day | enrolled 2026-01-01T00:00:00Z | within = '30d' | 2026-01-31T23:59 | not_started | 2026-01-31T23:00:00Z
        the minute after it | enrolled 2026-01-01T00:00:00Z | within = '30d' | 2026-02-01T00:00 | overdue | 2026-01-31T23:00:00Z
        the day in Berlin is the next one | enrolled 2026-01-01T23:30:00Z | within = '0d' | 2026-01-02T23:59 | not_started | 2026-01-02T23:00:00Z
        the clock changes in between | enrolled 2026-03-28T12:00:00Z | within = '1d' | 2026-03-29T23:59 | not_started | 2026-03-29T22:00:00Z
        a leap day | enrolled 2024-02-28T12:00:00Z | within = '1d' | 2024-02-29T23:59 | not_started | 2024-02-29T23:00:00Z
        begun and too late | enrolled 2026-01-01T00:00:00Z, begun 2026-01-02T00:00:00Z | within = '1d' | 2026-02-01T00:00 | overdue | 2026-01-02T23:00:00Z
        the due time of the course | enrolled 2026-01-01T00:00:00Z, due 3600 | | 2026-01-01T02:01 | overdue | 2026-01-01T01:00:00Z
        the rule before that of the course | enrolled 2026-01-01T00:00:00Z, due 3600 | within = '9d' | 2026-01-05T00:00 | not_started | 2026-01-10T23:00:00Z
        done for ever | enrolled 2024-01-01T00:00:00Z, completed 2026-01-01T00:00:00Z | | 2036-01-01T00:00 | done |
        done for a year | enrolled 2024-01-01T00:00:00Z, completed 2026-01-01T00:00:00Z | valid_for = '365d' | 2026-06-01T00:00 | done | 2027-01-01T23:00:00Z
        31 days before the end | enrolled 2024-01-01T00:00:00Z, completed 2026-01-01T00:00:00Z | valid_for = '365d' | 2026-12-01T23:59 | done | 2027-01-01T23:00:00Z
        30 days before the end | enrolled 2024-01-01T00:00:00Z, completed 2026-01-01T00:00:00Z | valid_for = '365d' | 2026-12-02T00:00 | expires_soon | 2027-01-01T23:00:00Z
        29 days before the end | enrolled 2024-01-01T00:00:00Z, completed 2026-01-01T00:00:00Z | valid_for = '365d' | 2026-12-03T12:00 | expires_soon | 2027-01-01T23:00:00Z
        expired | enrolled 2024-01-01T00:00:00Z, completed 2026-01-01T00:00:00Z | valid_for = '365d' | 2027-01-02T00:00 | overdue | 2027-01-01T23:00:00Z
        the renewal of the course | enrolled 2024-01-01T00:00:00Z, completed 2026-01-01T00:00:00Z, renewal 10 | | 2026-01-11T01:01 | overdue | 2026-01-11T00:00:00Z
        the rule before the renewal | enrolled 2024-01-01T00:00:00Z, completed 2026-01-01T00:00:00Z, renewal 10 | valid_for = '365d' | 2026-01-20T00:00 | done | 2027-01-01T23:00:00Z
        never enrolled | joined 2026-01-01T10:00:00Z | within = '1d' | 2026-06-01T00:00 | not_enrolled |
        never enrolled, and the time is over | joined 2026-01-01T10:00:00Z | within = '1d'; after = 'joining' | 2026-06-01T00:00 | not_enrolled | 2026-01-02T23:00:00Z
        completed without an enrolment | completed 2026-01-01T00:00:00Z | | 2026-06-01T00:00 | done |
        expired without an enrolment | completed 2026-01-01T00:00:00Z | valid_for = '1d' | 2026-06-01T00:00 | not_enrolled | 2026-01-02T23:00:00Z
        an enrolment at an unknown time | enrolled ? | within = '1d' | 2026-06-01T00:00 | overdue ? |
        a time that does not matter | enrolled ? | | 2026-06-01T00:00 | not_started |
        a completion at an unknown time | enrolled 2026-01-01T00:00:00Z, completed ? | | 2026-06-01T00:00 | done |
        a completion at an unknown time that matters | enrolled 2026-01-01T00:00:00Z, completed ? | valid_for = '1d' | 2026-06-01T00:00 | overdue ? |
        a completion at an unknown time without an enrolment | completed ? | valid_for = '1d' | 2026-06-01T00:00 | not_enrolled ? |
        a certificate until the end of its day | certificate 2026-01-01T00:00:00Z | | 2026-01-01T23:59 | expires_soon | 2026-01-01T23:00:00Z
        a certificate without an end | certificate none | | 2036-01-01T00:00 | done |
        a certificate until an unknown day | enrolled 2026-01-01T00:00:00Z, certificate ? | | 2026-01-02T00:00 | overdue ? |
        a certificate that says that it is not valid | enrolled 2026-01-01T00:00:00Z, certificate none, invalid ? | | 2026-01-02T00:00 | overdue ? |
        a certificate that is not valid and has expired | enrolled 2026-01-01T00:00:00Z, certificate 2026-01-01T00:00:00Z, invalid ? | | 2026-01-02T00:00 | overdue | 2026-01-01T23:00:00Z
        all completions expire on a day | completed 2026-01-01T00:00:00Z, expiry 2026-02-01T00:00:00Z | | 2026-03-01T00:00 | not_enrolled | 2026-02-01T00:00:00Z
        all completions expire on an unknown day | enrolled 2026-01-01T00:00:00Z, completed 2026-01-01T00:00:00Z, expiry ? | | 2026-01-02T00:00 | overdue ? |
        the due date before the due time | enrolled 2026-01-01T00:00:00Z, course-due 2026-03-01T00:00:00Z, due 3600 | | 2026-03-01T02:00 | overdue | 2026-03-01T00:00:00Z
        a due date that is not known | enrolled 2026-01-01T00:00:00Z, course-due ? | | 2026-01-02T00:00 | overdue ? |
    ";

    fn facts(text: &str) -> Facts {
        let mut facts = Facts::default();
        for fact in text.split(", ") {
            let (name, value) = fact.split_once(' ').unwrap();
            let (time, number) = (Time(value.parse().ok()), value.parse().ok());
            assert!(["?", "none"].contains(&value) || time.0.is_some() || number.is_some());
            match name {
                "joined" => facts.joined = time,
                "enrolled" => facts.enrolled = Some(time),
                "begun" => facts.begun = Some(time),
                "completed" => facts.completed = Some(time),
                "certificate" => facts.certificate = Some((value != "none").then_some(time)),
                "invalid" => facts.is_invalid = true,
                "expiry" => facts.renewal_date = Some(time),
                "course-due" => facts.course_due = Some(time),
                "due" => facts.due_seconds = number,
                "renewal" => facts.renewal_days = number,
                name => panic!("{name}"),
            }
        }
        facts
    }

    /// A state that is only assumed has a question mark.
    #[test]
    fn every_case_has_its_state_and_its_end() {
        let zone = TimeZone::get(BERLIN).unwrap();
        for line in CASES.trim().lines() {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [_, known, rules, now, state, due] = cells[..].try_into().unwrap();
            let now: DateTime = now.parse().unwrap();
            let now = zone.to_timestamp(now).unwrap();
            let rules = requirement(&rules.replace("; ", "\n"));
            let standing = decide(&facts(known), &rules, Days(30), (now, &zone));
            let assumed = if standing.undecided.is_some() {
                " ?"
            } else {
                ""
            };
            let end = standing.due.map_or(String::new(), |due| due.to_string());
            let found = (format!("{}{assumed}", standing.state.word()), &*end);
            assert_eq!(found, (state.to_owned(), due), "{line}");
        }
    }

    #[test]
    fn a_time_without_a_zone_is_that_of_the_rules() {
        let zone = TimeZone::get(BERLIN).unwrap();
        for (text, expected) in [
            ("2026-07-01 12:00:00", Some("2026-07-01T10:00:00Z")),
            ("2026-07-01", Some("2026-06-30T22:00:00Z")),
            ("soon", None),
        ] {
            let time = Time::of(&Value::Null, &Value::Text(text.to_owned()), Some(&zone));
            assert_eq!(time.0.map(|time| time.to_string()).as_deref(), expected);
        }
    }
}
