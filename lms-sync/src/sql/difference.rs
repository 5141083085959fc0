//! The statements that update a table to the state of a complete list, and append each change to the feed.
//!
//! They run in one transaction. Before them, the staging table has the rows that are new or have another hash (it may have all rows).
//! `$1`, `$2` are parameters; rows of the table are given by their numbers as a JSON array.

use super::{
    Dialect,
    schema::{Names, Statements, quoted, quoted_columns, quoted_keys},
};
use crate::collection::{Collection, Column};

impl Statements<'_> {
    /// The position, the `_row` and the `_hash` of each key that the table has, unless the row is marked as deleted. Parameter: the
    /// keys as a JSON array of arrays.
    pub(crate) fn find(&self) -> String {
        let keys = quoted_keys(self.collection).into_iter().enumerate();
        let equal: Vec<String> = keys
            .map(|(part, name)| format!("t.{name} = k.value ->> {part}"))
            .collect();
        // In this order, a database looks up each key in the index.
        format!(
            "SELECT k.key, t.\"_row\", t.\"_hash\" FROM {} CROSS JOIN {} AS t WHERE {} AND t.\"_deleted_at\" IS NULL",
            self.dialect.json_items("$1"),
            self.names.live,
            equal.join(" AND ")
        )
    }

    /// Counts the staged rows that replace a row.
    pub(crate) fn count_updates(&self) -> String {
        let Names { live, staging, .. } = &self.names;
        format!(
            "SELECT count(*) FROM {staging} s JOIN {live} t ON {} WHERE t.\"_deleted_at\" IS NULL AND {CHANGED}",
            self.same_key("s", "t")
        )
    }

    /// Appends an event for each new row. Parameters: the run, the time.
    pub(crate) fn note_added(&self) -> String {
        self.note(
            "added",
            "data",
            &format!(
                "{}, {} FROM {} s WHERE {} ORDER BY s.\"_row\"",
                self.json_of("s", true),
                self.json_of("s", false),
                self.names.staging,
                self.is_new()
            ),
        )
    }

    /// Appends an event for each row with another value than before, also if only `_extra` has. Parameters: the run, the time.
    pub(crate) fn note_changed(&self, with_extra: bool) -> String {
        let Names { live, staging, .. } = &self.names;
        let Dialect {
            json_object: object,
            json_object_aggregate: aggregate,
            json_value,
            ..
        } = self.dialect;
        let fields: Vec<String> = self
            .values()
            .map(|column| {
                let name = quoted(column.name);
                let (old, new) = (format!("t.{name}"), format!("s.{name}"));
                format!(
                    "SELECT '{}' AS name, {} AS change WHERE {}",
                    column.name,
                    object(&[
                        ("old", json_value(&old, column.kind)),
                        ("new", json_value(&new, column.kind))
                    ]),
                    self.differs(column)
                )
            })
            .collect();
        let change = json_value("change", crate::collection::ColumnKind::Json);
        self.note(
            "changed",
            "fields",
            &format!(
                "key, fields FROM (SELECT s.\"_row\" AS position, {} AS key, \
                 (SELECT {aggregate}(name, {change}) FROM ({}) AS changes) AS fields \
                 FROM {staging} s JOIN {live} t ON {} WHERE t.\"_deleted_at\" IS NULL AND {CHANGED}{}) AS changed \
                 WHERE CAST(fields AS TEXT) <> '{{}}' ORDER BY position",
                self.json_of("s", true),
                fields.join(" UNION ALL "),
                self.same_key("s", "t"),
                match with_extra {
                    true => String::new(),
                    false => format!(" AND ({})", self.differs_in(|name| name != EXTRA)),
                },
            ),
        )
    }

    /// Appends one event with the number of rows of which only `_extra` has changed, if there are any. Parameters: the run, the
    /// time.
    pub(crate) fn note_extra(&self) -> String {
        let Names { live, staging, .. } = &self.names;
        let object = self.dialect.json_object;
        let rows = object(&[("rows", "changed.number".to_owned())]);
        let change = object(&[("old", "NULL".to_owned()), ("new", rows)]);
        self.note(
            "extra_changed",
            "fields",
            &format!(
                "CAST('{{}}' AS {}), {} FROM (SELECT count(*) AS number FROM {staging} s JOIN {live} t ON {} \
                 WHERE t.\"_deleted_at\" IS NULL AND {CHANGED} AND ({}) AND NOT ({})) AS changed WHERE changed.number > 0",
                self.dialect.json,
                object(&[(EXTRA, change)]),
                self.same_key("s", "t"),
                self.differs_in(|name| name == EXTRA),
                self.differs_in(|name| name != EXTRA),
            ),
        )
    }

    /// Appends an event for each row that is gone. Parameters: the run, the time, the numbers of the rows.
    pub(crate) fn note_removed(&self) -> String {
        self.note(
            "removed",
            "data",
            &format!(
                "{}, {} FROM {} t WHERE t.\"_row\" IN ({}) ORDER BY {}",
                self.json_of("t", true),
                self.json_of("t", false),
                self.names.live,
                self.dialect.json_integers("$3"),
                self.key("t")
            ),
        )
    }

    /// The rows of the live table in the order of their keys: the key and the row as JSON objects, and the columns of the key. All, or
    /// those after a key, whose columns are the parameters.
    pub(crate) fn rows(&self, after: usize, limit: u32) -> String {
        let key = self.key("t");
        let places: Vec<String> = (1..=after).map(|place| format!("${place}")).collect();
        let after = match places.is_empty() {
            true => String::new(),
            false => format!(" AND ({key}) > ({})", places.join(", ")),
        };
        format!(
            "SELECT {}, {}, {key} FROM {} t WHERE t.\"_deleted_at\" IS NULL{after} ORDER BY {key} LIMIT {limit}",
            self.json_of("t", true),
            self.json_of("t", false),
            self.names.live
        )
    }

    /// Inserts and updates. The parameter is the last row number in use.
    pub(crate) fn upsert(&self) -> String {
        let Names { live, staging, .. } = &self.names;
        let mut columns = quoted_columns(self.collection);
        columns.push("\"_hash\"".to_owned());
        let staged: Vec<String> = columns.iter().map(|name| format!("s.{name}")).collect();
        let key = quoted_keys(self.collection);
        let updates: Vec<String> = columns
            .iter()
            .filter(|name| !key.contains(name))
            .map(|name| format!("{name} = excluded.{name}"))
            .collect();
        format!(
            "INSERT INTO {live} ({}, \"_row\") SELECT {}, $1 + s.\"_row\" FROM {staging} s ORDER BY {} \
             ON CONFLICT ({}) DO UPDATE SET {}, \"_deleted_at\" = NULL, {PRESENT}",
            columns.join(", "),
            staged.join(", "),
            self.key("s"),
            key.join(", "),
            updates.join(", ")
        )
    }

    /// Deletes rows. Parameter: their numbers.
    pub(crate) fn delete(&self) -> String {
        format!(
            "DELETE FROM {} WHERE \"_row\" IN ({})",
            self.names.live,
            self.dialect.json_integers("$1")
        )
    }

    /// Marks rows as deleted. Parameters: the time, their numbers.
    pub(crate) fn mark_deleted(&self) -> String {
        format!(
            "UPDATE {} SET \"_deleted_at\" = $1 WHERE \"_row\" IN ({})",
            self.names.live,
            self.dialect.json_integers("$2")
        )
    }

    /// Deletes the rows that are marked as deleted.
    pub(crate) fn delete_marked(&self) -> String {
        format!(
            "DELETE FROM {} WHERE \"_deleted_at\" IS NOT NULL",
            self.names.live
        )
    }

    /// Notes that a list lacks rows. Parameters: the time; the run if the list is a witness, otherwise null; their numbers.
    pub(crate) fn mark_missing(&self) -> String {
        format!(
            "UPDATE {} SET \"_missing_since\" = coalesce(\"_missing_since\", $1), \
             \"_missing_run\" = coalesce(\"_missing_run\", $2) WHERE \"_row\" IN ({})",
            self.names.live,
            self.dialect.json_integers("$3")
        )
    }

    /// Notes that a list has rows again. Parameter: their numbers.
    pub(crate) fn mark_present(&self) -> String {
        format!(
            "UPDATE {} SET {PRESENT} WHERE \"_row\" IN ({})",
            self.names.live,
            self.dialect.json_integers("$1")
        )
    }

    fn note(&self, what: &str, column: &str, select: &str) -> String {
        format!(
            "INSERT INTO _lms_changes (run, token, seen_at, event, collection, key, {column}) \
             SELECT $1, (SELECT value FROM _lms_meta WHERE name = 'fence'), $2, '{}', '{}', {select}",
            event(self.collection, what),
            self.collection.name
        )
    }

    fn is_new(&self) -> String {
        format!(
            "NOT EXISTS (SELECT 1 FROM {} t WHERE {} AND t.\"_deleted_at\" IS NULL)",
            self.names.live,
            self.same_key("s", "t")
        )
    }

    fn same_key(&self, left: &str, right: &str) -> String {
        let keys = self.collection.key.iter();
        let equal: Vec<String> = keys
            .map(|name| format!("{left}.\"{name}\" = {right}.\"{name}\""))
            .collect();
        equal.join(" AND ")
    }

    fn key(&self, table: &str) -> String {
        let keys = self.collection.key.iter();
        let columns: Vec<String> = keys.map(|name| format!("{table}.\"{name}\"")).collect();
        columns.join(", ")
    }

    /// The key, or all columns, of a row as a JSON object.
    fn json_of(&self, table: &str, key_only: bool) -> String {
        let columns = self.collection.columns.iter();
        let columns =
            columns.filter(|column| !key_only || self.collection.key.contains(&column.name));
        let pairs: Vec<(&str, String)> = columns
            .map(|column| {
                let value = format!("{table}.\"{}\"", column.name);
                (column.name, (self.dialect.json_value)(&value, column.kind))
            })
            .collect();
        (self.dialect.json_object)(&pairs)
    }

    /// The condition that one of these columns has another value.
    fn differs_in(&self, of_these: impl Fn(&str) -> bool) -> String {
        let columns = self.values().filter(|column| of_these(column.name));
        let differences: Vec<String> = columns.map(|column| self.differs(column)).collect();
        match differences.is_empty() {
            true => "FALSE".to_owned(),
            false => differences.join(" OR "),
        }
    }

    fn differs(&self, column: &Column) -> String {
        let name = quoted(column.name);
        let [old, new] =
            ["t", "s"].map(|of| (self.dialect.comparable)(&format!("{of}.{name}"), column.kind));
        format!("{old} IS DISTINCT FROM {new}")
    }

    /// The columns that do not belong to the key.
    fn values(&self) -> impl Iterator<Item = &'static Column> {
        let columns = self.collection.columns.iter();
        columns.filter(|column| !self.collection.key.contains(&column.name))
    }
}

/// The column of the fields that have no other one.
const EXTRA: &str = "_extra";

/// Assignments for a row that a list has.
const PRESENT: &str = "\"_missing_since\" = NULL, \"_missing_run\" = NULL";

/// The condition that a staged row `s` differs from the row `t` with its key.
const CHANGED: &str = "t.\"_hash\" <> s.\"_hash\"";

/// The event of a row of a collection: `learner.added` of `learners`.
pub(crate) fn event(collection: &Collection, what: &str) -> String {
    format!("{}.{what}", singular(collection.name))
}

/// The name of one row of a collection, which events start with: `learner` of `learners`.
pub(crate) fn singular(collection: &str) -> &str {
    match collection.strip_suffix('s') {
        Some(singular) if !singular.ends_with('s') => singular,
        _ => collection,
    }
}

#[cfg(test)]
mod tests {
    use super::singular;
    use crate::collection::collections;

    #[test]
    fn events_are_named_after_one_row() {
        let names: Vec<&str> = collections()
            .iter()
            .map(|collection| singular(collection.name))
            .collect();
        for name in [
            "learner",
            "course_completion",
            "topic_progress",
            "course_progress",
            "profile",
        ] {
            assert!(names.contains(&name), "{name} is missing in {names:?}");
        }
    }
}
