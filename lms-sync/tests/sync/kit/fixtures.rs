//! The sinks of files and of SQLite in the kit.

use std::{fs, num::NonZeroU64, os::unix::fs::symlink, path::PathBuf};

use lms_sync::{
    Collection, Row,
    mirror::{Mirror, MirrorPolicy},
    sink::{
        Sink,
        files::{FilesOptions, FilesSink, Format, Manifest},
        sqlite::SqliteSink,
    },
};
use rusqlite::Connection;
use serde_json::Value;

use crate::kit;

struct Fixture {
    folder: tempfile::TempDir,
    options: FilesOptions,
}

impl kit::Fixture for Fixture {
    fn sink(&self) -> Box<dyn Sink> {
        Box::new(FilesSink::new(self.folder.path(), self.options.clone()))
    }

    fn published(&self, collection: &'static Collection) -> Option<Vec<Row>> {
        let manifest = Manifest::read(self.folder.path()).unwrap();
        let entry = manifest.collections.get(collection.name)?;
        assert!(
            entry
                .record
                .as_ref()
                .is_none_or(lms_sync::CompletenessRecord::is_complete)
        );
        let mut rows = Vec::new();
        for file in &entry.files {
            let text = fs::read_to_string(self.folder.path().join(&file.path)).unwrap();
            rows.extend(
                text.lines()
                    .map(|line| Row::from_json(collection, line).unwrap()),
            );
        }
        Some(rows)
    }

    /// Points the files that the sink will create to a device that is always full.
    fn fill(&self) -> Option<Box<dyn std::any::Any>> {
        let state = self.folder.path().join(".lms-sync");
        let manifest = fs::read(self.folder.path().join("manifest.json")).unwrap();
        let manifest: Value = serde_json::from_slice(&manifest).unwrap();
        let journal = manifest["unfinished"]["journals"]["course_completions"]
            .as_str()
            .unwrap();
        let staged = state.join("course_completions").join(journal);
        fs::create_dir_all(&staged).unwrap();
        let full = staged.join(format!("part-00001.{}", self.options.extension()));
        symlink("/dev/full", &full).unwrap();
        Some(Box::new(Removed(full)))
    }
}

/// Removes a file when it is dropped.
pub struct Removed(pub PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        fs::remove_file(&self.0).unwrap();
    }
}

fn check(options: &FilesOptions) {
    kit::check(|| Fixture {
        folder: tempfile::tempdir().unwrap(),
        options: options.clone(),
    });
}

#[test]
fn one_file_passes_the_kit() {
    check(&FilesOptions::new(Format::Ndjson));
}

#[test]
fn parts_pass_the_kit() {
    for rows in [2, 5] {
        let rows = NonZeroU64::new(rows).unwrap();
        check(&FilesOptions::new(Format::Ndjson).rows_per_part(rows));
    }
}

struct MirrorFixture(tempfile::TempDir);

impl MirrorFixture {
    fn path(&self) -> PathBuf {
        self.0.path().join("mirror.db")
    }
}

impl kit::Fixture for MirrorFixture {
    fn sink(&self) -> Box<dyn Sink> {
        let policy = MirrorPolicy::default().max_delete_share(1.0);
        Box::new(SqliteSink::new(self.path()).policy(policy))
    }

    fn publishes_together(&self) -> bool {
        true
    }

    fn published(&self, collection: &'static Collection) -> Option<Vec<Row>> {
        let verified = Mirror::sqlite(self.path()).verify().ok()?;
        let committed = verified
            .iter()
            .find(|verified| verified.collection == collection.name)?;
        let record = committed.record.as_ref()?;
        let mut rows = Vec::new();
        Mirror::sqlite(self.path())
            .read(|mirror| mirror.visit_rows(collection, &mut |row| rows.push(row)))
            .unwrap();
        assert!(record.is_complete());
        Some(rows)
    }

    /// A row cannot be added to a table whose largest automatic number is taken, and SQLite reports that as a full disk.
    fn fill(&self) -> Option<Box<dyn std::any::Any>> {
        Connection::open(self.path())
            .unwrap()
            .execute_batch(
                "CREATE TABLE space (number INTEGER PRIMARY KEY AUTOINCREMENT);
                 INSERT INTO space VALUES (9223372036854775807);
                 CREATE TRIGGER full_disk BEFORE INSERT ON _lms_staging_course_completions
                 BEGIN INSERT INTO space VALUES (NULL); END",
            )
            .unwrap();
        Some(Box::new(Full(self.path())))
    }
}

/// Frees the space of a database when it is dropped.
struct Full(PathBuf);

impl Drop for Full {
    fn drop(&mut self) {
        Connection::open(&self.0)
            .unwrap()
            .execute_batch("DROP TRIGGER full_disk; DROP TABLE space")
            .unwrap();
    }
}

#[test]
fn sqlite_passes_the_kit() {
    kit::check(|| MirrorFixture(tempfile::tempdir().unwrap()));
}
