//! Reads a large list in parts, several of them at a time.
//!
//! Cursor pagination is sequential: the request for a page needs the cursor of the previous page, so each page costs
//! one round trip. If a filter divides the list into parts, such as the enrolments of each course, the parts can be
//! read at the same time:
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! let mut enrolments = lms.enrolments_by_course().concurrency(16);
//! while let Some(enrolment) = enrolments.try_next().await? {
//!     println!("{:?} takes {:?}", enrolment.user, enrolment.course);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Completeness
//!
//! The service does not promise that the parts add up to the complete list: an enrolment may belong to a course that
//! the list of courses lacks. [`Parts`] therefore compares the `number_found` of the complete list with the sum of
//! `number_found` over all parts, before the first part and after the last one. If they differ at the end, both are
//! counted again, at most three times. If they still differ, the last [`try_next`](Parts::try_next) returns a
//! [`Pagination`](crate::ErrorKind::Pagination) error, and the list has to be read without parts. If a response has no
//! `number_found`, that error comes at once. [`ignore_number_found`](Parts::ignore_number_found) reads without the check.
//!
//! For one call per object, such as the record of each learner, use [`bulk`](crate::bulk).

mod checkpoint;
mod counting;
mod parts;

pub use checkpoint::PartsCheckpoint;
pub use counting::{PartCounts, PartPage, PartsProgress};
pub use parts::Parts;
