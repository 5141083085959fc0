//! Adds learners and enrolments idempotently.
//!
//! A `POST` cannot be retried safely, because the service has no idempotency keys: if a connection breaks, the client
//! does not know whether the learner was added. `ensure_learner` and `ensure_enrolment` look up the object, add what is
//! missing, and look it up again if the response was lost. Repeated calls result in one learner and one enrolment.
//!
//! Existing objects are changed only with [`or_update`](EnsureLearner::or_update). Other differences are returned.
//! `run` makes the call; with [`WriteMode::DryRun`](crate::WriteMode) it only reads, with the same result.
//!
//! Functions of this module are `#[inline]`, so that only programs that use them compile the code for their types.

mod differences;
mod enrolment;
mod identity;
mod index;
mod learner;
mod sync_enrolments;

use std::ops::ControlFlow;

use lms_client::setter::IntoValue;

pub use enrolment::EnsureEnrolment;
pub use index::{DuplicateLearners, EnrolmentIndex, LearnerIndex};
pub use learner::EnsureLearner;
pub use sync_enrolments::{SyncEnrolments, SyncedEnrolments};

use crate::{
    client::Lms,
    edit::FieldChange,
    error::{Error, ErrorKind},
    request::CallFuture,
    write::WriteMode,
};

/// The object to add.
fn requested<T>(value: impl IntoValue<T>) -> Result<T, Error> {
    // In the words of the call that adds it.
    let in_body = |reason| Error::usage(format!("in the body, {reason}"));
    value.into_value().map_err(in_body)
}

/// The origin of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// It existed before.
    Existing,
    /// This call added it. In a dry run, it would.
    Added,
    /// The response to the request that adds it was lost, and now it exists.
    Found,
}

/// Looks up an object, adds it if it is missing, and looks it up again if it may have been added despite an error.
///
/// With `existing`, the first lookup is left out. A dry run returns `planned` in place of adding it. Calls with the same
/// `key` run one after the other.
async fn ensure<T, L>(
    (lms, key): (&Lms, String),
    (existing, mode): (Option<Option<T>>, WriteMode),
    lookup: impl Fn() -> L,
    planned: impl FnOnce() -> Result<T, Error>,
    add: CallFuture<T>,
) -> Result<(T, Origin), Error>
where
    L: Future<Output = Result<Option<T>, Error>> + Send + 'static,
    T: Send + 'static,
{
    let lookup_first = match existing {
        Some(Some(found)) => return Ok((found, Origin::Existing)),
        existing => existing.is_none(),
    };
    if mode == WriteMode::DryRun {
        let found = if lookup_first { lookup().await? } else { None };
        return match found {
            Some(found) => Ok((found, Origin::Existing)),
            None => Ok((planned()?, Origin::Added)),
        };
    }
    let first_lookup = lookup_first.then(&lookup);
    let looked_and_added = lms.engine().exclusively(key, async move {
        if let Some(lookup) = first_lookup
            && let Some(found) = lookup.await?
        {
            return Ok(ControlFlow::Break(found));
        }
        Ok(ControlFlow::Continue(add.await))
    });
    let error = match looked_and_added.await? {
        ControlFlow::Break(found) => return Ok((found, Origin::Existing)),
        ControlFlow::Continue(Ok(added)) => return Ok((added, Origin::Added)),
        ControlFlow::Continue(Err(error)) => error,
    };
    // A response that cannot be decoded may be that of a successful request.
    let maybe_processed = matches!(error.kind(), ErrorKind::Ambiguous | ErrorKind::Decode);
    if !maybe_processed && !error.is_conflict() {
        return Err(error);
    }
    let unclear = match lookup().await {
        Ok(Some(value)) if maybe_processed => return Ok((value, Origin::Found)),
        Ok(Some(value)) => return Ok((value, Origin::Existing)),
        _ if !maybe_processed => return Err(error),
        Ok(None) => "a lookup did not find it",
        Err(_) => "the lookup failed",
    };
    Err(error.with_kind(ErrorKind::Ambiguous).with_advice(format!(
        "it may have been added, although {unclear}; the same call checks before it adds"
    )))
}

/// The result of an `ensure_…` call: the object, and whether this call added it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ensured<T> {
    value: T,
    new: bool,
    changes: Vec<FieldChange>,
    differs: Vec<FieldChange>,
}

impl<T> Ensured<T> {
    fn new((value, origin): (T, Origin)) -> Self {
        Self {
            value,
            new: origin != Origin::Existing,
            changes: Vec::new(),
            differs: Vec::new(),
        }
    }

    /// Returns `true` if the object did not exist before the call; a dry run would have added it.
    ///
    /// After a lost response, this may also be `true` if another client has added the object at the same time.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.new
    }

    /// The fields that this call changed in an existing object, or in a dry run would change; see
    /// [`EnsureLearner::or_update`].
    #[must_use]
    pub fn changes(&self) -> &[FieldChange] {
        &self.changes
    }

    /// The requested fields that keep other values: from the existing value to the requested one. Empty if this call
    /// added the object.
    #[must_use]
    pub fn differs(&self) -> &[FieldChange] {
        &self.differs
    }

    /// The learner or enrolment after the call. After a dry run, the existing object, or for a new one the requested
    /// fields without an `id`.
    #[must_use]
    pub fn value(&self) -> &T {
        &self.value
    }

    /// Returns the learner or enrolment after the call by value.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }
}
