//! `enrolments add`: with `--if-not-exists`, enrols a learner once.

use std::collections::BTreeMap;

use lms_ext::{Lms, types};
use lms_plan::{Action, Course, Edit};

use super::{
    ensure, plain,
    verb::{Doing, Verb},
};
use crate::calls::{Call, applied::Applied, invalid::Invalid};

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

    fn apply<'a>(&self, lms: &'a Lms, call: &'a Call) -> Doing<'a, Applied> {
        if !call.if_not_exists {
            return Box::pin(plain::send(lms, call));
        }
        Box::pin(async move {
            let enrolment = lms.ensure_enrolment(ensure::body::<types::AddEnrolment>(call)?);
            let enrolment = enrolment.run(call.mode).await?;
            ensure::applied(call, &enrolment, Edit::default())
        })
    }

    fn step(&self, call: &Call, applied: Option<&Applied>) -> (Option<String>, Action) {
        let texts: BTreeMap<_, _> = plain::texts(call).collect();
        let user = texts.get("user").cloned();
        match texts.get("course") {
            Some(course) if user.is_some() && texts.len() == 2 => {
                (user, Action::Enrol(Course::new(course, course)))
            }
            _ => (user, plain::step(call, applied).1),
        }
    }
}
