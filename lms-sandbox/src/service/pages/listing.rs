//! Which rows does a list have, and in which order?
//!
//! A list is columns of tables, conditions, and an order that is total. From these come the queries that skip to a
//! place in it, in a way that an index answers.

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Row, ToSql, params_from_iter};

use super::cursor::Place;
use crate::api::problem::Problem;

/// What a list is ordered by.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    /// By the id in this column.
    Id(&'static str),
    /// By a column (or an indexed expression), then by the id in another.
    Column(&'static str, &'static str),
    /// By two ids from two joined tables, the outer one first.
    Nested(&'static str, &'static str),
}

/// Which way a list runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Ascending,
    Descending,
}

/// Against a list's order or along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Back,
    On,
}

/// One list, chosen and ordered.
#[derive(Debug)]
pub(crate) struct Listing {
    /// The columns that the renderer reads.
    pub(crate) columns: &'static str,
    /// The tables, joined.
    pub(crate) from: &'static str,
    /// The conditions, each with its `?`s.
    pub(crate) conditions: Vec<&'static str>,
    /// The values for the `?`s of `from` and the conditions, in order.
    pub(crate) values: Vec<Value>,
    pub(crate) order: Order,
    pub(crate) direction: Direction,
    /// How many rows the whole list has; `None` for the list that does not say (course completions).
    pub(crate) number_found: Option<i64>,
}

impl Listing {
    /// A list by id, oldest first.
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

    /// The conditions that skip to what comes after `place`: one or two stretches of the list, one after the other.
    ///
    /// With a column and an id there are two, the rest of the rows that are equal in the column and then the rows
    /// beyond it. As one condition, `(column, id) > (?, ?)`, SQLite would read all those equal rows again for each
    /// page among them, because it does not use the row's id in an index for it.
    pub(super) fn stretches(&self, place: &Place) -> Vec<(String, Vec<Value>)> {
        let after = match self.direction {
            Direction::Ascending => ">",
            Direction::Descending => "<",
        };
        match (self.order, place) {
            (_, Place::Start) => vec![(String::new(), Vec::new())],
            (Order::Nested(outer, inner), Place::Number(first, second)) => {
                let skip =
                    format!("{outer} {after}= ? AND ({outer} {after} ? OR {inner} {after} ?)");
                vec![(
                    skip,
                    vec![(*first).into(), (*first).into(), (*second).into()],
                )]
            }
            (Order::Column(column, id), Place::Number(..) | Place::Text(..)) => {
                let (key, last): (Value, i64) = match place {
                    Place::Text(text, last) => (text.clone().into(), *last),
                    Place::Number(number, last) => ((*number).into(), *last),
                    Place::Start | Place::Id(_) => (Value::Null, 0),
                };
                let equal = (
                    format!("{column} = ? AND {id} {after} ?"),
                    vec![key.clone(), last.into()],
                );
                vec![equal, (format!("{column} {after} ?"), vec![key])]
            }
            // A cursor's fingerprint covers the order, so that its place has the order's form.
            (
                Order::Id(id) | Order::Column(_, id) | Order::Nested(_, id),
                Place::Id(last) | Place::Number(_, last) | Place::Text(_, last),
            ) => vec![(format!("{id} {after} ?"), vec![(*last).into()])],
        }
    }

    /// The query for one stretch of the list.
    pub(super) fn query(&self, stretch: &str) -> String {
        let way = match self.direction {
            Direction::Ascending => "",
            Direction::Descending => " DESC",
        };
        let mut conditions = self.conditions.clone();
        conditions.extend(Some(stretch).filter(|stretch| !stretch.is_empty()));
        let filter = if conditions.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", conditions.join(" AND "))
        };
        let (key, order) = match self.order {
            Order::Id(id) => (format!("NULL, {id}"), format!("{id}{way}")),
            Order::Column(first, second) | Order::Nested(first, second) => (
                format!("{first}, {second}"),
                format!("{first}{way}, {second}{way}"),
            ),
        };
        format!(
            "SELECT {}, {key} FROM {}{filter} ORDER BY {order} LIMIT ?",
            self.columns, self.from
        )
    }

    /// The place this many rows back or on from `place`; the start, when there are not so many before it, and the last
    /// row when there are not so many after it.
    pub(super) fn moved(
        &self,
        connection: &Connection,
        place: &Place,
        way: Way,
        rows: u32,
    ) -> Result<Place, Problem> {
        let (mut at, mut left) = (place.clone(), i64::from(rows));
        let turned;
        let list = match way {
            Way::On => self,
            Way::Back => {
                turned = self.turned();
                &turned
            }
        };
        for (stretch, skip) in list.stretches(place) {
            let mut statement = connection.prepare_cached(&list.query(&stretch))?;
            let (id_column, limit) = (statement.column_count() - 1, Value::from(left));
            let values = list
                .values
                .iter()
                .chain(&skip)
                .chain([&limit])
                .map(Borrowed);
            let mut found = statement.query(params_from_iter(values))?;
            while let Some(row) = found.next()? {
                at = place_of(row, id_column)?;
                left -= 1;
            }
        }
        Ok(if way == Way::Back && left > 0 {
            Place::Start
        } else {
            at
        })
    }

    /// The same list the other way round.
    fn turned(&self) -> Self {
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

    /// Counts the rows of the whole list one by one, for lists that are small.
    pub(crate) fn count_rows(&self, connection: &Connection) -> Result<i64, Problem> {
        let sql = self.count_query();
        let mut statement = connection.prepare_cached(&sql)?;
        Ok(
            statement.query_row(params_from_iter(self.values.iter().map(Borrowed)), |row| {
                row.get(0)
            })?,
        )
    }

    /// The query that counts the rows of the whole list.
    fn count_query(&self) -> String {
        let filter = if self.conditions.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", self.conditions.join(" AND "))
        };
        format!("SELECT count(*) FROM {}{filter}", self.from)
    }

    /// Tells this list from all others.
    pub(crate) fn key(&self) -> String {
        format!("{} {:?}", self.count_query(), self.values)
    }
}

/// The place after a row, from the two last columns of its query.
pub(super) fn place_of(row: &Row<'_>, id_column: usize) -> Result<Place, Problem> {
    let id = row.get(id_column)?;
    Ok(match row.get_ref(id_column - 1)? {
        ValueRef::Integer(number) => Place::Number(number, id),
        ValueRef::Text(text) => Place::Text(String::from_utf8_lossy(text).into_owned(), id),
        ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => Place::Id(id),
    })
}

/// A value that is bound without being copied.
pub(super) struct Borrowed<'a>(pub(super) &'a Value);

impl ToSql for Borrowed<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(self.0.into()))
    }
}
