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
//!     .generate_password(true);
//! let ann = lms.ensure_learner(ann).await?;
//! println!("new: {}, differs in {:?}", ann.is_new(), ann.differs());
//! # Ok(())
//! # }
//! ```
//!
//! Existing objects are never changed. Differences are returned, and [`Lms::update_learner`] can correct them.
//!
//! If two processes add the same object at the same time, both may find nothing. Most services then refuse the
//! second one with a 409, and the process that gets the 409 looks again and finds the object of the other process.

mod learner;

use lms_client::{setter::IntoValue, types};

use crate::{
    client::Lms,
    edit::Change,
    error::{Error, ErrorKind},
    paging::Walk,
    request::{Call, CallFuture, Operation},
};
use lms_client::builder as builders;

impl Lms {
    /// Adds a learner unless there is one with the same email address, ignoring case.
    ///
    /// Looks up the address with `GET /learners/email/{email}`. An existing learner is not changed;
    /// [`Ensured::differs`] lists the requested fields with other values: names, username, phone number, SSO id,
    /// sign-up page and tags (additional tags are not a difference). Passwords are not compared. An account that
    /// is archived or deleted differs in that field. `courses` and `profiles` are applied only to a learner that
    /// this call adds. For an existing one they are always reported, without an old value, because the service
    /// does not return them with a learner; [`ensure_enrolment`](Self::ensure_enrolment) adds missing courses.
    ///
    /// `send_email` and `send_sms` send messages to a real person, but only if the learner is added.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::{Ensured, prelude::*};
    ///
    /// let wanted = types::AddLearner::builder()
    ///     .firstname("Ann")
    ///     .surname("Jones")
    ///     .email("ann@acme.example")
    ///     .generate_password(true);
    /// match lms.ensure_learner(wanted).await? {
    ///     Ensured::Created(learner) => println!("added {:?}", learner.id),
    ///     Ensured::AlreadyExists { value, differs } if differs.is_empty() => {
    ///         println!("{:?} is up to date", value.id);
    ///     }
    ///     other => println!("{:?} differs: {:?}", other.value().id, other.differs()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Ambiguous`](ErrorKind::Ambiguous) if the response to the `POST` was lost and the learner was not found
    /// afterwards; call again later. [`Conflict`](ErrorKind::Conflict) if another unique field, such as the
    /// username, is taken. [`Mismatch`](ErrorKind::Mismatch) if the lookup returns a learner with another
    /// address. A [usage error](Error::is_usage) if a required field is missing or the address is empty.
    /// Otherwise the errors of any call.
    pub fn ensure_learner(
        &self,
        learner: impl IntoValue<types::AddLearner>,
    ) -> CallFuture<Ensured<types::Learner>> {
        let wanted = wanted("learner", learner);
        let lms = self.clone();
        Box::pin(async move {
            let usage = |error: Error| error.in_operation(builders::AddLearner::INFO);
            let wanted = wanted.map_err(usage)?;
            if wanted.email.trim().is_empty() {
                let detail =
                    "the email address is empty; set it, because learners are looked up by it";
                return Err(usage(Error::usage(detail)));
            }
            let look = || learner::find(lms.clone(), wanted.email.clone());
            let add = lms.add_learner().body(wanted.clone()).call();
            ensure(look, add, |found| learner::differs(&wanted, found)).await
        })
    }

    /// Enrols a learner in a course unless the learner is enrolled already.
    ///
    /// Lists enrolments with both ids as filters, and also compares the ids of each item, in case the server
    /// ignores a filter.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::prelude::*;
    ///
    /// let wanted = types::AddEnrolment::builder().course("c1").user("u1");
    /// let enrolment = lms.ensure_enrolment(wanted).await?;
    /// println!("{:?}, new: {}", enrolment.value().id, enrolment.is_new());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// `send_emails` sends messages to a real person, but only if the enrolment is added.
    ///
    /// # Errors
    ///
    /// [`Ambiguous`](ErrorKind::Ambiguous) if the response to the `POST` was lost and the enrolment was not
    /// found afterwards; call again later. [`Decode`](ErrorKind::Decode) if an enrolment in the list has no
    /// course or no user to compare. A [usage error](Error::is_usage) if an id is missing or empty. Otherwise the errors of any call.
    pub fn ensure_enrolment(
        &self,
        enrolment: impl IntoValue<types::AddEnrolment>,
    ) -> CallFuture<Ensured<types::Enrolment>> {
        let wanted = wanted("enrolment", enrolment);
        let lms = self.clone();
        Box::pin(async move {
            let usage = |error: Error| error.in_operation(builders::AddEnrolment::INFO);
            let wanted = wanted.map_err(usage)?;
            for (name, id) in [
                ("course", wanted.course.as_str()),
                ("user", wanted.user.as_str()),
            ] {
                if id.trim().is_empty() {
                    let detail =
                        format!("the id of the {name} is empty; give the id of one {name}");
                    return Err(usage(Error::usage(detail)));
                }
            }
            let look = || find_enrolment(lms.clone(), wanted.clone());
            let add = lms.add_enrolment().body(wanted.clone()).call();
            ensure(look, add, |_| Ok(Vec::new())).await
        })
    }
}

/// The object to add.
fn wanted<T>(what: &str, value: impl IntoValue<T>) -> Result<T, Error> {
    let reason = match value.into_value() {
        Ok(Some(value)) => return Ok(value),
        Ok(None) => "there is none".to_owned(),
        Err(reason) => reason,
    };
    Err(Error::usage(format!(
        "the {what} to add is incomplete: {reason}"
    )))
}

/// The enrolment of this learner in this course, if there is one.
#[inline]
async fn find_enrolment(
    lms: Lms,
    wanted: types::AddEnrolment,
) -> Result<Option<types::Enrolment>, Error> {
    let mut enrolments = lms
        .list_enrolments()
        .course(&wanted.course)
        .user(&wanted.user)
        .items()
        .without_read_ahead();
    let mut missing = Vec::new();
    while let Some(found) = enrolments.try_next().await? {
        let ids = [
            ("course", found.course.as_deref(), wanted.course.as_str()),
            ("user", found.user.as_deref(), wanted.user.as_str()),
        ];
        if ids.iter().all(|(_, id, wanted)| *id == Some(*wanted)) {
            return Ok(Some(found));
        }
        // An enrolment that cannot be compared may be the wanted one.
        if ids
            .iter()
            .all(|(_, id, wanted)| id.is_none_or(|id| id == *wanted))
        {
            let absent = ids.iter().filter(|(_, id, _)| id.is_none());
            missing = absent.map(|(name, _, _)| (*name).to_owned()).collect();
        }
    }
    if missing.is_empty() {
        return Ok(None);
    }
    let detail = format!(
        "the list contains an enrolment without `{}`, which may be the requested one, so nothing was added; check the enrolments of the learner",
        missing.join("` and `")
    );
    Err(Error::new(ErrorKind::Decode, detail)
        .with_fields(missing)
        .in_operation(builders::ListEnrolments::INFO))
}

/// Looks for an object, adds it if it is missing, and looks again if it may have been added despite an error.
async fn ensure<T, L>(
    look: impl Fn() -> L,
    add: CallFuture<T>,
    differs: impl Fn(&T) -> Result<Vec<Change>, Error>,
) -> Result<Ensured<T>, Error>
where
    L: Future<Output = Result<Option<T>, Error>>,
{
    if let Some(value) = look().await? {
        let differs = differs(&value)?;
        return Ok(Ensured::AlreadyExists { value, differs });
    }
    let error = match add.await {
        Ok(value) => return Ok(Ensured::Created(value)),
        Err(error) => error,
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
        !matches!(self, Self::AlreadyExists { .. })
    }

    /// The requested fields with other values: from the existing value to the requested one. Empty if this call
    /// added the object.
    #[must_use]
    pub fn differs(&self) -> &[Change] {
        match self {
            Self::Created(_) => &[],
            Self::AlreadyExists { differs, .. } | Self::Found { differs, .. } => differs,
        }
    }

    /// The learner or enrolment that exists now.
    #[must_use]
    pub fn value(&self) -> &T {
        match self {
            Self::Created(value)
            | Self::AlreadyExists { value, .. }
            | Self::Found { value, .. } => value,
        }
    }

    /// The learner or enrolment that exists now, by value.
    #[must_use]
    pub fn into_inner(self) -> T {
        match self {
            Self::Created(value)
            | Self::AlreadyExists { value, .. }
            | Self::Found { value, .. } => value,
        }
    }
}
