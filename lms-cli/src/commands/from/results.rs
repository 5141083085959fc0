//! The file with the result of each row, from which a run that was interrupted continues.
//!
//! It has the rows in the form of the input, without secrets, with five more columns, and only its owner can read it. While the program runs, it is only appended to: a line
//! with `sent` before the first request of a row, and one with the result when the row has ended. A row with `sent` and no
//! result may have been processed. At the end, the file is replaced by one with a line for each row.
//!
//! The same command again reads it first: it continues what is not finished, and does nothing if the input is the same.

use std::{
    collections::{HashMap, VecDeque},
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};

use super::{
    columns::{COLUMNS, is_own},
    file::{Format, Row},
};
use crate::{
    calls::{Call, applied::Effect},
    failure::Failure,
    output::json::{Members, Style},
    spreadsheet::Form,
};

/// The status of a row whose result is not known.
pub(super) const SENT: &str = "sent";
pub(super) const AMBIGUOUS: &str = "ambiguous";
pub(super) const FAILED: &str = "failed";
pub(super) const INVALID: &str = "invalid";
/// The status of a row that a run which was stopped has not sent.
pub(super) const UNSENT: &str = "not sent";

/// The end of a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Ending {
    pub(super) status: String,
    pub(super) id: String,
    pub(super) error: String,
    /// The values that an object which existed has kept.
    pub(super) note: String,
}

impl Ending {
    pub(super) fn error(status: &str, error: impl Into<String>) -> Self {
        Self {
            status: status.to_owned(),
            error: error.into(),
            ..Self::default()
        }
    }

    /// Adds the id of the object that the call names, unless the response had one.
    pub(super) fn of(mut self, call: &Call) -> Self {
        if let (true, [(_, id)]) = (self.id.is_empty(), call.input.path.as_slice()) {
            id.clone_into(&mut self.id);
        }
        self
    }

    pub(super) fn is_well(&self) -> bool {
        ![SENT, AMBIGUOUS, FAILED, INVALID, UNSENT].contains(&self.status.as_str())
    }

    /// Returns `true` if the row was processed, or may have been.
    fn may_be_processed(&self) -> bool {
        self.is_well() || self.is_in_doubt()
    }

    /// Returns `true` if it is not known whether the row was processed.
    pub(super) fn is_in_doubt(&self) -> bool {
        [SENT, AMBIGUOUS].contains(&self.status.as_str())
    }
}

/// The number of rows with each status, in the order in which they are reported.
pub(super) fn counts(endings: &[Option<Ending>]) -> Vec<(&'static str, usize)> {
    let names = Effect::ALL.into_iter().map(Effect::name);
    let names = names.chain([FAILED, AMBIGUOUS, INVALID, UNSENT]);
    let count = |name: &str| {
        let endings = endings.iter().flatten();
        endings.filter(|ending| ending.status == name).count()
    };
    let counts = names.map(|name| (name, count(name)));
    counts.filter(|(_, count)| *count > 0).collect()
}

/// A line of the file: the row as it was written, the tenant with the command, and the result.
#[derive(Clone, Debug)]
struct Entry {
    written: Vec<String>,
    run: String,
    ending: Ending,
}

/// The file, locked while the program runs.
#[derive(Debug)]
pub(super) struct Results {
    path: PathBuf,
    file: File,
    format: Format,
    /// The tenant and the command with its options.
    run: String,
    earlier: Vec<Entry>,
    /// `true` if the file is the log of a run that was killed.
    is_log: bool,
}

/// The results of an earlier run, compared with the rows of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compared {
    /// Rows have not ended well.
    Unfinished,
    /// Every row ended well, and the input has the same rows.
    Same,
    /// Every row ended well, and the input has other rows, and this number of the same.
    Changed(usize),
}

impl Results {
    /// Opens the file.
    ///
    /// # Errors
    ///
    /// Usage, if the file is not the results of such rows, or another command or tenant processed some of them: which of
    /// them this run would repeat is not known.
    pub(super) fn open(path: &Path, format: &Format, run: &str) -> Result<Self, Failure> {
        // A link or a pipe may lead to something that is not ours.
        if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(Failure::usage(format!("{} is not a file", path.display()))
                .advice("name a file with --results"));
        }
        let mut options = private();
        let opened = options.read(true).append(true).create(true).open(path);
        let mut file = opened.map_err(|error| unwritten(path, &error))?;
        file.try_lock().map_err(|_| {
            Failure::usage(format!("another process is writing {}", path.display()))
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(|error| unwritten(path, &error))?;
        let mut results = Self {
            path: path.to_owned(),
            file,
            format: format.clone(),
            run: run.to_owned(),
            earlier: Vec::new(),
            is_log: false,
        };
        if bytes.is_empty() {
            results.write(&format.head())?;
            return Ok(results);
        }
        let (entries, complete) = format.entries(&bytes).ok_or_else(|| {
            Failure::usage(format!(
                "{} does not have the results of such rows",
                path.display()
            ))
            .advice("name another file with --results")
        })?;
        // A truncated line is not an entry.
        let cut = results.file.set_len(complete as u64);
        cut.map_err(|error| unwritten(path, &error))?;
        results.is_log = entries.iter().any(|entry| entry.ending.status == SENT);
        results.earlier = joined(entries);
        results
            .earlier
            .retain(|entry| entry.run == run || entry.ending.may_be_processed());
        if let Some(other) = results.earlier.iter().find(|entry| entry.run != run) {
            return Err(Failure::usage(format!(
                "{} has the results of another command: {}",
                path.display(),
                other.run
            ))
            .advice(
                "run that command, or name another file with --results: then every row is sent",
            ));
        }
        Ok(results)
    }

    /// Returns `true` if there is such a file.
    pub(super) fn exist(path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok_and(|found| !found.is_file() || found.len() > 0)
    }

    /// Compares the earlier results with the rows.
    pub(super) fn compare(&self, rows: &[Row]) -> Compared {
        let are_well = self.earlier.iter().all(|entry| entry.ending.is_well());
        if self.is_log || !are_well {
            return Compared::Unfinished;
        }
        let mut known: HashMap<&[String], usize> = HashMap::new();
        for entry in &self.earlier {
            *known.entry(&entry.written).or_default() += 1;
        }
        let same = rows
            .iter()
            .filter(|row| match known.get_mut(row.written.as_slice()) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    true
                }
                _ => false,
            });
        match same.count() {
            same if same == rows.len() && same == self.earlier.len() => Compared::Same,
            same => Compared::Changed(same),
        }
    }

    /// Gives the file another name, and returns it: the results of an earlier run are kept.
    pub(super) fn set_aside(path: &Path) -> Result<PathBuf, Failure> {
        let ending = path
            .extension()
            .map(|text| format!(".{}", text.to_string_lossy()));
        let ending = ending.unwrap_or_default();
        let mut names = (1_u64..).map(|number| path.with_extension(format!("{number}{ending}")));
        let free = names.find(|name| fs::symlink_metadata(name).is_err());
        let name = free.unwrap_or_else(|| path.to_owned());
        fs::rename(path, &name).map_err(|error| unwritten(path, &error))?;
        Ok(name)
    }

    /// The earlier endings of rows, in their order. They are left out of [`finish`](Self::finish).
    pub(super) fn take_earlier(&mut self, rows: &[Row]) -> Vec<Option<Ending>> {
        let mut known: HashMap<Vec<String>, VecDeque<Ending>> = HashMap::new();
        for entry in std::mem::take(&mut self.earlier) {
            known
                .entry(entry.written)
                .or_default()
                .push_back(entry.ending);
        }
        let endings = rows
            .iter()
            .map(|row| known.get_mut(&row.written).and_then(VecDeque::pop_front))
            .collect();
        let run = &self.run;
        // Rows that are not in the input any more. One that failed was corrected.
        let left = known.into_iter().flat_map(|(written, endings)| {
            let kept = endings.into_iter().filter(Ending::may_be_processed);
            kept.map(move |ending| Entry {
                written: written.clone(),
                run: run.clone(),
                ending,
            })
        });
        self.earlier.extend(left);
        endings
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a result.
    pub(super) fn append(&mut self, row: &Row, ending: &Ending) -> Result<(), Failure> {
        let line = self.format.line(&row.written, ending, &self.run)?;
        self.write(&line)?;
        // The ledger leaves the decision about such a row to this file.
        match ending.status.as_str() {
            AMBIGUOUS => self.sync(),
            _ => Ok(()),
        }
    }

    fn sync(&self) -> Result<(), Failure> {
        let synced = self.file.sync_all();
        synced.map_err(|error| unwritten(&self.path, &error))
    }

    /// Replaces the file by one with a line for each row that has an ending.
    pub(super) fn finish<'a>(
        self,
        endings: impl Iterator<Item = (&'a Row, &'a Ending)>,
    ) -> Result<(), Failure> {
        let mut text = self.format.head();
        for (row, ending) in endings {
            text.extend(self.format.line(&row.written, ending, &self.run)?);
        }
        for entry in &self.earlier {
            text.extend(
                self.format
                    .line(&entry.written, &entry.ending, &entry.run)?,
            );
        }
        // The run ends in the ledger after this.
        self.sync()?;
        let mut new = self.path.clone().into_os_string();
        new.push(".new");
        let replaced = write_new(new.as_ref(), &text).and_then(|()| fs::rename(&new, &self.path));
        replaced.map_err(|error| {
            // The log still has every result.
            let _ = fs::remove_file(&new);
            unwritten(&self.path, &error)
        })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.file.write_all(bytes);
        written.map_err(|error| unwritten(&self.path, &error))
    }
}

/// Writes a file in place of what a run that was killed may have left there, and follows no link.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = private().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Options to open a file that only its owner can read once it is created: rows are personal data.
fn private() -> OpenOptions {
    #[cfg_attr(
        not(unix),
        expect(unused_mut, reason = "the mode of a file is one of Unix")
    )]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// The last entry of each row. Of equal rows, the one that was sent first ends first.
fn joined(entries: Vec<Entry>) -> Vec<Entry> {
    let mut joined: Vec<Entry> = Vec::new();
    let mut places: HashMap<(Vec<String>, String), Vec<usize>> = HashMap::new();
    for entry in entries {
        let key = (entry.written.clone(), entry.run.clone());
        let places = places.entry(key).or_default();
        let find = |wanted: fn(&Ending) -> bool| {
            let mut places = places.iter();
            places
                .find(|place| wanted(&joined[**place].ending))
                .copied()
        };
        let replaced = match entry.ending.status.as_str() {
            SENT => find(|ending| !ending.is_well() && !ending.is_in_doubt()),
            _ => find(|ending| ending.status == SENT).or_else(|| find(|ending| !ending.is_well())),
        };
        match replaced {
            Some(place) => joined[place] = entry,
            None => {
                places.push(joined.len());
                joined.push(entry);
            }
        }
    }
    joined
}

impl Format {
    fn head(&self) -> Vec<u8> {
        let names = self.header.iter().map(String::as_str);
        self.form.head(names.chain(COLUMNS))
    }

    fn line(&self, written: &[String], ending: &Ending, run: &str) -> Result<Vec<u8>, Failure> {
        let own = [&ending.status, &ending.id, &ending.error, &ending.note, run];
        match self.form {
            Form::Csv { .. } => {
                let written = written.iter().map(String::as_str);
                Ok(self.form.record(written.chain(own)))
            }
            Form::Ndjson => {
                let own: Map<_, _> = COLUMNS
                    .into_iter()
                    .zip(own)
                    .map(|(name, text)| (name.to_owned(), Value::from(text)))
                    .collect();
                let own = Value::Object(own).to_string();
                let object = written.concat();
                let separator = if object == "{}" { "" } else { "," };
                let object = object
                    .strip_suffix('}')
                    .ok_or_else(|| Failure::fault(format!("a row is not an object: {object}")))?;
                Ok(format!("{object}{separator}{}\n", &own[1..]).into_bytes())
            }
        }
    }

    /// The entries of a file, and the length of its complete lines. `None` if it is not such a file.
    fn entries(&self, bytes: &[u8]) -> Option<(Vec<Entry>, usize)> {
        let end = bytes.iter().rposition(|byte| *byte == b'\n')? + 1;
        let bytes = &bytes[..end];
        let header = &self.header;
        let Form::Csv { delimiter, .. } = self.form else {
            let lines = str::from_utf8(bytes).ok()?.lines();
            return Some((lines.map(json_entry).collect::<Option<_>>()?, end));
        };
        let skipped = match bytes.starts_with(b"\xef\xbb\xbf") {
            true => 3,
            false => 0,
        };
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .delimiter(delimiter)
            .from_reader(&bytes[skipped..]);
        let expected = header.iter().map(String::as_str).chain(COLUMNS);
        if !reader.headers().ok()?.iter().eq(expected) {
            return None;
        }
        let mut entries = Vec::new();
        let mut complete = end;
        for record in reader.records() {
            let record = record.ok()?;
            if complete < end || record.len() != header.len() + COLUMNS.len() {
                complete = complete
                    .min(skipped + record.position().map_or(0, csv::Position::byte) as usize);
                continue;
            }
            let cell = |index: usize| {
                record
                    .get(header.len() + index)
                    .unwrap_or_default()
                    .to_owned()
            };
            entries.push(Entry {
                written: record
                    .iter()
                    .take(header.len())
                    .map(str::to_owned)
                    .collect(),
                run: cell(4),
                ending: Ending {
                    status: cell(0),
                    id: cell(1),
                    error: cell(2),
                    note: cell(3),
                },
            });
        }
        Some((entries, complete))
    }
}

fn json_entry(line: &str) -> Option<Entry> {
    let members: Members<'_> = serde_json::from_str(line).ok()?;
    let own = |name: &str| serde_json::from_str(members.get(name)?.get()).ok();
    let names = members.names().filter(|name| !is_own(name));
    let names: Vec<_> = names.map(str::to_owned).collect();
    let mut written = String::new();
    members.select(&names).write(&mut written, Style::Line);
    Some(Entry {
        written: vec![written],
        run: own("lms_run")?,
        ending: Ending {
            status: own("lms_status")?,
            id: own("lms_id")?,
            error: own("lms_error")?,
            note: own("lms_note")?,
        },
    })
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    Failure::destination(path, error)
}

#[cfg(test)]
mod tests;
