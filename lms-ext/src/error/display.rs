//! Displays an error in one line, without secrets or personal data: the operation, the cause, the number of attempts,
//! and a remedy.

use std::{fmt, time::Duration};

use super::{Error, ErrorKind};

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        if let Some(operation) = inner.operation {
            write!(f, "{}: ", operation.id)?;
        }
        let description = inner.advice.as_deref().unwrap_or(inner.kind.describe());
        // Starts with the status or, if there is none, with the detail.
        let (words, mut described) = match (inner.status, inner.detail.as_str()) {
            (Some(status), detail) => {
                write!(f, "{}", status.as_u16())?;
                (detail, false)
            }
            (None, "") => {
                f.write_str(description)?;
                ("", true)
            }
            (None, detail) => {
                f.write_str(detail)?;
                ("", false)
            }
        };
        let (attempts, seconds) = (inner.attempts, inner.elapsed.as_secs_f64());
        match (inner.status, attempts) {
            (_, 0) | (Some(_), 1) => {}
            (Some(_), _) => write!(f, " after {attempts} attempts over {seconds:.1} s")?,
            // Connecting is always worth a retry, so it matters that there was none.
            (None, 1) if matches!(inner.kind, ErrorKind::Connect | ErrorKind::ConnectTimeout) => {
                f.write_str(" (after 1 attempt)")?;
            }
            (None, 1) => {}
            (None, _) => write!(f, " (after {attempts} attempts over {seconds:.1} s)")?,
        }
        let asked = inner.retry_after.filter(|asked| !asked.is_zero());
        if !words.is_empty() {
            write!(f, "; {words}")?;
        } else if inner.status.is_some() && asked.is_none() {
            write!(f, "; {description}")?;
            described = true;
        }
        if let Some(path) = &inner.path {
            write!(f, " at {path}")?;
        }
        if inner.kind == ErrorKind::Ambiguous && !described {
            write!(f, "; {description}")?;
        }
        if let Some(asked) = asked {
            write!(f, "; the server asked to wait {} s", whole_seconds(asked))?;
        }
        for note in &inner.notes {
            write!(f, "; {note}")?;
        }
        if let Some(id) = self.request_id() {
            write!(f, "; request id {id}")?;
        }
        if f.alternate()
            && let Some(message) = self.message()
        {
            write!(f, "; the server said: {message}")?;
        }
        Ok(())
    }
}

/// Rounded up, so that a retry is never early.
fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs()
        .saturating_add(u64::from(wait.subsec_nanos() > 0))
}

/// Like [`Display`](fmt::Display), without the server's message: `main` and `unwrap` print an error in this form.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_rounded_up_to_seconds() {
        for (milliseconds, seconds) in [(1, 1), (1000, 1), (1001, 2), (1999, 2)] {
            let wait = Duration::from_millis(milliseconds);
            assert_eq!(whole_seconds(wait), seconds, "{milliseconds}");
        }
    }
}
