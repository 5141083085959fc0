//! The progress of a job on stderr: a bar on a terminal, and elsewhere a line now and then.

use std::{
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use lms_sync::RunProgress;

use crate::{context::Context, progress::per_second};

/// How long a job without a terminal is silent.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Shows the progress of a run, page by page.
#[derive(Debug)]
pub(super) struct JobProgress {
    bar: Option<ProgressBar>,
    quiet: bool,
    /// The collection that the last line was about, and when it was written.
    last: Option<(&'static str, Instant)>,
}

impl JobProgress {
    pub(super) fn new(context: &Context) -> Self {
        let style = "{prefix} {msg} {bar:30} {pos} of {len} rows{per_second}";
        let bar = (!context.quiet && io::stderr().is_terminal()).then(ProgressBar::no_length);
        if let (Some(bar), Ok(style)) = (&bar, ProgressStyle::with_template(style)) {
            bar.set_style(style.with_key("per_second", per_second));
        }
        Self {
            bar,
            quiet: context.quiet,
            last: None,
        }
    }

    /// Shows how far a run is.
    pub(super) fn show(&mut self, progress: &RunProgress) {
        let (collection, of) = (
            progress.collection,
            format!("({} of {})", progress.position, progress.collections),
        );
        let total = progress
            .number_found
            .and_then(|total| u64::try_from(total).ok());
        if let Some(bar) = &self.bar {
            bar.set_prefix(of);
            bar.set_message(collection);
            if let Some(total) = total {
                bar.set_length(total);
            } else {
                bar.unset_length();
            }
            bar.set_position(progress.rows);
            return;
        }
        let now = Instant::now();
        let recent = |(shown, at): (&str, Instant)| shown == collection && now - at < BETWEEN_LINES;
        if self.quiet || self.last.is_some_and(recent) {
            return;
        }
        self.last = Some((collection, now));
        let total = total
            .map(|total| format!(" of {total}"))
            .unwrap_or_default();
        // A line of progress is not worth a failure.
        let _ = writeln!(
            io::stderr().lock(),
            "{of} {collection}: {}{total} rows",
            progress.rows
        );
    }
}

impl Drop for JobProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
