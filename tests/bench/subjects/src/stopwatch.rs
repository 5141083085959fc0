//! Does one thing many times, and says what that took.
//!
//! The clock on the wall runs while the tenant works; the processor's time of this process does not, so it tells two
//! clients apart where the tenant is the slower of the two. Both are of the calls alone: what it takes to get ready is
//! not in them. No crate is needed, so that a program outside of this workspace can use this file too.

use std::{fs, time::Instant};

/// What one call read, to see that all subjects read the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// How many learners.
    pub rows: usize,
    /// How many bytes of their email addresses.
    pub bytes: usize,
}

impl Seen {
    /// Adds a learner.
    #[must_use]
    pub fn and(self, email: Option<&str>) -> Self {
        Self {
            rows: self.rows + 1,
            bytes: self.bytes + email.map_or(0, str::len),
        }
    }
}

/// How often something is done.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Before it counts.
    pub warm_up: u32,
    /// While it counts.
    pub counted: u32,
}

impl Times {
    /// The two numbers from the command line.
    ///
    /// # Errors
    ///
    /// Says what is wrong with them.
    pub fn read(arguments: &mut impl Iterator<Item = String>) -> Result<Self, String> {
        let mut number = |name: &str| {
            let text = arguments.next().ok_or(format!("{name} is missing"))?;
            text.parse()
                .map_err(|error| format!("{name} is {text:?}: {error}"))
        };
        Ok(Self {
            warm_up: number("the number of calls to warm up")?,
            counted: number("the number of calls")?,
        })
    }

    /// Calls as often as that, and writes down what it took as one line of JSON.
    ///
    /// # Errors
    ///
    /// What a call fails with, and when the system does not say how long this process has run.
    pub async fn of<E: From<std::io::Error>>(
        self,
        mut call: impl AsyncFnMut() -> Result<Seen, E>,
    ) -> Result<String, E> {
        for _ in 0..self.warm_up {
            call().await?;
        }
        let mut seen = Seen::default();
        let (ran, started) = (run_time()?, Instant::now());
        for _ in 0..self.counted {
            let read = call().await?;
            seen.rows += read.rows;
            seen.bytes += read.bytes;
        }
        let wall = started.elapsed().as_secs_f64();
        let processor = run_time()? - ran;
        let (calls, Seen { rows, bytes }) = (self.counted, seen);
        Ok(format!(
            r#"{{"calls":{calls},"wall":{wall},"processor":{processor},"rows":{rows},"bytes":{bytes}}}"#
        ))
    }
}

/// How many seconds this thread, which is the only one at work, has been on a processor.
fn run_time() -> Result<f64, std::io::Error> {
    // The kernel adds up when a thread makes way for others; without this it would be late by up to a tick.
    std::thread::yield_now();
    let text = fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds = text.split(' ').next().and_then(|text| text.parse().ok());
    let nanoseconds: f64 = nanoseconds.ok_or_else(|| std::io::Error::other("no schedstat"))?;
    Ok(nanoseconds / 1e9)
}
