//! Reports on stderr: requests, waits and retries with `--verbose`, and headers with `--debug`.
//!
//! Without them, a program that prints nothing for a while seems to hang. A job prints the cause of a wait every half
//! minute. Any other command says why it waits, and until when.
//!
//! The client reports its work as spans and events of `tracing`, which contain no secrets. A wait is kept here until rows
//! arrive.

use std::{
    collections::BTreeMap,
    fmt::Debug,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use jiff::{SignedDuration, Timestamp};
use tokio::task::AbortHandle;
use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    level_filters::LevelFilter,
    span,
};
use tracing_subscriber::{
    Layer,
    layer::{Context as Layered, SubscriberExt as _},
    registry::{LookupSpan, Registry, SpanRef},
};

use crate::{console, context::Detail, wording};

/// Time after which a wait is reported again.
const INTERVAL: Duration = Duration::from_secs(30);

/// Time from which a wait is announced: longer than those that the service did not ask for.
const ANNOUNCED: Duration = Duration::from_secs(5);

/// The current wait of each tenant: its start and its reason. The name is empty if there is one tenant.
static WAITS: Mutex<BTreeMap<String, (Instant, String)>> = Mutex::new(BTreeMap::new());

/// Begins to write the reports of the client, and to announce waits unless it is a job, which repeats them. Once in a process.
pub(crate) fn install(detail: Detail, is_job: bool) {
    let report = Report::new(detail, !is_job && detail == Detail::Waits);
    // Only fails if it was set before, by the same function.
    let _ = tracing::subscriber::set_global_default(Registry::default().with(report));
}

/// Reports waits until it is dropped.
#[derive(Debug)]
pub(crate) struct Waiting(AbortHandle);

impl Waiting {
    /// Begins to report. In a Tokio runtime.
    pub(crate) fn report() -> Self {
        let reports = tokio::spawn(async {
            let mut ticks = tokio::time::interval(INTERVAL);
            ticks.tick().await;
            loop {
                ticks.tick().await;
                for (tenant, text) in describe(Instant::now()) {
                    console::event("wait", Some(&tenant), &text, &[]);
                }
            }
        });
        Self(reports.abort_handle())
    }

    /// Rows of a tenant have arrived.
    pub(crate) fn ended(tenant: Option<&str>) {
        waits().remove(tenant.unwrap_or_default());
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn waits() -> MutexGuard<'static, BTreeMap<String, (Instant, String)>> {
    WAITS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The waits, each with its tenant.
fn describe(now: Instant) -> Vec<(String, String)> {
    let waits = waits();
    let lines = waits.iter().map(|(tenant, (began, cause))| {
        let seconds = now.saturating_duration_since(*began).as_secs();
        (tenant.clone(), format!("waiting for {seconds} s: {cause}"))
    });
    lines.collect()
}

/// Writes lines about spans and events.
struct Report {
    detail: Detail,
    announces: bool,
    /// The ends of the announced waits of each tenant: several calls wait together.
    announced: Mutex<BTreeMap<String, Instant>>,
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Report {
    fn enabled(&self, metadata: &Metadata<'_>, _: Layered<'_, S>) -> bool {
        matches!(metadata.target(), "lms" | "lms_ext") && *metadata.level() <= self.level()
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.level().into())
    }

    fn on_new_span(&self, attributes: &span::Attributes<'_>, id: &span::Id, all: Layered<'_, S>) {
        if let Some(span) = all.span(id) {
            let mut seen = Seen::new();
            attributes.record(&mut seen);
            span.extensions_mut().insert(seen);
        }
    }

    fn on_record(&self, id: &span::Id, values: &span::Record<'_>, all: Layered<'_, S>) {
        if let Some(span) = all.span(id)
            && let Some(seen) = span.extensions_mut().get_mut::<Seen>()
        {
            values.record(seen);
        }
    }

    fn on_close(&self, id: span::Id, all: Layered<'_, S>) {
        if self.detail >= Detail::Requests
            && let Some(span) = all.span(&id).filter(|span| span.name() == "attempt")
            && let Some(seen) = span.extensions().get::<Seen>()
        {
            console::event("request", Some(&tenant_of(&span)), &seen.request(), &[]);
        }
    }

    fn on_event(&self, event: &Event<'_>, all: Layered<'_, S>) {
        let mut seen = Seen::new();
        event.record(&mut seen);
        let tenant = all.event_span(event).map(|span| tenant_of(&span));
        let tenant = tenant.unwrap_or_default();
        if self.detail >= Detail::Requests {
            console::event("client", Some(&tenant), &seen.event(), &[]);
        }
        if *event.metadata().level() <= Level::INFO
            && let Some(cause) = seen.cause()
        {
            if let Some(line) = self.announcement(&tenant, &seen, &cause, Instant::now()) {
                console::event("wait", Some(&tenant), &line, &[]);
            }
            let mut waits = waits();
            let began = waits
                .get(&tenant)
                .map_or_else(Instant::now, |(began, _)| *began);
            waits.insert(tenant, (began, cause));
        }
    }
}

impl Report {
    fn new(detail: Detail, announces: bool) -> Self {
        Self {
            detail,
            announces,
            announced: Mutex::default(),
        }
    }

    /// The line for a longer wait, unless one was announced that ends as late.
    fn announcement(&self, tenant: &str, seen: &Seen, cause: &str, now: Instant) -> Option<String> {
        let seconds = seen.get("wait_s").or(seen.get("pause_s"))?.parse().ok()?;
        let wait = Duration::try_from_secs_f64(seconds).ok()?;
        if !self.announces || wait < ANNOUNCED {
            return None;
        }
        let mut announced = self
            .announced
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let end = now.checked_add(wait)?;
        let known = announced.entry(tenant.to_owned()).or_insert(now);
        if end < *known + ANNOUNCED {
            return None;
        }
        *known = end;
        let until = Timestamp::now()
            .checked_add(SignedDuration::try_from(wait).ok()?)
            .ok()?;
        let cause = cause
            .split_once(": sending nothing")
            .map_or(cause, |(cause, _)| cause);
        Some(format!(
            "waiting for {:.0} s, until {} UTC: {cause}",
            wait.as_secs_f64(),
            until.strftime("%H:%M:%S")
        ))
    }

    fn level(&self) -> Level {
        match self.detail {
            Detail::Waits => Level::INFO,
            Detail::Requests => Level::DEBUG,
            Detail::Headers => Level::TRACE,
        }
    }
}

/// The tenant that a span is about; empty if there is one tenant.
fn tenant_of<'a, S: LookupSpan<'a>>(span: &SpanRef<'a, S>) -> String {
    let mut spans = span.scope();
    let name = spans.find_map(|span| {
        let extensions = span.extensions();
        let seen = extensions.get::<Seen>()?;
        (span.name() == "tenant").then(|| seen.get("name").unwrap_or_default().to_owned())
    });
    name.unwrap_or_default()
}

/// The fields of a span or of an event.
struct Seen {
    began: Instant,
    fields: Vec<(&'static str, String)>,
}

impl Seen {
    fn new() -> Self {
        Self {
            began: Instant::now(),
            fields: Vec::new(),
        }
    }

    fn get(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter().rev();
        let found = fields.find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// An attempt, with how it ended.
    fn request(&self) -> String {
        let text = |name| self.get(name).unwrap_or_default();
        let ended = self
            .get("http.response.status_code")
            .or(self.get("error.type"))
            .unwrap_or("no response");
        let retry = self.get("http.request.resend_count");
        format!(
            "{} {}: {ended}, {} ms{}",
            text("http.request.method"),
            text("url.template"),
            self.began.elapsed().as_millis(),
            retry
                .map(|count| format!(", retry {count}"))
                .unwrap_or_default()
        )
    }

    /// A message with its values.
    fn event(&self) -> String {
        let values = self.fields.iter().filter(|(name, _)| *name != "message");
        let values: Vec<_> = values
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let message = self.get("message").unwrap_or_default();
        let line = match values.as_slice() {
            [] => message.to_owned(),
            values => format!("{message} ({})", values.join(", ")),
        };
        wording::of_commands(&line)
    }

    /// The reason for a wait of the client, from its event.
    fn cause(&self) -> Option<String> {
        // The status of a response, or an error.
        let cause = self.get("cause").map(|cause| {
            let cause = wording::of_commands(cause);
            format!("the last response was {cause}")
        });
        cause.or_else(|| self.get("message").map(str::to_owned))
    }
}

impl Visit for Seen {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.push((field.name(), value.to_owned()));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.fields.push((field.name(), format!("{value:?}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_described_with_its_cause_and_its_tenant_until_rows_arrive() {
        let began = Instant::now();
        let report = Report::new(Detail::Waits, false);
        tracing::subscriber::with_default(Registry::default().with(report), || {
            let _acme = tracing::info_span!(target: "lms", "tenant", name = "acme").entered();
            tracing::info!(target: "lms_ext", cause = %503, "waiting before the next attempt");
            tracing::info!(target: "other", cause = %1, "not of the client");
        });
        let later = began + INTERVAL * 2 + Duration::from_secs(1);
        let (tenant, line) = describe(later).pop().unwrap();
        assert_eq!(tenant, "acme");
        assert!(line.starts_with("waiting for 6"), "{line}");
        assert!(line.ends_with("s: the last response was 503"), "{line}");
        Waiting::ended(Some("acme"));
        assert!(describe(later).is_empty());
    }

    #[test]
    fn a_longer_wait_is_announced_once_for_all_calls_with_its_end() {
        let wait = |name, seconds: &str| Seen {
            began: Instant::now(),
            fields: vec![(name, seconds.to_owned())],
        };
        let (report, start) = (Report::new(Detail::Waits, true), Instant::now());
        let line = |tenant, seen: &Seen, after| {
            let now = start + Duration::from_secs(after);
            report.announcement(tenant, seen, "the last response was 429", now)
        };
        assert_eq!(line("", &wait("wait_s", "3.5"), 0), None);
        let first = line("", &wait("wait_s", "40.0"), 0).unwrap();
        assert!(first.starts_with("waiting for 40 s, until "), "{first}");
        assert!(
            first.ends_with(" UTC: the last response was 429"),
            "{first}"
        );
        // Another call that waits for the same time, and one that waits longer.
        assert_eq!(line("", &wait("wait_s", "39.0"), 1), None);
        assert!(line("", &wait("pause_s", "60.0"), 1).is_some());
        assert!(line("acme", &wait("wait_s", "40.0"), 1).is_some());
        let job = Report::new(Detail::Waits, false);
        assert_eq!(
            job.announcement("", &wait("wait_s", "40.0"), "", start),
            None
        );
    }
}
