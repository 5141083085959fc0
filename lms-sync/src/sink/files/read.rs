//! Reads the rows of an export back, as values of the program's own types.
//!
//! A row becomes the JSON object that the service sent, as far as the export kept it. Every type that reads an item of
//! the list therefore also reads its rows, from files of any format.

use std::{fmt, io, iter, marker::PhantomData, path::Path};

use serde::de::DeserializeOwned;

use super::{
    FolderStore, decode,
    encode::FileInfo,
    format::FilesOptions,
    manifest::{Manifest, NAME},
    verify_files::open_unchanged,
};
use crate::{
    collection::{Collection, Column, Row, Value, fields, known},
    error::{Error, ErrorKind},
    record::CompletenessRecord,
};

/// Reads the rows of a collection from the files of an export.
///
/// `T` is the type of the items of the list, or your own with some of its fields. A field without a value is left out, and
/// the fields in `_extra` are where the service sent them. Secrets, and the times in UTC, are not among the fields.
///
/// Each file is compared with its size and its SHA-256 in the manifest before its rows are read. If a row cannot be
/// decoded as a `T`, the iterator returns an error and continues with the next row. After any other error, it ends.
/// Reading blocks.
///
/// ```
/// # use lms_ext::types;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use lms_sync::{Export, sink::files::{FilesOptions, FilesSink, Format}};
/// # let sandbox = lms_sandbox::Sandbox::builder().start().await?;
/// # let lms = lms_ext::Lms::builder(sandbox.base_url())
/// #     .client_credentials(sandbox.client_id(), sandbox.client_secret())
/// #     .build()?;
/// # lms.add_learner("Jo", "Bell", "jo@acme.example").await?;
/// # let folder = tempfile::tempdir()?;
/// # let audit = folder.path();
/// # let sink = FilesSink::new(audit, FilesOptions::new(Format::Csv));
/// # Export::new(&lms).collections(["learners"])?.run(sink).await?;
/// use lms_sync::{collections, read_files};
///
/// let learners = read_files::<types::Learner>(audit, collections::LEARNERS)?;
/// println!("{} learners, read until {}", learners.record().rows, learners.record().ended);
/// let learners: Vec<types::Learner> = learners.collect::<Result<_, _>>()?;
/// assert_eq!(learners[0].surname.as_deref(), Some("Bell"));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Usage`](ErrorKind::Usage) when there is no such collection; [`Incomplete`](ErrorKind::Incomplete) when the folder has no
/// export of it, or one that is not complete; [`Foreign`](ErrorKind::Foreign) when the manifest is not valid or of a newer
/// version, and when a file has a column that this release does not know. The rows can fail with [`Damaged`](ErrorKind::Damaged) and [`Decode`](ErrorKind::Decode).
pub fn read_files<T: DeserializeOwned>(
    destination: impl AsRef<Path>,
    collection: &str,
) -> Result<Rows<T>, Error> {
    let destination = destination.as_ref();
    let collection = known(collection)?;
    let mut manifest = Manifest::read(destination)?;
    let entry = manifest.collections.remove(collection.name);
    let stored = entry.and_then(|entry| Some((entry.files, entry.record?, entry.options?)));
    let refuse = |reason: &str| {
        let (folder, name) = (destination.display(), collection.name);
        ErrorKind::Incomplete.error(format!(
            "{folder} has no complete export of {name}{reason}; export it again"
        ))
    };
    match stored {
        Some((files, record, options)) if record.is_complete() => {
            let folder = destination.to_owned();
            let rows = files
                .into_iter()
                .flat_map(move |info| rows_of(&folder, collection, &options, &info));
            Ok(Rows {
                rows: Box::new(rows),
                record,
                read: 0,
                ended: false,
                of: PhantomData,
            })
        }
        Some(_) => Err(refuse(": its list changed while it was read")),
        None if !destination.join(NAME).exists() => {
            let folder = destination.display();
            let message =
                format!("{folder} has no export, because it has no {NAME}; check the path");
            Err(ErrorKind::Incomplete.error(message))
        }
        None => Err(refuse("")),
    }
}

/// The rows of a collection, each as a `T`: see [`read_files`].
#[must_use = "nothing is read until the rows are iterated"]
pub struct Rows<T> {
    rows: PlacedRows,
    record: CompletenessRecord,
    read: u64,
    ended: bool,
    of: PhantomData<fn() -> T>,
}

/// Rows, each with its place in the export.
type PlacedRows = Box<dyn Iterator<Item = Result<(String, Row), Error>> + Send>;

impl<T> Rows<T> {
    /// The record of the export.
    pub fn record(&self) -> &CompletenessRecord {
        &self.record
    }
}

impl<T: DeserializeOwned> Iterator for Rows<T> {
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.rows.next();
        self.ended = !matches!(next, Some(Ok(_)));
        match next {
            Some(Ok((place, row))) => {
                self.read += 1;
                Some(decode(&place, &row))
            }
            Some(Err(error)) => Some(Err(error)),
            None if self.read == self.record.rows => None,
            None => Some(Err(damaged(&format!(
                "the files have {} rows of {}, and their record has {}",
                self.read, self.record.collection, self.record.rows
            )))),
        }
    }
}

impl<T> fmt::Debug for Rows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Rows");
        shown
            .field("record", &self.record)
            .field("read", &self.read);
        shown.finish_non_exhaustive()
    }
}

/// The rows of a file, or why there are none.
fn rows_of(
    destination: &Path,
    collection: &'static Collection,
    options: &FilesOptions,
    info: &FileInfo,
) -> PlacedRows {
    let path = info.path.clone();
    let open = || {
        let file = open_unchanged(&FolderStore::new(destination), info)?;
        let file = file.map_err(|problem| damaged(&problem))?;
        decode::rows(file, collection, options).map_err(|error| unreadable(&path, error))
    };
    match open() {
        Err(error) => Box::new(iter::once(Err(error))),
        Ok(rows) => Box::new(rows.zip(1_u64..).map(move |(row, number)| {
            let place = format!("row {number} of {path}");
            match row {
                Ok(row) => Ok((place, row)),
                Err(error) => Err(unreadable(&place, error)),
            }
        })),
    }
}

fn unreadable(place: &str, error: io::Error) -> Error {
    if error.kind() == io::ErrorKind::Unsupported {
        let message = format!("{place}: {error}; use the program that wrote it");
        return ErrorKind::Foreign.error(message);
    }
    damaged(&format!("{place} cannot be read")).with_source(error)
}

fn damaged(problem: &str) -> Error {
    ErrorKind::Damaged.error(format!("{problem}; restore the files or export them again"))
}

/// The value of a row.
fn decode<T: DeserializeOwned>(place: &str, row: &Row) -> Result<T, Error> {
    let (json, starts) = item(row);
    serde_json::from_str(&json).map_err(|error| {
        // A field that is missing is noticed at the end.
        let inside = error.column() < json.len();
        let mut names = starts.iter().filter(|(start, _)| *start < error.column());
        let field = names.next_back().filter(|_| inside);
        let field = field.map_or_else(String::new, |(_, name)| format!(", {name}"));
        let reason = error.to_string();
        let reason = reason
            .rsplit_once(" at line ")
            .map_or(&*reason, |(reason, _)| reason);
        ErrorKind::Decode.error(format!(
            "{place}{field} does not have the expected type: {reason}"
        ))
    })
}

/// The JSON object that the service sent, and the position of each field in it.
fn item(row: &Row) -> (String, Vec<(usize, String)>) {
    let (mut json, mut starts) = ("{".to_owned(), Vec::new());
    let mut push = |name: &str, value: &str| {
        if json.len() > 1 {
            json.push(',');
        }
        starts.push((json.len(), name.to_owned()));
        json.extend([name, ":", value]);
    };
    for (column, value) in row.collection().columns.iter().zip(row.values()) {
        match value {
            Value::Null | Value::Utc(_) => {}
            Value::Json(extra) if column.name == Column::EXTRA_NAME => {
                let fields = fields(extra).into_iter().flatten();
                fields.for_each(|(name, value)| push(name, value));
            }
            value => push(
                &format!("{:?}", column.name),
                // A value with text as its only keys can be written.
                &serde_json::to_string(value).unwrap_or_default(),
            ),
        }
    }
    json.push('}');
    (json, starts)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::collection::RowReader;

    fn row(item: &str) -> Row {
        let learners = known("learners").unwrap();
        RowReader::new(learners, None).read(item, &[]).unwrap().0
    }

    #[test]
    fn an_error_names_the_row_and_its_field() {
        #[derive(Debug, serde::Deserialize)]
        #[expect(dead_code, reason = "it is never read")]
        struct Learner {
            surname: String,
            notes: Option<String>,
        }

        let text = "does not have the expected type:";
        for (item, expected) in [
            (
                json!({ "id": "l1", "surname": 7 }),
                format!(r#"row 1, "surname" {text} invalid type: integer `7`, expected a string"#),
            ),
            (
                json!({ "id": "l1", "surname": "a", "notes": ["b"] }),
                format!(r#"row 1, "notes" {text} invalid type: sequence, expected a string"#),
            ),
            (
                json!({ "id": "l1" }),
                format!("row 1 {text} missing field `surname`"),
            ),
        ] {
            let read = decode::<Learner>("row 1", &row(&item.to_string()));
            let error = read.unwrap_err();
            assert_eq!(
                (error.kind(), error.to_string()),
                (ErrorKind::Decode, expected)
            );
        }
    }
}
