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
    fs::{self, File},
    io::ErrorKind,
    path::Path,
};

use anyhow::Context;
use lms_ext::{WriteMode, prelude::*};

type Row = [String; 4];

const HEAD: [&str; 4] = ["completion", "user", "course", "happened"];

/// Appends the completions that are missing in the file, and returns their number. A dry run only counts them.
///
/// # Errors
///
/// When the file cannot be read or written, or the list cannot be read to its end. The rows until then are in the file,
/// and the next run continues.
pub async fn export(lms: &Lms, path: &Path, mode: WriteMode) -> anyhow::Result<usize> {
    let in_file = || format!("cannot export completions to {}", path.display());
    let (mut known, mut file) = open(path, mode).with_context(in_file)?;
    let mut added = 0;
    let mut pages = lms.list_course_completions().pages();
    while let Some(page) = pages.try_next().await.context("cannot list completions")? {
        let mut new: Vec<Row> = page.items.into_iter().map(row).collect();
        new.retain(|row| known.insert(row.clone()));
        added += new.len();
        if let Some(file) = &mut file {
            write(file, &new).with_context(in_file)?;
        }
    }
    Ok(added)
}

fn row(completion: types::CourseCompletion) -> Row {
    [
        completion.id.map(String::from),
        completion.user.map(String::from),
        completion.course.map(String::from),
        // As the service wrote it, since it may have no time zone.
        completion.happened.map(|happened| happened.to_string()),
    ]
    .map(Option::unwrap_or_default)
}

/// The rows of the file, and the file to append to, unless it is a dry run. An empty file gets a header.
fn open(path: &Path, mode: WriteMode) -> anyhow::Result<(HashSet<Row>, Option<csv::Writer<File>>)> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        text => text?,
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let rows = csv::Reader::from_reader(&text.as_bytes()[..whole]).into_deserialize();
    let rows = rows.collect::<Result<_, _>>()?;
    if mode == WriteMode::DryRun {
        return Ok((rows, None));
    }
    let file = File::options().create(true).append(true).open(path)?;
    file.set_len(u64::try_from(whole)?)?;
    let mut file = csv::Writer::from_writer(file);
    if whole == 0 {
        write(&mut file, &[HEAD])?;
    }
    Ok((rows, Some(file)))
}

/// Writes rows to disk.
fn write(file: &mut csv::Writer<File>, rows: &[[impl AsRef<[u8]>; 4]]) -> anyhow::Result<()> {
    for row in rows {
        file.write_record(row)?;
    }
    file.flush()?;
    Ok(file.get_ref().sync_data()?)
}
