//! The progress of a job on stderr: a bar on a terminal, and elsewhere a line now and then.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use lms_sync::RunProgress;

use crate::{console, context::Context, progress::per_second, trace::Waiting};

/// How long a job without a terminal is silent.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Shows the progress of a run, page by page.
#[derive(Debug)]
pub(super) struct JobProgress {
    terminal: bool,
    context: Context,
    /// The bar of the collection that is read.
    bar: Option<ProgressBar>,
    /// The collection that is read, and when it began or had a line.
    last: Option<(&'static str, Instant)>,
    /// The line of the last page, if it was not printed.
    pending: Option<String>,
}

impl JobProgress {
    pub(super) fn new(context: &Context) -> Self {
        Self {
            terminal: console::stderr_is_terminal(),
            context: context.clone(),
            bar: None,
            last: None,
            pending: None,
        }
    }

    /// Shows how far a run is.
    pub(super) fn show(&mut self, progress: &RunProgress) {
        Waiting::ended(self.context.tenant.as_deref());
        if self.context.quiet {
            return;
        }
        let now = Instant::now();
        let known = self.last.filter(|(known, _)| *known == progress.collection);
        let collection = format!(
            "({} of {}) {}",
            progress.position, progress.collections, progress.collection
        );
        let total = progress
            .number_found
            .and_then(|total| u64::try_from(total).ok());
        if self.terminal {
            self.last = Some((progress.collection, now));
            self.draw(known.is_none(), collection, progress.rows, total);
            return;
        }
        let began = known.map_or_else(
            || {
                self.print();
                now
            },
            |(_, at)| at,
        );
        let total = total
            .map(|total| format!(" of {total}"))
            .unwrap_or_default();
        self.pending = Some(format!("{collection}: {}{total} rows", progress.rows));
        let due = now - began >= BETWEEN_LINES;
        if due {
            self.print();
        }
        self.last = Some((progress.collection, if due { now } else { began }));
    }

    /// Prints the line of the last page, so that the last line of a collection has all its rows.
    fn print(&mut self) {
        if let Some(line) = self.pending.take() {
            self.context.line(&line);
        }
    }

    /// Draws the bar. Each collection has its own: a bar that changes step by step shows rows of one and the total of another.
    fn draw(&mut self, is_new: bool, collection: String, rows: u64, total: Option<u64>) {
        if is_new {
            self.clear();
        }
        let bar = self
            .bar
            .get_or_insert_with(|| ProgressBar::no_length().with_message(collection));
        let template = match total {
            Some(_) => "{msg} {wide_bar} {pos} of {len} rows{per_second}",
            None => "{msg} {pos} rows{per_second}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.with_key("per_second", per_second));
        }
        if let Some(total) = total {
            bar.set_length(total);
        }
        bar.set_position(rows);
    }

    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for JobProgress {
    fn drop(&mut self) {
        self.print();
        self.clear();
    }
}
