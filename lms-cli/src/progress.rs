//! Progress on stderr: a line that is redrawn on a terminal, and nothing elsewhere.

use std::{fmt, time::Duration};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::{
    console::{line, stderr_is_terminal, stdout_is_terminal},
    context::Context,
};

/// How fast it goes, as soon as that is known.
pub(crate) fn per_second(state: &ProgressState, out: &mut dyn fmt::Write) {
    if state.elapsed() >= Duration::from_secs(1) && state.per_sec() >= 1.0 {
        // A bar is not worth a failure.
        let _ = write!(out, " ({:.0} per second)", state.per_sec());
    }
}

/// A progress bar, hidden without a terminal.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// The progress of a list. Hidden as well if the list itself goes to the terminal.
    pub(crate) fn of_rows(context: &Context) -> Self {
        Self::new(
            context,
            stdout_is_terminal(),
            "{pos} of {len} read{per_second}",
        )
    }

    /// The progress of the rows of a file.
    pub(crate) fn of_writes(context: &Context, total: u64) -> Self {
        let progress = Self::new(context, false, "{bar:30} {pos} of {len}{per_second}");
        progress.0.set_length(total);
        progress
    }

    /// Writes a line for people without breaking the bar.
    pub(crate) fn line(&self, text: &str) {
        self.0.suspend(|| line(text));
    }

    /// The progress of a task with a state from 0 to 100.
    pub(crate) fn of_task(context: &Context, what: &str) -> Self {
        let progress = Self::new(context, false, &format!("{what} {{bar:30}} {{pos}} %"));
        progress.0.set_length(100);
        progress
    }

    fn new(context: &Context, hidden: bool, template: &str) -> Self {
        if hidden || context.quiet || !stderr_is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::no_length();
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.with_key("per_second", per_second));
        }
        Self(bar)
    }

    /// More rows were read, of a total if it is known.
    pub(crate) fn rows(&self, rows: u64, total: Option<u64>) {
        if let Some(total) = total {
            self.0.set_length(total);
        }
        self.0.inc(rows);
    }

    /// The state of a task.
    pub(crate) fn at(&self, percent: u64) {
        self.0.set_position(percent.min(100));
    }

    /// Removes the line.
    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}
