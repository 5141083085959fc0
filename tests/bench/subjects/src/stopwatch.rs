//! Repeats a call and measures its time.
//!
//! Wall-clock time includes the tenant; CPU time of this process does not, so it compares clients even where the tenant is
//! slower. Neither includes the set-up.

use std::{fmt::Display, str::FromStr, time::Instant};

use crate::process::cpu_time;

/// The result of a read, to check that all programs read the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// The number of learners.
    pub rows: usize,
    /// The size of their email addresses in bytes.
    pub bytes: usize,
}

impl Seen {
    /// Adds a learner with this email address.
    #[must_use]
    pub fn and(self, email: Option<&str>) -> Self {
        Self {
            rows: self.rows + 1,
            bytes: self.bytes + email.map_or(0, str::len),
        }
    }
}

/// Parses the next argument of the command line.
///
/// # Errors
///
/// Fails if it is missing or invalid.
pub fn argument<T: FromStr<Err: Display>>(
    arguments: &mut impl Iterator<Item = String>,
    name: &str,
) -> Result<T, String> {
    let text = arguments.next().ok_or(format!("{name} is missing"))?;
    text.parse()
        .map_err(|error| format!("{name} is {text:?}: {error}"))
}

/// Number of calls.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Before the measurement.
    pub warm_up: u32,
    /// During the measurement.
    pub counted: u32,
}

impl Times {
    /// Parses both numbers from the command line.
    ///
    /// # Errors
    ///
    /// Fails if one is missing or invalid.
    pub fn read(arguments: &mut impl Iterator<Item = String>) -> Result<Self, String> {
        Ok(Self {
            warm_up: argument(arguments, "the number of calls to warm up")?,
            counted: argument(arguments, "the number of calls")?,
        })
    }

    /// Makes the calls, and returns the measured times as one line of JSON.
    ///
    /// # Errors
    ///
    /// Fails if a call fails, or `/proc` cannot be read.
    pub async fn of<E: From<std::io::Error>>(
        self,
        mut call: impl AsyncFnMut() -> Result<Seen, E>,
    ) -> Result<String, E> {
        for _ in 0..self.warm_up {
            call().await?;
        }
        let mut seen = Seen::default();
        let (cpu, started) = (cpu_time()?, Instant::now());
        for _ in 0..self.counted {
            let read = call().await?;
            seen.rows += read.rows;
            seen.bytes += read.bytes;
        }
        let wall = started.elapsed().as_secs_f64();
        let processor = cpu_time()? - cpu;
        let (calls, Seen { rows, bytes }) = (self.counted, seen);
        Ok(format!(
            r#"{{"calls":{calls},"wall":{wall},"processor":{processor},"rows":{rows},"bytes":{bytes}}}"#
        ))
    }
}
