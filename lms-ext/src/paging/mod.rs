//! Hand-written loops over pages stop at an empty page, never end when a cursor comes back, or lose their position when the
//! process stops.
//!
//! A list arrives in pages. Each page says whether there is another one, and has its cursor
//! ([Pagination](lms_client::service#pagination)). [`ListExt`] implements the loop once, for every list.

mod checkpoint;
mod end;
mod items;
mod page;
mod pages;

use serde::de::DeserializeOwned;

pub use checkpoint::{Checkpoint, ListSummary};
pub(crate) use end::fingerprint;
pub use items::Items;
pub use lms_client::operation::Identified;
pub use page::{LenientItem, Page, PageReceived};
pub use pages::Pages;

use crate::{
    error::Error,
    request::{List, Policies, PreparedCall},
};

/// Reads a list to its end.
///
/// Implemented for every list operation: the eight that are paginated, and the three that return the complete
/// list as one page (tags, profiles, sign-up pages).
///
/// A stream prepares its request once and changes only the cursor, so the filters stay the same. Each page is a
/// separate [call](crate::Call::call), with its own retries, timeouts and errors. A stream needs memory for at most two pages
/// and 128 KiB of fingerprints, for a list of any length.
///
/// | response | effect on the stream |
/// |---|---|
/// | an empty page with `more`, or one with the items of an earlier page | continues, as long as each cursor is new, for up to [1000](Pages::max_stale_pages) of them in a row |
/// | more than twice as many items as `number_found`, and 10,000 more | returns the page, then a `Pagination` error |
/// | `more` without `next_cursor` | returns the page, then a [`Pagination`](crate::ErrorKind::Pagination) error |
/// | a cursor that this stream started with or received before | the same: at once if it is one of the last 4,096 cursors, otherwise before three times as many pages were read as when the cycle closed |
/// | a page with more items than the requested `limit` | returns all of them |
/// | no `items`, `items` that is `null`, a field that is there twice, or anything but an object | returns a [`Decode`](crate::ErrorKind::Decode) error that names the field; the next call requests the same page again |
/// | `null` in any other field, a `number_found` that is not an integer | treats the field as absent |
/// | a filter that is stated with another value, or an item that the filter excludes | returns a [`Mismatch`](crate::ErrorKind::Mismatch) error; the next call requests the same page again |
/// | no `more` | ends, even if there is a `next_cursor`: a service may omit `false` |
pub trait ListExt: List<Transport = Policies> {
    /// The items of all pages, as one stream. No request is sent before the first item is requested.
    ///
    /// Errors are those of a [call](crate::Call::call), and those of the table above. After an error, the next `try_next`
    /// requests the same page again, so no item is lost or returned twice.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::prelude::*;
    ///
    /// let mut ten = lms.list_enrolments().course("c1").items().max_items(10);
    /// while let Some(enrolment) = ten.try_next().await? {
    ///     println!("{:?}", enrolment.user);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    fn items(self) -> Items<Self::Item> {
        self.items_as()
    }

    /// The pages, as a stream, with the fields around the items, such as [`number_found`](Page::number_found). Errors are those
    /// of [`items`](Self::items).
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::prelude::*;
    ///
    /// let mut pages = lms.list_topics().limit(100).pages();
    /// while let Some(page) = pages.try_next().await? {
    ///     println!("{} of {:?}", page.items.len(), page.number_found);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    fn pages(self) -> Pages<Self::Item> {
        self.pages_as()
    }

    /// Like [`items`](Self::items), decoded into your own type: either a struct with only the fields you need,
    /// which takes about half the CPU time, or `serde_json::Value` for everything the server sent.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::prelude::*;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Contact { id: String, email: Option<String> }
    ///
    /// let mut contacts = lms.list_learners().items_as::<Contact>();
    /// while let Some(contact) = contacts.try_next().await? {
    ///     println!("{} {:?}", contact.id, contact.email);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    fn items_as<T: DeserializeOwned + Send + 'static>(self) -> Items<T> {
        Items::new(self.pages_as())
    }

    /// Like [`items`](Self::items), with an error for each item that cannot be decoded, instead of one for its page.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::{LenientItem, prelude::*};
    ///
    /// let mut learners = lms.list_learners().lenient_items();
    /// while let Some(learner) = learners.try_next().await? {
    ///     match learner {
    ///         LenientItem::Decoded(learner) => println!("{:?}", learner.email),
    ///         LenientItem::Undecodable { id, error } => eprintln!("skipped {id:?}: {error}"),
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    fn lenient_items(self) -> Items<LenientItem<Self::Item>> {
        self.items_as()
    }

    /// Like [`pages`](Self::pages), with items of your own type; see [`items_as`](Self::items_as).
    fn pages_as<T: DeserializeOwned + Send + 'static>(self) -> Pages<T> {
        Pages::new(PreparedCall::new(self), Self::INFO, Self::CURSOR)
    }

    /// Collects all items into a `Vec`.
    ///
    /// # Errors
    ///
    /// The same as [`Items::collect_all`].
    fn collect_all(self) -> impl Future<Output = Result<Vec<Self::Item>, Error>> + Send + 'static {
        self.items().collect_all()
    }
}

impl<L: List<Transport = Policies>> ListExt for L {}
