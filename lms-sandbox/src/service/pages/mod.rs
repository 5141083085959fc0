//! Pages of lists.
//!
//! Every paginated list is a query with a total order: by a column and then by id, or by id alone. A page is the rows
//! after the position in the cursor. One row more than requested is read, so that `more` is exact. The condition that
//! skips to the position uses an index, so page one million costs as much as the first page.

pub(crate) mod cursor;
mod listing;

use std::borrow::Cow;

use rusqlite::{Connection, params_from_iter};

use self::cursor::{Cursor, Fingerprint, Position};
pub(crate) use self::listing::{Listing, Order};
use super::request::{ApiRequest, OperationResult};
use super::rows::{Columns, item_schema, no_schema};
use crate::api::json::{self, Parts};
use crate::api::problem::{Problem, quote};
use crate::api::schema::Shape;
use crate::faults::{ChosenFaults, Effect};

/// The `limit` and `cursor` of a request.
#[derive(Debug)]
struct Window {
    limit: usize,
    cursor: Cursor,
    list: Fingerprint,
}

impl Window {
    /// Parses them. `default` is the limit of a request that has none.
    fn parse(request: &ApiRequest<'_>, default: usize) -> Result<Self, Problem> {
        let fault = request.faults.and_then(ChosenFaults::max_page);
        let max = fault.unwrap_or(usize::MAX).min(request.settings.max_page);
        let text = request.query.text("limit");
        let limit = match text.map(str::parse::<i64>) {
            None => default,
            Some(Ok(limit)) if limit >= 1 => usize::try_from(limit).unwrap_or(usize::MAX),
            Some(_) => {
                let text = quote(text.unwrap_or_default());
                let message = format!("limit is {text}; use an integer from 1 to {max}");
                return Err(Problem::bad_query("limit", message));
            }
        };
        let list = fingerprint(request);
        let cursor = match request.query.text("cursor") {
            None => Cursor::START,
            Some(text) => Cursor::decode(text, list)?,
        };
        Ok(Self {
            limit: limit.min(max),
            cursor,
            list,
        })
    }
}

/// The fingerprint of a list with its filters and its order.
fn fingerprint(request: &ApiRequest<'_>) -> Fingerprint {
    let mut fingerprint = Fingerprint::default().with(request.operation.id());
    for parameter in request.params {
        fingerprint = fingerprint.with(parameter);
    }
    for name in request.operation.query() {
        if ["limit", "cursor"].contains(name) {
            continue;
        }
        let mut values: Vec<_> = request.query.all(name).collect();
        values.sort_unstable();
        for value in values {
            fingerprint = fingerprint.with(name).with(value);
        }
    }
    fingerprint
}

/// The page of `listing` that a request asks for, with this limit if it has none.
pub(crate) fn page(
    db: &Connection,
    request: &ApiRequest<'_>,
    limit: usize,
    listing: &Listing,
) -> OperationResult {
    let window = Window::parse(request, limit)?;
    let is_empty = window.cursor.empty_pages == 0 && request.apply(&Effect::EmptyPage);
    let position = position(db, request, &window, listing)?;
    // The usual size of a page; a larger one grows it.
    let rows = if is_empty { 1 } else { window.limit.min(200) };
    let mut body = Vec::with_capacity(64 + rows * 256);
    let schema = request.operation.response().ok_or_else(no_schema)?;
    let mut page = Parts::object(&mut body);
    let (mut more, mut next_cursor) = (false, None);
    for (name, shape) in schema.fields {
        match *name {
            "items" => {
                let mut items = Parts::array(page.key("items"));
                let next = if is_empty {
                    Some(Cursor {
                        position: window.cursor.position.clone(),
                        empty_pages: window.cursor.empty_pages + 1,
                    })
                } else {
                    write_rows(db, request, window.limit, &position, listing, &mut items)?
                };
                items.close();
                let next = next.map(|cursor| cursor.encode(window.list));
                (more, next_cursor) = link(request, next);
            }
            "number_found" => {
                let number = listing.count(db, request.counts)?;
                json::write(page.key(name), &number.to_string());
            }
            "cursor" => write_some(&mut page, name, request.query.text("cursor")),
            "next_cursor" => write_some(&mut page, name, next_cursor.as_deref()),
            "limit" => json::write(page.key(name), &window.limit.to_string()),
            "more" => json::write(page.key(name), &more),
            _ => echo(&mut page, request, name, *shape)?,
        }
    }
    page.close();
    Ok(body)
}

/// The `more` and `next_cursor` of a page.
fn link(request: &ApiRequest<'_>, next_cursor: Option<String>) -> (bool, Option<String>) {
    let mut link = (next_cursor.is_some(), next_cursor);
    if let Some(cursor) = request.query.text("cursor")
        && request.apply(&Effect::RepeatCursor)
    {
        link = (true, Some(cursor.to_owned()));
    }
    if request.apply(&Effect::MoreWithoutCursor) {
        link = (true, None);
    }
    link
}

fn write_some(page: &mut Parts<'_>, name: &'static str, value: Option<&str>) {
    if let Some(value) = value {
        json::write(page.key(name), value);
    }
}

/// Echoes the filter or the path parameter of this name, if the request has it.
fn echo(
    page: &mut Parts<'_>,
    request: &ApiRequest<'_>,
    name: &'static str,
    shape: Shape,
) -> Result<(), Problem> {
    match shape {
        Shape::Flag => {
            if let Some(flag) = request.query.flag(name)? {
                json::write(page.key(name), &flag);
            }
        }
        Shape::Texts => {
            let values: Vec<_> = request.query.all(name).collect();
            if !values.is_empty() {
                json::write(page.key(name), &values);
            }
        }
        _ => {
            let value = request.query.text(name).or(request.path_param(name));
            write_some(page, name, value);
        }
    }
    Ok(())
}

/// Start of a page: at the position in its cursor, unless a fault shifts it.
fn position<'w>(
    db: &Connection,
    request: &ApiRequest<'_>,
    window: &'w Window,
    listing: &Listing,
) -> Result<Cow<'w, Position>, Problem> {
    let position = &window.cursor.position;
    let shift = match (position, request.faults) {
        (Position::Start, _) | (_, None) => None,
        (_, Some(faults)) => faults.shift_page(),
    };
    let Some((back, forward)) = shift else {
        return Ok(Cow::Borrowed(position));
    };
    let position = listing.shifted(db, position, -i64::from(back))?;
    let position = listing.shifted(db, &position, forward.into())?;
    Ok(Cow::Owned(position))
}

/// Writes the rows of a page, and returns the cursor of the next page if there is one.
fn write_rows(
    db: &Connection,
    request: &ApiRequest<'_>,
    limit: usize,
    position: &Position,
    listing: &Listing,
    items: &mut Parts<'_>,
) -> Result<Option<Cursor>, Problem> {
    let schema = item_schema(request)?;
    // One more than fits, to know whether there is a next page.
    let (sql, values) = listing.query(position, limit + 1);
    let mut statement = db.prepare_cached(&sql)?;
    let id_column = statement.column_count() - 1;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut columns = None;
    let (mut written, mut last) = (0, None);
    while let Some(row) = rows.next()? {
        if written == limit {
            return Ok(last.map(|position| Cursor {
                position,
                empty_pages: 0,
            }));
        }
        columns
            .get_or_insert_with(|| Columns::find(row, schema))
            .write(row, items.item())?;
        written += 1;
        if written == limit {
            last = Some(listing::position_of(row, id_column)?);
        }
    }
    Ok(None)
}
