//! Indexes of the learners and enrolments of a tenant.
//!
//! A job for many people looks up each of them, and the enrolments of each: two requests for everyone who is already as
//! they should be. Two lists have the same information in a few requests. An index is such a list in memory, with the
//! rules by which the `ensure_…` calls compare, for their methods `existing`.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    pin::pin,
};

use futures_core::Stream;
use futures_util::TryStreamExt as _;
use lms_client::{
    ids::{CourseId, LearnerId},
    requests, types,
};

use super::identity::Identity;
use crate::{
    error::{Error, ErrorKind},
    request::Operation,
};

/// The learners of a tenant, by id, email address, username and `sso_id`.
///
/// Addresses and usernames are compared without regard to case and surrounding blanks. A deleted account is found only if
/// no other account has the value.
///
/// Read the list without filters: a learner that it lacks looks like a new one. The index does not change when learners
/// do; [`extend`](Extend::extend) it with the learners that you add or edit. Takes the memory of all learners, about a
/// kilobyte each.
#[derive(Clone, Debug, Default)]
pub struct LearnerIndex {
    learners: Vec<types::Learner>,
    by_id: HashMap<LearnerId, usize>,
    by_value: BTreeMap<(Identity, String), Vec<usize>>,
}

/// Learners with the same email address, username or `sso_id`; returned by [`LearnerIndex::duplicates`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DuplicateLearners<'a> {
    /// `email`, `username` or `sso_id`.
    pub field: &'static str,
    /// The value that they share, as it is compared.
    pub value: &'a str,
    /// The learners, without deleted ones.
    pub learners: Vec<&'a types::Learner>,
}

impl LearnerIndex {
    /// Reads a list of learners to its end.
    ///
    /// # Errors
    ///
    /// The errors of the list.
    pub async fn read(
        learners: impl Stream<Item = Result<types::Learner, Error>>,
    ) -> Result<Self, Error> {
        let mut learners = pin!(learners);
        let mut index = Self::default();
        while let Some(learner) = learners.try_next().await? {
            index.insert(learner);
        }
        Ok(index)
    }

    /// The learner with an id.
    #[must_use]
    #[inline]
    pub fn get(&self, id: &str) -> Option<&types::Learner> {
        Some(&self.learners[*self.by_id.get(id)?])
    }

    /// The learner with an email address.
    ///
    /// # Errors
    ///
    /// [`Mismatch`](ErrorKind::Mismatch) if several learners have it.
    pub fn by_email(&self, email: &str) -> Result<Option<&types::Learner>, Error> {
        self.find_one(Identity::Email, email)
    }

    /// The learner with a username.
    ///
    /// # Errors
    ///
    /// [`Mismatch`](ErrorKind::Mismatch) if several learners have it.
    pub fn by_username(&self, username: &str) -> Result<Option<&types::Learner>, Error> {
        self.find_one(Identity::Username, username)
    }

    /// The learner with an `sso_id`.
    ///
    /// # Errors
    ///
    /// [`Mismatch`](ErrorKind::Mismatch) if several learners have it.
    pub fn by_sso_id(&self, sso_id: &str) -> Result<Option<&types::Learner>, Error> {
        self.find_one(Identity::SsoId, sso_id)
    }

    /// The learners that share an email address, a username or an `sso_id`, in the order of these fields.
    #[inline]
    pub fn duplicates(&self) -> impl Iterator<Item = DuplicateLearners<'_>> {
        self.by_value.iter().filter_map(|((identity, value), at)| {
            let learners = self.not_deleted(at);
            (learners.len() > 1).then_some(DuplicateLearners {
                field: identity.name(),
                value,
                learners,
            })
        })
    }

    /// All learners, in the order of the list.
    pub fn iter(&self) -> impl Iterator<Item = &types::Learner> {
        self.learners.iter()
    }

    /// The learners at these positions that are not deleted.
    #[inline]
    fn not_deleted(&self, at: &[usize]) -> Vec<&types::Learner> {
        let learners = at.iter().map(|at| &self.learners[*at]);
        learners
            .filter(|learner| learner.deleted != Some(true))
            .collect()
    }

    #[inline]
    pub(super) fn find_one(
        &self,
        identity: Identity,
        value: &str,
    ) -> Result<Option<&types::Learner>, Error> {
        let key = identity.normalized(value).map(|value| (identity, value));
        let Some(at) = key.and_then(|key| self.by_value.get(&key)) else {
            return Ok(None);
        };
        match self.not_deleted(at)[..] {
            [] => Ok(at.first().map(|at| &self.learners[*at])),
            [one] => Ok(Some(one)),
            _ => Err(identity.ambiguous()),
        }
    }

    /// Adds a learner, or replaces the one with the same id.
    #[inline]
    fn insert(&mut self, learner: types::Learner) {
        let next = self.learners.len();
        let at = match &learner.id {
            Some(id) => *self.by_id.entry(id.clone()).or_insert(next),
            None => next,
        };
        if at < next {
            let before = std::mem::replace(&mut self.learners[at], learner);
            for key in keys(&before) {
                if let Some(all) = self.by_value.get_mut(&key) {
                    all.retain(|other| *other != at);
                }
            }
        } else {
            self.learners.push(learner);
        }
        for key in keys(&self.learners[at]) {
            self.by_value.entry(key).or_default().push(at);
        }
    }
}

/// The values by which a learner is found.
#[inline]
fn keys(learner: &types::Learner) -> impl Iterator<Item = (Identity, String)> + use<> {
    let identities = [Identity::Email, Identity::Username, Identity::SsoId];
    let keys = identities.map(|identity| Some((identity, identity.stored(learner)?)));
    keys.into_iter().flatten()
}

impl Extend<types::Learner> for LearnerIndex {
    /// Adds learners, and replaces those with the same ids.
    fn extend<I: IntoIterator<Item = types::Learner>>(&mut self, learners: I) {
        learners
            .into_iter()
            .for_each(|learner| self.insert(learner));
    }
}

impl FromIterator<types::Learner> for LearnerIndex {
    fn from_iter<I: IntoIterator<Item = types::Learner>>(learners: I) -> Self {
        let mut index = Self::default();
        index.extend(learners);
        index
    }
}

/// The courses in which each learner of a tenant is enrolled.
///
/// Read the list without filters, or with filters for all learners and courses that you look up: an enrolment that it
/// lacks looks like a new one. The index does not change when enrolments do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnrolmentIndex(BTreeMap<LearnerId, BTreeSet<CourseId>>);

impl EnrolmentIndex {
    /// Reads a list of enrolments to its end.
    ///
    /// # Errors
    ///
    /// The errors of the list. [`Decode`](ErrorKind::Decode) if an enrolment has no course or no user.
    pub async fn read(
        enrolments: impl Stream<Item = Result<types::Enrolment, Error>>,
    ) -> Result<Self, Error> {
        let mut enrolments = pin!(enrolments);
        let mut index = Self::default();
        while let Some(enrolment) = enrolments.try_next().await? {
            index.insert(enrolment)?;
        }
        Ok(index)
    }

    /// Adds an enrolment, for example of [`enrolments_by_course`](crate::Lms::enrolments_by_course).
    ///
    /// # Errors
    ///
    /// [`Decode`](ErrorKind::Decode) if it has no course or no user.
    #[inline]
    pub fn insert(&mut self, enrolment: types::Enrolment) -> Result<(), Error> {
        let (Some(course), Some(user)) = (enrolment.course, enrolment.user) else {
            return Err(without_ids());
        };
        self.0.entry(user).or_default().insert(course);
        Ok(())
    }

    /// The courses of a learner, in the order of their ids.
    #[inline]
    pub fn courses_of(&self, learner: &str) -> impl Iterator<Item = &CourseId> {
        self.0.get(learner).into_iter().flatten()
    }

    #[inline]
    pub(super) fn remove(mut self, learner: &LearnerId) -> BTreeSet<CourseId> {
        self.0.remove(learner).unwrap_or_default()
    }
}

/// The error of a list with an enrolment that cannot be compared.
#[inline]
pub(super) fn without_ids() -> Error {
    let detail = "the list contains an enrolment without a course or a user, so nothing was changed; check the enrolments of the learner";
    Error::new(ErrorKind::Decode, detail)
        .with_fields(["course", "user"].map(str::to_owned).to_vec())
        .in_operation(<requests::ListEnrolments>::INFO)
}
