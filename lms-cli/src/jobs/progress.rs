//! The progress of a job, collection by collection.

use clap::{Arg, ArgMatches};
use lms_sync::{Outcome, RunProgress};

use crate::{
    args::{choice, is_set},
    console,
    context::Context,
    progress::Progress,
    wording,
};

pub(super) fn log_format() -> Arg {
    choice(
        "log-format",
        "FORMAT",
        "Format of progress, waits, outcomes and errors on stderr: text, or JSON with one event per line",
        &[("text", false), ("json", true)],
    )
    .global(true)
}

/// Begins to write JSON, if it was asked for.
pub(super) fn set_log_format(matches: &ArgMatches) {
    if is_set(matches, "log-format") {
        console::log_as_json();
    }
}

/// Writes how a collection ended to a log of JSON. Without one, the result of the job says it.
pub(super) fn log_outcome(context: &Context, outcome: &Outcome) {
    if !console::logs_json() {
        return;
    }
    let (record, name) = (&outcome.record, outcome.collection.name);
    let completeness = serde_json::to_value(record.completeness).unwrap_or_default();
    let values = [
        ("collection", name.into()),
        ("completeness", completeness.clone()),
        ("rows", record.rows.into()),
        ("requests", record.requests.into()),
        ("retries", record.retries.into()),
        ("bytes", record.bytes.into()),
    ];
    let message = match &outcome.error {
        None => format!("{name}: {} rows", record.rows),
        Some(error) => format!("{name}: {}", wording::of_job(error)),
    };
    console::event("outcome", context.tenant.as_deref(), &message, &values);
}

/// Shows the progress of a run, page by page.
#[derive(Debug)]
pub(super) struct JobProgress {
    context: Context,
    /// The collection that is read. Each has its own progress, so that no line has the rows of one and the total of another.
    current: Option<(&'static str, Progress)>,
}

impl JobProgress {
    pub(super) fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            current: None,
        }
    }

    /// Shows how far a run is.
    pub(super) fn show(&mut self, state: &RunProgress) {
        // One line at its end is enough for each of several tenants.
        if self.context.tenant.is_some() && !console::logs_json() {
            return;
        }
        let total = state
            .number_found
            .and_then(|total| u64::try_from(total).ok());
        if self
            .current
            .as_ref()
            .is_none_or(|(name, _)| *name != state.collection)
        {
            // Ends that of the collection before.
            self.current = None;
            let label = format!(
                "({} of {}) {}",
                state.position, state.collections, state.collection
            );
            let unit = state.budget.map_or("rows", |_| "requests");
            let progress = Progress::of_collection(&self.context, &label, unit);
            // A run that is resumed has rows of earlier ones.
            progress.start_at(state.budget.map_or(state.rows, |_| state.pages));
            self.current = Some((state.collection, progress));
        }
        if let Some((_, progress)) = &self.current {
            match state.budget {
                Some(budget) => progress.set(state.pages, Some(budget)),
                None => progress.set(state.rows, total),
            }
        }
    }
}
