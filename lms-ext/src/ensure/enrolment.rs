//! `ensure_enrolment`: enrols a learner once.

use lms_client::{requests, setter::IntoValue, types};

use super::{Ensured, ensure, index::without_ids, requested};
use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    paging::ListExt,
    request::{Call, CallFuture, Operation},
    send::in_operation,
    write::{WriteMode, awaited},
};

impl Lms {
    /// Enrols a learner in a course, unless the learner is already enrolled.
    ///
    /// Lists enrolments with both ids as filters. If the server ignores a filter, nothing is added.
    ///
    /// ```
    /// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
    /// use lms_ext::prelude::*;
    ///
    /// let wanted = types::AddEnrolment::builder("c1", "u1");
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
    /// found afterwards; call again later. [`Mismatch`](ErrorKind::Mismatch) if the list contains another enrolment.
    /// [`Decode`](ErrorKind::Decode) if an enrolment in the list has no
    /// course or no user to compare. A [usage error](Error::is_usage) if an id is missing or empty. Otherwise the errors of any call.
    #[inline]
    pub fn ensure_enrolment(
        &self,
        enrolment: impl IntoValue<types::AddEnrolment>,
    ) -> EnsureEnrolment {
        EnsureEnrolment {
            lms: self.clone(),
            wanted: requested(enrolment),
            existing: None,
        }
    }
}

/// A call to [`Lms::ensure_enrolment`]: `.await` it, or [run](Self::run) it in a mode.
#[derive(Debug)]
#[must_use = "nothing is sent: write `.await`"]
pub struct EnsureEnrolment {
    lms: Lms,
    wanted: Result<types::AddEnrolment, Error>,
    /// The result of the first lookup, if the caller knows it.
    existing: Option<Option<types::Enrolment>>,
}

impl EnsureEnrolment {
    /// Passes the result of the lookup, from a list that you have read: the enrolment, or `None` if there is none. The
    /// call then does not look up the enrolment first, and sends nothing if there is one.
    ///
    /// [`sync_enrolments`](Lms::sync_enrolments) and an [`EnrolmentIndex`](crate::EnrolmentIndex) do this for many
    /// enrolments.
    ///
    /// An enrolment of another learner or in another course is a [mismatch](ErrorKind::Mismatch).
    pub fn existing(mut self, enrolment: impl Into<Option<types::Enrolment>>) -> Self {
        self.existing = Some(enrolment.into());
        self
    }

    /// Makes the call. In a dry run, it only reads, with the same result.
    ///
    /// # Errors
    ///
    /// The errors of [`Lms::ensure_enrolment`].
    #[inline]
    pub fn run(self, mode: WriteMode) -> CallFuture<Ensured<types::Enrolment>> {
        Box::pin(in_operation("ensure_enrolment", self.ensured(mode)))
    }

    #[inline]
    async fn ensured(self, mode: WriteMode) -> Result<Ensured<types::Enrolment>, Error> {
        let Self { lms, existing, .. } = self;
        let wanted = checked(self.wanted)?;
        if let Some(Some(found)) = &existing {
            verify(&wanted, found)?;
        }
        let key = format!("enrolment {:?} {:?}", wanted.course, wanted.user);
        let ensured = ensure(
            (&lms, key),
            (existing, mode),
            || find(lms.clone(), wanted.clone()),
            || planned(&wanted),
            requests::AddEnrolment::new(&lms, wanted.clone()).call(),
        );
        Ok(Ensured::new(ensured.await?))
    }
}

awaited!(EnsureEnrolment => Ensured<types::Enrolment>);

/// The enrolment that a dry run would add.
#[inline]
fn planned(wanted: &types::AddEnrolment) -> Result<types::Enrolment, Error> {
    let planned = types::Enrolment::builder()
        .course(&wanted.course)
        .user(&wanted.user);
    Ok(planned.try_into()?)
}

#[inline]
fn checked(wanted: Result<types::AddEnrolment, Error>) -> Result<types::AddEnrolment, Error> {
    let usage = |error: Error| error.in_operation(<requests::AddEnrolment>::INFO);
    let wanted = wanted.map_err(usage)?;
    for (name, id) in [
        ("course", wanted.course.as_str()),
        ("user", wanted.user.as_str()),
    ] {
        if id.trim().is_empty() {
            let detail = format!("the id of the {name} is empty; give the id of one {name}");
            return Err(usage(Error::usage(detail)));
        }
    }
    Ok(wanted)
}

/// Fails unless an enrolment that the caller passed is the requested one.
#[inline]
fn verify(wanted: &types::AddEnrolment, found: &types::Enrolment) -> Result<(), Error> {
    let name = if found.course.as_ref() != Some(&wanted.course) {
        "course"
    } else if found.user.as_ref() != Some(&wanted.user) {
        "user"
    } else {
        return Ok(());
    };
    let detail = format!(
        "the existing enrolment has another {name}, so nothing was added; check the {name}"
    );
    Err(Error::new(ErrorKind::Mismatch, detail)
        .with_fields(vec![name.to_owned()])
        .in_operation(<requests::AddEnrolment>::INFO))
}

/// The enrolment of this learner in this course, if there is one.
#[inline]
async fn find(lms: Lms, wanted: types::AddEnrolment) -> Result<Option<types::Enrolment>, Error> {
    let mut enrolments = lms
        .list_enrolments()
        .course(&wanted.course)
        .user(&wanted.user)
        .items()
        .without_read_ahead();
    let mut is_whole = true;
    while let Some(found) = enrolments.try_next().await? {
        // An item with another id would be an error of the list. One without it may be the wanted enrolment.
        if found.course.is_some() && found.user.is_some() {
            return Ok(Some(found));
        }
        is_whole = false;
    }
    match is_whole {
        true => Ok(None),
        false => Err(without_ids()),
    }
}
