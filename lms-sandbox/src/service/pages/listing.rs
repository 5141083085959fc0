//! The rows of a list and their order, as queries.

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Row, params_from_iter};

use super::cursor::Position;
use crate::api::problem::Problem;
use crate::store::Counts;

/// The order of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    /// By the id in this column.
    Id(&'static str),
    /// By a column and then by an id.
    Pair(&'static str, &'static str),
}

/// A list with its filters and its order.
#[derive(Clone, Debug)]
pub(crate) struct Listing {
    /// The columns, named like the fields of an item.
    pub(crate) columns: &'static str,
    /// The tables, joined.
    pub(crate) from: &'static str,
    /// The conditions, with `?` for values.
    pub(crate) conditions: Vec<&'static str>,
    /// The values for the `?`s of `from` and the conditions.
    pub(crate) values: Vec<Value>,
    pub(crate) order: Order,
    pub(crate) descending: bool,
}

impl Listing {
    /// A list in the order of ids, which is the order of creation.
    pub(crate) fn by_id(columns: &'static str, from: &'static str, id: &'static str) -> Self {
        Self {
            columns,
            from,
            conditions: Vec::new(),
            values: Vec::new(),
            order: Order::Id(id),
            descending: false,
        }
    }

    /// Adds a condition with one value.
    pub(crate) fn filter(&mut self, condition: &'static str, value: impl Into<Value>) {
        self.conditions.push(condition);
        self.values.push(value.into());
    }

    /// Adds a condition if there is a value for it.
    pub(crate) fn filter_some<V: Into<Value>>(
        &mut self,
        condition: &'static str,
        value: Option<V>,
    ) {
        if let Some(value) = value {
            self.filter(condition, value);
        }
    }

    /// The query for at most `limit` rows after a position, and its values. Its last two columns are those of the order.
    pub(super) fn query(&self, position: &Position, limit: usize) -> (String, Vec<Value>) {
        let (after, direction) = if self.descending {
            ("<", " DESC")
        } else {
            (">", "")
        };
        let (key, places, columns, order) = match self.order {
            Order::Id(id) => (
                id.to_owned(),
                "?",
                format!("NULL, {id}"),
                format!("{id}{direction}"),
            ),
            // SQLite uses an index for the comparison of rows.
            Order::Pair(first, second) => (
                format!("({first}, {second})"),
                "?, ?",
                format!("{first}, {second}"),
                format!("{first}{direction}, {second}{direction}"),
            ),
        };
        let mut values = self.values.clone();
        // A cursor is only accepted for the same order, so the position has as many values as the order.
        match position {
            Position::Start => {}
            Position::Id(id) => values.push((*id).into()),
            Position::Number(number, id) => values.extend([(*number).into(), (*id).into()]),
            Position::Text(text, id) => values.extend([text.clone().into(), (*id).into()]),
        }
        let skip = format!("{key} {after} ({places})");
        let skip = (*position != Position::Start).then_some(skip.as_str());
        values.push(i64::try_from(limit).unwrap_or(i64::MAX).into());
        let sql = format!(
            "SELECT {}, {columns} FROM {}{} ORDER BY {order} LIMIT ?",
            self.columns,
            self.from,
            self.condition(skip)
        );
        (sql, values)
    }

    fn condition(&self, skip: Option<&str>) -> String {
        let conditions: Vec<&str> = self.conditions.iter().copied().chain(skip).collect();
        match conditions.as_slice() {
            [] => String::new(),
            some => format!(" WHERE {}", some.join(" AND ")),
        }
    }

    /// The position this number of rows after `position`, or before it if the number is negative. If there are fewer rows, it is
    /// the end or the start of the list.
    pub(super) fn shifted(
        &self,
        db: &Connection,
        position: &Position,
        rows: i64,
    ) -> Result<Position, Problem> {
        let mut list = self.clone();
        list.descending ^= rows < 0;
        let limit = usize::try_from(rows.unsigned_abs()).unwrap_or(usize::MAX);
        let (sql, values) = list.query(position, limit);
        let mut statement = db.prepare_cached(&sql)?;
        let id_column = statement.column_count() - 1;
        let mut found = statement.query(params_from_iter(values))?;
        let (mut at, mut passed) = (position.clone(), 0);
        while let Some(row) = found.next()? {
            at = position_of(row, id_column)?;
            passed += 1;
        }
        Ok(if rows < 0 && passed < limit {
            Position::Start
        } else {
            at
        })
    }

    /// The number of rows of the complete list.
    pub(super) fn count(&self, db: &Connection, counts: &Counts) -> Result<i64, Problem> {
        let condition = self.condition(None);
        let sql = format!("SELECT count(*) FROM {}{condition}", self.from);
        Ok(counts.count(db, &sql, &self.values)?)
    }
}

/// The position after a row, from the last two columns of its query.
pub(super) fn position_of(row: &Row<'_>, id_column: usize) -> Result<Position, Problem> {
    let id = row.get(id_column)?;
    Ok(match row.get_ref(id_column - 1)? {
        ValueRef::Integer(number) => Position::Number(number, id),
        ValueRef::Text(text) => Position::Text(String::from_utf8_lossy(text).into_owned(), id),
        ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => Position::Id(id),
    })
}
