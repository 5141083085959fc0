//! The part of a dossier that comes from a collection.

use std::path::Path;

use lms_sync::{
    Collection, CompletenessRecord,
    mirror::{MirrorReader, Query},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use super::read::objects;
use crate::{
    failure::Failure,
    format::CsvOptions,
    output::{csv, json::Members},
    profile::config::write_private,
};

/// A collection in a dossier.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DossierPart {
    pub(super) collection: &'static str,
    /// The rows about the person; null if the collection is not in the mirror.
    pub(super) rows: Option<usize>,
    /// The time at which the last page of the collection was read, in UTC.
    pub(super) mirrored_at: Option<String>,
    /// `true` if the collection was complete.
    pub(super) complete: bool,
}

/// The rows of a collection about a person.
pub(super) struct Part {
    pub(super) collection: &'static Collection,
    pub(super) record: Option<CompletenessRecord>,
    pub(super) table: Table,
}

/// Rows of a query.
#[derive(Default)]
pub(super) struct Table {
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<Box<RawValue>>,
}

impl Part {
    /// Its line in the list of the dossier.
    pub(super) fn listed(&self) -> DossierPart {
        let record = self.record.as_ref();
        DossierPart {
            collection: self.collection.name,
            rows: record.map(|_| self.table.rows.len()),
            mirrored_at: record.map(|record| record.ended.clone()),
            complete: record.is_some_and(CompletenessRecord::is_complete),
        }
    }
}

impl Table {
    pub(super) fn read(mirror: &mut MirrorReader<'_>, query: &Query<'_>) -> Result<Self, Failure> {
        let mut rows = Vec::new();
        mirror.query(query, &mut |row| rows.push(row))?;
        Ok(Self {
            names: query.columns.iter().map(|(name, _)| name.clone()).collect(),
            rows: objects(query.columns, &rows)?,
        })
    }

    pub(super) fn members(&self) -> Vec<Members<'_>> {
        self.rows
            .iter()
            .filter_map(|row| Members::of(row))
            .collect()
    }

    pub(super) fn write_csv(&self, path: &Path) -> Result<(), Failure> {
        let mut text = Vec::new();
        csv::write(
            &mut text,
            &self.names,
            true,
            &self.members(),
            CsvOptions::default(),
        )?;
        write_private(path, &text)
    }
}
