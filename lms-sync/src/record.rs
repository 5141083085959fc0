//! The completeness record: the evidence of how a collection was read, and the conclusion whether it is complete.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    collection::Row,
    error::{Error, ErrorKind},
};

/// The evidence from reading a collection, and the conclusion from it.
///
/// Every collection of a run ends with one, complete or not. Sinks store it with the data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CompletenessRecord {
    /// The name of the collection.
    pub collection: String,
    /// The completeness of the rows. In JSON, the boolean `complete` follows it.
    #[serde(
        flatten,
        serialize_with = "CompletenessFields::write",
        deserialize_with = "CompletenessFields::read"
    )]
    #[cfg_attr(feature = "schemars", schemars(flatten, with = "CompletenessFields"))]
    pub completeness: Completeness,
    /// The reasons for which the collection is not complete, one sentence for each kind of observation. Empty if it is complete.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<String>,
    /// `true` if the rows were not stored because [more of a mirror are gone](crate::ErrorKind::TooManyDeletes) than one run may
    /// delete.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub too_many_deletes: bool,
    /// The base URL of the tenant.
    pub tenant: String,
    /// The id of the tenant, `tid` of `GET /oauth/me`, or its base URL. Absent if reading did not
    /// begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    /// The id of the operation, for example `list_learners`.
    pub operation: String,
    /// The filters of the run. Empty if all rows were asked for.
    pub filters: BTreeMap<String, String>,
    /// The [zone](crate::Export::time_zone) in which times without one were read. Absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// Number of times that the collection was read from its start. It is read again if it changed while it was read.
    #[serde(default)]
    pub readings: u64,
    /// The HTTP requests that were sent for pages and objects in all readings, retries included, tokens not.
    pub requests: u64,
    /// Number of the requests that were retries.
    pub retries: u64,
    /// The bytes of the items that were read, as JSON text, in all readings.
    #[serde(default)]
    pub bytes: u64,
    /// Number of times that the run continued from a checkpoint.
    pub resumes: u64,
    /// The pages, or single objects, that were read.
    pub pages: u64,
    /// The rows that were written.
    pub rows: u64,
    /// The number of different keys among the rows.
    pub distinct_keys: u64,
    /// The rows without a key, which cannot be told apart.
    pub rows_without_key: u64,
    /// The rows that were dropped because a row with the same key had been written.
    pub duplicates_dropped: u64,
    /// The calls that found nothing, for a collection that is read by one call for each item of a list.
    #[serde(default)]
    pub not_found: u64,
    /// The parts that were read concurrently, for a list that was partitioned; otherwise 0.
    #[serde(default)]
    pub parts: u64,
    /// The reason for reading a list without parts that should be read in parts; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_partitioned_because: Option<String>,
    /// The number of items of the list that the service stated first. Absent if the list has no such number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number_found_first: Option<i64>,
    /// The number of items of the list that the service stated last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number_found_last: Option<i64>,
    /// Number of values that could not be read as the type of their column, by column. A timestamp without a time zone
    /// counts for its column in UTC, which is null, unless [a zone](crate::Export::time_zone) was given. Other values are in
    /// `_extra`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unreadable: BTreeMap<String, u64>,
    /// The columns of which the files have other text than was read, because a [formula
    /// guard](crate::sink::files::FilesOptions::formula_guard) was asked for.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub guarded_columns: BTreeSet<String>,
    /// A hash over the rows that does not depend on their order: see [`RowsDigest`].
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub rows_sha256: RowsDigest,
    /// Start of the run, or of the last reading of the collection, in UTC.
    pub began: String,
    /// Time of the least recent read of an item, in UTC, for a derived collection with a [budget of
    /// requests](crate::Export::max_requests). Absent without a budget, and if an item was never read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_read: Option<String>,
    /// End of the reading and its lookups, or time of the failure, in UTC.
    pub ended: String,
    /// The version of this crate.
    pub client_version: String,
}

/// The clocks of machines differ by less.
const CLOCKS: SignedDuration = SignedDuration::from_mins(5);

/// The time that has passed since a time of a [record](CompletenessRecord). `None` if the text is no time, or one in the future: the
/// clock was wrong then or is wrong now, so the age is not known.
#[must_use]
pub fn age_of(time: &str) -> Option<Duration> {
    let time: Timestamp = time.parse().ok()?;
    let age = Timestamp::now().duration_since(time);
    (age > -CLOCKS).then(|| age.try_into().unwrap_or_default())
}

impl CompletenessRecord {
    /// Returns `true` if every row was read, and none moved meanwhile.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.completeness == Completeness::Complete
    }

    /// The record of rows that could not be stored.
    pub(crate) fn failed(&self, error: &Error) -> Self {
        Self {
            completeness: Completeness::Incomplete,
            because: vec![error.to_string()],
            too_many_deletes: error.kind() == ErrorKind::TooManyDeletes,
            ..self.clone()
        }
    }
}

/// The completeness of the rows of a collection. The later ones are worse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Completeness {
    /// Every row that existed during the whole run was read.
    Complete,
    /// The budget of requests was spent: some rows were not read recently enough, or never.
    Partial,
    /// The list was read to its end and changed meanwhile, so rows may be missing.
    Changed,
    /// Rows are missing, or what the service sent contradicts itself.
    #[default]
    Incomplete,
}

/// The fields of a [`Completeness`] in the JSON of a record.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
struct CompletenessFields {
    /// The completeness of the rows.
    completeness: Completeness,
    /// `true` if every row was read, and none moved meanwhile.
    #[serde(skip_deserializing)]
    complete: bool,
}

impl CompletenessFields {
    // The signature is that of serde.
    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde passes a reference"
    )]
    fn write<S: Serializer>(completeness: &Completeness, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = Self {
            completeness: *completeness,
            complete: *completeness == Completeness::Complete,
        };
        fields.serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Completeness, D::Error> {
        Self::deserialize(deserializer).map(|fields| fields.completeness)
    }
}

/// A hash over rows that does not depend on their order.
///
/// It is the sum, modulo 2^256, of the SHA-256 of each row's [JSON](Row::to_json), read as a big-endian integer. Rows can
/// thus be read and checked in any order and part by part, without sorting them. A row that occurs twice counts twice. A
/// column without a value does not count, so a release with more columns finds the same hash.
///
/// The probability that rows are lost, doubled or changed by accident without changing the sum is 2^-256. The sum does not
/// protect against an attacker, who can replace it with the data. Even if the record is kept elsewhere, an attacker who can add
/// tens of thousands of chosen rows can find others with the same sum in about 2^33 hashes (Wagner's generalized birthday
/// attack). To detect attacks, keep the manifest of an export elsewhere: it has the SHA-256 of every file.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RowsDigest(#[serde(with = "hex::serde")] [u8; 32]);

impl RowsDigest {
    /// Adds a row.
    pub fn add(&mut self, row: &Row) {
        let (sums, _) = self.0.as_chunks_mut::<8>();
        let (hashes, _) = row.sha256().as_chunks::<8>();
        let mut carry = false;
        for (sum, hash) in sums.iter_mut().zip(hashes).rev() {
            let total = u64::from_be_bytes(*sum).overflowing_add(u64::from_be_bytes(*hash));
            let carried = total.0.overflowing_add(u64::from(carry));
            *sum = carried.0.to_be_bytes();
            carry = total.1 || carried.1;
        }
    }
}

impl fmt::Display for RowsDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for RowsDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::RowsDigest;
    use crate::collection::{Row, collection};

    fn digest(ids: &[&str]) -> RowsDigest {
        let tags = collection("tags").unwrap();
        let mut digest = RowsDigest::default();
        for id in ids {
            let row = format!(r#"{{"id": "{id}", "name": "n"}}"#);
            digest.add(&Row::from_json(tags, &row).unwrap());
        }
        digest
    }

    #[test]
    fn the_order_of_rows_does_not_matter_and_each_row_counts() {
        let rows = digest(&["a", "b", "c", "d"]);
        assert_eq!(digest(&["d", "b", "a", "c"]), rows);
        for others in [
            &["a", "b", "c"][..],
            &["a", "b", "c", "e"],
            &["a", "b", "c", "d", "d"],
            // With the exclusive or, doubled rows would be as none.
            &["a", "b", "c", "d", "e", "e"],
            &["a", "a", "b", "b"],
        ] {
            assert_ne!(digest(others), rows, "{others:?}");
        }
        assert_ne!(digest(&["a", "a"]), digest(&[]));
    }

    #[test]
    fn sums_are_modulo_2_to_the_256() {
        let one = digest(&["a"]);
        let mut negative = one.0.map(|byte| !byte);
        // The two's complement.
        for byte in negative.iter_mut().rev() {
            let (sum, carried) = byte.overflowing_add(1);
            *byte = sum;
            if !carried {
                break;
            }
        }
        let mut sum = RowsDigest(negative);
        let tags = collection("tags").unwrap();
        let row = Row::from_json(tags, r#"{"id": "a", "name": "n"}"#);
        sum.add(&row.unwrap());
        assert_eq!(sum, RowsDigest::default());
    }
}
