//! How far is it? Filling a large tenant takes a minute, and whoever waits should see that it goes on.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};
use lms_sandbox::FillProgress;

/// Shows progress on standard error: a bar on a terminal, elsewhere a line for every tenth.
pub(crate) fn reporter() -> impl Fn(FillProgress) + Send + Sync + 'static {
    let shown = Mutex::new(Shown {
        on_terminal: std::io::stderr().is_terminal(),
        stage: "",
        tenths: 0,
        bar: ProgressBar::hidden(),
    });
    move |progress| {
        if let Ok(mut shown) = shown.lock() {
            shown.show(progress);
        }
    }
}

struct Shown {
    on_terminal: bool,
    stage: &'static str,
    tenths: u64,
    bar: ProgressBar,
}

impl Shown {
    fn show(&mut self, progress: FillProgress) {
        let FillProgress {
            stage, done, of, ..
        } = progress;
        if self.stage != stage {
            (self.stage, self.tenths) = (stage, 0);
            if self.on_terminal {
                self.bar.finish();
                self.bar = bar(stage, of);
            }
        }
        if self.on_terminal {
            self.bar.set_position(done);
            if done == of {
                self.bar.finish();
            }
            return;
        }
        let tenths = done.saturating_mul(10) / of.max(1);
        if tenths > self.tenths {
            self.tenths = tenths;
            let _ = writeln!(std::io::stderr(), "filling: {stage} {done}/{of}");
        }
    }
}

fn bar(stage: &'static str, of: u64) -> ProgressBar {
    let form = "{msg:10} {wide_bar} {human_pos}/{human_len} {elapsed_precise}, {eta} to go";
    let style = ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(of).with_style(style).with_message(stage)
}
