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
    file::{Format, Row},
};
use crate::{
    commands::ending::Ending,
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
    left: Left<Ending>,
}

/// The comparison of results with the rows of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compared {
    /// Rows have not ended well.
    Unfinished,
    /// Every row ended well, and the input has the same rows.
    Same,
    /// Every row ended well, and the input has other rows, and this number of the same.
    Changed(usize),
}

/// Results, unless they are only read; the endings of the rows in earlier runs; and the comparison.
pub(super) type Opened = (Option<Results>, Vec<Option<Ending>>, Compared);

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
                    .advice("name another file with --results")
            })?,
        };
        entries.retain(|entry| entry.run == run || entry.ending.may_be_processed());
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
        let are_well = entries.iter().all(|entry| entry.ending.is_well());
        let entries = entries
            .into_iter()
            .map(|entry| (entry.written, entry.ending));
        let (endings, mut left) = by_row(entries, rows);
        let compared = match endings.iter().flatten().count() {
            _ if !are_well => Compared::Unfinished,
            same if same == rows.len() && left.is_empty() => Compared::Same,
            same => Compared::Changed(same),
        };
        left.retain(|(_, ending)| ending.may_be_processed());
        let results = (!is_dry_run).then(|| Self {
            path: path.to_owned(),
            _lock: file,
            format: format.clone(),
            run: run.to_owned(),
            left,
        });
        Ok((results, endings, compared))
    }

    /// Returns `true` if the path has anything but an empty file.
    pub(super) fn exist(path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok_and(|found| !found.is_file() || found.len() > 0)
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

    /// Replaces the file by one with a line for each row that has an ending.
    pub(super) fn finish<'a>(
        &self,
        endings: impl Iterator<Item = (&'a Row, &'a Ending)>,
    ) -> Result<(), Failure> {
        let names = self.format.header.iter().map(String::as_str);
        let mut text = self.format.form.head(names.chain(COLUMNS));
        let endings = endings.map(|(row, ending)| (&row.written, ending));
        let left = self.left.iter().map(|(written, ending)| (written, ending));
        for (written, ending) in endings.chain(left) {
            let own = [
                &ending.status,
                &ending.id,
                &ending.error,
                &ending.note,
                &self.run,
            ];
            let own: Vec<_> = COLUMNS.into_iter().zip(own.map(String::as_str)).collect();
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
