//! How is one page of any list made?
//!
//! Every list with a cursor (§2, "Pagination") is a query with an order that is total: by a column and then by id,
//! or by id alone. A page is the rows after the cursor's place, one more than asked for, so that `more` is exact.
//! The condition that skips to the place is one an index answers, so a page a million rows in costs what the first
//! one does.

mod listing;

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Row, params_from_iter};

use self::listing::Borrowed;
pub(crate) use self::listing::{Direction, Listing, Order};
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
    let mut written = 0;
    let mut last = None;
    for (stretch, skip) in listing.stretches(&window.cursor.place) {
        let mut statement = connection.prepare_cached(&listing.query(&stretch))?;
        let id_column = statement.column_count() - 1;
        // One more than fits, to know whether there is more.
        let limit: Value = i64::try_from(window.limit + 1 - written)
            .unwrap_or(i64::MAX)
            .into();
        let values = listing
            .values
            .iter()
            .chain(&skip)
            .chain([&limit])
            .map(Borrowed);
        let mut rows = statement.query(params_from_iter(values))?;
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
                last = Some(place_of(row, id_column)?);
            }
        }
        drop(rows);
        #[cfg(test)]
        watch::page_done(&mut statement);
        if more {
            return Ok(last.map(|place| Cursor { place, pauses: 0 }));
        }
    }
    Ok(None)
}

/// The place after a row, from the two last columns of its query.
fn place_of(row: &Row<'_>, id_column: usize) -> Result<Place, Problem> {
    let id = row.get(id_column)?;
    Ok(match row.get_ref(id_column - 1)? {
        ValueRef::Integer(number) => Place::Number(number, id),
        ValueRef::Text(text) => Place::Text(String::from_utf8_lossy(text).into_owned(), id),
        ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => Place::Id(id),
    })
}

/// Lets tests see what a page cost SQLite.
#[cfg(test)]
pub(crate) mod watch {
    use std::cell::Cell;

    use rusqlite::{Statement, StatementStatus};

    thread_local! {
        static WORK: Cell<(i32, i32, i32)> = const { Cell::new((0, 0, 0)) };
    }

    pub(super) fn page_done(statement: &mut Statement<'_>) {
        let sorts = statement.reset_status(StatementStatus::Sort);
        let steps = statement.reset_status(StatementStatus::FullscanStep);
        let operations = statement.reset_status(StatementStatus::VmStep);
        let before = WORK.get();
        WORK.set((before.0 + sorts, before.1 + steps, before.2 + operations));
    }

    /// How often pages on this thread were sorted since this was last called, how many rows they read without an
    /// index, and how many of SQLite's own instructions they took.
    pub(crate) fn work() -> (i32, i32, i32) {
        WORK.take()
    }
}
