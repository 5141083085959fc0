//! Appends new completions to a CSV file.
//!
//! The service can list completions by learner and by course, but not by time, and in no documented order. So the whole
//! list is read, and completions that the file contains are skipped: the file is the only state of the export. A million
//! completions take a few minutes.
//!
//! Rows are appended page by page. When the program is killed, the file ends with whole rows and perhaps a partial one,
//! which the next run removes.

use std::{
    collections::HashSet,
    fs::{File, OpenOptions},
    io::{Read, Seek, SeekFrom},
    path::Path,
};

use anyhow::Context;
use lms_ext::{Timestamp, prelude::*};

use crate::Mode;

const HEAD: [&str; 4] = ["completion", "user", "course", "happened"];

/// Appends the completions that are missing in the file, and returns their number. A dry run only counts them.
///
/// # Errors
///
/// When the file cannot be read or written, or the list cannot be read to its end. The rows until then are in the file,
/// and the next run continues.
pub async fn export(lms: &Lms, path: &Path, mode: Mode) -> anyhow::Result<u64> {
    let in_file = || format!("cannot export completions to {}", path.display());
    let mut ledger = Ledger::open(path, mode).with_context(in_file)?;
    let mut pages = lms.list_course_completions().pages();
    while let Some(page) = pages.try_next().await.context("cannot list completions")? {
        for completion in page.items {
            ledger.add(row(completion)).with_context(in_file)?;
        }
        ledger.keep().with_context(in_file)?;
    }
    Ok(ledger.added)
}

type Row = [String; 4];

fn row(completion: types::CourseCompletion) -> Row {
    [
        completion.id.map(String::from).unwrap_or_default(),
        completion.user.map(String::from).unwrap_or_default(),
        completion.course.map(String::from).unwrap_or_default(),
        // As the service wrote it, since it may have no time zone.
        completion
            .happened
            .as_ref()
            .map(Timestamp::to_string)
            .unwrap_or_default(),
    ]
}

/// The file and its rows.
struct Ledger {
    known: HashSet<Row>,
    added: u64,
    writer: Option<csv::Writer<File>>,
}

impl Ledger {
    fn open(path: &Path, mode: Mode) -> anyhow::Result<Self> {
        let mut text = String::new();
        match File::open(path) {
            Ok(mut file) => file.read_to_string(&mut text).map(drop)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut known = HashSet::new();
        for record in csv::Reader::from_reader(&text.as_bytes()[..whole]).records() {
            let record = record?;
            known.insert(std::array::from_fn(|column| {
                record.get(column).unwrap_or_default().to_owned()
            }));
        }
        let writer = match mode {
            Mode::DryRun => None,
            Mode::Write => Some(append(path, whole)?),
        };
        Ok(Self {
            known,
            added: 0,
            writer,
        })
    }

    fn add(&mut self, row: Row) -> anyhow::Result<()> {
        if self.known.contains(&row) {
            return Ok(());
        }
        if let Some(writer) = &mut self.writer {
            writer.write_record(&row)?;
        }
        self.known.insert(row);
        self.added += 1;
        Ok(())
    }

    /// Writes the added rows to disk.
    fn keep(&mut self) -> anyhow::Result<()> {
        if let Some(writer) = &mut self.writer {
            writer.flush()?;
            writer.get_ref().sync_data()?;
        }
        Ok(())
    }
}

/// Opens the file after its last whole row; an empty file gets a header.
fn append(path: &Path, whole: usize) -> anyhow::Result<csv::Writer<File>> {
    let mut file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)?;
    file.set_len(u64::try_from(whole)?)?;
    file.seek(SeekFrom::End(0))?;
    let mut writer = csv::Writer::from_writer(file);
    if whole == 0 {
        writer.write_record(HEAD)?;
    }
    Ok(writer)
}
