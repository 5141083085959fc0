//! The id of something that was read.
//!
//! The service description promises no id: every field of an answer is optional unless it is marked (§2), so each
//! generated type has an `Option<String>`. A program that goes on to use the id can do nothing useful without it, and
//! an empty one put in its place is refused one call later, by an error that speaks of something else.
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! use lms_ext::prelude::*;
//!
//! let learner = lms.get_learner_by_email().email("jo@acme.example").call().await?;
//! lms.unenrol(EnrolmentScope::learner_in_course(learner.require_id()?, "c1")).await?;
//! # Ok(())
//! # }
//! ```

use lms_client::operation::HasId;

use crate::error::{Error, ErrorKind};

/// Reads the id of a value that a response contained.
///
/// Implemented for every type with an optional id.
pub trait RequireId: HasId {
    /// The id.
    ///
    /// # Errors
    ///
    /// [`Decode`](ErrorKind::Decode) when the tenant sent none or an empty one; it says what has no id.
    fn require_id(&self) -> Result<&str, Error> {
        self.raw_id()
            .filter(|id| !id.trim().is_empty())
            .ok_or_else(|| {
                Error::new(
                    ErrorKind::Decode,
                    format!(
                        "the tenant gave the {} no id, as it may; find it by something else",
                        Self::KIND
                    ),
                )
            })
    }
}

impl<T: HasId> RequireId for T {}
