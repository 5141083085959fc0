//! Adds and renames learners, enrols them, and decides which errors end the run.
//!
//! Every person in the export becomes a learner with that name and those enrolments. Learners who are not in the export are
//! left alone, so that an incomplete export does not end anyone's training.
//!
//! An error about one person (an address that the service refuses, a missing course) is recorded, and the run continues.
//! An error that would affect everyone ends it. `lms-ext` has already retried what can be retried.

use lms_ext::prelude::*;

use crate::{Mode, people::Person};

/// What one run has done, or in a dry run would do.
#[derive(Debug, Default)]
pub struct Report {
    /// Learners added.
    pub added: usize,
    /// Learners whose names were changed.
    pub changed: usize,
    /// Enrolments added.
    pub enrolled: usize,
    /// Errors about single people.
    pub problems: Vec<Problem>,
    /// The error that ended the run early.
    pub stopped: Option<Error>,
}

/// An error about one person.
#[derive(Debug)]
pub struct Problem {
    /// The line of the export.
    pub line: u64,
    /// The error.
    pub error: Error,
}

/// Processes the export; calls `seen` after each person.
pub async fn sync(
    lms: &Lms,
    people: &[Person],
    mode: Mode,
    mut seen: impl FnMut(&Person),
) -> Report {
    let mut report = Report::default();
    for person in people {
        if let Err(error) = process(lms, person, mode, &mut report).await {
            // The next run checks whether an ambiguous write was applied.
            if !error.is_object_specific() {
                report.stopped = Some(error);
                break;
            }
            let line = person.line;
            report.problems.push(Problem { line, error });
        }
        seen(person);
    }
    report
}

async fn process(lms: &Lms, person: &Person, mode: Mode, report: &mut Report) -> Result<(), Error> {
    let learner = types::AddLearner::builder()
        .firstname(&person.firstname)
        .surname(&person.surname)
        .email(&person.email)
        // No invitation is sent: people sign in with the company's own login.
        .generate_password(true);
    // Names come from the export; phone number, tags and all other fields keep their values.
    let learner = lms.ensure_learner(learner).or_update();
    let (learner, new, changes) = match mode {
        Mode::Write => {
            let done = learner.await?;
            (
                Some(done.value().clone()),
                done.is_new(),
                done.changes().len(),
            )
        }
        Mode::DryRun => {
            let plan = learner.plan().await?;
            (plan.value().cloned(), plan.is_new(), plan.changes().len())
        }
    };
    report.added += usize::from(new);
    report.changed += usize::from(changes > 0);
    let Some(learner) = learner else {
        report.enrolled += person.courses.len();
        return Ok(());
    };
    for course in &person.courses {
        let enrolment = types::AddEnrolment::builder()
            .course(course)
            .user(learner.require_id()?);
        let enrolment = lms.ensure_enrolment(enrolment);
        report.enrolled += usize::from(match mode {
            Mode::Write => enrolment.await?.is_new(),
            Mode::DryRun => enrolment.plan().await?.is_new(),
        });
    }
    Ok(())
}
