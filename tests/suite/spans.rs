//! Spans and events of calls, with OpenTelemetry's names and without personal data.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, LazyLock, Mutex},
    time::Duration,
};

use lms_ext::{CallOptions, prelude::*};
use serde_json::json as value;
use tracing::{
    Dispatch, Event, Level, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
    subscriber::NoSubscriber,
};
use tracing_subscriber::{
    Layer,
    filter::filter_fn,
    layer::{Context, SubscriberExt as _},
    registry,
    registry::{LookupSpan, SpanRef},
};

use crate::script::{Script, json, lost, status};

/// A recorded span or event.
#[derive(Clone, Debug, Default)]
struct Seen {
    name: String,
    /// The index of the parent span.
    parent: Option<usize>,
    /// The level of an event.
    level: Option<Level>,
    fields: BTreeMap<String, String>,
}

impl Seen {
    fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }
}

/// Records every span and event of this crate.
#[derive(Clone, Default)]
struct Recorder {
    spans: Arc<Mutex<Vec<Seen>>>,
    events: Arc<Mutex<Vec<Seen>>>,
}

struct Fields<'a>(&'a mut BTreeMap<String, String>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }
}

/// The index of a span.
fn index<'a, S: LookupSpan<'a>>(span: &SpanRef<'a, S>) -> Option<usize> {
    span.extensions().get::<usize>().copied()
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Recorder {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let span = context.span(id).unwrap();
        let mut seen = Seen {
            name: attributes.metadata().name().to_owned(),
            parent: span.parent().as_ref().and_then(index),
            ..Seen::default()
        };
        attributes.record(&mut Fields(&mut seen.fields));
        let mut spans = self.spans.lock().unwrap();
        span.extensions_mut().insert(spans.len());
        spans.push(seen);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let index = index(&context.span(id).unwrap()).unwrap();
        values.record(&mut Fields(&mut self.spans.lock().unwrap()[index].fields));
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut seen = Seen {
            parent: context.event_span(event).as_ref().and_then(index),
            level: Some(*event.metadata().level()),
            ..Seen::default()
        };
        event.record(&mut Fields(&mut seen.fields));
        seen.name = seen.fields.remove("message").unwrap_or_default();
        self.events.lock().unwrap().push(seen);
    }
}

/// Keeps spans enabled in all tests of the process.
///
/// With a single subscriber, a span that another thread reaches first is cached as disabled for all threads. Two other
/// subscribers prevent this.
pub fn keep_spans_on() {
    static OTHERS: LazyLock<[Dispatch; 2]> =
        LazyLock::new(|| [(); 2].map(|()| Dispatch::new(NoSubscriber::new())));
    LazyLock::force(&OTHERS);
}

/// Records the spans of this thread until the guard is dropped.
fn record() -> (Recorder, tracing::subscriber::DefaultGuard) {
    keep_spans_on();
    let recorder = Recorder::default();
    let ours = filter_fn(|metadata| metadata.target().starts_with("lms_ext"));
    let subscriber = registry().with(recorder.clone().with_filter(ours));
    (recorder, tracing::subscriber::set_default(subscriber))
}

impl Recorder {
    fn spans(&self) -> Vec<Seen> {
        self.spans.lock().unwrap().clone()
    }

    fn events(&self) -> Vec<Seen> {
        self.events.lock().unwrap().clone()
    }

    /// All spans and events, as text.
    fn text(&self) -> String {
        format!("{:?} {:?}", self.spans(), self.events())
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_is_a_span_with_a_span_for_each_attempt() {
    let (recorder, _recording) = record();
    let tenant = Script::of([status(503), lost(), json(value!({"id": "secret-id"}))]);
    let lms = tenant.lms();
    lms.get_learner_by_id("secret-id").call().await.unwrap();

    let spans = recorder.spans();
    let names: Vec<_> = spans.iter().map(|span| span.name.as_str()).collect();
    assert_eq!(names, ["call", "attempt", "attempt", "attempt"]);

    let call = &spans[0];
    assert_eq!(call.parent, None);
    for (name, expected) in [
        ("otel.name", "get_learner_by_id"),
        ("otel.kind", "internal"),
        ("url.template", "/learners/{id}"),
        ("http.request.method", "GET"),
        ("lms.attempts", "3"),
    ] {
        assert_eq!(call.field(name), Some(expected), "{name}");
    }
    assert_eq!(call.field("error.type"), None);

    for (attempt, resent, code, failure) in [
        (&spans[1], None, Some("503"), Some("503")),
        (&spans[2], Some("1"), None, Some("connection")),
        (&spans[3], Some("2"), Some("200"), None),
    ] {
        assert_eq!(attempt.parent, Some(0));
        for (name, expected) in [
            ("otel.name", Some("GET /learners/{id}")),
            ("otel.kind", Some("client")),
            ("otel.status_code", failure.map(|_| "ERROR")),
            ("http.request.method", Some("GET")),
            ("url.template", Some("/learners/{id}")),
            ("server.address", Some("tenant.example")),
            ("server.port", Some("443")),
            ("http.request.resend_count", resent),
            ("http.response.status_code", code),
            ("error.type", failure),
        ] {
            assert_eq!(attempt.field(name), expected, "{name}");
        }
    }
    let mut waits = recorder.events();
    waits.retain(|event| event.name == "waiting before the next attempt");
    assert_eq!(waits.len(), 2, "{waits:?}");
    for (wait, (attempts, cause)) in waits.iter().zip([
        ("1", "503"),
        ("2", "the connection broke before the end of the response"),
    ]) {
        assert_eq!(wait.parent, Some(0));
        assert_eq!(wait.level, Some(Level::DEBUG));
        assert_eq!(wait.field("attempts"), Some(attempts));
        assert_eq!(wait.field("cause"), Some(cause));
    }
    assert!(!recorder.text().contains("secret-id"));
}

#[tokio::test(start_paused = true)]
async fn an_ensure_call_is_a_span_around_its_calls_in_which_a_404_is_no_error() {
    let (recorder, _recording) = record();
    let tenant = Script::of([status(404), status(422)]);
    let ann = types::AddLearner::builder("Ann", "Bell", "ann@acme.example");
    tenant.lms().ensure_learner(ann).await.unwrap_err();
    let spans = recorder.spans();
    let seen: Vec<_> = spans
        .iter()
        .map(|span| {
            (
                span.field("otel.name").unwrap(),
                span.parent,
                span.field("error.type"),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("ensure_learner", None, Some("rejected")),
            ("get_learner_by_email", Some(0), None),
            ("GET /learners/email/{email}", Some(1), None),
            ("add_learner", Some(0), Some("422")),
            ("POST /learners", Some(3), Some("422")),
        ]
    );
}

/// A job that waits for minutes is not silent at level info.
#[tokio::test(start_paused = true)]
async fn a_wait_of_a_second_or_longer_is_an_event_at_level_info() {
    let (recorder, _recording) = record();
    let busy = status(503).header("retry-after", "2");
    let tenant = Script::of([busy, json(value!({"id": "t1"}))]);
    tenant.lms().test().call().await.unwrap();
    let mut waits = recorder.events();
    waits.retain(|event| event.name == "waiting before the next attempt");
    assert_eq!(waits.len(), 1, "{waits:?}");
    assert_eq!(waits[0].level, Some(Level::INFO));
    assert_eq!(waits[0].field("cause"), Some("503"));
}

#[tokio::test(start_paused = true)]
async fn the_span_of_a_failed_call_has_the_kind_of_its_error() {
    for (acts, kind) in [(vec![status(404)], "404"), (vec![lost()], "ambiguous")] {
        let (recorder, _recording) = record();
        let tenant = Script::of(acts);
        let lms = tenant.lms();
        lms.add_course("Safety").call().await.unwrap_err();
        assert_eq!(recorder.spans()[0].field("error.type"), Some(kind));
        assert_eq!(recorder.spans()[0].field("otel.status_code"), Some("ERROR"));
    }
}

#[tokio::test(start_paused = true)]
async fn throttling_waits_and_token_requests_are_events() {
    let (recorder, _recording) = record();
    let tenant = Script::new(|seen| {
        if seen.is_token_request() {
            json(value!({"access_token": "secret-token", "expires_in": 300}))
        } else if seen.index == 2 {
            status(429).header("retry-after", "6")
        } else {
            json(value!({"items": []}))
        }
    });
    let builder = tenant.builder();
    let lms = builder.client_credentials("an-id", "secret-of-the-client");
    let lms = lms.max_per_second(1).build().unwrap();
    let call = lms.list_learners().email("secret@acme.example");
    call.call().await.unwrap();
    lms.list_learners().call().await.unwrap();

    let events: Vec<_> = recorder
        .events()
        .into_iter()
        .map(|event| event.name)
        .collect();
    for expected in [
        "fetched a token",
        "throttled by the server: sending nothing for 6",
        "waiting before the next attempt",
    ] {
        assert!(
            events.iter().any(|event| event.starts_with(expected)),
            "{events:?}"
        );
    }
    let token = recorder
        .spans()
        .into_iter()
        .find(|span| span.field("otel.name") == Some("get_token"))
        .unwrap();
    assert_eq!(
        token.parent,
        Some(0),
        "inside the call that needs the token"
    );
    let all = recorder.text();
    assert!(!all.contains("secret"), "{all}");

    // The next call waits for the rate that the client has set.
    lms.list_learners().call().await.unwrap();
    let options = CallOptions::new().timeout(Duration::from_secs(60));
    lms.list_learners().options(options).call().await.unwrap();
    assert!(
        recorder
            .events()
            .iter()
            .any(|event| event.name == "waited for the rate limiter")
    );
}
