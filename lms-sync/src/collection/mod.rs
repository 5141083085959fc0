//! The collections: the lists of the service as tables with a name, a key and typed columns.
//!
//! The table is generated from the OpenAPI document. The generator leaves out secrets such as `password`, so no row can
//! contain them.
//!
//! ```
//! use lms_sync::{collection, collections};
//!
//! let learners = collection(collections::LEARNERS).unwrap();
//! assert_eq!(learners.key, ["id"]);
//! assert!(learners.column("email").is_some());
//! assert!(learners.column("password").is_none());
//! ```

mod generated {
    #[cfg(not(feature = "tenant-document"))]
    include!("generated.rs");
    #[cfg(feature = "tenant-document")]
    include!(concat!(env!("OUT_DIR"), "/collections.rs"));
}
mod json;
mod reader;
mod row;
mod value;

pub use row::Row;
pub use value::Value;

pub use generated::collections;

pub(crate) use json::{fields, text};
pub(crate) use reader::RowReader;
pub(crate) use row::fingerprint;
pub(crate) use value::time_zone;

use std::io;

use sha2::{Digest as _, Sha256};

use crate::error::Error;

/// All collections, in the order of the document.
#[must_use]
pub fn collections() -> &'static [Collection] {
    generated::COLLECTIONS
}

/// The collection with this name, for example `learners`.
#[must_use]
pub fn collection(name: &str) -> Option<&'static Collection> {
    collections()
        .iter()
        .find(|collection| collection.name == name)
}

/// The collection with this name, or an error that lists all names.
pub(crate) fn known(name: &str) -> Result<&'static Collection, Error> {
    collection(name).ok_or_else(|| {
        let names: Vec<&str> = collections().iter().map(|known| known.name).collect();
        let names = names.join(", ");
        Error::usage(format!(
            "there is no collection {name:?}; there are {names}"
        ))
    })
}

/// Position of a collection in the document; collections that this release does not know come last.
#[cfg(any(feature = "postgres", feature = "sqlite"))]
pub(crate) fn position(name: &str) -> usize {
    let mut known = collections().iter();
    known
        .position(|collection| collection.name == name)
        .unwrap_or(usize::MAX)
}

/// A list of the service as a table.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Collection {
    /// The name, for example `course_completions`.
    pub name: &'static str,
    /// Description of a row, from the document.
    pub description: &'static str,
    /// The id of the operation that is called, for example `list_learners`.
    pub operation: &'static str,
    /// The path parameters of the operation, in the order of its path.
    pub path_parameters: &'static [&'static str],
    /// The lists for whose items the operation is called, once for each combination. Empty for a collection that is a
    /// list itself.
    pub for_each: &'static [ForEach],
    /// The columns that identify a row together.
    pub key: &'static [&'static str],
    /// The id of the operation that returns one row by the values of its [key](Self::key), for example
    /// `get_learner_by_id`: that of the collection itself if it returns one object. `None` if there is none. Then only lists show
    /// whether a row exists.
    pub by_id: Option<&'static str>,
    /// The columns with the id of an object of another collection that has an operation [by id](Self::by_id), each with the
    /// name of that collection: `user` and `learners`.
    pub references: &'static [(&'static str, &'static str)],
    /// All columns, in the order in which sinks write them. The last one is `_extra`.
    pub columns: &'static [Column],
    /// The names of the query parameters that select rows.
    pub filters: &'static [&'static str],
    /// The lists whose items can partition this one: each names one filter, and the column with its value. Empty if the
    /// list has no `number_found`, with which the sum of the parts is compared.
    pub partitions: &'static [ForEach],
    /// `true` if the operation accepts a page size.
    pub limit: bool,
    /// `true` if the pages have `number_found`.
    pub counted: bool,
}

impl Collection {
    /// Returns `true` if the operation is called once for each item of other lists, which costs as many requests.
    #[must_use]
    pub fn is_derived(&self) -> bool {
        !self.for_each.is_empty()
    }

    /// The names of all filters. Those of a derived collection select the calls to make: its path parameters choose single
    /// items, and filters of the lists choose which items are called for.
    #[must_use]
    pub fn all_filters(&self) -> Vec<&'static str> {
        let lists = self.for_each.iter();
        let lists = lists.filter_map(|each| collection(each.collection));
        let of_lists = lists.flat_map(|list| list.filters);
        let of_calls = self.path_parameters.iter().filter(|_| self.is_derived());
        let all = self.filters.iter().chain(of_calls).chain(of_lists);
        let all: std::collections::BTreeSet<&str> = all.copied().collect();
        all.into_iter().collect()
    }

    /// The positions of the columns with these names.
    ///
    /// # Errors
    ///
    /// [`Unsupported`](io::ErrorKind::Unsupported) if this release does not know one of them.
    pub(crate) fn positions<'a>(
        &self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> io::Result<Vec<usize>> {
        let position = |name: &str| {
            let mut columns = self.columns.iter();
            columns.position(|known| known.name == name).ok_or_else(|| {
                let message =
                    format!("this release does not know the column {name:?}; a newer one wrote it");
                io::Error::new(io::ErrorKind::Unsupported, message)
            })
        };
        names.into_iter().map(position).collect()
    }

    /// A hash of the names and kinds of the columns, in hexadecimal.
    pub(crate) fn columns_hash(&self) -> String {
        let mut hash = Sha256::new();
        for column in self.columns {
            hash.update(format!("{} {:?}\n", column.name, column.kind));
        }
        hex::encode(hash.finalize())
    }

    /// The column with this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&'static Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

/// A list for whose items an operation is called, or another list is read.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ForEach {
    /// The name of the collection.
    pub collection: &'static str,
    /// Parameters of the operation, each with the column of the collection that has its value.
    pub values: &'static [(&'static str, &'static str)],
}

/// A column of a collection.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// The name, as the service spells the field.
    pub name: &'static str,
    /// The type of its values.
    pub kind: ColumnKind,
    /// `true` if rows may lack a value. False for the columns of the key only: the service does not promise any other
    /// field.
    pub nullable: bool,
    /// Description of the column, from the document; may be empty.
    pub description: &'static str,
}

impl Column {
    /// The name of the column with everything that has no column of its own.
    pub const EXTRA_NAME: &'static str = "_extra";

    /// The column with everything that has no other column: fields that the document does not describe, and values that
    /// do not fit the type of their column.
    pub(crate) const EXTRA: Self = Self {
        name: Self::EXTRA_NAME,
        kind: ColumnKind::Json,
        nullable: true,
        description: "A JSON object with the fields that have no column, and values that do not fit their column.",
    };
}

/// The type of the values of a [`Column`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ColumnKind {
    /// [`Value::Text`].
    Text,
    /// [`Value::Integer`]: a signed 64-bit integer.
    Integer,
    /// [`Value::Float`].
    Float,
    /// [`Value::Boolean`].
    Boolean,
    /// [`Value::Text`]: a timestamp exactly as the service sent it. The next column is its twin of kind
    /// [`Utc`](Self::Utc).
    Timestamp,
    /// [`Value::Utc`]: the timestamp before it, in UTC. Null when that has no zone, or is not a timestamp.
    Utc,
    /// [`Value::Json`]: an array or an object.
    Json,
}
