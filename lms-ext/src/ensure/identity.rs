//! Decides whether an existing learner is the same person as a requested one.

use lms_client::{requests, types};

use crate::{
    error::{Error, ErrorKind},
    request::Operation,
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
    pub(super) fn requested(self, wanted: &types::AddLearner) -> Option<&str> {
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
    pub(super) fn matches(self, wanted: &types::AddLearner, found: &types::Learner) -> bool {
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
