//! Idempotent creation of learners and enrolments.
//!
//! A `POST` cannot be retried safely, because the service has no idempotency keys: if a connection breaks, the
//! client does not know whether the learner was added. `ensure_learner` and `ensure_enrolment` look first, add what
//! is missing, and look again if the response was lost. Any number of calls leaves one learner and one enrolment.
//!
//! ```
//! # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
//! use lms_ext::prelude::*;
//!
//! let ann = types::AddLearner::builder()
//!     .firstname("Ann")
//!     .surname("Smith")
//!     .email("ann@acme.example")
//!     .sso_id("emp-17")
//!     .generate_password(true);
//! let ann = lms.ensure_learner(ann).by_sso_id().or_update().await?;
//! println!("new: {}, changed: {:?}", ann.is_new(), ann.changes());
//! # Ok(())
//! # }
//! ```
//!
//! Existing objects are changed only with [`or_update`](EnsureLearner::or_update). Other differences are returned.
//! `plan` returns what a call would do, and only reads. `run` does one or the other, with one result.
//!
//! Calls of one client, its clones included, that ensure the same object take turns, so only one of them adds it. If two
//! processes add the same object at the same time, both may find nothing, and both send the request. Most services then
//! refuse the second one with a 409, and the process that gets the 409 looks again and finds the object of the other process.
//!
//! Functions of this module are `#[inline]`, so that only programs that use them compile the code for their types.

mod differences;
mod enrolment;
mod identity;
mod learner;
mod report;

use std::{fmt, ops::ControlFlow};

use lms_client::setter::IntoValue;

pub use enrolment::EnsureEnrolment;
pub use learner::EnsureLearner;
pub use report::{EnsureReport, WriteMode};

use crate::{
    client::Lms,
    edit::{Change, Plan},
    error::{Error, ErrorKind, describe},
    request::CallFuture,
};

/// The object to add.
fn wanted<T>(what: &str, value: impl IntoValue<T>) -> Result<T, Error> {
    match value.into_value() {
        Ok(Some(value)) => Ok(value),
        Ok(None) => Err(Error::usage(format!("there is no {what} to add; pass one"))),
        // In the words of the call that adds it.
        Err(reason) => Err(Error::usage(describe(&format!(
            "body is not valid: {reason}"
        )))),
    }
}

/// What an `ensure_…` call does first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Order {
    #[default]
    LookFirst,
    AddFirst,
}

/// Looks for an object, adds it if it is missing, and looks again if it may have been added despite an error.
///
/// With [`Order::AddFirst`], the first look is left out.
async fn ensure<T, L>(
    (lms, key): (&Lms, &str),
    order: Order,
    look: impl Fn() -> L,
    add: CallFuture<T>,
    differs: impl Fn(&T) -> Result<Vec<Change>, Error>,
) -> Result<Ensured<T>, Error>
where
    L: Future<Output = Result<Option<T>, Error>> + Send,
    T: Send + 'static,
{
    let first_look = || {
        let look = (order == Order::LookFirst).then(&look);
        async {
            match look {
                Some(look) => look.await,
                None => Ok(None),
            }
        }
    };
    let mut added = false;
    let decide = |found: Option<T>| {
        let Some(value) = found else {
            added = true;
            let add: CallFuture<_> = Box::pin(async { add.await.map(Ensured::Created) });
            return Ok(ControlFlow::Continue(add));
        };
        let differs = differs(&value)?;
        Ok(ControlFlow::Break(Ensured::AlreadyExists {
            value,
            differs,
        }))
    };
    let error = match lms.take_turn(key, first_look, decide).await {
        Err(error) if added => error,
        done => return done,
    };
    // A response that cannot be decoded may be that of a successful request.
    let maybe_processed = matches!(error.kind(), ErrorKind::Ambiguous | ErrorKind::Decode);
    if !maybe_processed && !error.is_conflict() {
        return Err(error);
    }
    match look().await {
        Ok(Some(value)) => {
            let differs = differs(&value)?;
            Ok(if maybe_processed {
                Ensured::Found { value, differs }
            } else {
                Ensured::AlreadyExists { value, differs }
            })
        }
        Ok(None) if maybe_processed => Err(error.with_kind(ErrorKind::Ambiguous).with_detail(
            "it may have been added, but was not found afterwards; call again later: the call checks before it adds",
        )),
        Err(_) if maybe_processed => Err(error.with_kind(ErrorKind::Ambiguous).with_detail(
            "it may have been added, but the lookup afterwards failed; call again later: the call checks before it adds",
        )),
        _ => Err(error),
    }
}

/// The result of an `ensure_…` call: the object, and whether this call added it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Ensured<T> {
    /// It did not exist, and this call added it.
    Created(T),
    /// It existed before.
    AlreadyExists {
        /// The existing object.
        value: T,
        /// The requested fields with other values: from the existing value to the requested one.
        differs: Vec<Change>,
    },
    /// It existed before, and this call changed it; see [`EnsureLearner::or_update`].
    Updated {
        /// The object after the change.
        value: T,
        /// What was changed.
        changes: Vec<Change>,
        /// The requested fields with other values that an edit cannot set.
        differs: Vec<Change>,
    },
    /// It did not exist, the response to the request that adds it was lost, and now it exists: added by this
    /// call, or by another client at the same time.
    Found {
        /// The existing object.
        value: T,
        /// The requested fields with other values.
        differs: Vec<Change>,
    },
}

impl<T> Ensured<T> {
    /// Whether the object did not exist before this call.
    #[must_use]
    pub fn is_new(&self) -> bool {
        matches!(self, Self::Created(_) | Self::Found { .. })
    }

    /// The fields that this call changed in an existing object.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        match self {
            Self::Updated { changes, .. } => changes,
            _ => &[],
        }
    }

    /// The requested fields with other values: from the existing value to the requested one. Empty if this call
    /// added the object.
    #[must_use]
    pub fn differs(&self) -> &[Change] {
        match self {
            Self::Created(_) => &[],
            Self::AlreadyExists { differs, .. }
            | Self::Updated { differs, .. }
            | Self::Found { differs, .. } => differs,
        }
    }

    /// The learner or enrolment that exists now.
    #[must_use]
    pub fn value(&self) -> &T {
        match self {
            Self::Created(value)
            | Self::AlreadyExists { value, .. }
            | Self::Updated { value, .. }
            | Self::Found { value, .. } => value,
        }
    }

    /// The learner or enrolment that exists now, by value.
    #[must_use]
    pub fn into_inner(self) -> T {
        match self {
            Self::Created(value)
            | Self::AlreadyExists { value, .. }
            | Self::Updated { value, .. }
            | Self::Found { value, .. } => value,
        }
    }
}

/// What an `ensure_…` call would do; returned by `plan`. `Display` prints a line for each change.
#[derive(Debug)]
pub struct EnsurePlan<T> {
    value: Option<T>,
    update: Option<Plan<T>>,
    differs: Vec<Change>,
}

impl<T> EnsurePlan<T> {
    /// Whether the object does not exist and would be added.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.value.is_none()
    }

    /// The existing object.
    #[must_use]
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// The fields that would be changed in the existing object.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        self.update.as_ref().map(Plan::changes).unwrap_or_default()
    }

    /// The edit that would be made, to [apply](Plan::apply) it.
    #[must_use]
    pub fn update(&self) -> Option<&Plan<T>> {
        self.update.as_ref()
    }

    /// The requested fields with other values that would stay.
    #[must_use]
    pub fn differs(&self) -> &[Change] {
        &self.differs
    }
}

impl<T> fmt::Display for EnsurePlan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.value, &self.update) {
            (None, _) => f.write_str("it would be added"),
            (Some(_), None) => f.write_str("it exists; nothing changes"),
            (Some(_), Some(update)) => update.fmt(f),
        }
    }
}
