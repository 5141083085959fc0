//! Files of a release with other columns.

use std::{fs::File, io, path::Path};

use super::rows;
use crate::{
    collection::{Collection, Column, Row, known},
    record::RowsDigest,
    sink::files::{
        encode::{Output, start},
        format::{Compression, FilesOptions, Format},
    },
};

/// The collection as a release without a column describes it.
fn without(column: &str, of: &'static Collection) -> &'static Collection {
    let columns = of.columns.iter().filter(|known| known.name != column);
    let columns: Vec<Column> = columns.map(|column| Column { ..*column }).collect();
    Box::leak(Box::new(Collection {
        columns: columns.leak(),
        ..*of
    }))
}

fn ways() -> [FilesOptions; 4] {
    [
        FilesOptions::new(Format::Csv).byte_order_mark(),
        FilesOptions::new(Format::Ndjson),
        FilesOptions::new(Format::Ndjson).compression(Compression::Zstd),
        FilesOptions::new(Format::Parquet),
    ]
}

const ROWS: [&str; 2] = [
    r#"{"id":"l1","surname":"a,\"b\"","archived":false,"_extra":{"notes":"x"}}"#,
    r#"{"id":"l2","tags":["t"],"created":"2024-03-16T08:20:10Z","created_utc":"2024-03-16T08:20:10Z"}"#,
];

fn write(path: &Path, of: &'static Collection, options: &FilesOptions) -> RowsDigest {
    let mut encoder = start(Output::new(File::create(path).unwrap(), path), of, options).unwrap();
    let mut digest = RowsDigest::default();
    for row in ROWS {
        let row = Row::from_json(of, row).unwrap();
        encoder.write(&row).unwrap();
        digest.add(&row);
    }
    encoder.finish().unwrap();
    digest
}

fn read(path: &Path, of: &'static Collection, options: &FilesOptions) -> io::Result<Vec<Row>> {
    rows(File::open(path)?, of, options)?.collect()
}

#[test]
fn a_file_that_lacks_a_column_has_the_rows_and_the_hash_of_its_record() {
    let (now, folder) = (known("learners").unwrap(), tempfile::tempdir().unwrap());
    let before = without("notes", now);
    for options in ways() {
        let path = folder.path().join("learners");
        let digest = write(&path, before, &options);
        let read = read(&path, now, &options).unwrap();
        let mut found = RowsDigest::default();
        read.iter().for_each(|row| found.add(row));
        assert_eq!(found, digest, "{options:?}");
        for (row, text) in read.iter().zip(ROWS) {
            assert_eq!(row, &Row::from_json(now, text).unwrap(), "{options:?}");
        }
    }
}

#[test]
fn a_column_that_this_release_does_not_know_is_an_error_that_names_it() {
    let (now, folder) = (known("learners").unwrap(), tempfile::tempdir().unwrap());
    let before = without("notes", now);
    for options in ways() {
        let path = folder.path().join("learners");
        write(&path, now, &options);
        let error = read(&path, before, &options).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Unsupported, "{options:?}");
        let message = "this release does not know the column \"notes\"; a newer one wrote it";
        assert_eq!(error.to_string(), message, "{options:?}");
    }
}
