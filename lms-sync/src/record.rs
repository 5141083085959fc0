//! The completeness record: how a collection was read, so that people and programs can tell whether it is whole.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};

use crate::collection::Row;

/// How a collection was read.
///
/// Every collection of a run ends with one, complete or not. Sinks store it with the data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CompletenessRecord {
    /// The name of the collection.
    pub collection: String,
    /// Whether every row was read: the last page said that it was the last, no page is missing, every part of a
    /// concurrent walk is done, and the counts of the service do not contradict the rows.
    pub complete: bool,
    /// Why the collection is not complete; absent if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete_because: Option<String>,
    /// Whether rows seem to have been added, removed or moved while they were read. The rows that existed during the
    /// whole run are there; of the others, some may be missing.
    pub drift: bool,
    /// What showed the drift; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift_because: Option<String>,
    /// The base URL of the tenant.
    pub tenant: String,
    /// The id of the operation, for example `list_learners`.
    pub operation: String,
    /// The filters of the run. Empty if all rows were asked for.
    pub filters: BTreeMap<String, String>,
    /// The HTTP requests that were sent for pages and objects, retries included, tokens not.
    pub requests: u64,
    /// How many of the requests were retries.
    pub retries: u64,
    /// How often the run was started again from a checkpoint.
    pub resumes: u64,
    /// The pages, or single objects, that were read.
    pub pages: u64,
    /// The rows that were written.
    pub rows: u64,
    /// The number of different keys among the rows. Absent if an earlier part of the run did not keep its keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinct_keys: Option<u64>,
    /// The rows without a key, which cannot be told apart.
    pub rows_without_key: u64,
    /// The rows that were dropped because a row with the same key had been written.
    pub duplicates_dropped: u64,
    /// The calls that found nothing, for a collection that is read by one call for each item of a list.
    #[serde(default)]
    pub not_found: u64,
    /// The parts that were read concurrently, for a list that was cut; otherwise 0.
    #[serde(default)]
    pub parts: u64,
    /// Why a list that should be cut was read as a whole; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_cut_because: Option<String>,
    /// The number of items of the list that the service stated first. Absent if the list has no such number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number_found_first: Option<i64>,
    /// The number of items of the list that the service stated last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number_found_last: Option<i64>,
    /// SHA-256 over the cursors, in the order in which they were received: `hash = SHA-256(hash ‖ cursor)`, starting with
    /// 32 zero bytes. In hexadecimal.
    pub cursors_sha256: String,
    /// A hash over the rows that does not depend on their order: see [`RowsDigest`].
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub rows_sha256: RowsDigest,
    /// When the first request of the run was sent, in UTC.
    pub began: String,
    /// When the last page was read, or the run failed, in UTC.
    pub ended: String,
    /// The version of this crate.
    pub client_version: String,
    /// The version of the OpenAPI document that the columns come from.
    pub document_version: String,
}

/// A hash over a set of rows that does not depend on their order.
///
/// It is the sum, modulo 2^256, of the SHA-256 of each row's [JSON](Row::to_json), read as a big-endian integer. So it
/// can be computed in any order, part by part, and equal sets of rows have equal sums. It shows that rows were lost,
/// doubled or changed by accident; like any unsigned hash, it does not show that somebody replaced both data and record.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct RowsDigest([u8; 32]);

impl RowsDigest {
    /// Adds a row.
    pub fn add(&mut self, row: &Row) {
        let hash = Sha256::digest(row.to_json());
        let mut carry = 0;
        for (sum, byte) in self.0.iter_mut().zip(hash).rev() {
            let total = u16::from(*sum) + u16::from(byte) + carry;
            let [high, low] = total.to_be_bytes();
            *sum = low;
            carry = u16::from(high);
        }
    }
}

impl fmt::Display for RowsDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for RowsDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for RowsDigest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RowsDigest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = unhex(&text).ok_or_else(|| de::Error::custom("not 64 hexadecimal digits"))?;
        Ok(Self(bytes))
    }
}

/// The bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use fmt::Write as _;
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The 32 bytes of 64 hexadecimal digits.
fn unhex(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    let mut bytes = [0; 32];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(index * 2..index * 2 + 2)?, 16).ok()?;
    }
    Some(bytes)
}
