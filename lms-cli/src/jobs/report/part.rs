//! The part of a dossier that comes from a collection: its files, and its section of the page.

use std::path::Path;

use lms_sync::{Column, ColumnKind, CompletenessRecord};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::{read::objects, row::Row};
use crate::{
    failure::Failure,
    format::CsvOptions,
    output::{cell, csv, json::Members},
    profile::config::write_private,
    wording::count,
};

/// A collection in a dossier.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DossierPart {
    pub(super) collection: &'static str,
    /// The rows about the person; null if the collection is not in the mirror.
    rows: Option<usize>,
    /// The time at which the last page of the collection was read, in UTC.
    mirrored_at: Option<String>,
    /// `true` if the collection was complete.
    pub(super) complete: bool,
}

/// The rows of a collection about a person.
pub(super) struct Part {
    pub(super) collection: &'static str,
    pub(super) record: Option<CompletenessRecord>,
    pub(super) columns: Vec<(String, ColumnKind)>,
    pub(super) rows: Vec<Row>,
}

impl Part {
    /// Its line in the list of the dossier.
    pub(super) fn listed(&self) -> DossierPart {
        let record = self.record.as_ref();
        DossierPart {
            collection: self.collection,
            rows: record.map(|_| self.rows.len()),
            mirrored_at: record.map(|record| record.ended.clone()),
            complete: record.is_some_and(CompletenessRecord::is_complete),
        }
    }

    /// Writes its files, which only the user can read. Returns its section of the page, without the columns that have no value.
    pub(super) fn write(&self, folder: &Path) -> Result<serde_json::Value, Failure> {
        let title = self.collection.replace('_', " ");
        let listed = self.listed();
        let Some(time) = listed.mirrored_at else {
            let state = "Not read: this page does not say whether there are rows.";
            return Ok(json!({ "title": title, "state": state }));
        };
        let objects = objects(&self.columns, &self.rows)?;
        let file = |ending: &str| folder.join(format!("{}.{ending}", self.collection));
        let text = serde_json::to_string_pretty(&objects)? + "\n";
        write_private(&file("json"), &text)?;
        let rows: Vec<_> = objects.iter().filter_map(|row| Members::of(row)).collect();
        let names: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        let mut text = Vec::new();
        csv::write(&mut text, &names, true, &rows, CsvOptions::default())?;
        write_private(&file("csv"), &text)?;
        let cell = |row: &Members<'_>, name: &str| cell::text(row.get(name));
        let is_filled = |name: &&String| rows.iter().any(|row| !cell(row, name).is_empty());
        let names: Vec<&String> = names.iter().filter(is_filled).collect();
        let heading = |name: &&String| match name.as_str() {
            Column::EXTRA_NAME => "other fields".to_owned(),
            name => name.replace('_', " "),
        };
        let cells = |row| names.iter().map(|name| cell(row, name)).collect();
        let cells: Vec<Vec<String>> = rows.iter().map(cells).collect();
        let missing = match listed.complete {
            true => "",
            false => " Rows may be missing.",
        };
        let rows = count(rows.len(), "row");
        Ok(json!({
            "title": title,
            "state": format!("{rows}, read until {time}.{missing}"),
            "names": names.iter().map(heading).collect::<Vec<_>>(),
            "rows": cells,
        }))
    }
}
