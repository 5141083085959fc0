//! The id of an object in a response.
//!
//! All fields of a response are optional unless marked otherwise ([Field types](lms_client::service#field-types)), so
//! the id in a generated type is an `Option`. A program that needs the id would fail one call later, with an error about
//! that call.
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! use lms_ext::prelude::*;
//!
//! let learner = lms.get_learner_by_email("jo@acme.example").call().await?;
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
    /// [`Decode`](ErrorKind::Decode) if the id is missing or empty. The message says which type it is.
    fn require_id(&self) -> Result<&Self::Id, Error> {
        self.raw_id()
            .filter(|id| !id.as_ref().trim().is_empty())
            .ok_or_else(|| {
                Error::new(
                    ErrorKind::Decode,
                    format!(
                        "the {} in the response has no id; find it by another field",
                        Self::KIND
                    ),
                )
                .with_fields(vec!["id".to_owned()])
            })
    }
}

impl<T: HasId> RequireId for T {}
