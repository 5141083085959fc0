//! Finds the existing learner who is the same person as a requested one.

use std::iter;

use lms_client::{requests, types};

use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    paging::{Items, ListExt},
    request::{Call, CallOptions, Operation},
    values::OperationInfo,
};

/// The field that identifies a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Identity {
    #[default]
    Email,
    Username,
    SsoId,
}

impl Identity {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Username => "username",
            Self::SsoId => "sso_id",
        }
    }

    /// The value of a requested learner.
    #[inline]
    fn requested(self, wanted: &types::AddLearner) -> Option<&str> {
        match self {
            Self::Email => Some(&wanted.email),
            Self::Username => wanted.username.as_deref(),
            Self::SsoId => wanted.sso_id.as_deref(),
        }
    }

    /// The value of an existing learner, as it is compared.
    pub(super) fn stored(self, learner: &types::Learner) -> Option<String> {
        let value = match self {
            Self::Email => learner.email.as_deref(),
            Self::Username => learner.username.as_deref(),
            Self::SsoId => learner.sso_id.as_deref(),
        };
        self.normalized(value?)
    }

    /// Fails if the requested learner has no value to look up.
    #[inline]
    pub(super) fn check(self, wanted: &types::AddLearner) -> Result<(), Error> {
        let is_empty = |identity: &Self| {
            let value = identity.requested(wanted);
            value.is_none_or(|value| value.trim().is_empty())
        };
        match [Self::Email, self]
            .iter()
            .find(|identity| is_empty(identity))
        {
            None => Ok(()),
            Some(missing) => Err(Error::usage(format!(
                "the {} is empty; set it, because learners are looked up by it",
                missing.name()
            ))),
        }
    }

    /// The key that calls about the same person share.
    #[inline]
    pub(super) fn key(self, wanted: &types::AddLearner) -> String {
        let value = self.requested(wanted);
        let value = value.and_then(|value| self.normalized(value));
        format!("learner by {} {}", self.name(), value.unwrap_or_default())
    }

    /// The form in which values are compared; `None` for a blank one.
    pub(super) fn normalized(self, value: &str) -> Option<String> {
        let normalized = match self {
            Self::Email | Self::Username => value.trim().to_lowercase(),
            Self::SsoId => value.to_owned(),
        };
        (!normalized.trim().is_empty()).then_some(normalized)
    }

    /// The error if several learners have a value.
    pub(super) fn ambiguous(self) -> Error {
        let name = self.name();
        let detail =
            format!("several learners have this {name}, so nothing was added; give each their own");
        mismatch(detail, name).in_operation(<requests::ListLearners>::INFO)
    }

    #[inline]
    fn matches(self, wanted: &types::AddLearner, found: &types::Learner) -> bool {
        let stored = self.stored(found);
        let requested = self.requested(wanted);
        stored.is_some() && stored == requested.and_then(|value| self.normalized(value))
    }

    /// Fails unless `found` is the requested person: otherwise the caller would enrol or edit another one.
    #[inline]
    pub(super) fn verify(
        self,
        wanted: &types::AddLearner,
        found: &types::Learner,
        operation: &'static OperationInfo,
    ) -> Result<(), Error> {
        if self.matches(wanted, found) {
            return Ok(());
        }
        let name = self.name();
        let detail = format!(
            "the existing learner has another {name}, so nothing was added; check the {name}"
        );
        Err(mismatch(detail, name).in_operation(operation))
    }
}

fn mismatch(detail: String, field: &str) -> Error {
    Error::new(ErrorKind::Mismatch, detail).with_fields(vec![field.to_owned()])
}

/// The requested person, if the tenant has them.
#[inline]
pub(super) async fn find(
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
    let lists: Vec<_> = match (identity, &wanted.username) {
        (Identity::Username, Some(username)) => spellings(username)
            .map(|username| lms.list_learners().username(username))
            .collect(),
        _ => vec![lms.list_learners()],
    };
    for list in lists {
        if let Some(found) = only_match(identity, wanted, list.items()).await? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

#[inline]
async fn only_match(
    identity: Identity,
    wanted: &types::AddLearner,
    mut learners: Items<types::Learner>,
) -> Result<Option<types::Learner>, Error> {
    let deleted = |learner: &types::Learner| learner.deleted == Some(true);
    let mut found: Option<types::Learner> = None;
    while let Some(learner) = learners.try_next().await? {
        if !identity.matches(wanted, &learner) {
            continue;
        }
        match &found {
            Some(found) if found.id == learner.id || deleted(&learner) => {}
            Some(found) if !deleted(found) => return Err(identity.ambiguous()),
            _ => found = Some(learner),
        }
    }
    Ok(found)
}
