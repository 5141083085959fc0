//! No secret is shown or logged: all operations, all kinds of failures, and all logs at their most verbose level are searched
//! for marked values.

use std::{
    cell::RefCell,
    collections::BTreeSet,
    error::Error as StdError,
    fmt::Write as _,
    io,
    sync::{Arc, Mutex, Once},
    time::Duration,
};

use lms_ext::{CallOptions, Error, OPERATIONS, RetryPolicy, Secret, Token, prelude::*};
use serde_json::{Value, json as value};
use tracing_subscriber::fmt::{MakeWriter, format::FmtSpan};

use crate::script::{Act, Script, Seen, json, lost, status};
use crate::servers::serve;
use crate::spans::keep_spans_on;

/// Part of every secret, and of nothing else.
const MARK: &str = "CANARY";
const TOKEN: &str = "CANARY-token";
const CLIENT_SECRET: &str = "CANARY-client-secret";
const PASSWORD: &str = "CANARY-password";
const REFRESH: &str = "CANARY-refresh";
const CODE: &str = "CANARY-code";
/// Part of every id and filter. These are personal data, which logs and errors must not show either.
const PERSON: &str = "PERSONAL";

/// All that was logged or shown.
#[derive(Clone, Default)]
struct Book(Arc<Mutex<Vec<u8>>>);

impl Book {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }

    fn note(&self, what: &str, text: &str) {
        let mut book = self.0.lock().unwrap();
        book.extend_from_slice(format!("[{what}] {text}\n").as_bytes());
    }

    /// All output of an error and its sources.
    fn error(&self, what: &str, error: &(dyn StdError + 'static)) {
        let mut next = Some(error);
        while let Some(error) = next {
            self.note(what, &format!("{error} {error:#} {error:?} {error:#?}"));
            next = error.source();
        }
    }

    fn assert_without(&self, mark: &str) {
        let text = self.text();
        let lines: String = text
            .lines()
            .filter(|line| line.contains(mark))
            .take(5)
            .fold(String::new(), |mut all, line| {
                let _ = writeln!(all, "{line:.600}");
                all
            });
        assert!(lines.is_empty(), "{mark} was shown:\n{lines}");
    }
}

impl io::Write for Book {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Book {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

thread_local! {
    /// The book of the test on this thread, for `log`.
    static OPEN: RefCell<Option<Book>> = const { RefCell::new(None) };
}

struct Logger;

impl log::Log for Logger {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let _ = OPEN.try_with(|open| {
            if let Some(book) = &*open.borrow() {
                book.note(record.target(), &record.args().to_string());
            }
        });
    }

    fn flush(&self) {}
}

/// Records all logs of this thread until the guard is dropped.
fn listen() -> (Book, tracing::subscriber::DefaultGuard) {
    keep_spans_on();
    static LOGGER: Once = Once::new();
    LOGGER.call_once(|| {
        log::set_logger(&Logger).unwrap();
        log::set_max_level(log::LevelFilter::Trace);
    });
    let book = Book::default();
    OPEN.set(Some(book.clone()));
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_span_events(FmtSpan::FULL)
        .with_ansi(false)
        .with_writer(book.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    tracing::trace!("listening to tracing");
    log::trace!("listening to log");
    let heard = book.text();
    assert!(heard.contains("listening to tracing") && heard.contains("listening to log"));
    (book, guard)
}

fn person(kind: &str) -> String {
    format!("{PERSON}-{kind}")
}

/// Calls the builders that take secrets and personal data, and records all output.
macro_rules! call_all {
    ($lms:expr, $book:expr; $($operation:ident($($argument:expr),*) $(.$method:ident($value:expr))*;)+) => {$(
        let name = stringify!($operation);
        let builder = $lms.$operation($($argument),*)$(.$method($value))*;
        let shown = format!("{builder:?} {builder:#?}");
        assert!(!shown.contains(MARK), "{shown}");
        match builder.response().await {
            // May show personal data, but no secrets.
            Ok(response) => {
                let shown = format!("{response:?} {response:#?}");
                assert!(!shown.contains(MARK), "{name}: {shown}");
            }
            Err(error) => $book.error(name, &error),
        }
    )+};
}

async fn every_operation(lms: &Lms, book: &Book) {
    call_all! { lms, book;
        edit_course(person("id"), types::Course::builder());
        add_duplicate_course("c");
        list_learners().email(person("email"));
        add_learner("a", "b", "c").password(PASSWORD.to_owned());
        get_learner_by_email(person("email"));
        edit_learner(
            person("id"),
            types::EditLearner::builder("a", "b", "c").password(PASSWORD.to_owned())
        );
        delete_enrolment().user(person("id")).course("c");
        get_topic_progress(person("id"), "t");
        list_course_completions().user(person("id"));
        get_token(
            types::TokenRequest::builder()
                .client_secret(CLIENT_SECRET.to_owned())
                .refresh_token(REFRESH.to_owned())
                .code(CODE.to_owned())
        );
    }
    for operation in OPERATIONS {
        let values = vec![person("id"); operation.path_parameters.len()];
        let request = lms.raw_operation(operation, &values).unwrap();
        let names = operation.query_parameters.iter();
        let mut request = names.fold(request, |request, name| {
            request.query(name, &person("filter"))
        });
        if !operation.is_read() && operation.method != "DELETE" {
            request = request.body(everything_secret().to_string());
        }
        let shown = format!("{request:?} {request:#?}");
        assert!(!shown.contains(MARK), "{shown}");
        if let Err(error) = request.call().await {
            book.error(operation.id, &error);
        }
    }
}

/// An object with all secret fields of the service, and the required fields of all types.
fn everything_secret() -> Value {
    value!({
        "password": PASSWORD, "access_token": TOKEN, "refresh_token": REFRESH, "code": CODE,
        "client_secret": CLIENT_SECRET, "name": "n", "firstname": "f", "surname": "s", "email": "e",
        "course": "c", "user": "u", "published": true, "expires_in": 300, "items": [],
    })
}

fn page_of_secrets() -> Value {
    let mut page = everything_secret();
    page["items"] = value!([everything_secret(), everything_secret()]);
    page
}

/// The body and the token of the request.
fn echo(seen: &Seen) -> String {
    let body = String::from_utf8_lossy(&seen.body);
    format!("{body} with {}", seen.token().unwrap_or_default())
}

/// The name and the response to all requests except token requests.
type Shape = (&'static str, fn(&Seen) -> Act);

fn shapes() -> Vec<Shape> {
    vec![
        ("success", |_| json(page_of_secrets())),
        ("401", |seen| {
            json(value!({"error": {"message": format!("unauthorized: {}", echo(seen))}}))
                .status(401)
        }),
        ("422 with a message", |seen| {
            json(value!({"message": format!("cannot take {}", echo(seen)), "password": PASSWORD}))
                .status(422)
                .header("x-request-id", seen.token().unwrap_or("none"))
        }),
        ("422 with the request", |seen| {
            json(value!({"errors": [seen.json()], "description": echo(seen)})).status(422)
        }),
        ("409 with a string", |seen| {
            json(value!(echo(seen))).status(409)
        }),
        ("400 with a list", |seen| {
            json(value!({"password": [echo(seen)]})).status(400)
        }),
        ("HTML 502", |seen| {
            status(502).body(format!("<html><h1>{}</h1>", echo(seen)))
        }),
        ("HTML 200", |seen| {
            status(200).body(format!("<html><h1>{}</h1>", echo(seen)))
        }),
        ("cut JSON", |seen| {
            let token = seen.token().unwrap_or(TOKEN);
            status(200).body(format!("{{\"password\":\"{PASSWORD}\",\"name\":\"{token}"))
        }),
        ("other types", |_| {
            json(
                value!({"items": [{"password": [PASSWORD]}], "access_token": {TOKEN: 1}, "password": {"a": CODE},
                "more": format!("{PASSWORD}, expected {TOKEN}"), "id": [CODE], "tid": [CODE], "name": [CODE]}),
            )
        }),
        ("redirect", |seen| {
            let token = seen.token().unwrap_or(TOKEN);
            let location = format!("https://u:{PASSWORD}@evil.example/{token}");
            status(307).header("location", &location)
        }),
        ("lost", |_| lost()),
    ]
}

#[tokio::test(start_paused = true)]
async fn no_secret_is_shown_for_any_response() {
    for (shape, response) in shapes() {
        let (book, _guard) = listen();
        let tenant = Script::new(move |seen| {
            let asked_by_the_client =
                seen.is_token_request() && seen.json()["refresh_token"].is_null();
            if asked_by_the_client {
                json(value!({"access_token": TOKEN, "refresh_token": REFRESH, "expires_in": 300}))
            } else {
                response(seen)
            }
        });
        let lms = tenant.lms_with(|it| it.client_credentials("id", CLIENT_SECRET));
        every_operation(&lms, &book).await;
        book.note("client", &format!("{lms:?} {lms:#?}"));
        let text = book.text();
        assert!(text.contains("attempt"), "{shape}: nothing was logged");
        if shape == "422 with a message" {
            assert!(text.contains("the server said: <hidden: "), "{text}");
        }
        book.assert_without(MARK);
        book.assert_without(PERSON);
    }
}

#[tokio::test(start_paused = true)]
async fn no_secret_is_shown_when_no_token_can_be_obtained() {
    for (shape, response) in shapes() {
        let (book, _guard) = listen();
        let tenant = Script::new(move |seen| match response(seen) {
            _ if shape == "success" => json(value!({"refresh_token": REFRESH, "code": CODE})),
            act => act,
        });
        let lms = tenant.lms_with(|it| {
            it.client_credentials("id", CLIENT_SECRET)
                .retry(RetryPolicy::disabled())
        });
        let error = lms.me().call().await.unwrap_err();
        book.error(shape, &error);
        book.assert_without(MARK);
    }
}

fn wire(status: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[tokio::test]
async fn verbose_logs_of_connections_show_no_secret() {
    let (book, _guard) = listen();
    // On a real socket, so that connections are also logged.
    let address = serve(|request| {
        if request.starts_with("GET /api/v1/courses/") {
            wire("422 No", &value!({"message": request}).to_string())
        } else {
            wire("200 OK", &page_of_secrets().to_string())
        }
    })
    .await;
    let lms = Lms::builder(address)
        .client_credentials("id", CLIENT_SECRET)
        .retry(RetryPolicy::disabled())
        .configure_http(|http| http.connection_verbose(true).no_proxy())
        .build()
        .unwrap();
    every_operation(&lms, &book).await;
    let text = book.text();
    let logged = text.contains("reqwest") || text.contains("hyper");
    assert!(logged, "the connections logged nothing");
    book.assert_without(MARK);
}

#[test]
fn debug_of_a_client_and_its_parts_shows_no_secret() {
    let builder = || Lms::builder("https://tenant.example");
    let mut shown = vec![
        format!("{:#?}", Secret::from(PASSWORD)),
        format!("{:#?}", Token::new(TOKEN).expires_in(Duration::ZERO)),
        format!("{:#?}", builder().token(TOKEN)),
        format!("{:#?}", builder().client_credentials("id", CLIENT_SECRET)),
        format!("{:#?}", builder().token(TOKEN).build().unwrap()),
        format!("{:#?}", CallOptions::new()),
        format!("{:#?}", Error::token("no").with_source("nothing")),
    ];
    let builder = builder().client_credentials("id", CLIENT_SECRET);
    let lms = builder.build().unwrap();
    shown.push(format!("{lms:#?} {:#?}", *lms));
    shown.push(format!("{:#?}", lms.get_course("c1")));
    for text in shown {
        assert!(!text.contains(MARK), "{text}");
    }
}

/// The `Debug` output of all generated types and their builders, decoded from an object with all secrets.
macro_rules! show_all {
    ($($name:ident)+) => {{
        let mut shown: Vec<(&str, String)> = Vec::new();
        $(
            let typed: types::$name = serde_json::from_value(everything_secret()).unwrap();
            shown.push((stringify!($name), format!("{typed:?} {typed:#?}")));
            let builder = types::builder::$name::from(typed);
            shown.push((stringify!($name), format!("{builder:?} {builder:#?}")));
        )+
        shown
    }};
}

#[test]
fn no_generated_type_shows_a_secret() {
    let shown = show_all! { AddLearner EditLearner Learner TokenRequest TokenResponse };
    for (name, text) in &shown {
        assert!(!text.contains(MARK), "{name}: {text}");
        assert!(text.contains("hidden"), "{name}: {text}");
    }
    // They are all types with secrets.
    let document: Value = serde_json::from_str(include_str!("../../spec/openapi.json")).unwrap();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let is_secret = |property: &Value| property["format"] == "password";
    let secret = schemas.iter().filter(|(_, schema)| {
        let properties = schema["properties"].as_object();
        properties.is_some_and(|properties| properties.values().any(is_secret))
    });
    let secret: BTreeSet<_> = secret.map(|(name, _)| name.as_str()).collect();
    let listed: BTreeSet<_> = shown.iter().map(|(name, _)| *name).collect();
    assert_eq!(listed, secret, "a type with a secret is not tested here");
}

/// A request id is shortened when it is shown, and half a token would not be redacted.
#[tokio::test(start_paused = true)]
async fn no_part_of_a_long_token_in_a_request_id_is_shown() {
    let token = "long-token-".repeat(40);
    for response in [
        status(200).body("{").broken(),
        status(200)
            .body("{")
            .body_after(Duration::from_secs(600), "}"),
        status(200).body("{"),
        status(503).body("{").broken(),
    ] {
        for prefix in ["", "request-", &"-".repeat(120)] {
            let id = format!("{prefix}{token}");
            let response = response.clone().header("x-request-id", &id);
            let tenant = Script::new(move |_| response.clone());
            let lms = tenant.builder().token(token.as_str());
            let lms = lms.retry(RetryPolicy::disabled()).build().unwrap();
            let error = lms.get_course("c1").call().await.unwrap_err();
            let shown = format!("{error} {error:#} {error:?} {:?}", error.request_id());
            assert!(!shown.contains("long-t"), "{shown}");
        }
    }
}

/// The client secret, the first token of a call, and its password.
#[tokio::test(start_paused = true)]
async fn a_response_that_repeats_any_secret_of_the_call_is_not_shown() {
    for (said, hidden) in [
        ("CLIENT-secret-of-us", Some("client_secret")),
        ("TOKEN-of-call-0", Some("token")),
        ("PASS-word", Some("password")),
        ("no secret", None),
    ] {
        let tenant = Script::new(move |seen| match seen.index {
            index if seen.is_token_request() => {
                let token = format!("TOKEN-of-call-{index}");
                json(value!({"access_token": token, "expires_in": 300}))
            }
            1 => status(401),
            _ => json(value!({"message": format!("you sent {said}")}))
                .status(422)
                .header("x-request-id", said),
        });
        let builder = tenant.builder();
        let builder = builder.client_credentials("id", "CLIENT-secret-of-us");
        let lms = builder.build().unwrap();
        let call = lms.add_learner("Ann", "Lee", "ann@acme.example");
        let error = call.password("PASS-word").await.unwrap_err();
        assert_eq!(error.attempts(), 2);
        let shown = (error.message().unwrap(), error.request_id().unwrap());
        let (message, id) = match hidden {
            Some(name) => (format!("<hidden: {name}>"), format!("<hidden: {name}>")),
            None => (format!("you sent {said}"), said.to_owned()),
        };
        assert_eq!(shown, (message, &*id), "{said}");
    }
}
