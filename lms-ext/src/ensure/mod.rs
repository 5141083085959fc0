//! Adding what may be there already.
//!
//! A sync that runs every night adds the same people again and again, and one whose connection broke does
//! not know whom it has added: a `POST` cannot be repeated safely, since the service has no idempotency
//! key. So these look first, add what is missing, and look again when the answer was lost. They can be
//! called any number of times and leave one learner, one enrolment.
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
//! They never change what is there. What differs from what was asked for is reported, and
//! [`Lms::update_learner`] changes it.
//!
//! Two processes that do the same at the same moment may both find nothing. Then the service decides: a
//! second learner with one address or a second enrolment is refused by most services (409), in which case
//! the one that lost looks again and finds what the other has added.

mod learner;

use lms_client::types;

use crate::{
    client::Lms,
    edit::Change,
    error::{Error, ErrorKind},
    paging::Walk,
    request::{Call, CallFuture, Operation},
};
use lms_client::builder as builders;

impl Lms {
    /// Makes sure that there is a learner with this email address.
    ///
    /// Looks the address up (`GET /learners/email/{email}`) and adds the learner when there is none. A
    /// learner who is there is not changed; [`Ensured::differs`] says what is not as asked for. Compared is
    /// what was given and what a learner shows: names, username, telephone number, sign-on id, sign-up
    /// page, and tags, of which there may be more. Passwords are never compared. An account that is
    /// archived or deleted differs in that. Case does not count in the address: two accounts that differ
    /// in nothing else belong to one person.
    ///
    /// `send_email` and `send_sms` reach a real person, and only when the learner is added.
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
    ///     Ensured::AlreadyThere { value, differs } if differs.is_empty() => {
    ///         println!("{:?} is as wanted", value.id);
    ///     }
    ///     other => println!("{:?} has other values: {:?}", other.value().id, other.differs()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Ambiguous`](ErrorKind::Ambiguous) when the answer to the addition was lost and the learner cannot
    /// be seen; call again later, which looks first. [`Conflict`](ErrorKind::Conflict) when something else
    /// of the learner is taken, such as the username. [`Mismatch`](ErrorKind::Mismatch) when the tenant
    /// answers with somebody who has another address. A [usage error](Error::is_usage) when a required
    /// field is missing or the address is empty. Otherwise as any call.
    pub async fn ensure_learner<L>(&self, learner: L) -> Result<Ensured<types::Learner>, Error>
    where
        L: TryInto<types::AddLearner>,
        L::Error: std::fmt::Display,
    {
        let wanted: types::AddLearner = learner.try_into().map_err(|error| {
            Error::usage(format!("the learner to add is not whole: {error}"))
                .in_operation(builders::AddLearner::INFO)
        })?;
        if wanted.email.trim().is_empty() {
            return Err(Error::usage(
                "the email address is empty; it is what the learner is looked up by",
            )
            .in_operation(builders::AddLearner::INFO));
        }
        let look = || learner::find(self.clone(), wanted.email.clone());
        let add = self.add_learner().body(wanted.clone()).call();
        ensure(look, add, |cached| learner::differs(&wanted, cached)).await
    }

    /// Makes sure that a learner is enrolled in a course.
    ///
    /// Looks for the enrolment in the list of enrolments (§4), where each row is compared with both ids, so
    /// that a tenant that ignores a filter does no harm, and adds it when there is none.
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
    /// `send_emails` reaches a real person, and only when the enrolment is added.
    ///
    /// # Errors
    ///
    /// [`Ambiguous`](ErrorKind::Ambiguous) when the answer to the addition was lost and the enrolment
    /// cannot be seen; call again later, which looks first. A [usage error](Error::is_usage) when an id is
    /// missing or empty. Otherwise as any call.
    pub async fn ensure_enrolment<E>(
        &self,
        enrolment: E,
    ) -> Result<Ensured<types::Enrolment>, Error>
    where
        E: TryInto<types::AddEnrolment>,
        E::Error: std::fmt::Display,
    {
        let usage =
            |detail: String| Error::usage(detail).in_operation(builders::AddEnrolment::INFO);
        let wanted: types::AddEnrolment = enrolment
            .try_into()
            .map_err(|error| usage(format!("the enrolment to add is not whole: {error}")))?;
        for (name, id) in [("course", &wanted.course), ("user", &wanted.user)] {
            if id.trim().is_empty() {
                return Err(usage(format!(
                    "the id of the {name} is empty; give the id of one {name}"
                )));
            }
        }
        let look = || find_enrolment(self.clone(), wanted.clone());
        let add = self.add_enrolment().body(wanted.clone()).call();
        ensure(look, add, |_| Ok(Vec::new())).await
    }
}

/// The enrolment of this learner in this course, if there is one.
#[inline]
async fn find_enrolment(
    lms: Lms,
    wanted: types::AddEnrolment,
) -> Result<Option<types::Enrolment>, Error> {
    let mut rows = lms
        .list_enrolments()
        .course(wanted.course.as_str())
        .user(wanted.user.as_str())
        .items()
        .without_read_ahead();
    while let Some(row) = rows.try_next().await? {
        if row.course.as_ref() == Some(&wanted.course) && row.user.as_ref() == Some(&wanted.user) {
            return Ok(Some(row));
        }
    }
    Ok(None)
}

/// Looks, adds what is not there, and looks again when the addition may have happened all the same.
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
        return Ok(Ensured::AlreadyThere { value, differs });
    }
    let error = match add.await {
        Ok(value) => return Ok(Ensured::Created(value)),
        Err(error) => error,
    };
    // An answer that cannot be read does not say that nothing was added.
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
                Ensured::AlreadyThere { value, differs }
            })
        }
        Ok(None) if maybe_processed => Err(error.with_kind(ErrorKind::Ambiguous).with_detail(
            "it may have been added, and cannot be seen yet; call again later, which looks before it adds",
        )),
        Err(_) if maybe_processed => Err(error.with_kind(ErrorKind::Ambiguous).with_detail(
            "it may have been added, and looking for it failed; call again later, which looks before it adds",
        )),
        _ => Err(error),
    }
}

/// The result of an `ensure_…` call: the object, and whether this call added it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Ensured<T> {
    /// It was not there, and this call has added it.
    Created(T),
    /// It was there already.
    AlreadyThere {
        /// What is there.
        value: T,
        /// What is not as it was asked for: from what is there, to what was asked for.
        differs: Vec<Change>,
    },
    /// It was not there, the answer to its addition was lost, and then it was there: added by this call,
    /// or by somebody else at the same moment.
    Found {
        /// What is there.
        value: T,
        /// What is not as it was asked for.
        differs: Vec<Change>,
    },
}

impl<T> Ensured<T> {
    /// Whether it was not there before this call.
    #[must_use]
    pub fn is_new(&self) -> bool {
        !matches!(self, Self::AlreadyThere { .. })
    }

    /// What is not as it was asked for: from what is there, to what was asked for. Nothing of what this
    /// call has certainly added.
    #[must_use]
    pub fn differs(&self) -> &[Change] {
        match self {
            Self::Created(_) => &[],
            Self::AlreadyThere { differs, .. } | Self::Found { differs, .. } => differs,
        }
    }

    /// The learner or enrolment that is there now.
    #[must_use]
    pub fn value(&self) -> &T {
        match self {
            Self::Created(value) | Self::AlreadyThere { value, .. } | Self::Found { value, .. } => {
                value
            }
        }
    }

    /// As [`value`](Self::value), owned.
    #[must_use]
    pub fn into_inner(self) -> T {
        match self {
            Self::Created(value) | Self::AlreadyThere { value, .. } | Self::Found { value, .. } => {
                value
            }
        }
    }
}
