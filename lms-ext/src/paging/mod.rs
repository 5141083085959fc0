//! Whole lists: how a walk goes on, and when it ends.
//!
//! A list comes in pages, each of which says whether there is more and with which cursor to ask for it
//! (§2, Pagination). Written by hand, the loop stops at an empty page, runs for ever on a cursor that comes
//! back, or loses its place when the process ends. [`Walk`] has it once, for every list:
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! use lms_ext::prelude::*;
//!
//! let mut learners = lms.list_learners().tags(vec!["emea".into()]).items();
//! while let Some(learner) = learners.try_next().await? {
//!     println!("{:?}", learner.email);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! What it guards against:
//!
//! | the tenant sends | the walk |
//! |---|---|
//! | an empty page with `more` | goes on, for as long as the tenant gives new cursors |
//! | `more` without `next_cursor` | delivers the page, then fails with [`Pagination`](crate::ErrorKind::Pagination) |
//! | a cursor that it gave before in this walk, or that the walk began with | the same: at once when it is one of the last 4,096, else within three rounds of the circle |
//! | a page larger than the `limit` asked for | delivers all of it, and counts it in the [summary](WalkSummary): nothing is lost by it |
//! | `null` for anything around the rows, a `number_found` that is no number | takes it as absent |
//! | no `more` | has come to the end, whatever `next_cursor` says: a service that leaves out what is false does this on every last page |
//!
//! One walk is one captured request whose cursor changes, so its filters stay the same. Every page is a
//! call of its own under every policy: repeats, tokens, limits, and a deadline that starts anew. A walk
//! of any length keeps two pages and 64 KiB of cursors at most.

mod checkpoint;
mod cycle;
mod dedup;
mod fetch;
mod fingerprint;
mod items;
mod page;
mod pager;
mod source;
mod stream;
mod summary;

use serde::de::DeserializeOwned;

pub use checkpoint::Checkpoint;
pub use dedup::Identified;
pub use items::Items;
pub use page::Page;
pub use stream::Pages;
pub use summary::WalkSummary;

pub(crate) use fetch::Fetch;
use page::Envelope;

use crate::{
    error::Error,
    request::{List, path_at_offset, path_by_rereading},
};

/// Walks the list that a builder is for, to its end.
///
/// Implemented for every list of the service: the eight that come in pages, and the three that come whole
/// (tags, profiles, sign-up pages), which are one page.
pub trait Walk: List {
    /// The rows as one stream.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::prelude::*;
    ///
    /// let mut newest = lms.list_enrolments().course("c1").items().max_items(10);
    /// while let Some(enrolment) = newest.try_next().await? {
    ///     println!("{:?}", enrolment.user);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    fn items(self) -> Items<Self::Item> {
        Items::new(self, path_at_offset)
    }

    /// The rows page by page, with what the tenant says about each page.
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
        Pages::new(self, path_at_offset)
    }

    /// As [`items`](Self::items), decoded into a type of your own: only the fields you need, which takes
    /// about half the work, or `serde_json::Value` for all that the tenant sent.
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
        Items::new(self, path_by_rereading::<Envelope<T>>)
    }

    /// As [`pages`](Self::pages), with rows of your own type; see [`items_as`](Self::items_as).
    fn pages_as<T: DeserializeOwned + Send + 'static>(self) -> Pages<T> {
        Pages::new(self, path_by_rereading::<Envelope<T>>)
    }

    /// All rows, in memory.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::prelude::*;
    ///
    /// let tags = lms.list_tags().collect_all().await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Items::collect_all`].
    fn collect_all(self) -> impl Future<Output = Result<Vec<Self::Item>, Error>> + Send + 'static {
        self.items().collect_all()
    }
}

impl<L: List> Walk for L {}
