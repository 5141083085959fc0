//! Repeats a call and measures its time.
//!
//! Wall-clock time includes the tenant; CPU time of this process does not, so it compares clients even where the tenant is
//! slower. Neither includes the set-up.

use std::{fs, io, time::Instant};

/// The result of a read, to check that all programs read the same.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// The number of learners.
    rows: usize,
    /// The size of their email addresses in bytes.
    bytes: usize,
}

impl Seen {
    /// Learners with these email addresses.
    pub(crate) fn of<'a>(emails: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        emails.into_iter().fold(Self::default(), Self::and)
    }

    /// Adds a learner with this email address.
    pub(crate) fn and(self, email: Option<&str>) -> Self {
        Self {
            rows: self.rows + 1,
            bytes: self.bytes + email.map_or(0, str::len),
        }
    }
}

/// Number of calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// Before the measurement.
    pub(crate) warm_up: u32,
    /// During the measurement.
    pub(crate) counted: u32,
}

impl Times {
    /// Makes the calls, and returns the measured times as one line of JSON.
    pub(crate) async fn of<E: From<io::Error>>(
        self,
        mut call: impl AsyncFnMut() -> Result<Seen, E>,
    ) -> Result<String, E> {
        for _ in 0..self.warm_up {
            call().await?;
        }
        let (mut rows, mut bytes) = (0, 0);
        let (cpu, started) = (cpu_time()?, Instant::now());
        for _ in 0..self.counted {
            let seen = call().await?;
            rows += seen.rows;
            bytes += seen.bytes;
        }
        let wall = started.elapsed().as_secs_f64();
        let processor = cpu_time()? - cpu;
        let calls = self.counted;
        Ok(format!(
            r#"{{"calls":{calls},"wall":{wall},"processor":{processor},"rows":{rows},"bytes":{bytes}}}"#
        ))
    }
}

/// Returns the CPU time of this process in seconds, without threads that have ended.
fn cpu_time() -> io::Result<f64> {
    // The kernel updates the time when a thread yields; otherwise it may be late by a tick.
    std::thread::yield_now();
    let mut nanoseconds = 0.0;
    for task in fs::read_dir("/proc/self/task")? {
        let text = fs::read_to_string(task?.path().join("schedstat"))?;
        let first = text
            .split(' ')
            .next()
            .and_then(|first| first.parse::<f64>().ok());
        nanoseconds += first.ok_or_else(|| io::Error::other("cannot parse schedstat"))?;
    }
    Ok(nanoseconds / 1e9)
}
