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

use crate::error::{Error, ErrorKind};

/// Something that the service gives an id; implemented for every type of an answer that has one.
pub trait RequireId {
    /// What it is called: `learner`, `course completion`.
    const KIND: &'static str;

    /// The id as it came, empty or not.
    fn raw_id(&self) -> Option<&str>;

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
