//! `ensure_learner`: adds a person once, and updates them on request.

use std::{future::ready, iter};

use futures_util::TryStreamExt as _;
use lms_client::{requests, setter::IntoValue, types};

use super::{
    Ensured, LearnerIndex, Origin,
    differences::{apply_to_draft, comparable, find_differences},
    ensure,
    identity::Identity,
    requested,
};
use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    paging::ListExt,
    request::{Call, CallFuture, CallOptions, Operation, RequireId},
    send::in_operation,
    write::{WriteMode, awaited},
};

impl Lms {
    /// Adds a learner unless there is one with the same email address.
    ///
    /// Looks up the address with `GET /learners/email/{email}`, as given and then in lower case, and ignores case when
    /// it compares. If the service compares case-sensitively, an address that is stored in a third spelling is not
    /// found. [`by_username`](EnsureLearner::by_username) and [`by_sso_id`](EnsureLearner::by_sso_id) look up another
    /// field.
    ///
    /// An existing learner is not changed without [`or_update`](EnsureLearner::or_update). [`Ensured::differs`] lists
    /// the requested fields with other values: names, username, phone number, SSO id, sign-up page and tags (additional
    /// tags are not a difference). Passwords are not compared. An account that is archived or deleted differs in that
    /// field.
    ///
    /// `courses` and `profiles` are applied only to a new learner. For an existing one, they are always reported as
    /// differences, without an old value, because the service does not return them.
    /// [`ensure_enrolment`](Self::ensure_enrolment) adds missing courses.
    ///
    /// `send_email` and `send_sms` send messages to a real person, but only if the learner is added.
    ///
    /// Calls of one client and its clones for the same learner run one after the other, so only one of them adds it. Two
    /// processes that call this at the same time may both find nothing and both add. If the service refuses the second
    /// request with a 409, that call finds the learner of the other process.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::prelude::*;
    ///
    /// let wanted = types::AddLearner::builder("Ann", "Jones", "ann@acme.example")
    ///     .generate_password(true);
    /// let learner = lms.ensure_learner(wanted).await?;
    /// println!("{:?}, new: {}", learner.value().id, learner.is_new());
    /// for difference in learner.differs() {
    ///     println!("{difference}"); // surname: "Smith" → "Jones"
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
            wanted: requested(learner),
            identity: Identity::Email,
            existing: None,
            update: false,
        }
    }
}

/// A call to [`Lms::ensure_learner`]: `.await` it, or [run](Self::run) it in a mode.
#[derive(Debug)]
#[must_use = "nothing is sent: write `.await`"]
pub struct EnsureLearner {
    lms: Lms,
    wanted: Result<types::AddLearner, Error>,
    identity: Identity,
    /// The result of the first lookup, if the caller knows it.
    existing: Option<Option<types::Learner>>,
    update: bool,
}

impl EnsureLearner {
    /// Looks up the username instead of the email address, as given and in lower case.
    ///
    /// A person whose address has changed is found, and no second person is added. If the username is new and the
    /// address is taken, the server's [conflict](Error::is_conflict) is returned.
    pub fn by_username(mut self) -> Self {
        self.identity = Identity::Username;
        self
    }

    /// Looks up the `sso_id` instead of the email address, so that a person whose address has changed is found.
    ///
    /// The service has no filter for it. The call looks up the email address first, and reads the complete list of learners
    /// only if the learner with this address has another `sso_id` or there is none. For many new learners, read the
    /// list once, and pass each learner to [`existing`](Self::existing).
    ///
    /// A learner with the same address and without an `sso_id` counts as the same person. If the `sso_id` is new and
    /// another person has the address, the error is a [conflict](Error::is_conflict), and nothing is added.
    pub fn by_sso_id(mut self) -> Self {
        self.identity = Identity::SsoId;
        self
    }

    /// Passes the result of the lookup, from a list that you have read: the learner, or `None` if there is none. The
    /// call then does not look up the learner first.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::{LearnerIndex, prelude::*};
    ///
    /// let learners = LearnerIndex::read(lms.list_learners().items()).await?;
    /// for (sso_id, email) in [("emp-17", "ann@acme.example"), ("emp-18", "ben@acme.example")] {
    ///     let existing = learners.by_sso_id(sso_id)?.cloned();
    ///     let learner = types::AddLearner::builder("Ann", "Smith", email)
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
    /// added; other tags stay. Fields that were not requested keep their values, and a password is never set. Fields
    /// that an edit cannot set (`sso_id`, `signup_page`, `archived`, courses and profiles) stay in
    /// [`Ensured::differs`].
    ///
    /// The edit works like [`Lms::update_learner`], with the same errors. If nothing differs, nothing is written.
    pub fn or_update(mut self) -> Self {
        self.update = true;
        self
    }

    /// Makes the call. In a dry run, it only reads, with the same result.
    ///
    /// # Errors
    ///
    /// The errors of [`Lms::ensure_learner`].
    #[inline]
    pub fn run(self, mode: WriteMode) -> CallFuture<Ensured<types::Learner>> {
        Box::pin(in_operation("ensure_learner", self.ensured(mode)))
    }

    #[inline]
    async fn ensured(mut self, mode: WriteMode) -> Result<Ensured<types::Learner>, Error> {
        let wanted = self.checked()?;
        let (lms, identity) = (&self.lms, self.identity);
        let (value, origin) = ensure(
            (lms, identity.key(&wanted)),
            (self.existing.take(), mode),
            || find(lms.clone(), identity, wanted.clone()),
            || comparable(&wanted),
            requests::AddLearner::new(lms, wanted.clone()).call(),
        )
        .await?;
        let mut ensured = Ensured::new((value, origin));
        if origin != Origin::Added {
            ensured.differs = find_differences(&wanted, &ensured.value)?;
        }
        if self.update && !ensured.differs.is_empty() {
            let differs = std::mem::take(&mut ensured.differs);
            let edit = move |draft: &mut types::EditLearner| apply_to_draft(draft, &differs);
            let id = ensured.value.require_id()?.to_string();
            let (edited, left) = lms.update_with::<types::Learner, _>(id, edit, mode).await?;
            ensured.differs = left?;
            ensured.changes = edited.changes().to_vec();
            ensured.value = edited.into_inner();
        }
        Ok(ensured)
    }

    /// The learner to add, which can be looked up, and is the existing one if that is known.
    #[inline]
    fn checked(&mut self) -> Result<types::AddLearner, Error> {
        let usage = |error: Error| error.in_operation(<requests::AddLearner>::INFO);
        let wanted = std::mem::replace(&mut self.wanted, Err(Error::usage("")));
        let wanted = wanted.map_err(usage)?;
        self.identity.check(&wanted).map_err(usage)?;
        if let Some(Some(existing)) = &self.existing {
            let operation = <requests::AddLearner>::INFO;
            self.identity.verify(&wanted, existing, operation)?;
        }
        Ok(wanted)
    }
}

awaited!(EnsureLearner => Ensured<types::Learner>);

/// The requested person, if the tenant has them.
#[inline]
async fn find(
    lms: Lms,
    identity: Identity,
    wanted: types::AddLearner,
) -> Result<Option<types::Learner>, Error> {
    match identity {
        Identity::Email => by_email(&lms, &wanted).await,
        Identity::Username => search(&lms, identity, &wanted).await,
        Identity::SsoId => {
            // There is no filter for it, so the complete list would be read for each learner. Usually the address is the
            // same.
            let holder = match by_email(&lms, &wanted).await? {
                Some(found) if identity.matches(&wanted, &found) => return Ok(Some(found)),
                holder => holder,
            };
            match search(&lms, identity, &wanted).await? {
                Some(found) => Ok(Some(found)),
                None => holder.map(without_sso_id).transpose(),
            }
        }
    }
}

/// Accepts the holder of the address as the person if they have no `sso_id` yet.
#[inline]
fn without_sso_id(found: types::Learner) -> Result<types::Learner, Error> {
    if Identity::SsoId.stored(&found).is_none() {
        return Ok(found);
    }
    let detail = "another person, with another sso_id, has the email address, so nothing was added; correct the address or the sso_id";
    Err(Error::new(ErrorKind::Conflict, detail)
        .with_fields(vec!["sso_id".to_owned()])
        .in_operation(<requests::GetLearnerByEmail>::INFO))
}

/// A text as given and in lower case, because the service may compare case-sensitively.
#[inline]
fn spellings(text: &str) -> impl Iterator<Item = String> {
    let lower = text.to_lowercase();
    let other = (lower != text).then_some(lower);
    iter::once(text.to_owned()).chain(other)
}

#[inline]
async fn by_email(lms: &Lms, wanted: &types::AddLearner) -> Result<Option<types::Learner>, Error> {
    for email in spellings(&wanted.email) {
        let options = CallOptions::absence_expected();
        match lms.get_learner_by_email(email).options(options).await {
            Ok(found) => {
                let operation = <requests::GetLearnerByEmail>::INFO;
                Identity::Email.verify(wanted, &found, operation)?;
                return Ok(Some(found));
            }
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Reads the list, and compares each learner, in case the server ignores the filter.
#[inline]
async fn search(
    lms: &Lms,
    identity: Identity,
    wanted: &types::AddLearner,
) -> Result<Option<types::Learner>, Error> {
    let Some(value) = identity.requested(wanted) else {
        return Ok(None);
    };
    let lists: Vec<_> = match identity {
        Identity::Username => spellings(value)
            .map(|username| lms.list_learners().username(username))
            .collect(),
        _ => vec![lms.list_learners()],
    };
    for list in lists {
        let mut learners = list.items();
        let matching =
            (&mut learners).try_filter(|learner| ready(identity.matches(wanted, learner)));
        let found = LearnerIndex::read(matching).await?;
        if let Some(found) = found.find_one(identity, value)? {
            return Ok(Some(found.clone()));
        }
        if identity != Identity::Username {
            // A learner that a short list lacks would be added again.
            let whole = learners.summary().require_whole();
            whole.map_err(|error| error.in_operation(<requests::ListLearners>::INFO))?;
        }
    }
    Ok(None)
}
