//! How is a list of a million learners filtered and ordered without reading them all?
//!
//! Without tags an index has every order ready, within a sign-up page too. With tags there are two ways: to walk the
//! order and keep those who have the tags, or to take everyone with the rarest tag and sort. The first is quick
//! when the tag is common, the second when it is rare; the counts, which are at hand, say which it is.

use rusqlite::{Connection, OptionalExtension};

use super::{COLUMNS, render};
use crate::api::id::Kind;
use crate::api::json;
use crate::api::problem::Problem;
use crate::service::pages::{Direction, Listing, Order, Window, page};
use crate::service::request::ApiRequest;
use crate::store::Count;

const SELECTS: [&str; 6] = [
    "signup_page",
    "username",
    "email",
    "tags",
    "order_by",
    "order_direction",
];
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
    let window = Window::of(request, 200, &SELECTS)?;
    let query = &request.query;
    let order_by = query.one_of("order_by", &ORDERS)?;
    let order_direction = query.one_of("order_direction", &DIRECTIONS)?;
    let (username, email, signup_page) = (
        query.text("username"),
        query.text("email"),
        query.text("signup_page"),
    );
    let tags: Vec<&str> = query.all("tags").collect();

    let mut listing = Listing::by_id(COLUMNS, "learners l", "l.id");
    listing.order = match order_by {
        Some("updated") => Order::Column("l.updated", "l.id"),
        Some("firstname") => Order::Column("l.firstname", "l.id"),
        Some("surname") => Order::Column("l.surname", "l.id"),
        Some("email") => Order::Column("l.email", "l.id"),
        Some("username") => Order::Column("l.username_order", "l.id"),
        // Ids rise in the order of creation.
        _ => Order::Id("l.id"),
    };
    if order_direction == Some("DESC") {
        listing.direction = Direction::Descending;
    }

    let tagged = Tagged::find(connection, &tags)?;
    tagged.restrict(connection, &mut listing)?;
    let page_number = signup_page.map(|id| Kind::SignupPage.parse(id).unwrap_or(0));
    if let Some(number) = page_number {
        listing.filter("l.signup_page = ?", number);
    }
    if let Some(username) = username {
        listing.filter("l.username = ?", username.to_owned());
    }
    if let Some(email) = email {
        listing.filter("l.email = ?", email.to_owned());
    }
    let single = username.is_some() || email.is_some();
    listing.number_found = Some(match (single, tagged.numbers.as_slice(), page_number) {
        (false, [], None) => Count::Learners.all(connection)?,
        (false, [], Some(page)) => Count::OfSignupPage.of(connection, page)?,
        (false, [tag], None) => Count::WithTag.of(connection, *tag)?,
        (true, _, _) => listing.count_rows(connection)?,
        _ => request
            .counts
            .get_or_count(listing.key(), || listing.count_rows(connection))?,
    });
    page(connection, request, &window, &listing, render, &|page| {
        page.some_text("username", username);
        page.some_text("email", email);
        page.some_text("signup_page", signup_page);
        if !tags.is_empty() {
            json::strings(page.key("tags"), tags.iter().copied());
        }
        page.some_text("order_by", order_by);
        page.some_text("order_direction", order_direction);
    })
}

/// The tags a list is filtered by, the rarest first.
#[derive(Debug)]
struct Tagged {
    numbers: Vec<i64>,
    rarest: i64,
}

impl Tagged {
    fn find(connection: &Connection, names: &[&str]) -> Result<Self, Problem> {
        let mut counted = Vec::new();
        for name in names {
            let mut statement = connection.prepare_cached("SELECT id FROM tags WHERE name = ?1")?;
            // No learner has tag 0, as none has one that does not exist.
            let number = statement
                .query_row([name], |row| row.get(0))
                .optional()?
                .unwrap_or(0);
            counted.push((Count::WithTag.of(connection, number)?, number));
        }
        counted.sort_unstable();
        counted.dedup();
        let rarest = counted.first().map_or(0, |(count, _)| *count);
        Ok(Self {
            numbers: counted.into_iter().map(|(_, number)| number).collect(),
            rarest,
        })
    }

    /// Adds the tags to `listing` in the way that reads the fewest rows.
    fn restrict(&self, connection: &Connection, listing: &mut Listing) -> Result<(), Problem> {
        const HAS_TAG: &str =
            "EXISTS (SELECT 1 FROM learner_tags h WHERE h.tag = ? AND h.learner = l.id)";
        let Some((first, rest)) = self.numbers.split_first() else {
            return Ok(());
        };
        if self.is_rare(connection, listing.order)? {
            // CROSS JOIN keeps SQLite from turning the join round.
            listing.from = "learner_tags g CROSS JOIN learners l ON l.id = g.learner";
            listing.filter("g.tag = ?", *first);
            if let Order::Id(_) = listing.order {
                listing.order = Order::Id("g.learner");
            }
        } else {
            listing.filter(HAS_TAG, *first);
        }
        for tag in rest {
            listing.filter(HAS_TAG, *tag);
        }
        Ok(())
    }

    /// Sorting everyone with the tag reads `rarest` rows; walking the order reads about a page for each time the tag
    /// is rarer than everyone. The order of creation needs no sorting, since tags are kept in it.
    fn is_rare(&self, connection: &Connection, order: Order) -> Result<bool, Problem> {
        if matches!(order, Order::Id(_)) {
            return Ok(true);
        }
        let everyone = Count::Learners.all(connection)?;
        Ok(self.rarest.saturating_mul(self.rarest) <= everyone.saturating_mul(200))
    }
}
