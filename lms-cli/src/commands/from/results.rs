//! The file with the result of each row, which a person reads, corrects and continues from.
//!
//! It has the rows in the form of the input, without secrets, with five more columns, and only its owner can read it. It
//! is written at the end of a run. What a run that was killed has sent is in the ledger.
//!
//! The same command again reads it first: it continues what is not finished, and does nothing if the input is the same.

use std::{
    collections::{HashMap, VecDeque},
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use super::{
    columns::COLUMNS,
    ending::{Ending, Entry},
    file::{Format, Row},
};
use crate::{
    failure::Failure,
    profile::config::{private, write_private},
};

/// The file, locked while the program runs.
#[derive(Debug)]
pub(super) struct Results {
    path: PathBuf,
    _lock: File,
    format: Format,
    /// The tenant and the command with its options.
    run: String,
    earlier: Vec<Entry>,
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
        let unread = |error: io::Error| Failure::destination(path, &error);
        let opened = private().read(true).append(true).create(true).open(path);
        let mut file = opened.map_err(unread)?;
        file.try_lock().map_err(|_| {
            Failure::usage(format!("another process is writing {}", path.display()))
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unread)?;
        let earlier = match bytes.is_empty() {
            true => Vec::new(),
            false => format.entries(&bytes).ok_or_else(|| {
                let path = path.display();
                Failure::usage(format!("{path} does not have the results of such rows"))
                    .advice("name another file with --results")
            })?,
        };
        let mut results = Self {
            path: path.to_owned(),
            _lock: file,
            format: format.clone(),
            run: run.to_owned(),
            earlier,
        };
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
        if !are_well {
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
        fs::rename(path, &name).map_err(|error| Failure::destination(path, &error))?;
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

    /// Replaces the file by one with a line for each row that has an ending.
    pub(super) fn finish<'a>(
        &self,
        endings: impl Iterator<Item = (&'a Row, &'a Ending)>,
    ) -> Result<(), Failure> {
        let names = self.format.header.iter().map(String::as_str);
        let mut text = self.format.form.head(names.chain(COLUMNS));
        let endings = endings.map(|(row, ending)| (&row.written, ending, &self.run));
        let earlier = self.earlier.iter();
        let earlier = earlier.map(|entry| (&entry.written, &entry.ending, &entry.run));
        for (written, ending, run) in endings.chain(earlier) {
            let own = [&ending.status, &ending.id, &ending.error, &ending.note, run];
            let own: Vec<_> = COLUMNS.into_iter().zip(own.map(String::as_str)).collect();
            text.extend(self.format.form.line(written, &own));
        }
        write_private(&self.path, &text)
    }
}
