//! Adds and renames learners, enrols them, and decides which errors end the run.
//!
//! The learners and enrolments of the tenant are read first, so people who need no change cost no request.
//!
//! Every person in the export becomes a learner with that name and those enrolments. Learners who are not in the export are
//! left alone, so that an incomplete export does not end anyone's training.
//!
//! An error about one person (an address that the service refuses, a missing course) is recorded, and the run continues.
//! An error that would affect everyone ends it. `lms-ext` has already retried all temporary failures.

use lms_ext::{EnrolmentIndex, LearnerIndex, WriteMode, prelude::*};

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
    let mut tenant = match Tenant::read(lms).await {
        Ok(tenant) => tenant,
        Err(error) => {
            report.stopped = Some(error);
            return report;
        }
    };
    for person in people {
        if let Err(error) = report.process(&mut tenant, person, mode).await {
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

/// The tenant as it was when the run began, so that people who need no change cost no request.
struct Tenant<'a> {
    lms: &'a Lms,
    learners: LearnerIndex,
    enrolments: EnrolmentIndex,
}

impl<'a> Tenant<'a> {
    async fn read(lms: &'a Lms) -> Result<Self, Error> {
        Ok(Self {
            lms,
            learners: LearnerIndex::read(lms.list_learners().items()).await?,
            enrolments: EnrolmentIndex::read(lms.list_enrolments().items()).await?,
        })
    }
}

impl Report {
    async fn process(
        &mut self,
        tenant: &mut Tenant<'_>,
        person: &Person,
        mode: WriteMode,
    ) -> Result<(), Error> {
        let lms = tenant.lms;
        let learner = types::AddLearner::builder(&person.firstname, &person.surname, &person.email)
            // No invitation is sent: people sign in with the company's own login.
            .generate_password(true);
        let existing = tenant.learners.by_email(&person.email)?.cloned();
        // Names come from the export; phone number, tags and all other fields keep their values.
        let learner = lms.ensure_learner(learner).existing(existing).or_update();
        let learner = learner.run(mode).await?;
        self.added += usize::from(learner.is_new());
        self.changed += usize::from(!learner.changes().is_empty());
        let courses = person.courses.split_whitespace();
        if mode == WriteMode::DryRun && learner.is_new() {
            // Without an id yet, so without enrolments.
            self.enrolled += courses.count();
            return Ok(());
        }
        let id = learner.value().require_id()?;
        let existing = tenant.enrolments.courses_of(id);
        let synced = lms.sync_enrolments(id, courses).existing(existing);
        self.enrolled += synced.run(mode).await?.added.len();
        tenant.learners.extend([learner.into_inner()]);
        Ok(())
    }
}
