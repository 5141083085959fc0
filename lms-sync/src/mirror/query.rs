//! Queries by users, which can only read.
//!
//! A query is embedded in a statement of this crate, so it cannot be another kind of statement. It runs in a read-only
//! transaction, on a file that is open for reading only, or on a server that refuses writes in the transaction.

use super::{
    overview::{Status, committed, status},
    verify_tables::{of_kind, visit_rows},
};
use crate::{
    collection::{Collection, ColumnKind, Value, collection},
    error::{Error, ErrorKind},
    record::CompletenessRecord,
    sql::{
        Dialect,
        database::{Database, Failure, failed, missing_columns},
        quoted,
    },
};

/// Number of characters of a value that an error repeats.
const SHOWN: usize = 40;

/// A query with named parameters, for any database.
///
/// `:name` in the text stands for a parameter. A line that ends with `-- sqlite` or `-- postgres` is left out for the other
/// database.
///
/// Compare points in time by `<` and `>=`. In SQLite, other comparisons with a parameter are wrong for points in time with a
/// fraction of a second.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The text, without a semicolon at its end.
    pub sql: &'a str,
    /// The parameters, which may be more than the text has: name, type and value.
    pub parameters: &'a [(String, ColumnKind, Value)],
    /// The columns of the result, which are some columns of the query: name and type.
    pub columns: &'a [(String, ColumnKind)],
    /// The columns by which the rows are sorted, followed by ` desc` for the largest value first. Rows without a value come
    /// last.
    pub order: &'a [String],
}

/// A mirror that is open for reading, as it is at one moment.
///
/// # Errors
///
/// All functions return [`Destination`](ErrorKind::Destination) when the mirror cannot be read, and
/// [`Damaged`](ErrorKind::Damaged) when a completeness record cannot.
#[derive(Debug)]
pub struct MirrorReader<'a> {
    pub(super) database: &'a mut dyn Database,
}

#[expect(
    clippy::missing_errors_doc,
    reason = "the errors of all functions are described at the type"
)]
impl MirrorReader<'_> {
    /// The completeness records of the rows that the tables have, in the order of the document. A collection without one was
    /// never mirrored.
    pub fn records(&mut self) -> Result<Vec<CompletenessRecord>, Error> {
        let doing = failed("read the completeness records");
        let records = committed(self.database).map_err(doing)?;
        Ok(records
            .into_iter()
            .filter_map(|(_, record)| record)
            .collect())
    }

    /// Passes the rows of the last list of a collection to `visit`: without those that are marked as deleted, and without
    /// those that the list lacks and that [stay](super#deletions).
    pub fn visit_rows(
        &mut self,
        collection: &'static Collection,
        visit: &mut dyn FnMut(crate::collection::Row),
    ) -> Result<(), Error> {
        let doing = format!("read {}", collection.name);
        visit_rows(self.database, collection, &mut |row, _| visit(row)).map_err(failed(&doing))
    }

    /// The mirrored collections whose tables lack a column, because an earlier release wrote them. The next run of the
    /// mirror adds it. A query with this column fails.
    pub fn outdated(&mut self) -> Result<Vec<&'static Collection>, Error> {
        let doing = failed("read the columns of the mirror");
        let mut outdated = Vec::new();
        let records = self.records()?;
        for known in records.iter().filter_map(|of| collection(&of.collection)) {
            let missing = missing_columns(self.database, known).map_err(&doing)?;
            outdated.extend((!missing.is_empty()).then_some(known));
        }
        Ok(outdated)
    }

    /// The result of the last run that tried each collection, in the order of the document. Without [`written`](Status::written),
    /// it failed, and the rows are those of an earlier one.
    pub fn statuses(&mut self) -> Result<Vec<Status>, Error> {
        status(self.database).map_err(failed("read the completeness records"))
    }

    /// Passes the rows of a query to `row`.
    ///
    /// # Errors
    ///
    /// [`Usage`](ErrorKind::Usage) when the text is no query, lacks a column, or has a value that does not fit the type of its
    /// column; [`Destination`](ErrorKind::Destination) when the mirror cannot be read. PostgreSQL finds a value that does not
    /// fit as it reads, which is `Destination` as well.
    pub fn query(
        &mut self,
        query: &Query<'_>,
        row: &mut dyn FnMut(Vec<Value>),
    ) -> Result<(), Error> {
        // Mistakes in the text are found before it runs.
        let (_, sql, values) = self.planned(query)?;
        let found = self.database.query(&sql, &values, &mut |found| {
            let values = query.columns.iter().zip(found);
            let values = values.map(|((name, kind), value)| fitting(name, *kind, value));
            row(values.collect::<Result<_, _>>()?);
            Ok(())
        });
        found.map_err(failed("run the query"))
    }

    /// The collections whose tables a query reads, also by a view. One without a [record](Self::records) was never mirrored,
    /// and its table has no rows.
    ///
    /// # Errors
    ///
    /// [`Usage`](ErrorKind::Usage) when the text is no query or lacks a column.
    pub fn collections_of(&mut self, query: &Query<'_>) -> Result<Vec<&'static Collection>, Error> {
        let (tables, ..) = self.planned(query)?;
        Ok(tables.iter().filter_map(|name| collection(name)).collect())
    }

    /// The tables that a query reads, its statement and the values of its parameters.
    fn planned(&mut self, query: &Query<'_>) -> Result<(Vec<String>, String, Vec<Value>), Error> {
        let (sql, values) = query.statement(self.database.dialect())?;
        let tables = self.database.tables_of(&sql, &values);
        let tables = tables.map_err(|failure| {
            let error = failed("run the query")(failure);
            ErrorKind::Usage.error(error.to_string())
        })?;
        Ok((tables, sql, values))
    }
}

impl Query<'_> {
    /// The statement for a database, and the values of its parameters.
    fn statement(&self, dialect: &Dialect) -> Result<(String, Vec<Value>), Error> {
        let columns = self.columns.iter().map(|(name, kind)| {
            // SQLite takes a name that it does not know for a string, unless it is of a table.
            let (name, of) = (quoted(name), dialect.column_type(*kind));
            let cast = (dialect.cast)(&format!("report.{name}"), of, *kind);
            format!("{cast} AS {name}")
        });
        let columns: Vec<String> = columns.collect();
        let (text, values) = self.numbered(dialect)?;
        let mut sql = format!("SELECT {} FROM (\n{text}\n) AS report", columns.join(", "));
        let order = self.order.iter();
        let order: Vec<String> = order
            .map(|entry| match entry.strip_suffix(" desc") {
                Some(name) => format!("report.{} DESC NULLS LAST", quoted(name)),
                None => format!("report.{} NULLS LAST", quoted(entry)),
            })
            .collect();
        if !order.is_empty() {
            sql.push_str(&format!(" ORDER BY {}", order.join(", ")));
        }
        Ok((sql, values))
    }

    /// The text with `$1` in place of the name that comes first, and the values in this order.
    fn numbered(&self, dialect: &Dialect) -> Result<(String, Vec<Value>), Error> {
        let (mut text, mut used) = (String::new(), Vec::new());
        let mut rest = &*of_dialect(self.sql, dialect);
        while let Some(start) = rest.find(['\'', '"', '-', '/', ':']) {
            let (before, found) = rest.split_at(start);
            text.push_str(before);
            let name = found.strip_prefix(':').map(name).unwrap_or_default();
            if name.is_empty() {
                let (kept, after) = found.split_at(token(found));
                text.push_str(kept);
                rest = after;
                continue;
            }
            let position = self.parameters.iter().position(|(known, ..)| known == name);
            let index = position.ok_or_else(|| {
                Error::usage(format!(
                    "the query has a parameter :{name} that is not declared"
                ))
            })?;
            let number = used.iter().position(|known| *known == index);
            let number = number.unwrap_or_else(|| {
                used.push(index);
                used.len() - 1
            });
            let kind = dialect.column_type(self.parameters[index].1);
            text.push_str(&format!("CAST(${} AS {kind})", number + 1));
            rest = &found[1 + name.len()..];
        }
        text.push_str(rest);
        let values = used
            .iter()
            .map(|index| (dialect.parameter)(&self.parameters[*index].2));
        Ok((text, values.collect()))
    }
}

/// A value as its column declares it.
fn fitting(column: &str, kind: ColumnKind, value: Value) -> Result<Value, Failure> {
    let text = match (kind, &value) {
        (ColumnKind::Text | ColumnKind::Timestamp, _) => None,
        (_, Value::Text(text)) => Some(text.chars().take(SHOWN).collect::<String>()),
        _ => None,
    };
    match (of_kind(kind, value), text) {
        (Value::Null | Value::Text(_), Some(text)) => {
            let message =
                format!("the value {text:?} does not fit the type of its column {column}");
            Err(Failure::new(ErrorKind::Usage, "", message))
        }
        (value, _) => Ok(value),
    }
}

/// The lines for a database.
fn of_dialect(sql: &str, dialect: &Dialect) -> String {
    let lines = sql.lines().filter(|line| {
        let of = line.rsplit_once("-- ").map(|(_, name)| name.trim_end());
        !matches!(of, Some("sqlite" | "postgres")) || of == Some(dialect.name)
    });
    let lines: Vec<&str> = lines.collect();
    lines.join("\n")
}

/// The length of the text that begins here and contains no parameter: a string, a name in quotes, a comment, or one or
/// two characters.
fn token(text: &str) -> usize {
    let after = |start: usize, end: &str| {
        let rest = text.get(start..).unwrap_or_default();
        let found = rest.find(end).map(|found| start + found + end.len());
        found.unwrap_or(text.len())
    };
    match text {
        _ if text.starts_with('\'') => after(1, "'"),
        _ if text.starts_with('"') => after(1, "\""),
        _ if text.starts_with("--") => after(2, "\n"),
        _ if text.starts_with("/*") => after(2, "*/"),
        _ if text.starts_with("::") => 2,
        _ => 1,
    }
}

/// The name at the start of a text; empty if there is none.
fn name(text: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let name = &text[..end];
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        ""
    } else {
        name
    }
}
