//! Writes data to stdout, and lines for people to stderr.
//!
//! Every byte that this program writes goes through this file. A terminal gets no control characters, because text of the
//! service could change what it shows.

use std::{
    borrow::Cow,
    env,
    hash::{BuildHasher as _, RandomState},
    io::{self, IsTerminal, StdoutLock, Write},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};

use jiff::Timestamp;
use serde_json::{Value, json};
use terminal_size::Height;

/// Number of bytes that are collected before they are written.
const CHUNK: usize = 64 * 1024;

/// The behaviour of a command whose output has no reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// The reader may leave, as `head` does. Later output is dropped, and no error is returned.
    MayLeave,
    /// The output is the result, so a reader that leaves is an error.
    Required,
}

/// The destination of the bytes.
enum Target {
    Stdout(StdoutLock<'static>),
    /// Text that still fits on a screen of these rows.
    Screen(usize, Vec<u8>),
    Pager(Child),
    Memory(Vec<u8>),
}

/// Stdout, buffered until it is flushed, or the content of a file.
pub(crate) struct Stdout {
    target: Target,
    is_terminal: bool,
    reader: Reader,
    has_left: bool,
    buffer: Vec<u8>,
}

impl Stdout {
    pub(crate) fn new(reader: Reader) -> Self {
        Self::of(stdout(), stdout_is_terminal(), reader)
    }

    /// Keeps the bytes.
    pub(crate) fn in_memory() -> Self {
        Self::of(Target::Memory(Vec::new()), false, Reader::Required)
    }

    fn of(target: Target, is_terminal: bool, reader: Reader) -> Self {
        Self {
            target,
            is_terminal,
            reader,
            has_left: false,
            buffer: Vec::new(),
        }
    }

    /// The bytes that were kept.
    pub(crate) fn into_bytes(mut self) -> io::Result<Vec<u8>> {
        self.flush()?;
        Ok(match &mut self.target {
            Target::Memory(bytes) => std::mem::take(bytes),
            _ => Vec::new(),
        })
    }

    /// On a terminal, passes output that is longer than the screen to a pager.
    pub(crate) fn in_pager(mut self) -> Self {
        let size = terminal_size::terminal_size().filter(|_| self.is_terminal);
        if let Some((_, Height(rows @ 1..))) = size {
            self.target = Target::Screen(rows.into(), Vec::new());
        }
        self
    }

    /// Returns `true` if the reader has left.
    pub(crate) fn has_left(&self) -> bool {
        self.has_left
    }

    /// Writes text, in bold if it is `bold`.
    pub(crate) fn heading(&mut self, text: &str, bold: bool) -> io::Result<()> {
        if !bold {
            return self.write_all(text.as_bytes());
        }
        self.drain()?;
        self.emit(b"\x1b[1m")?;
        self.write_all(text.as_bytes())?;
        self.drain()?;
        self.emit(b"\x1b[0m")
    }

    /// Writes all of the output.
    pub(crate) fn print(mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)?;
        self.flush()
    }

    /// Writes the collected bytes. On a terminal, the start of a character waits for its end.
    fn drain(&mut self) -> io::Result<()> {
        let mut buffer = std::mem::take(&mut self.buffer);
        if !self.is_terminal {
            return self.emit(&buffer);
        }
        let end = match str::from_utf8(&buffer) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => buffer.len(),
        };
        self.buffer = buffer.split_off(end);
        self.emit(visible(&String::from_utf8_lossy(&buffer)).as_bytes())
    }

    fn emit(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.has_left {
            return Ok(());
        }
        let out: &mut dyn Write = match &mut self.target {
            Target::Stdout(out) => out,
            Target::Screen(rows, text) => {
                text.extend_from_slice(bytes);
                if text.iter().filter(|byte| **byte == b'\n').count() < *rows {
                    return Ok(());
                }
                let text = std::mem::take(text);
                self.target = pager().map_or_else(stdout, Target::Pager);
                return self.emit(&text);
            }
            Target::Pager(Child { stdin: None, .. }) => return Ok(()),
            Target::Pager(Child {
                stdin: Some(out), ..
            }) => out,
            Target::Memory(kept) => kept,
        };
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Err(error)
                if error.kind() == io::ErrorKind::BrokenPipe && self.reader == Reader::MayLeave =>
            {
                self.has_left = true;
                Ok(())
            }
            written => written,
        }
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= CHUNK {
            self.drain()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.drain()
    }
}

/// Prints what fits on the screen, or waits until the user has left the pager.
impl Drop for Stdout {
    fn drop(&mut self) {
        match &mut self.target {
            Target::Screen(_, text) => {
                let text = std::mem::take(text);
                self.target = stdout();
                let _ = self.emit(&text);
            }
            Target::Pager(pager) => {
                pager.stdin = None;
                let _ = pager.wait();
            }
            Target::Stdout(_) | Target::Memory(_) => {}
        }
    }
}

fn stdout() -> Target {
    Target::Stdout(io::stdout().lock())
}

/// Starts the program that `PAGER` names, or else less as git does. `None` without one, and if it is empty or `cat`.
fn pager() -> Option<Child> {
    let named = env::var("LMS_PAGER").or_else(|_| env::var("PAGER"));
    let line = named.unwrap_or_else(|_| "less".to_owned());
    let mut words = line.split_whitespace();
    let program = words.next().filter(|name| *name != "cat")?;
    let mut command = Command::new(program);
    // Less ends if all fits on the screen, and with Ctrl-C; it leaves the text and its colours.
    for (name, value) in [("LESS", "FRXK"), ("LESSCHARSET", "utf-8")] {
        if env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    command.args(words).stdin(Stdio::piped()).spawn().ok()
}

/// Replaces texts in the lines for people.
static FILTER: OnceLock<fn(&str) -> String> = OnceLock::new();

/// Sets the filter of all lines from now on.
pub(crate) fn filter(filter: fn(&str) -> String) {
    let _ = FILTER.set(filter);
}

/// The name of the run that each line has, if lines are JSON.
static JSON_OF_RUN: OnceLock<String> = OnceLock::new();

/// Writes each line to stderr as a JSON object from now on, with a random name of this run.
pub(crate) fn log_as_json() {
    let run = RandomState::new().hash_one(std::process::id());
    let _ = JSON_OF_RUN.set(format!("{run:016x}"));
}

pub(crate) fn logs_json() -> bool {
    JSON_OF_RUN.get().is_some()
}

/// Writes a line for people to stderr. An error of stderr is ignored: the exit code is decided elsewhere.
pub(crate) fn line(text: &str) {
    event("note", None, text, &[]);
}

/// Writes an event to stderr: as a line for people with the tenant, if there are several, or as a JSON object with all values.
pub(crate) fn event(kind: &str, tenant: Option<&str>, text: &str, values: &[(&str, Value)]) {
    let text = FILTER
        .get()
        .map_or(text.into(), |filter| Cow::from(filter(text)));
    let line = match (JSON_OF_RUN.get(), tenant.filter(|name| !name.is_empty())) {
        (Some(run), tenant) => {
            let mut object = json!({
                "time": Timestamp::now().to_string(), "event": kind, "run": run, "tenant": tenant, "message": text,
            });
            for (name, value) in values {
                object[*name] = value.clone();
            }
            object.to_string()
        }
        (None, Some(tenant)) => format!("{tenant}: {text}"),
        (None, None) => text.into_owned(),
    };
    let _ = writeln!(io::stderr().lock(), "{}", visible(&line));
}

/// Writes a question to stderr, after which the user types.
pub(crate) fn ask(question: &str) -> io::Result<()> {
    let mut stderr = io::stderr().lock();
    write!(stderr, "{} ", visible(question))?;
    stderr.flush()
}

pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Text for a terminal: without the control characters that a terminal obeys, and those that reverse the text.
pub(crate) fn visible(text: &str) -> String {
    let acts = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars()
        .map(|c| if acts(c) { '\u{fffd}' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_control_characters() {
        assert_eq!(
            visible("a\u{1b}[31mb\u{9b}c\u{202e}d\t\n"),
            "a\u{fffd}[31mb\u{fffd}c\u{fffd}d\t\n"
        );
    }
}
