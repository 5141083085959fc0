//! Adds and renames learners, enrols them, and decides which errors end the run.
//!
//! Every person in the export becomes a learner with that name and those enrolments. Learners who are not in the export are
//! left alone, so that an incomplete export does not end anyone's training.
//!
//! An error about one person (an address that the service refuses, a missing course) is recorded, and the run continues.
//! An error that would affect everyone ends it. `lms-ext` has already retried all temporary failures.

use lms_ext::{WriteMode, prelude::*};

use crate::people::Person;

/// The changes of one run, or of a dry run.
#[derive(Debug, Default)]
pub struct Report {
    /// Learners added.
    pub added: usize,
    /// Learners whose names were changed.
    pub changed: usize,
    /// Enrolments added.
    pub enrolled: usize,
    /// Errors about single people, each with the line of the export.
    pub problems: Vec<(u64, Error)>,
    /// The error that ended the run early.
    pub stopped: Option<Error>,
}

/// Processes the export; calls `seen` after each person.
pub async fn sync(lms: &Lms, people: &[Person], mode: WriteMode, mut seen: impl FnMut()) -> Report {
    let mut report = Report::default();
    for person in people {
        if let Err(error) = report.process(lms, person, mode).await {
            // The next run checks whether an ambiguous write was applied.
            if !error.is_object_specific() {
                report.stopped = Some(error);
                break;
            }
            report.problems.push((person.line, error));
        }
        seen();
    }
    report
}

impl Report {
    async fn process(&mut self, lms: &Lms, person: &Person, mode: WriteMode) -> Result<(), Error> {
        let learner = types::AddLearner::builder(&person.firstname, &person.surname, &person.email)
            // No invitation is sent: people sign in with the company's own login.
            .generate_password(true);
        // Names come from the export; phone number, tags and all other fields keep their values.
        let learner = lms.ensure_learner(learner).or_update().run(mode).await?;
        self.added += usize::from(learner.is_new());
        self.changed += usize::from(!learner.changes().is_empty());
        let courses = person.courses.split_whitespace();
        if mode == WriteMode::DryRun && learner.is_new() {
            // Without an id yet, so without enrolments.
            self.enrolled += courses.count();
            return Ok(());
        }
        let learner = learner.value().require_id()?;
        let synced = lms.sync_enrolments(learner, courses).run(mode).await?;
        self.enrolled += synced.added.len();
        Ok(())
    }
}
