//! The content of a destination.

use std::{collections::BTreeMap, fs, path::Path};

use lms_sync::{
    collection,
    sink::files::{FileInfo, Manifest},
};
use rusqlite::{Connection, types::Value};
use sha2::{Digest, Sha256};

/// The content of every file that the manifest lists, after a check of its hash and size.
pub fn files(destination: &Path) -> BTreeMap<String, Vec<u8>> {
    let manifest = Manifest::read(destination).unwrap();
    let entries = manifest.collections.values();
    let infos = entries.flat_map(|entry| entry.files.clone());
    infos
        .map(|info: FileInfo| {
            let content = fs::read(destination.join(&info.path)).unwrap();
            assert_eq!(content.len() as u64, info.bytes, "{}", info.path);
            let hash: String = Sha256::digest(&content)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            assert_eq!(hash, info.sha256, "{}", info.path);
            (info.path, content)
        })
        .collect()
}

/// The names of everything in the destination but the state folder.
pub fn names(destination: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(destination)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != ".lms-sync")
        .collect();
    names.sort();
    names
}

/// The rows of a mirrored table as text, in the order of the key, without the columns that depend on the run.
pub fn table(path: &Path, name: &str) -> Vec<String> {
    let columns = collection(name).unwrap().columns.iter();
    let columns: Vec<String> = columns
        .map(|column| format!("\"{}\"", column.name))
        .collect();
    let connection = Connection::open(path).unwrap();
    let sql = format!(
        "SELECT {}, _deleted_at FROM {name} ORDER BY 1, 2",
        columns.join(", ")
    );
    let mut statement = connection.prepare(&sql).unwrap();
    let rows = statement.query_map((), |row| {
        let values = (0..=columns.len()).map(|index| row.get::<_, Value>(index).unwrap());
        Ok(format!("{:?}", values.collect::<Vec<_>>()))
    });
    rows.unwrap().map(Result::unwrap).collect()
}
