//! The rows of a list and their order, as queries.

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Row, ToSql, params_from_iter};

use super::cursor::Position;
use crate::api::problem::Problem;

/// The order of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    /// By the id in this column.
    Id(&'static str),
    /// By a column (or an indexed expression), then by the id in another.
    Column(&'static str, &'static str),
    /// By two ids from two joined tables, the outer one first.
    Nested(&'static str, &'static str),
}

/// The direction of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Ascending,
    Descending,
}

/// Against the order of a list, or along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Back,
    Forward,
}

/// A list with its filters and its order.
#[derive(Debug)]
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
    pub(crate) direction: Direction,
    /// The number of rows in the complete list; `None` if the list does not have this field.
    pub(crate) number_found: Option<i64>,
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
            direction: Direction::Ascending,
            number_found: None,
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

    /// The conditions for the rows after `position`: one or two consecutive ranges of the list.
    ///
    /// With a column and an id there are two: the remaining rows with the same value in the column, and then the rows
    /// after them. With a single condition, `(column, id) > (?, ?)`, SQLite would read all rows with the same value
    /// again for each page among them, because it does not use the id in the index.
    pub(super) fn ranges(&self, position: &Position) -> Vec<(String, Vec<Value>)> {
        let after = match self.direction {
            Direction::Ascending => ">",
            Direction::Descending => "<",
        };
        match (self.order, position) {
            (_, Position::Start) => vec![(String::new(), Vec::new())],
            (Order::Nested(outer, inner), Position::Number(first, second)) => {
                let skip =
                    format!("{outer} {after}= ? AND ({outer} {after} ? OR {inner} {after} ?)");
                vec![(
                    skip,
                    vec![(*first).into(), (*first).into(), (*second).into()],
                )]
            }
            (Order::Column(column, id), Position::Number(..) | Position::Text(..)) => {
                let (key, last): (Value, i64) = match position {
                    Position::Text(text, last) => (text.clone().into(), *last),
                    Position::Number(number, last) => ((*number).into(), *last),
                    Position::Start | Position::Id(_) => (Value::Null, 0),
                };
                let equal = (
                    format!("{column} = ? AND {id} {after} ?"),
                    vec![key.clone(), last.into()],
                );
                vec![equal, (format!("{column} {after} ?"), vec![key])]
            }
            // The fingerprint covers the order, so the position has the form of the order.
            (
                Order::Id(id) | Order::Column(_, id) | Order::Nested(_, id),
                Position::Id(last) | Position::Number(_, last) | Position::Text(_, last),
            ) => vec![(format!("{id} {after} ?"), vec![(*last).into()])],
        }
    }

    /// The query for one range of the list.
    pub(super) fn query(&self, range: &str) -> String {
        let direction = match self.direction {
            Direction::Ascending => "",
            Direction::Descending => " DESC",
        };
        let mut conditions = self.conditions.clone();
        conditions.extend(Some(range).filter(|range| !range.is_empty()));
        let filter = if conditions.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", conditions.join(" AND "))
        };
        let (key, order) = match self.order {
            Order::Id(id) => (format!("NULL, {id}"), format!("{id}{direction}")),
            Order::Column(first, second) | Order::Nested(first, second) => (
                format!("{first}, {second}"),
                format!("{first}{direction}, {second}{direction}"),
            ),
        };
        format!(
            "SELECT {}, {key} FROM {}{filter} ORDER BY {order} LIMIT ?",
            self.columns, self.from
        )
    }

    /// The position this number of rows before or after `position`, or the start or the end of the list if there are
    /// fewer rows.
    pub(super) fn shifted(
        &self,
        connection: &Connection,
        position: &Position,
        step: Step,
        rows: u32,
    ) -> Result<Position, Problem> {
        let (mut at, mut left) = (position.clone(), i64::from(rows));
        let reversed;
        let list = match step {
            Step::Forward => self,
            Step::Back => {
                reversed = self.reversed();
                &reversed
            }
        };
        for (range, skip) in list.ranges(position) {
            let mut statement = connection.prepare_cached(&list.query(&range))?;
            let (id_column, limit) = (statement.column_count() - 1, Value::from(left));
            let values = list
                .values
                .iter()
                .chain(&skip)
                .chain([&limit])
                .map(Borrowed);
            let mut found = statement.query(params_from_iter(values))?;
            while let Some(row) = found.next()? {
                at = position_of(row, id_column)?;
                left -= 1;
            }
        }
        Ok(if step == Step::Back && left > 0 {
            Position::Start
        } else {
            at
        })
    }

    /// The list in the opposite direction.
    fn reversed(&self) -> Self {
        Self {
            conditions: self.conditions.clone(),
            values: self.values.clone(),
            direction: match self.direction {
                Direction::Ascending => Direction::Descending,
                Direction::Descending => Direction::Ascending,
            },
            ..*self
        }
    }

    /// Counts the rows of the complete list. This reads all of them, so it is for small lists.
    pub(crate) fn count_rows(&self, connection: &Connection) -> Result<i64, Problem> {
        let filter = if self.conditions.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", self.conditions.join(" AND "))
        };
        let sql = format!("SELECT count(*) FROM {}{filter}", self.from);
        let mut statement = connection.prepare_cached(&sql)?;
        Ok(
            statement.query_row(params_from_iter(self.values.iter().map(Borrowed)), |row| {
                row.get(0)
            })?,
        )
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

/// A value that is bound without a copy.
pub(super) struct Borrowed<'a>(pub(super) &'a Value);

impl ToSql for Borrowed<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(self.0.into()))
    }
}
