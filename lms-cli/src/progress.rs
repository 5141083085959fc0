//! Progress on stderr: a bar on a terminal. Elsewhere, and with `--accessible`, a line every ten seconds.

use std::{
    fmt::Write as _,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::{
    console::{self, logs_json, stderr_is_terminal, stdout_is_terminal},
    context::Context,
};

/// Seconds after which the next line is written.
const INTERVAL: u64 = 10;

/// The progress of one thing, which is counted in units such as rows.
#[derive(Debug)]
pub(crate) struct Progress {
    context: Context,
    bar: ProgressBar,
    /// Name of the counted objects, and their unit.
    label: String,
    unit: &'static str,
    lines: Option<Lines>,
    /// `true` if the last line has all units.
    has_last: bool,
}

/// Progress in lines.
#[derive(Debug, Default)]
struct Lines {
    /// Seconds from the start to the line that was printed last.
    printed_at: AtomicU64,
    /// Units of that line.
    printed: AtomicU64,
}

impl Progress {
    /// The progress of a list. Hidden if the list itself goes to the terminal.
    pub(crate) fn of_rows(context: &Context) -> Self {
        Self::new(context, stdout_is_terminal(), "", "read")
    }

    /// The progress of the rows of a file.
    pub(crate) fn of_writes(context: &Context, total: u64) -> Self {
        let progress = Self::new(context, false, "", "rows");
        progress.set_total(Some(total));
        progress
    }

    /// The progress of a task with a state from 0 to 100.
    pub(crate) fn of_task(context: &Context, task: &str) -> Self {
        let progress = Self::new(context, false, task, "%");
        progress.set_total(Some(100));
        progress
    }

    /// The progress of a collection of a job, in rows or, within a budget, in requests.
    pub(crate) fn of_collection(context: &Context, label: &str, unit: &'static str) -> Self {
        let mut progress = Self::new(context, false, label, unit);
        progress.has_last = true;
        progress
    }

    fn new(context: &Context, hidden: bool, label: &str, unit: &'static str) -> Self {
        let hidden = hidden || context.quiet;
        // Bars of several tenants would overwrite each other.
        let is_bar = !hidden
            && stderr_is_terminal()
            && !context.accessible
            && context.tenant.is_none()
            && !logs_json();
        // The default style would show a bar without words until the first page.
        let words = ProgressStyle::with_template("{wide_msg}");
        let words = words.unwrap_or_else(|_| ProgressStyle::default_bar());
        Self {
            context: context.clone(),
            bar: match is_bar {
                true => ProgressBar::no_length().with_style(words),
                false => ProgressBar::hidden(),
            },
            label: label.to_owned(),
            unit,
            lines: (!hidden && !is_bar).then(Lines::default),
            has_last: false,
        }
    }

    /// Writes a line for people without breaking the bar.
    pub(crate) fn line(&self, text: &str) {
        self.bar.suspend(|| self.context.line(text));
    }

    fn set_total(&self, total: Option<u64>) {
        if total != self.bar.length()
            && let Some(total) = total
        {
            self.bar.set_length(total);
        }
    }

    /// Units that were done before: the rate does not count them.
    pub(crate) fn start_at(&self, units: u64) {
        self.bar.set_position(units);
        self.bar.reset_eta();
    }

    /// More units are done, of a total if it is known.
    pub(crate) fn add(&self, units: u64, total: Option<u64>) {
        self.set(self.bar.position() + units, total);
    }

    /// The units that are done, of a total if it is known.
    pub(crate) fn set(&self, units: u64, total: Option<u64>) {
        self.set_total(total);
        self.bar.set_position(units);
        let Some(lines) = &self.lines else {
            return self.draw();
        };
        let elapsed = self.bar.elapsed().as_secs();
        if elapsed >= lines.printed_at.load(Ordering::Relaxed) + INTERVAL {
            lines.printed_at.store(elapsed, Ordering::Relaxed);
            self.print(lines);
        }
    }

    fn draw(&self) {
        let template = match self.bar.length() {
            Some(_) => "{bar:12} {wide_msg}",
            None => "{wide_msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_message(self.describe());
    }

    fn print(&self, lines: &Lines) {
        lines.printed.store(self.bar.position(), Ordering::Relaxed);
        let values = [
            ("what", self.label.clone().into()),
            ("done", self.bar.position().into()),
            ("total", self.bar.length().into()),
            ("unit", self.unit.into()),
        ];
        let tenant = self.context.tenant.as_deref();
        console::event("progress", tenant, &self.describe(), &values);
    }

    fn describe(&self) -> String {
        let rate =
            Some(self.bar.per_sec()).filter(|_| self.bar.elapsed() >= Duration::from_secs(1));
        let count = count(self.bar.position(), self.bar.length(), self.unit, rate);
        match &*self.label {
            "" => count,
            label => format!("{label}: {count}"),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let lines = self.lines.as_ref().filter(|_| self.has_last);
        let position = self.bar.position();
        if let Some(lines) = lines.filter(|of| of.printed.load(Ordering::Relaxed) != position) {
            self.print(lines);
        }
        self.bar.finish_and_clear();
    }
}

/// The count, the rate, and the time that is left at this rate.
fn count(units: u64, total: Option<u64>, unit: &str, per_second: Option<f64>) -> String {
    let mut text = match total {
        Some(_) if unit == "%" => format!("{units} %"),
        Some(total) if total > 0 => {
            format!(
                "{units} of {total} {unit} ({} %)",
                (units * 100 / total).min(100)
            )
        }
        _ => format!("{units} {unit}"),
    };
    if let Some(rate) = per_second.filter(|rate| *rate >= 0.01) {
        if unit != "%" && rate >= 1.0 {
            let _ = write!(text, ", {rate:.0} per second");
        }
        if let Some(left) = total
            .and_then(|total| total.checked_sub(units))
            .filter(|left| *left > 0)
        {
            let left = Duration::from_secs_f64((left as f64 / rate).ceil());
            let _ = write!(text, ", {:#} left", HumanDuration(left));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_says_how_far_how_fast_and_how_long() {
        for (units, total, unit, rate, expected) in [
            (0, None, "read", None, "0 read"),
            (200, None, "rows", Some(100.0), "200 rows, 100 per second"),
            (200, Some(0), "rows", None, "200 rows"),
            (200, Some(1000), "rows", None, "200 of 1000 rows (20 %)"),
            (
                200,
                Some(1000),
                "rows",
                Some(100.0),
                "200 of 1000 rows (20 %), 100 per second, 8s left",
            ),
            (
                1200,
                Some(1000),
                "rows",
                Some(0.5),
                "1200 of 1000 rows (100 %)",
            ),
            (10, Some(100), "%", Some(0.5), "10 %, 3m left"),
            (40, Some(100), "%", Some(2.0), "40 %, 30s left"),
        ] {
            assert_eq!(count(units, total, unit, rate), expected);
        }
    }
}
