//! Says each half minute what a job waits for, also with `--quiet`: a job that says nothing for minutes looks as if it hung.
//!
//! The client reports its waits as events of `tracing`, with the cause. They are kept here until rows arrive.

use std::{
    fmt::Debug,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::task::AbortHandle;
use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};

use crate::console;

/// How often a wait is reported.
const INTERVAL: Duration = Duration::from_secs(30);

/// The current wait: its start and its reason.
static WAIT: Mutex<Option<(Instant, String)>> = Mutex::new(None);

/// Reports waits until it is dropped.
#[derive(Debug)]
pub(super) struct Waiting(AbortHandle);

impl Waiting {
    /// Begins to report. In a Tokio runtime.
    pub(super) fn report() -> Self {
        // Only fails if it was set before, by the same function.
        let _ = tracing::subscriber::set_global_default(Recorder);
        let reports = tokio::spawn(async {
            let mut ticks = tokio::time::interval(INTERVAL);
            ticks.tick().await;
            loop {
                ticks.tick().await;
                if let Some(line) = describe(Instant::now()) {
                    console::line(&line);
                }
            }
        });
        Self(reports.abort_handle())
    }

    /// Rows have arrived.
    pub(super) fn ended() {
        *wait() = None;
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn wait() -> std::sync::MutexGuard<'static, Option<(Instant, String)>> {
    WAIT.lock().unwrap_or_else(PoisonError::into_inner)
}

fn describe(now: Instant) -> Option<String> {
    let wait = wait();
    let (began, cause) = wait.as_ref()?;
    let seconds = now.saturating_duration_since(*began).as_secs();
    Some(format!("waiting for {seconds} s: {cause}"))
}

/// Keeps the cause of the last wait.
struct Recorder;

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && metadata.target() == "lms_ext" && *metadata.level() <= Level::INFO
    }

    fn event(&self, event: &Event<'_>) {
        let mut cause = Cause::default();
        event.record(&mut cause);
        let Cause { cause, message } = cause;
        if let Some(cause) = cause.or(message) {
            let mut wait = wait();
            let began = wait.as_ref().map_or_else(Instant::now, |(began, _)| *began);
            *wait = Some((began, cause));
        }
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// Why an event says that the client waits.
#[derive(Default)]
struct Cause {
    cause: Option<String>,
    message: Option<String>,
}

impl Visit for Cause {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        match field.name() {
            // The status of a response, or an error.
            "cause" => self.cause = Some(format!("the last response was {value:?}")),
            "message" => self.message = Some(format!("{value:?}")),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_described_with_its_cause_until_rows_arrive() {
        let began = Instant::now();
        tracing::subscriber::with_default(Recorder, || {
            tracing::info!(target: "lms_ext", cause = %503, "waiting before the next attempt");
            tracing::info!(target: "other", cause = %1, "not of the client");
        });
        let later = began + INTERVAL * 2 + Duration::from_secs(1);
        let line = describe(later).unwrap();
        assert!(line.starts_with("waiting for 6"), "{line}");
        assert!(line.ends_with("s: the last response was 503"), "{line}");
        Waiting::ended();
        assert_eq!(describe(later), None);
    }
}
