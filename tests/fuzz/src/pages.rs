use std::collections::HashSet;

use lms_ext::{CallOptions, Error, ErrorKind, Items, RetryPolicy, prelude::*};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    answers::{Answer, TOKEN, answers},
    discreet::{assert_consistent, assert_discreet},
    naive,
    tenant::{Tenant, on_a_paused_clock},
};

/// After so many errors somebody gives up.
const ERRORS: usize = 3;

/// What a walk gives, one thing after the other.
#[derive(Debug, PartialEq)]
enum Event<T> {
    Row(T),
    /// The list contradicted itself.
    Contradiction,
    /// The page could not be had.
    Failure,
}

/// A row of somebody's own.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    id: Option<String>,
    #[serde(default, deserialize_with = "lms_ext::int64::option::deserialize")]
    size: Option<i64>,
}

/// A walk delivers what a plain reading of the same pages gives, whether it fetches ahead or not, and ends.
pub fn pages(input: &[u8]) {
    let answers = answers(input);
    let expected = plainly(&answers);
    for ahead in [true, false] {
        let walked = walk::<Value>(&answers, |walk| {
            if ahead {
                walk
            } else {
                walk.without_read_ahead()
            }
        });
        assert_eq!(walked, expected, "reading ahead: {ahead}");
    }
    let mut ids = HashSet::new();
    let once: Vec<_> = expected
        .iter()
        .filter(|event| match event {
            Event::Row(row) => match row.get("id") {
                // A blank id is nobody's.
                Some(Value::String(id)) => id.trim().is_empty() || ids.insert(id.clone()),
                Some(Value::Number(id)) => ids.insert(id.to_string()),
                _ => true,
            },
            _ => true,
        })
        .collect();
    let walked = walk::<Value>(&answers, Items::dedup);
    assert_eq!(walked.iter().collect::<Vec<_>>(), once, "each row once");

    as_rows_of::<Row>(&answers, &expected);
    as_rows_of::<types::Learner>(&answers, &expected);
    as_rows_of::<types::Course>(&answers, &expected);
    as_rows_of::<types::CourseCompletion>(&answers, &expected);
}

/// Rows of a type are what the type makes of each row; a row that does not fit ends the walk there.
fn as_rows_of<T: DeserializeOwned + Serialize + Send + 'static>(
    answers: &[Answer],
    expected: &[Event<Value>],
) {
    let walked = walk::<T>(answers, |walk| walk);
    for (walked, expected) in walked.iter().zip(expected) {
        match (walked, expected) {
            (Event::Row(row), Event::Row(value)) => {
                let plain: T = serde_json::from_value(value.clone()).expect("it was read as a row");
                let (row, plain) = (written(row), written(&plain));
                assert_eq!(row, plain);
                // What is written is read as the same again.
                let again: T = serde_json::from_value(row.clone()).expect("it was written so");
                assert_eq!(written(&again), row);
            }
            (Event::Contradiction, Event::Contradiction) | (Event::Failure, Event::Failure) => {}
            // A page with a row that does not fit its type, or has a member twice, is not delivered at all; and one that
            // is no text where the type does not read it is.
            (Event::Failure, _) | (_, Event::Failure) => return,
            _ => panic!("rows of a type come in another order"),
        }
    }
}

fn written(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("it can be written")
}

fn walk<T: DeserializeOwned + Send + 'static>(
    answers: &[Answer],
    how: impl FnOnce(Items<T>) -> Items<T>,
) -> Vec<Event<T>> {
    on_a_paused_clock(async {
        let tenant = Tenant::saying(answers.to_vec());
        let lms = tenant.builder().build().expect("a client");
        let once = CallOptions::new().retry(RetryPolicy::disabled());
        let mut walk = how(lms.list_learners().options(once).items_as::<T>());
        let mut events = Vec::new();
        let mut errors = 0;
        loop {
            match walk.try_next().await {
                Ok(Some(row)) => events.push(Event::Row(row)),
                Ok(None) => {
                    assert!(walk.summary().is_finished() || errors > 0);
                    return events;
                }
                Err(error) => {
                    events.push(event(&error));
                    errors += 1;
                }
            }
            if errors == ERRORS {
                return events;
            }
        }
    })
}

fn event<T>(error: &Error) -> Event<T> {
    assert_discreet(error, &[TOKEN]);
    assert_consistent(error);
    assert_eq!(error.operation(), Some("list_learners"));
    match error.kind() {
        ErrorKind::Pagination => Event::Contradiction,
        _ => Event::Failure,
    }
}

/// The same walk, as the documentation of walks describes it.
fn plainly(answers: &[Answer]) -> Vec<Event<Value>> {
    let mut events = Vec::new();
    let mut cursors = HashSet::new();
    let mut delivered = 0;
    let mut errors = 0;
    let mut answers = answers.iter().cycle();
    let mut next = || answers.next().expect("they come again");
    while errors < ERRORS {
        let mut answer = next();
        if answer.status.as_u16() == 401 {
            // With what might be a new token.
            answer = next();
        }
        let page = match naive::Page::read(&answer.body) {
            Some(page) if answer.status.is_success() => page,
            _ => {
                events.push(Event::Failure);
                errors += 1;
                continue;
            }
        };
        // Of a page that is asked for again, what was delivered is not delivered once more.
        let rows = page.rows.len();
        events.extend(page.rows.into_iter().skip(delivered).map(Event::Row));
        match page.next {
            _ if !page.more => return events,
            Some(next) if cursors.insert(next.clone()) => {
                delivered = delivered.saturating_sub(rows);
            }
            _ => {
                delivered = delivered.max(rows);
                events.push(Event::Contradiction);
                errors += 1;
            }
        }
    }
    events
}
