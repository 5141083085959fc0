use std::collections::HashSet;

use lms_ext::{CallOptions, Error, ErrorKind, Items, RetryPolicy, prelude::*};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    naive,
    redaction::{assert_consistent, assert_redacted},
    responses::{CannedResponse, TOKEN, responses},
    script::Script,
    tenant::{builder, on_a_paused_clock, saying},
};

/// Number of errors after which a list is abandoned.
const ERRORS: usize = 3;

/// The result of reading a list.
#[derive(Debug, PartialEq)]
enum Event<T> {
    Row(T),
    /// A pagination error.
    Contradiction,
    /// Any other error.
    Failure,
}

/// A type of the caller.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    id: Option<String>,
    size: Option<Int64>,
}

/// A filter with characters that a query must encode.
const TAGS: [&str; 2] = ["a&b=c", "#+ %41"];

/// A stream returns what a simple reader of the same pages returns, with and without read-ahead, and ends. It sends cursors
/// and filters unchanged.
pub fn pages(input: &[u8]) {
    let responses = responses(input);
    let (expected, cursors) = plainly(&responses);
    for ahead in [true, false] {
        let (listed, sent) = listing::<Value>(&responses, |listing| {
            if ahead {
                listing
            } else {
                listing.without_read_ahead()
            }
        });
        assert_eq!(listed, expected, "reading ahead: {ahead}");
        // A stream that reads ahead may have requested one more page.
        assert_eq!(sent[..cursors.len()], cursors, "reading ahead: {ahead}");
    }
    let mut ids = HashSet::new();
    let once: Vec<_> = expected
        .iter()
        .filter(|event| match event {
            Event::Row(row) => match row.get("id") {
                // A blank id does not identify an item.
                Some(Value::String(id)) => id.trim().is_empty() || ids.insert(id.clone()),
                Some(Value::Number(id)) => ids.insert(id.to_string()),
                _ => true,
            },
            _ => true,
        })
        .collect();
    let (listed, _) = listing::<Value>(&responses, Items::dedup);
    assert_eq!(
        listed.iter().collect::<Vec<_>>(),
        once,
        "without duplicates"
    );

    as_rows_of::<Row>(&responses, &expected);
    as_rows_of::<types::Learner>(&responses, &expected);
    as_rows_of::<types::Course>(&responses, &expected);
    as_rows_of::<types::CourseCompletion>(&responses, &expected);
}

/// Typed items equal the items decoded one by one; an item that cannot be decoded ends the stream.
fn as_rows_of<T: DeserializeOwned + Serialize + Send + 'static>(
    responses: &[CannedResponse],
    expected: &[Event<Value>],
) {
    let (listed, _) = listing::<T>(responses, |listing| listing);
    for (listed, expected) in listed.iter().zip(expected) {
        match (listed, expected) {
            (Event::Row(row), Event::Row(value)) => {
                let row = written(row);
                let plain = without_blanks(value, &row);
                let plain: T = serde_json::from_value(plain).expect("the listing decoded it");
                let plain = written(&plain);
                assert_eq!(row, plain);
                // It reads its own output.
                let again: T = serde_json::from_value(row.clone()).expect("its own output");
                assert_eq!(written(&again), row);
            }
            (Event::Contradiction, Event::Contradiction) | (Event::Failure, Event::Failure) => {}
            // A page with an item that does not match its type, or with a duplicate field, is not returned at all; one
            // with invalid UTF-8 in a field that the type ignores is.
            (Event::Failure, _) | (_, Event::Failure) => return,
            _ => panic!("typed items have another order"),
        }
    }
}

/// An item without the blank members that a type has no value for.
fn without_blanks(item: &Value, read: &Value) -> Value {
    let mut item = item.clone();
    if let Some(members) = item.as_object_mut() {
        members.retain(|name, value| {
            let blank = value.as_str().is_some_and(|text| text.trim().is_empty());
            read.get(name).is_some() || !(value.is_null() || blank)
        });
    }
    item
}

fn written(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("it can be written")
}

/// The events of a list, and the cursor of each request.
fn listing<T: DeserializeOwned + Send + 'static>(
    responses: &[CannedResponse],
    how: impl FnOnce(Items<T>) -> Items<T>,
) -> (Vec<Event<T>>, Vec<Option<String>>) {
    let tenant = saying(responses.to_vec());
    let events = events(&tenant, how);
    let sent = tenant.seen().into_iter().map(|request| {
        let pairs = request.url.query_pairs();
        let tags = pairs.filter(|(name, _)| name == "tags");
        let tags: Vec<_> = tags.map(|(_, tag)| tag.into_owned()).collect();
        assert_eq!(tags, TAGS);
        request.query("cursor")
    });
    (events, sent.collect())
}

fn events<T: DeserializeOwned + Send + 'static>(
    tenant: &Script,
    how: impl FnOnce(Items<T>) -> Items<T>,
) -> Vec<Event<T>> {
    on_a_paused_clock(async {
        let lms = builder(tenant).build().expect("a client");
        let once = CallOptions::new().retry(RetryPolicy::disabled());
        let mut listing = how(lms.list_learners().tags(TAGS).options(once).items_as::<T>());
        let mut events = Vec::new();
        let mut errors = 0;
        loop {
            match listing.try_next().await {
                Ok(Some(row)) => events.push(Event::Row(row)),
                Ok(None) => {
                    assert!(listing.summary().is_finished() || errors > 0);
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
    assert_redacted(error, &[TOKEN]);
    assert_consistent(error);
    assert_eq!(error.operation(), Some("list_learners"));
    match error.kind() {
        ErrorKind::Pagination => Event::Contradiction,
        _ => Event::Failure,
    }
}

/// The same stream, as its documentation describes it, and the cursor of each request.
fn plainly(responses: &[CannedResponse]) -> (Vec<Event<Value>>, Vec<Option<String>>) {
    let mut events = Vec::new();
    let (mut cursor, mut sent) = (None, Vec::new());
    let mut cursors = HashSet::new();
    let mut delivered = 0;
    let mut errors = 0;
    let mut responses = responses.iter().cycle();
    let mut next = || responses.next().expect("they come again");
    while errors < ERRORS {
        let mut response = next();
        sent.push(cursor.clone());
        if response.status.as_u16() == 401 {
            // Retried with a new token.
            response = next();
            sent.push(cursor.clone());
        }
        let page = match naive::Page::read(&response.body) {
            Some(page) if response.status.is_success() => page,
            _ => {
                events.push(Event::Failure);
                errors += 1;
                continue;
            }
        };
        // Items of a page that is requested again are not returned twice.
        let rows = page.rows.len();
        events.extend(page.rows.into_iter().skip(delivered).map(Event::Row));
        match page.next {
            _ if !page.more => return (events, sent),
            Some(next) if cursors.insert(next.clone()) => {
                delivered = delivered.saturating_sub(rows);
                cursor = Some(next);
            }
            _ => {
                delivered = delivered.max(rows);
                events.push(Event::Contradiction);
                errors += 1;
            }
        }
    }
    (events, sent)
}
