//! Reports on stderr: requests, waits and retries with `--verbose`, and headers with `--debug`.
//!
//! Without them, a program that prints nothing for a while seems to hang. So it says why it waits, and until when.
//!
//! The client reports its work as spans and events of `tracing`, which contain no secrets.

use std::{
    collections::BTreeMap,
    fmt::Debug,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use jiff::{SignedDuration, Timestamp};
use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};
use tracing_subscriber::{
    Layer,
    filter::FilterFn,
    layer::{Context as Layered, SubscriberExt as _},
    registry::{LookupSpan, Registry, SpanRef},
};

use crate::{console, wording};

/// Time from which a wait is announced: longer than those that the service did not ask for.
const ANNOUNCED: Duration = Duration::from_secs(5);

/// Begins to write the reports of the client up to this level. Once in a process.
pub(crate) fn install(level: Level) {
    let is_ours = |metadata: &Metadata<'_>| matches!(metadata.target(), "lms" | "lms_ext");
    let is_shown = move |metadata: &Metadata<'_>| is_ours(metadata) && *metadata.level() <= level;
    let filter = FilterFn::new(is_shown).with_max_level_hint(level);
    let subscriber = Registry::default().with(Report::new(level).with_filter(filter));
    // Only fails if it was set before, by the same function.
    let _ = tracing::subscriber::set_global_default(subscriber);
}

/// Writes lines about spans and events.
struct Report {
    /// `true` if requests, all waits and retries are shown.
    is_verbose: bool,
    /// The ends of the announced waits of each tenant: several calls wait together.
    announced: Mutex<BTreeMap<String, Instant>>,
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Report {
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
        if self.is_verbose
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
        if self.is_verbose {
            console::event("client", Some(&tenant), &seen.event(), &[]);
        } else if let Some(line) = self.announcement(&tenant, &seen, Instant::now()) {
            console::event("wait", Some(&tenant), &line, &[]);
        }
    }
}

impl Report {
    fn new(level: Level) -> Self {
        Self {
            is_verbose: level > Level::INFO,
            announced: Mutex::default(),
        }
    }

    /// The line for a longer wait, unless one was announced that ends as late.
    fn announcement(&self, tenant: &str, seen: &Seen, now: Instant) -> Option<String> {
        let seconds = seen.get("wait_s").or(seen.get("pause_s"))?.parse().ok()?;
        let wait = Duration::try_from_secs_f64(seconds).ok()?;
        if wait < ANNOUNCED {
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
        let cause = seen.cause()?;
        let cause = cause.split(": sending nothing").next()?;
        Some(format!(
            "waiting for {:.0} s, until {} UTC: {cause}",
            wait.as_secs_f64(),
            until.strftime("%H:%M:%S")
        ))
    }
}

/// The tenant that a span is about; empty if there is one tenant.
fn tenant_of<'a, S: LookupSpan<'a>>(span: &SpanRef<'a, S>) -> String {
    let mut spans = span.scope().filter(|span| span.name() == "tenant");
    let name = spans.find_map(|span| {
        let extensions = span.extensions();
        extensions.get::<Seen>()?.get("name").map(str::to_owned)
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
    fn a_longer_wait_is_announced_once_for_all_calls_with_its_end() {
        let wait = |name, seconds: &str| Seen {
            began: Instant::now(),
            fields: vec![(name, seconds.to_owned()), ("cause", "429".to_owned())],
        };
        let (report, start) = (Report::new(Level::INFO), Instant::now());
        let line = |tenant, seen: &Seen, after| {
            let now = start + Duration::from_secs(after);
            report.announcement(tenant, seen, now)
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
    }
}
