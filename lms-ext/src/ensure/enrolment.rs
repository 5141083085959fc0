//! `ensure_enrolment`: enrols a learner once.

use lms_client::{requests, setter::IntoValue, types};

use super::{Ensured, Origin, ensure, wanted};
use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    paging::ListExt,
    request::{Call, Operation},
    send::in_operation,
    write::{Write, WriteMode},
};

impl Lms {
    /// Enrols a learner in a course, unless the learner is already enrolled.
    ///
    /// Lists enrolments with both ids as filters, and also compares the ids of each item, in case the server
    /// ignores a filter.
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
    /// found afterwards; call again later. [`Decode`](ErrorKind::Decode) if an enrolment in the list has no
    /// course or no user to compare. A [usage error](Error::is_usage) if an id is missing or empty. Otherwise the errors of any call.
    #[inline]
    pub fn ensure_enrolment(
        &self,
        enrolment: impl IntoValue<types::AddEnrolment>,
    ) -> Write<Ensured<types::Enrolment>> {
        let (lms, wanted) = (self.clone(), wanted(enrolment));
        Write::new(move |mode| in_operation("ensure_enrolment", ensured(lms, wanted, mode)))
    }
}

#[inline]
async fn ensured(
    lms: Lms,
    wanted: Result<types::AddEnrolment, Error>,
    mode: WriteMode,
) -> Result<Ensured<types::Enrolment>, Error> {
    let wanted = checked(wanted)?;
    let lookup = || find(lms.clone(), wanted.clone());
    let (value, origin) = match mode {
        WriteMode::DryRun => match lookup().await? {
            Some(found) => (found, Origin::Existing),
            None => (planned(&wanted)?, Origin::Added),
        },
        WriteMode::Apply => {
            let add = requests::AddEnrolment::new(&lms, wanted.clone()).call();
            let key = format!("enrolment {:?} {:?}", wanted.course, wanted.user);
            ensure((&lms, key), true, lookup, add).await?
        }
    };
    Ok(Ensured {
        value,
        new: origin != Origin::Existing,
        changes: Vec::new(),
        differs: Vec::new(),
    })
}

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

/// The enrolment of this learner in this course, if there is one.
#[inline]
async fn find(lms: Lms, wanted: types::AddEnrolment) -> Result<Option<types::Enrolment>, Error> {
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
        .in_operation(<requests::ListEnrolments>::INFO))
}
