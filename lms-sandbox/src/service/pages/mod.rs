//! How is one page of any list made?
//!
//! Every list with a cursor (§2, "Pagination") is a query with an order that is total: by a column and then by id,
//! or by id alone. A page is the rows after the cursor's place, one more than asked for, so that `more` is exact.
//! The condition that skips to the place is one an index answers, so a page a million rows in costs what the first
//! one does.

pub(crate) mod cursor;
mod listing;

use std::borrow::Cow;

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use self::cursor::{Cursor, Fingerprint, Place};
use self::listing::{Borrowed, Way};
pub(crate) use self::listing::{Direction, Listing, Order};
use crate::api::json::Object;
use crate::api::problem::{Problem, quote};
use crate::faults::{ChosenFaults, Effect};
use crate::service::request::ApiRequest;

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
    pub(crate) fn of(
        request: &ApiRequest<'_>,
        default: usize,
        selects: &[&str],
    ) -> Result<Self, Problem> {
        let most = request.settings.max_page;
        let most = request
            .faults
            .and_then(ChosenFaults::max_page)
            .map_or(most, |rows| rows.min(most));
        let limit = match request.query.text("limit") {
            None => default,
            Some(text) => match text.parse::<i64>() {
                Ok(limit) if limit >= 1 => usize::try_from(limit).unwrap_or(usize::MAX),
                _ => {
                    let message = format!(
                        "limit is {}; use a whole number from 1 to {most}",
                        quote(text)
                    );
                    return Err(Problem::bad_query("limit", message));
                }
            },
        };
        let mut fingerprint = Fingerprint::default().with(request.operation.id());
        for parameter in request.params {
            fingerprint = fingerprint.with(parameter);
        }
        for name in selects {
            let mut values: Vec<_> = request.query.all(name).collect();
            values.sort_unstable();
            for value in values {
                fingerprint = fingerprint.with(name).with(value);
            }
        }
        let fingerprint = fingerprint.value();
        let cursor = match request.query.text("cursor") {
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
    request: &ApiRequest<'_>,
    window: &Window,
    listing: &Listing,
    render: impl Fn(&Row<'_>, &mut Object<'_>) -> Result<(), Problem>,
    echo: Echo<'_>,
) -> Result<Vec<u8>, Problem> {
    let pausing = window.cursor.pauses == 0 && request.apply(&Effect::EmptyPage);
    let place = place(connection, request, window, listing)?;
    let mut body = Vec::with_capacity(if pausing {
        256
    } else {
        // A page as pages usually are; it grows when somebody asks for more.
        64 + window.limit.min(200) * 256
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
            rows(connection, window.limit, &place, listing, render, items)?
        };
        items.push(b']');
        next
    };
    let (mut more, own_cursor) = (next.is_some(), request.query.text("cursor"));
    let mut next_text = next.map(|cursor| cursor.encode(window.fingerprint));
    if let Some(own) = own_cursor
        && request.apply(&Effect::RepeatCursor)
    {
        (more, next_text) = (true, Some(own.to_owned()));
    }
    if request.apply(&Effect::MoreWithoutCursor) {
        (more, next_text) = (true, None);
    }
    if let Some(number_found) = listing.number_found {
        page.int64("number_found", number_found);
        page.some_text("cursor", own_cursor);
        page.some_text("next_cursor", next_text.as_deref());
        page.int64("limit", i64::try_from(window.limit).unwrap_or(i64::MAX));
        page.flag("more", more);
        echo(&mut page);
    } else {
        page.some_text("next_cursor", next_text.as_deref());
        page.flag("more", more);
    }
    page.close();
    Ok(body)
}

/// Where a page begins: where its cursor says, unless rows are to have come or gone before it.
fn place<'w>(
    connection: &Connection,
    request: &ApiRequest<'_>,
    window: &'w Window,
    listing: &Listing,
) -> Result<Cow<'w, Place>, Problem> {
    let place = &window.cursor.place;
    let drift = match (place, request.faults) {
        (Place::Start, _) | (_, None) => None,
        (_, Some(faults)) => faults.drift(),
    };
    let Some((back, on)) = drift else {
        return Ok(Cow::Borrowed(place));
    };
    let place = listing.moved(connection, place, Way::Back, back)?;
    Ok(Cow::Owned(listing.moved(
        connection,
        &place,
        Way::On,
        on,
    )?))
}

/// Writes the rows of a page, and returns where the next one begins if there is one.
fn rows(
    connection: &Connection,
    most: usize,
    place: &Place,
    listing: &Listing,
    render: impl Fn(&Row<'_>, &mut Object<'_>) -> Result<(), Problem>,
    items: &mut Vec<u8>,
) -> Result<Option<Cursor>, Problem> {
    let mut written = 0;
    let mut last = None;
    for (stretch, skip) in listing.stretches(place) {
        let mut statement = connection.prepare_cached(&listing.query(&stretch))?;
        let id_column = statement.column_count() - 1;
        // One more than fits, to know whether there is more.
        let limit: Value = i64::try_from(most + 1 - written).unwrap_or(i64::MAX).into();
        let values = listing
            .values
            .iter()
            .chain(&skip)
            .chain([&limit])
            .map(Borrowed);
        let mut rows = statement.query(params_from_iter(values))?;
        let mut more = false;
        while let Some(row) = rows.next()? {
            if written == most {
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
            if written == most {
                last = Some(listing::place_of(row, id_column)?);
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
