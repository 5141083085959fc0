//! The list of learners, which must not read a million rows to filter or sort them.
//!
//! An index has every order, also within a sign-up page. Of several tags, the rarest one selects the learners.

use rusqlite::{Connection, OptionalExtension};

use super::COLUMNS;
use crate::api::id::Kind;
use crate::api::problem::Problem;
use crate::service::pages::{Direction, Listing, Order, Window, page};
use crate::service::request::ApiRequest;
use crate::store::Count;

const ORDERS: [&str; 6] = [
    "created",
    "updated",
    "firstname",
    "surname",
    "email",
    "username",
];
const DIRECTIONS: [&str; 2] = ["ASC", "DESC"];

pub(crate) fn list(connection: &Connection, request: &ApiRequest<'_>) -> Result<Vec<u8>, Problem> {
    let window = Window::of(request, 200)?;
    let query = &request.query;
    let mut listing = Listing::by_id(COLUMNS, "learners l", "l.id");
    listing.order = match query.one_of("order_by", &ORDERS)? {
        Some("updated") => Order::Column("l.updated", "l.id"),
        Some("firstname") => Order::Column("l.firstname", "l.id"),
        Some("surname") => Order::Column("l.surname", "l.id"),
        Some("email") => Order::Column("l.email", "l.id"),
        Some("username") => Order::Column("l.username_order", "l.id"),
        // Ids ascend in the order of creation.
        _ => Order::Id("l.id"),
    };
    if query.one_of("order_direction", &DIRECTIONS)? == Some("DESC") {
        listing.direction = Direction::Descending;
    }

    let tagged = Tagged::find(connection, query.all("tags"))?;
    tagged.restrict(&mut listing);
    let signup_page = request.id_filter("signup_page", Kind::SignupPage);
    let (username, email) = (query.text("username"), query.text("email"));
    listing.filter_some("l.signup_page = ?", signup_page);
    listing.filter_some("l.username = ?", username.map(str::to_owned));
    listing.filter_some("l.email = ?", email.map(str::to_owned));
    let single = username.is_some() || email.is_some();
    listing.number_found = Some(match (single, tagged.numbers.as_slice(), signup_page) {
        (false, [], None) => Count::Learners.all(connection)?,
        (false, [], Some(page)) => Count::OfSignupPage.of(connection, page)?,
        (false, [tag], None) => Count::WithTag.of(connection, *tag)?,
        _ => listing.count_rows(connection)?,
    });
    page(connection, request, &window, &listing)
}

/// The tags that a list is filtered by, rarest first.
#[derive(Debug)]
struct Tagged {
    numbers: Vec<i64>,
}

impl Tagged {
    fn find<'n>(
        connection: &Connection,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<Self, Problem> {
        let mut counted = Vec::new();
        for name in names {
            let mut statement = connection.prepare_cached("SELECT id FROM tags WHERE name = ?1")?;
            // An unknown tag becomes 0, which no learner has.
            let number = statement
                .query_row([name], |row| row.get(0))
                .optional()?
                .unwrap_or(0);
            counted.push((Count::WithTag.of(connection, number)?, number));
        }
        counted.sort_unstable();
        counted.dedup();
        let numbers = counted.into_iter().map(|(_, number)| number).collect();
        Ok(Self { numbers })
    }

    /// Filters `listing` by the tags.
    fn restrict(&self, listing: &mut Listing) {
        const HAS_TAG: &str =
            "EXISTS (SELECT 1 FROM learner_tags h WHERE h.tag = ? AND h.learner = l.id)";
        let Some((first, rest)) = self.numbers.split_first() else {
            return;
        };
        if let Order::Id(_) = listing.order {
            // The index of a tag also has this order. CROSS JOIN fixes the order of the join.
            listing.from = "learner_tags g CROSS JOIN learners l ON l.id = g.learner";
            listing.filter("g.tag = ?", *first);
            listing.order = Order::Id("g.learner");
        } else {
            listing.filter(HAS_TAG, *first);
        }
        for tag in rest {
            listing.filter(HAS_TAG, *tag);
        }
    }
}
