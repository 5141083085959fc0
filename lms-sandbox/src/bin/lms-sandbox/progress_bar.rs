//! The progress of generating a population: a bar on a terminal, and otherwise a line for every 10 %.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};
use lms_sandbox::FillProgress;

/// Shows progress on standard error.
pub(crate) fn reporter() -> impl Fn(FillProgress) + Send + Sync + 'static {
    let reporter = Mutex::new(Reporter {
        on_terminal: std::io::stderr().is_terminal(),
        stage: "",
        tenths: 0,
        bar: ProgressBar::hidden(),
    });
    move |progress| {
        if let Ok(mut reporter) = reporter.lock() {
            reporter.show(progress);
        }
    }
}

struct Reporter {
    on_terminal: bool,
    stage: &'static str,
    tenths: u64,
    bar: ProgressBar,
}

impl Reporter {
    fn show(&mut self, progress: FillProgress) {
        let FillProgress {
            stage, done, total, ..
        } = progress;
        if self.stage != stage {
            (self.stage, self.tenths) = (stage, 0);
            if self.on_terminal {
                self.bar.finish();
                self.bar = bar(stage, total);
            }
        }
        if self.on_terminal {
            self.bar.set_position(done);
            if done == total {
                self.bar.finish();
            }
            return;
        }
        let tenths = done.saturating_mul(10) / total.max(1);
        if tenths > self.tenths {
            self.tenths = tenths;
            let _ = writeln!(std::io::stderr(), "generating {stage}: {done}/{total}");
        }
    }
}

fn bar(stage: &'static str, total: u64) -> ProgressBar {
    let form = "{msg:10} {wide_bar} {human_pos}/{human_len} {elapsed_precise}, {eta} left";
    let style = ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total)
        .with_style(style)
        .with_message(stage)
}
