//! The list of learners. Each order has an index.

use rusqlite::Connection;

use super::COLUMNS;
use crate::service::pages::{Direction, Listing, Order, Window, page};
use crate::service::request::{ApiRequest, OperationResult};

const ORDERS: [&str; 6] = [
    "created",
    "updated",
    "firstname",
    "surname",
    "email",
    "username",
];
const DIRECTIONS: [&str; 2] = ["ASC", "DESC"];

/// The condition for the name of a tag.
const HAS_TAG: &str = "EXISTS (SELECT 1 FROM tags g JOIN learner_tags h ON h.tag = g.id WHERE g.name = ? AND h.learner = l.id)";

pub(crate) fn list(db: &Connection, request: &ApiRequest<'_>) -> OperationResult {
    let window = Window::parse(request, 200)?;
    let query = &request.query;
    let mut listing = Listing::by_id(COLUMNS, "learners l", "l.id");
    listing.order = match query.one_of("order_by", &ORDERS)? {
        Some("updated") => Order::Pair("l.updated", "l.id"),
        Some("firstname") => Order::Pair("l.firstname", "l.id"),
        Some("surname") => Order::Pair("l.surname", "l.id"),
        Some("email") => Order::Pair("l.email", "l.id"),
        Some("username") => Order::Pair("l.username_order", "l.id"),
        // Ids ascend in the order of creation.
        _ => Order::Id("l.id"),
    };
    if query.one_of("order_direction", &DIRECTIONS)? == Some("DESC") {
        listing.direction = Direction::Descending;
    }

    for tag in query.all("tags") {
        listing.filter(HAS_TAG, tag.to_owned());
    }
    let text = |name| query.text(name).map(str::to_owned);
    listing.filter_some("l.signup_page = ?", text("signup_page"));
    listing.filter_some("l.username = ?", text("username"));
    listing.filter_some("l.email = ?", text("email"));
    page(db, request, &window, &listing)
}
