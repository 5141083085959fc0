//! `enrolments add`: with `--if-not-exists`, enrols a learner once.

use lms_ext::{Lms, types};

use super::{
    ensure::{self, Steps},
    plain,
    verb::{Doing, Verb},
};
use crate::calls::{
    applied::{Applied, Problem},
    call::Call,
    invalid::Invalid,
};

pub(super) struct AddEnrolment;

impl Verb for AddEnrolment {
    fn operations(&self) -> &'static [&'static str] {
        &["add_enrolment"]
    }

    fn if_not_exists(&self) -> Option<&'static str> {
        Some("If the learner is enrolled in the course, print that enrolment and add nothing")
    }

    fn check(&self, call: &Call) -> Result<(), Invalid> {
        ensure::check(call)
    }

    fn target(&self, call: &Call) -> Option<Vec<String>> {
        ensure::texts(call, &["user", "course"])
    }

    fn apply<'a>(&self, lms: &'a Lms, call: &'a Call) -> Doing<'a, Applied, Problem> {
        if !call.if_not_exists {
            return Box::pin(plain::send(lms, call));
        }
        Box::pin(async move {
            let enrolment = lms.ensure_enrolment(ensure::body::<types::AddEnrolment>(call)?);
            let enrolment = enrolment.run(call.mode).await?;
            ensure::applied(lms, call, &enrolment, &Steps::default())
        })
    }
}
