//! The file with the result of each row, which a person reads, corrects and continues from.
//!
//! It has the rows in the form of the input, without secrets, with five more columns, and only its owner can read it. It
//! is written at the end of a run. What a run that was killed has sent is in the ledger.
//!
//! The same command again reads it first, and sends only rows that have not ended well.

use std::{
    collections::{HashMap, VecDeque},
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use lms_plan::StepState;

use super::{
    columns::COLUMNS,
    file::{Format, Row},
};
use crate::{
    commands::ending::{cells, may_be_processed},
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
    /// The rows of earlier runs that are not in the input any more. One that failed was corrected.
    left: Left<StepState>,
}

/// The results of earlier runs.
pub(super) struct Opened {
    /// `None` in a dry run, which only reads them.
    pub(super) results: Option<Results>,
    /// The ending of each row.
    pub(super) endings: Vec<Option<StepState>>,
    /// `true` if every row ended well, also those that are not in the input any more.
    pub(super) are_well: bool,
    /// `true` if rows are not in the input any more.
    pub(super) has_left: bool,
}

impl Results {
    /// Opens the file, which a dry run only reads.
    ///
    /// # Errors
    ///
    /// Usage, if the file is not the results of such rows, or another command or tenant processed some of them: which of
    /// them this run would repeat is not known.
    pub(super) fn open(
        path: &Path,
        is_dry_run: bool,
        (format, run): (&Format, &str),
        rows: &[Row],
    ) -> Result<Opened, Failure> {
        // A link or a pipe may lead to something that is not ours.
        if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(Failure::usage(format!("{} is not a file", path.display()))
                .advice("name a file with --results"));
        }
        let unread = |error: io::Error| Failure::destination(path, &error);
        let mut options = private();
        let options = options.read(true).append(!is_dry_run).create(!is_dry_run);
        let mut file = options.open(path).map_err(unread)?;
        let locked = match is_dry_run {
            true => file.try_lock_shared(),
            false => file.try_lock(),
        };
        locked.map_err(|_| {
            Failure::usage(format!("another process is writing {}", path.display()))
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unread)?;
        let mut entries = match bytes.is_empty() {
            true => Vec::new(),
            false => format.entries(&bytes).ok_or_else(|| {
                let path = path.display();
                Failure::usage(format!("{path} does not have the results of such rows"))
                    .advice("give the file the same columns in the same order; with another file for --results, every row is sent")
            })?,
        };
        entries.retain(|entry| entry.run == run || may_be_processed(&entry.ending));
        if let Some(other) = entries.iter().find(|entry| entry.run != run) {
            return Err(Failure::usage(format!(
                "{} has the results of another command: {}",
                path.display(),
                other.run
            ))
            .advice(
                "run that command, or name another file with --results: then every row is sent",
            ));
        }
        let are_well = entries.iter().all(|entry| entry.ending.status.is_well());
        let entries = entries
            .into_iter()
            .map(|entry| (entry.written, entry.ending));
        let (endings, mut left) = by_row(entries, rows);
        let has_left = !left.is_empty();
        // A person may add what is left again: what every other row has done is known until all have ended well.
        left.retain(|(_, ending)| !are_well && may_be_processed(ending));
        let results = (!is_dry_run).then(|| Self {
            path: path.to_owned(),
            _lock: file,
            format: format.clone(),
            run: run.to_owned(),
            left,
        });
        Ok(Opened {
            results,
            endings,
            are_well,
            has_left,
        })
    }

    /// Returns `true` if the path has anything but an empty file.
    pub(super) fn exist(path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok_and(|found| !found.is_file() || found.len() > 0)
    }

    /// Replaces the file by one with a line for each row that has an ending.
    pub(super) fn finish<'a>(
        &self,
        endings: impl Iterator<Item = (&'a Row, &'a StepState)>,
    ) -> Result<(), Failure> {
        let names = self.format.header.iter().map(String::as_str);
        let mut text = self.format.form.head(names.chain(COLUMNS));
        let endings = endings.map(|(row, ending)| (&row.written, ending));
        let left = self.left.iter().map(|(written, ending)| (written, ending));
        for (written, of) in endings.chain(left) {
            let [word, id, error, note] = cells(of);
            let own = [word, id, error, note, &self.run];
            let own: Vec<_> = COLUMNS.into_iter().zip(own).collect();
            text.extend(self.format.form.line(written, &own));
        }
        write_private(&self.path, &text)
    }
}

/// Values of rows that are not in the input, with the texts of each row.
type Left<T> = Vec<(Vec<String>, T)>;

/// A value for each row, by the texts of the row; and what is left. Of equal rows, the first has the first value.
pub(super) fn by_row<T>(
    values: impl Iterator<Item = (Vec<String>, T)>,
    rows: &[Row],
) -> (Vec<Option<T>>, Left<T>) {
    let mut places: HashMap<&[String], VecDeque<usize>> = HashMap::new();
    for (place, row) in rows.iter().enumerate() {
        places.entry(&row.written).or_default().push_back(place);
    }
    let mut found: Vec<_> = rows.iter().map(|_| None).collect();
    let mut left = Vec::new();
    for (written, value) in values {
        let place = places.get_mut(written.as_slice());
        match place.and_then(VecDeque::pop_front) {
            Some(place) => found[place] = Some(value),
            None => left.push((written, value)),
        }
    }
    (found, left)
}
