//! Which completions are new?
//!
//! The service can list completions by learner and by course, and not by time (§4), and promises no order. So the
//! whole list is walked, and what the file holds already is passed over: the file is the memory of the export, and no
//! second one can contradict it. A tenant with a million completions is walked in a few minutes.
//!
//! Rows are only ever appended, page by page. Whoever kills the program leaves whole rows and perhaps the beginning
//! of one, which the next run cuts off.

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

/// Appends the completions that the file does not hold yet, and gives back how many they are. In a dry run it only
/// counts.
///
/// # Errors
///
/// When the file cannot be read or written, or the list cannot be walked to its end. The rows until then are in the
/// file, and the next run goes on from there.
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
        completion.id.unwrap_or_default(),
        completion.user.unwrap_or_default(),
        completion.course.unwrap_or_default(),
        // As the tenant wrote it: who needs the time parses it, and knows then whether there was a zone.
        completion
            .happened
            .as_ref()
            .map(Timestamp::to_string)
            .unwrap_or_default(),
    ]
}

/// The file, and what is known to be in it.
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

    /// Sees to it that what was added survives.
    fn keep(&mut self) -> anyhow::Result<()> {
        if let Some(writer) = &mut self.writer {
            writer.flush()?;
            writer.get_ref().sync_data()?;
        }
        Ok(())
    }
}

/// Opens the file behind its last whole row; a file without any gets a head.
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
