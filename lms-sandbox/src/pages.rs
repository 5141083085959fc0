//! How is one page of any list made?
//!
//! Every list with a cursor (§2, "Pagination") is a query with an order that is total: by a column and then by id,
//! or by id alone. A page is the rows after the cursor's place, one more than asked for, so that `more` is exact.
//! The condition that skips to the place is one an index answers, so a page a million rows in costs what the first
//! one does.

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Row, ToSql, params_from_iter};

use crate::call::Call;
use crate::cursor::{Cursor, Fingerprint, Place};
use crate::json::Object;
use crate::problem::{Problem, shorten};

/// The `limit` and `cursor` of a request, understood.
#[derive(Debug)]
pub(crate) struct Window {
    limit: usize,
    cursor: Cursor,
    fingerprint: u64,
}

impl Window {
    /// Reads them. `default` is the page size of a list that is not asked for another; `selects` are the parameters
    /// that choose or order the rows, and with which the cursor must have been made.
    pub(crate) fn of(call: &Call<'_>, default: usize, selects: &[&str]) -> Result<Self, Problem> {
        let most = call.settings.max_page;
        let limit = match call.query.text("limit") {
            None => default,
            Some(text) => match text.parse::<i64>() {
                Ok(limit) if limit >= 1 => usize::try_from(limit).unwrap_or(usize::MAX),
                _ => {
                    let message = format!(
                        "limit is {}; use a whole number from 1 to {most}",
                        shorten(text)
                    );
                    return Err(Problem::bad_query("limit", message));
                }
            },
        };
        let mut fingerprint = Fingerprint::default().with(call.operation.id());
        for parameter in call.params {
            fingerprint = fingerprint.with(parameter);
        }
        for name in selects {
            let mut values: Vec<_> = call.query.all(name).collect();
            values.sort_unstable();
            for value in values {
                fingerprint = fingerprint.with(name).with(value);
            }
        }
        let fingerprint = fingerprint.value();
        let cursor = match call.query.text("cursor") {
            None => Cursor::START,
            Some(text) => Cursor::decode(text, fingerprint)?,
        };
        Ok(Self {
            limit: limit.min(most),
            cursor,
            fingerprint,
        })
    }
}

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

    /// The query for the rows after `place`, with its values.
    fn query(&self, place: &Place, limit: usize) -> (String, Vec<Value>) {
        let (after, way) = match self.direction {
            Direction::Ascending => (">", ""),
            Direction::Descending => ("<", " DESC"),
        };
        let mut values = self.values.clone();
        let mut conditions: Vec<String> = self.conditions.iter().map(|c| (*c).to_owned()).collect();
        let skip = match (place, self.order) {
            (Place::Start, _) => None,
            (Place::Id(id), Order::Id(column)) => {
                values.push((*id).into());
                Some(format!("{column} {after} ?"))
            }
            (Place::Number(outer, inner), Order::Nested(first, second)) => {
                // A row value over two tables would be checked row by row; this form lets the first table skip.
                values.extend([(*outer).into(), (*outer).into(), (*inner).into()]);
                Some(format!(
                    "{first} {after}= ? AND ({first} {after} ? OR {second} {after} ?)"
                ))
            }
            (place, Order::Column(column, id) | Order::Nested(column, id)) => {
                let (key, last) = match place {
                    Place::Text(text, id) => (text.clone().into(), *id),
                    Place::Number(number, id) => ((*number).into(), *id),
                    Place::Id(id) => (Value::Null, *id),
                    Place::Start => (Value::Null, 0),
                };
                values.extend([key, last.into()]);
                Some(format!("({column}, {id}) {after} (?, ?)"))
            }
            // A cursor's fingerprint covers the order, so its place has the order's form.
            (Place::Number(_, id) | Place::Text(_, id), Order::Id(column)) => {
                values.push((*id).into());
                Some(format!("{column} {after} ?"))
            }
        };
        conditions.extend(skip);
        let (key, order) = match self.order {
            Order::Id(id) => (format!("NULL, {id}"), format!("{id}{way}")),
            Order::Column(first, second) | Order::Nested(first, second) => (
                format!("{first}, {second}"),
                format!("{first}{way}, {second}{way}"),
            ),
        };
        let filter = if conditions.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", conditions.join(" AND "))
        };
        values.push(i64::try_from(limit).unwrap_or(i64::MAX).into());
        let sql = format!(
            "SELECT {}, {key} FROM {}{filter} ORDER BY {order} LIMIT ?",
            self.columns, self.from
        );
        (sql, values)
    }

    /// Counts the rows of the whole list one by one, for lists that are small.
    pub(crate) fn count_rows(&self, connection: &Connection) -> Result<i64, Problem> {
        let filter = if self.conditions.is_empty() {
            String::new()
        } else {
            format!(" WHERE {}", self.conditions.join(" AND "))
        };
        let mut statement =
            connection.prepare_cached(&format!("SELECT count(*) FROM {}{filter}", self.from))?;
        Ok(
            statement.query_row(params_from_iter(self.values.iter().map(Borrowed)), |row| {
                row.get(0)
            })?,
        )
    }
}

/// The filters of a request that go back with the page, as `echo` writes them.
pub(crate) type Echo<'a> = &'a dyn Fn(&mut Object<'_>);

/// Makes the page of `listing` that `window` asks for.
pub(crate) fn page(
    connection: &Connection,
    call: &Call<'_>,
    window: &Window,
    listing: &Listing,
    render: impl Fn(&Row<'_>, &mut Object<'_>) -> Result<(), Problem>,
    echo: Echo<'_>,
) -> Result<Vec<u8>, Problem> {
    let pausing = call.pause && window.cursor.pauses == 0;
    let mut body = Vec::with_capacity(if pausing {
        256
    } else {
        64 + window.limit * 256
    });
    let mut page = Object::open(&mut body);
    let next = {
        let items = page.key("items");
        items.push(b'[');
        let next = if pausing {
            Some(Cursor {
                place: window.cursor.place.clone(),
                pauses: window.cursor.pauses + 1,
            })
        } else {
            rows(connection, window, listing, render, items)?
        };
        items.push(b']');
        next
    };
    let next_text = next
        .as_ref()
        .map(|cursor| cursor.encode(window.fingerprint));
    if let Some(number_found) = listing.number_found {
        page.int64("number_found", number_found);
        page.some_text("cursor", call.query.text("cursor"));
        page.some_text("next_cursor", next_text.as_deref());
        page.int64("limit", i64::try_from(window.limit).unwrap_or(i64::MAX));
        page.flag("more", next.is_some());
        echo(&mut page);
    } else {
        page.some_text("next_cursor", next_text.as_deref());
        page.flag("more", next.is_some());
    }
    page.close();
    Ok(body)
}

/// Writes the rows of a page, and returns where the next one begins if there is one.
fn rows(
    connection: &Connection,
    window: &Window,
    listing: &Listing,
    render: impl Fn(&Row<'_>, &mut Object<'_>) -> Result<(), Problem>,
    items: &mut Vec<u8>,
) -> Result<Option<Cursor>, Problem> {
    let (sql, values) = listing.query(&window.cursor.place, window.limit + 1);
    let mut statement = connection.prepare_cached(&sql)?;
    let id_column = statement.column_count() - 1;
    let mut rows = statement.query(params_from_iter(values.iter().map(Borrowed)))?;
    let mut written = 0;
    let mut last = None;
    let mut more = false;
    while let Some(row) = rows.next()? {
        if written == window.limit {
            more = true;
            break;
        }
        if written > 0 {
            items.push(b',');
        }
        let mut object = Object::open(items);
        render(row, &mut object)?;
        object.close();
        written += 1;
        if written == window.limit {
            let id = row.get(id_column)?;
            last = Some(match row.get_ref(id_column - 1)? {
                ValueRef::Integer(number) => Place::Number(number, id),
                ValueRef::Text(text) => Place::Text(String::from_utf8_lossy(text).into_owned(), id),
                ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => Place::Id(id),
            });
        }
    }
    drop(rows);
    #[cfg(test)]
    watch::page_done(&mut statement);
    Ok(last
        .filter(|_| more)
        .map(|place| Cursor { place, pauses: 0 }))
}

/// A value that is bound without being copied.
struct Borrowed<'a>(&'a Value);

impl ToSql for Borrowed<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(self.0.into()))
    }
}

/// Lets tests see what a page cost SQLite.
#[cfg(test)]
pub(crate) mod watch {
    use std::cell::Cell;

    use rusqlite::{Statement, StatementStatus};

    thread_local! {
        static LAST: Cell<(i32, i32)> = const { Cell::new((0, 0)) };
    }

    pub(super) fn page_done(statement: &mut Statement<'_>) {
        let sorts = statement.reset_status(StatementStatus::Sort);
        let steps = statement.reset_status(StatementStatus::FullscanStep);
        LAST.set((sorts, steps));
    }

    /// How often the last page on this thread was sorted, and how many rows it read without an index.
    pub(crate) fn last_page() -> (i32, i32) {
        LAST.get()
    }
}
