//! The memory of a call, whatever the response is, and of a client after many calls.
//!
//! The tests run one after the other in a binary of their own: the allocator counts all threads.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "a failing test should stop where it fails"
)]

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use futures_util::stream;
use lms_ext::{
    ErrorKind,
    http::{HttpClient, HttpError, HttpFailure, HttpFuture},
    prelude::*,
};
use peak_alloc::PeakAlloc;
use reqwest::{Method, Request};
use serde_json::{Value, json};
use tokio::{
    sync::Mutex,
    time::{sleep, timeout},
};

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// Held by the test that runs.
static ONE_TEST: Mutex<()> = Mutex::const_new(());

const MIB: usize = 1024 * 1024;

/// A server whose only response has this body, in chunks of 16 KiB.
#[derive(Debug)]
struct Server(Arc<Vec<u8>>);

impl HttpClient for Server {
    fn send(&self, _: Request) -> HttpFuture<'_> {
        let body = Arc::clone(&self.0);
        let chunks = (0..body.len()).step_by(16 * 1024).map(move |start| {
            let end = (start + 16 * 1024).min(body.len());
            Ok::<_, std::io::Error>(Bytes::copy_from_slice(&body[start..end]))
        });
        let body = reqwest::Body::wrap_stream(stream::iter(chunks));
        Box::pin(async move { Ok(http::Response::new(body).into()) })
    }
}

/// `start`, then `part` as often as it fits into `bytes`, then `end`.
fn body(start: &str, part: &str, end: &str, bytes: usize) -> Vec<u8> {
    let parts = (bytes - start.len() - end.len()) / part.len();
    let mut body = String::with_capacity(bytes);
    body.push_str(start);
    body.extend((0..parts).map(|_| part));
    // There is no value after the last comma.
    if part.ends_with(',') {
        body.pop();
    }
    body.push_str(end);
    body.into_bytes()
}

fn bodies(bytes: usize) -> Vec<(&'static str, Vec<u8>)> {
    let half = bytes / 2 - 40;
    let deep = "[".repeat(half) + &"]".repeat(half);
    let members = (0..bytes / 12).map(|n| format!("\"{n:07}\":0"));
    vec![
        ("objects", body(r#"{"items":["#, "{},", "]}", bytes)),
        ("rows", body(r#"{"items":["#, r#"{"id":"a"},"#, "]}", bytes)),
        (
            "texts",
            body(r#"{"items":[{"id":"a","tags":["#, "\"\",", "]}]}", bytes),
        ),
        (
            "texts of an object",
            body(r#"{"id":"a","tags":["#, "\"\",", "]}", bytes),
        ),
        ("lists", body(r#"{"items":["#, "[],", "]}", bytes)),
        ("numbers", body(r#"{"id":"a","items":["#, "0,", "]}", bytes)),
        (
            "members",
            format!("{{\"id\":\"a\",{}}}", members.collect::<Vec<_>>().join(",")).into_bytes(),
        ),
        (
            "depth",
            format!(r#"{{"items":[{{"unknown":{deep},"archived":7}}],"archived":7}}"#).into_bytes(),
        ),
        (
            "a text",
            body(
                r#"{"id":"a","name":""#,
                r"\u00e9",
                r#"","items":[]}"#,
                bytes,
            ),
        ),
        (
            "white space",
            body(r#"{"id":"a","items":["#, " ", "]}", bytes),
        ),
    ]
}

/// The most that was allocated at once during a call, in bytes, and how the call ended.
async fn peak<T>(call: impl IntoFuture<Output = Result<T, Error>>) -> (usize, Option<ErrorKind>) {
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let kind = call.await.err().map(|error| error.kind());
    (ALLOCATED.peak_usage().saturating_sub(before), kind)
}

#[tokio::test(flavor = "current_thread")]
async fn a_call_takes_three_times_its_body_and_4_kib_for_each_object_at_most() {
    let _alone = ONE_TEST.lock().await;
    let mut too_large = 0;
    let mut over = Vec::new();
    // The largest body, and the size of this one: with far more objects than allowed, and with about as many.
    for (max_bytes, bytes) in [
        (2 * MIB, 2 * MIB),
        (64 * MIB, 140 * 1024),
        (64 * MIB, 2 * MIB),
    ] {
        let max_objects = (max_bytes / 1280).max(10_000);
        for (what, body) in bodies(bytes) {
            let server = Server(Arc::new(body));
            let lms = Lms::builder("https://tenant.example")
                .token("a-token")
                .http_client(server)
                .max_body_bytes(max_bytes)
                .build()
                .unwrap();
            let outcomes = [
                ("list", peak(lms.list_learners().limit(10).call()).await),
                (
                    "listing",
                    peak(lms.list_courses().limit(10).items().try_next()).await,
                ),
                (
                    "values",
                    peak(lms.list_learners().items_as::<Value>().try_next()).await,
                ),
                ("object", peak(lms.get_course("a").call()).await),
                (
                    "value",
                    peak(lms.get_learner_by_id("a").call_as::<Value>()).await,
                ),
                (
                    "edit",
                    peak(lms.update_course("a", |course| course.archived = Some(true))).await,
                ),
            ];
            for (call, (peak, kind)) in outcomes {
                // An edit holds the object as it was read and as it is sent, as texts and as values.
                let bodies = if call == "edit" { 7 } else { 3 };
                let objects = max_objects.min(bytes / 3);
                let bound = bodies * bytes + 4 * 1024 * objects + MIB / 4;
                if peak > bound {
                    over.push(format!(
                        "{call} of {what}: {peak} of {bound} bytes for a body of {bytes} and {max_objects} objects, {kind:?}"
                    ));
                }
                too_large += usize::from(kind == Some(ErrorKind::BodyTooLarge));
            }
        }
    }
    assert_eq!(over, [""; 0]);
    assert!(too_large > 50, "{too_large} responses were too large");
}

/// A tenant that accepts every write, and whose responses fail in all ways now and then. Tokens expire after 30 s.
#[derive(Debug, Default)]
struct Failing {
    requests: AtomicU64,
}

impl HttpClient for Failing {
    fn send(&self, request: Request) -> HttpFuture<'_> {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let path = request.url().path();
        let id = path.rsplit('/').next().unwrap_or_default();
        let body = match path.ends_with("/oauth/token") {
            true => json!({"access_token": format!("t{number}"), "expires_in": 30}),
            false if *request.method() == Method::POST => json!({"id": id}),
            false => json!({
                "id": id, "firstname": "Ann", "surname": "Bell", "email": "ann@acme.example",
                "items": [{"id": id}, {"id": "other"}], "more": true, "next_cursor": number.to_string(),
            }),
        };
        let status = match number {
            n if n % 11 == 0 => 503,
            n if n % 97 == 0 => 429,
            n if n % 31 == 0 => 401,
            _ => 200,
        };
        Box::pin(async move {
            sleep(Duration::from_millis(20)).await;
            if number.is_multiple_of(13) {
                return Err(HttpError::new(HttpFailure::Lost, "lost"));
            }
            let response = http::Response::builder().status(status);
            Ok(response.body(body.to_string()).unwrap().into())
        })
    }
}

/// Calls of several kinds about objects of their own: to the end, and dropped at some point. Returns the number of successes.
async fn round(lms: &Lms, number: u64) -> usize {
    let id = &format!("o{number}");
    let limit = Duration::from_millis(number % 90);
    let edit = lms.update_learner(id, |learner| learner.notes = Some("new".into()));
    let dropped = lms.update_course(id, |course| course.archived = Some(true));
    let enrolment = types::AddEnrolment::builder(id, id);
    let mut items = lms.list_learners().items();
    let (course, edited, _, enrolled, first) = tokio::join!(
        lms.get_course(id),
        edit,
        timeout(limit, dropped),
        timeout(limit, lms.ensure_enrolment(enrolment)),
        items.try_next(),
    );
    [
        course.is_ok(),
        edited.is_ok(),
        enrolled.is_ok(),
        first.is_ok(),
    ]
    .into_iter()
    .filter(|is_ok| *is_ok)
    .count()
}

#[tokio::test(flavor = "current_thread", start_paused = true)]
async fn the_memory_of_a_client_does_not_grow_with_its_calls() {
    const ROUNDS: u64 = 1_000;
    let _alone = ONE_TEST.lock().await;
    let lms = Lms::builder("https://tenant.example")
        .client_credentials("id", "secret")
        .http_client(Failing::default())
        .build()
        .unwrap();
    let mut used = Vec::new();
    let mut succeeded = 0;
    for part in 0..3 {
        for number in 0..ROUNDS {
            succeeded += round(&lms, part * ROUNDS + number).await;
        }
        // Tasks of dropped calls end.
        sleep(Duration::from_secs(600)).await;
        used.push(ALLOCATED.current_usage());
    }
    assert!(succeeded > 4_000, "{succeeded}");
    // One list or map of the client may have grown to its size.
    assert!(used[2] < used[1] + 16 * 1024, "{used:?}");
}
