//! Checks data against the completeness records stored with it.

use crate::{
    collection::Row,
    error::Error,
    extract::SeenKeys,
    record::{Completeness, CompletenessRecord, RowsDigest},
};

/// The result of a check of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerifiedCollection {
    /// The name of the collection.
    pub collection: String,
    /// Its record. Absent if the collection was never complete.
    pub record: Option<CompletenessRecord>,
    /// The differences from the record and the manifest, one sentence each. Empty if the data is complete and unchanged.
    pub problems: Vec<String>,
}

impl VerifiedCollection {
    /// Returns `true` if the data is complete and unchanged.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        self.problems.is_empty()
    }

    /// Adds a problem to a collection, which may have no other entry.
    pub(crate) fn note(verified: &mut Vec<Self>, collection: &str, problem: String) {
        let mut known = verified.iter_mut();
        match known.find(|known| known.collection == collection) {
            Some(known) => known.problems.push(problem),
            None => verified.push(Self {
                collection: collection.to_owned(),
                record: None,
                problems: vec![problem],
            }),
        }
    }
}

/// A number of things: `1 row`, `2 rows`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Rows that are read again.
pub(crate) struct Recount {
    rows: u64,
    digest: RowsDigest,
    keys: SeenKeys,
    /// The number of different keys, unless they could not be kept.
    distinct_keys: Result<u64, Error>,
}

impl Recount {
    pub(crate) fn new() -> Self {
        Self {
            rows: 0,
            digest: RowsDigest::default(),
            keys: SeenKeys::default(),
            distinct_keys: Ok(0),
        }
    }

    pub(crate) fn add(&mut self, row: &Row) {
        self.rows += 1;
        self.digest.add(row);
        if let (Ok(distinct), Some(key)) = (&self.distinct_keys, row.key_fingerprint()) {
            let is_new = self.keys.insert(key);
            self.distinct_keys = is_new.map(|is_new| distinct + u64::from(is_new));
        }
    }

    /// The record with these rows.
    #[cfg(any(feature = "postgres", feature = "sqlite"))]
    pub(crate) fn into_record(
        self,
        record: &CompletenessRecord,
    ) -> Result<CompletenessRecord, Error> {
        Ok(CompletenessRecord {
            rows: self.rows,
            distinct_keys: self.distinct_keys?,
            rows_sha256: self.digest,
            ..record.clone()
        })
    }

    /// Adds the differences from the record.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) if the keys could not be kept in a temporary file.
    pub(crate) fn compare(
        self,
        record: &CompletenessRecord,
        problems: &mut Vec<String>,
    ) -> Result<(), Error> {
        match record.completeness {
            Completeness::Complete => {}
            Completeness::Changed => problems.push(format!(
                "its list changed while it was read, so rows may be missing: {}",
                record.because.join("; ")
            )),
            Completeness::Partial => problems.push(format!(
                "not all rows were read recently enough: {}",
                record.because.join("; ")
            )),
            Completeness::Incomplete => problems.push("its record is not complete".to_owned()),
        }
        if self.rows != record.rows {
            let rows = count(self.rows, "row");
            problems.push(format!("it has {rows}, and the record has {}", record.rows));
        } else if self.digest != record.rows_sha256 {
            problems.push(format!(
                "the rows have the hash {}, and the record has {}",
                self.digest, record.rows_sha256
            ));
        }
        let distinct = self.distinct_keys?;
        if record.distinct_keys != distinct {
            problems.push(format!(
                "the rows have {}, and the record has {}",
                count(distinct, "different key"),
                record.distinct_keys
            ));
        }
        Ok(())
    }
}
