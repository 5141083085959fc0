//! `ensure_learner`: adds a person once, and updates them on request.

use lms_client::{builder as builders, setter::IntoValue, types};

use super::{
    EnsurePlan, Ensured, Order,
    differences::{apply, differs},
    ensure,
    identity::{Identity, find},
    wanted,
};
use crate::{
    client::Lms,
    edit::Change,
    error::Error,
    request::{Call, CallFuture, Operation, RequireId},
};

impl Lms {
    /// Adds a learner unless there is one with the same email address, ignoring case.
    ///
    /// Looks up the address with `GET /learners/email/{email}`; [`by_username`](EnsureLearner::by_username) and
    /// [`by_sso_id`](EnsureLearner::by_sso_id) look for another field. An existing learner is not changed without
    /// [`or_update`](EnsureLearner::or_update); [`Ensured::differs`] lists the requested fields with other values: names, username, phone number, SSO id,
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
    /// [`Ambiguous`](crate::ErrorKind::Ambiguous) if the response to the `POST` was lost and the learner was not found
    /// afterwards; call again later. [`Conflict`](crate::ErrorKind::Conflict) if another unique field, such as the
    /// username, is taken. [`Mismatch`](crate::ErrorKind::Mismatch) if the lookup returns a learner with another
    /// address. A [usage error](Error::is_usage) if a required field is missing or the address is empty.
    /// Otherwise the errors of any call.
    pub fn ensure_learner(&self, learner: impl IntoValue<types::AddLearner>) -> EnsureLearner {
        EnsureLearner {
            lms: self.clone(),
            wanted: wanted("learner", learner),
            identity: Identity::Email,
            existing: None,
            update: false,
        }
    }
}

/// A call to [`Lms::ensure_learner`]: `.await` it, or [plan](Self::plan) it.
#[derive(Debug)]
#[must_use = "nothing is sent until it is awaited"]
pub struct EnsureLearner {
    pub(super) lms: Lms,
    wanted: Result<types::AddLearner, Error>,
    identity: Identity,
    /// The result of the first lookup, if the caller knows it.
    existing: Option<Option<types::Learner>>,
    update: bool,
}

impl EnsureLearner {
    /// Looks for the username, ignoring case, instead of the email address.
    ///
    /// A person whose address has changed is found, and no second person is added. If the username is new and the
    /// address is taken, the server's [conflict](Error::is_conflict) is returned.
    pub fn by_username(mut self) -> Self {
        self.identity = Identity::Username;
        self
    }

    /// Looks for the `sso_id` instead of the email address, so that a person whose address has changed is found.
    ///
    /// The service has no filter for it. The call looks up the email address first, and reads the whole list of learners
    /// only if the learner with this address has another `sso_id` or there is none. For many new learners, read the
    /// list once, and pass what you found to [`existing`](Self::existing).
    ///
    /// A learner with the same address and without an `sso_id` is taken to be the same person. If the `sso_id` is new
    /// and another person has the address, the error is a [conflict](Error::is_conflict), and nothing is added.
    pub fn by_sso_id(mut self) -> Self {
        self.identity = Identity::SsoId;
        self
    }

    /// Gives the result of the lookup, from a list that you have read: the learner, or `None` if there is none. Then
    /// nothing is read before the learner is added.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use std::collections::HashMap;
    /// use lms_ext::prelude::*;
    ///
    /// let mut learners = HashMap::new();
    /// for learner in lms.list_learners().items().collect_all().await? {
    ///     learners.insert(learner.sso_id.clone(), learner);
    /// }
    /// for (sso_id, email) in [("emp-17", "ann@acme.example"), ("emp-18", "ben@acme.example")] {
    ///     let existing = learners.remove(&Some(sso_id.to_owned()));
    ///     let learner = types::AddLearner::builder()
    ///         .firstname("Ann")
    ///         .surname("Smith")
    ///         .email(email)
    ///         .sso_id(sso_id)
    ///         .generate_password(true);
    ///     lms.ensure_learner(learner).by_sso_id().existing(existing).or_update().await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn existing(mut self, learner: impl Into<Option<types::Learner>>) -> Self {
        self.existing = Some(learner.into());
        self
    }

    /// Changes an existing learner to the requested values.
    ///
    /// Sets the requested fields that an edit has: names, email address, username, phone number. Requested tags are
    /// added; other tags stay. Fields that were not requested keep their values, and a password is never set. What an
    /// edit cannot set (`sso_id`, `signup_page`, `archived`, courses and profiles) stays in [`Ensured::differs`].
    ///
    /// The edit is that of [`Lms::update_learner`], with its errors. Nothing is written if nothing differs.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::prelude::*;
    ///
    /// let wanted = types::AddLearner::builder()
    ///     .firstname("Ann")
    ///     .surname("Jones")
    ///     .email("ann@acme.example")
    ///     .generate_password(true);
    /// let ann = lms.ensure_learner(wanted).or_update().await?;
    /// for change in ann.changes() {
    ///     println!("{change}"); // surname: "Smith" → "Jones"
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn or_update(mut self) -> Self {
        self.update = true;
        self
    }

    /// Returns what the call would do. Only reads; after [`existing`](Self::existing) with a learner, it sends nothing.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::prelude::*;
    ///
    /// let wanted = types::AddLearner::builder()
    ///     .firstname("Ann")
    ///     .surname("Jones")
    ///     .email("ann@acme.example")
    ///     .generate_password(true);
    /// let plan = lms.ensure_learner(wanted).or_update().plan().await?;
    /// println!("new: {}, would change {:?}", plan.is_new(), plan.changes());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As the call itself.
    #[inline]
    pub fn plan(self) -> CallFuture<EnsurePlan<types::Learner>> {
        Box::pin(self.planned())
    }

    #[inline]
    async fn planned(mut self) -> Result<EnsurePlan<types::Learner>, Error> {
        let wanted = self.checked()?;
        let value = match self.existing.take() {
            Some(existing) => existing,
            None => find(self.lms.clone(), self.identity, wanted.clone()).await?,
        };
        let mut left = match &value {
            Some(found) => differs(&wanted, found)?,
            None => Vec::new(),
        };
        let mut update = None;
        if let Some(found) = value.as_ref().filter(|_| self.update && !left.is_empty()) {
            let differs = left;
            let mut applied = Ok(Vec::new());
            let edit = |draft: &mut types::EditLearner| applied = apply(draft, &differs);
            let plan = self.lms.plan_update_learner_from(found, edit)?;
            left = applied?;
            update = Some(plan).filter(|plan| !plan.is_empty());
        }
        Ok(EnsurePlan {
            value,
            update,
            differs: left,
        })
    }

    #[inline]
    async fn ensured(mut self) -> Result<Ensured<types::Learner>, Error> {
        let wanted = self.checked()?;
        let (lms, identity) = (&self.lms, self.identity);
        let look = || find(lms.clone(), identity, wanted.clone());
        let add = lms.add_learner().body(wanted.clone()).call();
        let compare = |found: &types::Learner| differs(&wanted, found);
        let key = format!("email {}", wanted.email.as_str().trim().to_lowercase());
        let turn = (lms, key.as_str());
        let ensured = match self.existing.take() {
            Some(Some(value)) => {
                let differs = compare(&value)?;
                Ensured::AlreadyExists { value, differs }
            }
            Some(None) => ensure(turn, Order::AddFirst, look, add, compare).await?,
            None => ensure(turn, Order::LookFirst, look, add, compare).await?,
        };
        if !self.update || ensured.differs().is_empty() {
            return Ok(ensured);
        }
        let (new, differs) = (ensured.is_new(), ensured.differs().to_vec());
        update(lms, ensured.into_inner(), new, &differs).await
    }

    /// The learner to add, which can be looked for, and is the existing one if that is known.
    #[inline]
    fn checked(&mut self) -> Result<types::AddLearner, Error> {
        let usage = |error: Error| error.in_operation(<builders::AddLearner>::INFO);
        let wanted = std::mem::replace(&mut self.wanted, Err(Error::usage("")));
        let wanted = wanted.map_err(usage)?;
        self.identity.check(&wanted).map_err(usage)?;
        if let Some(Some(existing)) = &self.existing {
            let operation = <builders::AddLearner>::INFO;
            self.identity.verify(&wanted, existing, operation)?;
        }
        Ok(wanted)
    }
}

/// Changes what an edit can set.
#[inline]
async fn update(
    lms: &Lms,
    found: types::Learner,
    new: bool,
    differs: &[Change],
) -> Result<Ensured<types::Learner>, Error> {
    let id = found.require_id()?;
    let mut left = Ok(Vec::new());
    let edited = lms
        .update_learner(id, |draft| left = apply(draft, differs))
        .await?;
    let (changes, differs) = (edited.changes().to_vec(), left?);
    let value = edited.into_inner();
    Ok(match (new, changes.is_empty()) {
        (true, _) => Ensured::Found { value, differs },
        (false, true) => Ensured::AlreadyExists { value, differs },
        (false, false) => Ensured::Updated {
            value,
            changes,
            differs,
        },
    })
}

impl IntoFuture for EnsureLearner {
    type Output = Result<Ensured<types::Learner>, Error>;
    type IntoFuture = CallFuture<Ensured<types::Learner>>;

    #[inline]
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.ensured())
    }
}
