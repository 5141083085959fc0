//! The statements that update a table to the state of a complete list, and append each change to the feed.
//!
//! They run in one transaction. Before them, the staging table has the rows that are new or have another hash (it may have all rows).
//! `$1`, `$2` are parameters; rows of the table are given by their numbers as a JSON array.

use super::{
    Dialect,
    schema::{Statements, quoted, quoted_columns, quoted_keys},
};
use crate::collection::{Collection, Column, ColumnKind};

impl Statements {
    /// The position, the `_row` and the `_hash` of each key that the table has, unless the row is marked as deleted. Parameter: the
    /// keys as a JSON array of arrays.
    pub(crate) fn find(&self) -> String {
        let keys = quoted_keys(self.collection).into_iter().enumerate();
        let equal: Vec<String> = keys
            .map(|(part, name)| format!("t.{name} = k.value ->> {part}"))
            .collect();
        // In this order, a database looks up each key in the index.
        self.fill(&format!(
            "SELECT k.key, t.\"_row\", t.\"_hash\" FROM {} CROSS JOIN {{live}} AS t WHERE {} AND t.\"_deleted_at\" IS NULL",
            self.dialect.json_items("$1"),
            equal.join(" AND ")
        ))
    }

    /// Appends an event for each new row. Parameters: the run, the time.
    pub(crate) fn note_added(&self) -> String {
        let rows = "{s.key}, {s.row} FROM {staging} s WHERE NOT EXISTS (SELECT 1 FROM {live} t WHERE {same_key} AND \
                    t.\"_deleted_at\" IS NULL) ORDER BY s.\"_row\"";
        self.note("added", "data", rows)
    }

    /// Appends an event for each row with another value than before, also if only `_extra` has. Parameters: the run, the time.
    pub(crate) fn note_changed(&self, with_extra: bool) -> String {
        let Dialect {
            json_object: object,
            json_object_aggregate: aggregate,
            json_value,
            ..
        } = self.dialect;
        let fields = self.values().map(|column| {
            let name = quoted(column.name);
            let [old, new] = ["t", "s"].map(|of| json_value(&format!("{of}.{name}"), column.kind));
            format!(
                "SELECT '{}' AS name, {} AS change WHERE {}",
                column.name,
                object(&[("old", old), ("new", new)]),
                self.differs(column)
            )
        });
        let fields: Vec<String> = fields.collect();
        let only = match with_extra {
            true => String::new(),
            false => format!(" AND ({})", self.differs_in(|name| name != EXTRA)),
        };
        let rows = format!(
            "key, fields FROM (SELECT s.\"_row\" AS position, {{s.key}} AS key, \
             (SELECT {aggregate}(name, {}) FROM ({}) AS changes) AS fields FROM {CHANGED}{only}) AS changed \
             WHERE CAST(fields AS TEXT) <> '{{}}' ORDER BY position",
            json_value("change", ColumnKind::Json),
            fields.join(" UNION ALL "),
        );
        self.note("changed", "fields", &rows)
    }

    /// Appends one event with the number of rows of which only `_extra` has changed, if there are any. Parameters: the run, the
    /// time.
    pub(crate) fn note_extra(&self) -> String {
        let object = self.dialect.json_object;
        let rows = object(&[("rows", "changed.number".to_owned())]);
        let change = object(&[("old", "NULL".to_owned()), ("new", rows)]);
        let rows = format!(
            "CAST('{{}}' AS {}), {} FROM (SELECT count(*) AS number FROM {CHANGED} AND ({}) AND NOT ({})) AS changed \
             WHERE changed.number > 0",
            self.dialect.json,
            object(&[(EXTRA, change)]),
            self.differs_in(|name| name == EXTRA),
            self.differs_in(|name| name != EXTRA),
        );
        self.note("extra_changed", "fields", &rows)
    }

    /// Appends an event for each row that is gone. Parameters: the run, the time, the numbers of the rows.
    pub(crate) fn note_removed(&self) -> String {
        let rows =
            "{t.key}, {t.row} FROM {live} t WHERE t.\"_row\" IN ({rows $3}) ORDER BY {key of t}";
        self.note("removed", "data", rows)
    }

    /// The rows of the live table in the order of their keys: the key and the row as JSON objects, and the columns of the key. All, or
    /// those after a key, whose columns are the parameters.
    pub(crate) fn rows(&self, after: usize, limit: u32) -> String {
        let places: Vec<String> = (1..=after).map(|place| format!("${place}")).collect();
        let after = match places.is_empty() {
            true => String::new(),
            false => format!(" AND ({{key of t}}) > ({})", places.join(", ")),
        };
        self.fill(&format!(
            "SELECT {{t.key}}, {{t.row}}, {{key of t}} FROM {{live}} t WHERE t.\"_deleted_at\" IS NULL{after} \
             ORDER BY {{key of t}} LIMIT {limit}"
        ))
    }

    /// Inserts and updates. The parameter is the last row number in use.
    pub(crate) fn upsert(&self) -> String {
        let mut columns = quoted_columns(self.collection);
        columns.push("\"_hash\"".to_owned());
        let staged: Vec<String> = columns.iter().map(|name| format!("s.{name}")).collect();
        let key = quoted_keys(self.collection);
        let updates: Vec<String> = columns
            .iter()
            .filter(|name| !key.contains(name))
            .map(|name| format!("{name} = excluded.{name}"))
            .collect();
        self.fill(&format!(
            "INSERT INTO {{live}} ({}, \"_row\") SELECT {}, $1 + s.\"_row\" FROM {{staging}} s ORDER BY {{key of s}} \
             ON CONFLICT ({}) DO UPDATE SET {}, \"_deleted_at\" = NULL, {PRESENT}",
            columns.join(", "),
            staged.join(", "),
            key.join(", "),
            updates.join(", ")
        ))
    }

    /// A statement for the tables of the collection. What is in braces is replaced: `{live}` and `{staging}` by the tables;
    /// `{same_key}` by the condition that a staged row `s` has the key of a row `t`; `{key of t}` by the columns of the key, and
    /// `{t.key}` and `{t.row}` by JSON objects of them and of all columns; `{rows $1}` by a query for the numbers of rows in a
    /// parameter.
    pub(crate) fn fill(&self, sql: &str) -> String {
        let keys = quoted_keys(self.collection);
        let same: Vec<String> = keys
            .iter()
            .map(|key| format!("s.{key} = t.{key}"))
            .collect();
        let mut sql = sql
            .replace("{live}", &self.names.live)
            .replace("{staging}", &self.names.staging)
            .replace("{same_key}", &same.join(" AND "));
        for table in ["s", "t"] {
            let key: Vec<String> = keys.iter().map(|key| format!("{table}.{key}")).collect();
            sql = sql
                .replace(&format!("{{key of {table}}}"), &key.join(", "))
                .replace(&format!("{{{table}.key}}"), &self.json_of(table, true))
                .replace(&format!("{{{table}.row}}"), &self.json_of(table, false));
        }
        for parameter in ["$1", "$2", "$3"] {
            let numbers = self.dialect.json_integers(parameter);
            sql = sql.replace(&format!("{{rows {parameter}}}"), &numbers);
        }
        sql
    }

    fn note(&self, what: &str, column: &str, select: &str) -> String {
        self.fill(&format!(
            "INSERT INTO _lms_changes (run, token, seen_at, event, collection, key, {column}) \
             SELECT $1, (SELECT value FROM _lms_meta WHERE name = 'fence'), $2, '{}', '{}', {select}",
            event(self.collection, what),
            self.collection.name
        ))
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
pub(crate) const PRESENT: &str = "\"_missing_since\" = NULL, \"_missing_run\" = NULL";

/// The staged rows `s` that differ from the row `t` with their key.
pub(crate) const CHANGED: &str = "{staging} s JOIN {live} t ON {same_key} WHERE t.\"_deleted_at\" IS NULL AND t.\"_hash\" <> s.\"_hash\"";

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
