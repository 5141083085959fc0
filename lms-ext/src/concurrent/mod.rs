//! Many walks at once, merged into one stream.
//!
//! A walk with a cursor is sequential: page after page, a round trip each. Where a list can be cut into
//! disjoint parts (the enrolments of one course, then of the next), the parts can be walked at the same
//! time, and the whole takes a fraction. [`Concurrent`] does that for any walks and calls, never more
//! than [`at_once`](Concurrent::at_once) of them:
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! let mut enrolments = lms.enrolments_by_course().concurrency(16);
//! while let Some(row) = enrolments.try_next().await? {
//!     println!("{} {:?}", row.part, row.item.user);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The cuts that the service's filters allow are methods of [`Lms`](crate::Lms); any other is made with
//! [`Concurrent::new`] or [`Concurrent::of`].
//!
//! Rows of one part keep their order, and the parts interleave as answers come. Each part goes on in a
//! task of its own, one page ahead of what was delivered, so memory is two pages for each part that
//! runs, whatever there is in all. Besides that, the key of each part is remembered for as long as the
//! stream lives. Dropping the stream ends all of it.

mod checkpoint;
mod lists;
mod merge;
mod part;
mod source;

pub use checkpoint::{PartsCheckpoint, Progress};
pub use merge::Concurrent;
pub use part::{Part, PartError, Row};
