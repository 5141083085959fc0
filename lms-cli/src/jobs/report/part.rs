//! The part of a dossier that comes from a collection.

use lms_sync::{Collection, ColumnKind, CompletenessRecord};
use schemars::JsonSchema;
use serde::Serialize;

use super::read::Row;

/// A collection in a dossier.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DossierPart {
    pub(super) collection: &'static str,
    /// The rows about the person; null if the collection is not in the mirror.
    rows: Option<usize>,
    /// When the last page of the collection was read, in UTC.
    pub(super) mirrored_at: Option<String>,
    /// `true` if the collection was complete.
    pub(super) complete: bool,
}

/// The rows of a collection about a person.
pub(super) struct Part {
    pub(super) collection: &'static Collection,
    pub(super) columns: Vec<(String, ColumnKind)>,
    pub(super) rows: Vec<Row>,
    pub(super) record: Option<CompletenessRecord>,
}

impl Part {
    /// Its line in the list of the dossier.
    pub(super) fn listed(&self) -> DossierPart {
        DossierPart {
            collection: self.collection.name,
            rows: self.record.as_ref().map(|_| self.rows.len()),
            mirrored_at: self.record.as_ref().map(|record| record.ended.clone()),
            complete: self
                .record
                .as_ref()
                .is_some_and(CompletenessRecord::is_complete),
        }
    }
}
