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
        let done = match mode {
            Mode::Write => write(lms, person, &mut report).await,
            Mode::DryRun => plan(lms, person, &mut report).await,
        };
        match done {
            Ok(()) => {}
            // The next run checks whether an ambiguous write was applied.
            Err(error) if error.is_object_specific() => report.problems.push(Problem {
                line: person.line,
                error,
            }),
            Err(error) => {
                report.stopped = Some(error);
                break;
            }
        }
        seen(person);
    }
    report
}

async fn write(lms: &Lms, person: &Person, report: &mut Report) -> Result<(), Error> {
    let wanted = types::AddLearner::builder()
        .firstname(&person.firstname)
        .surname(&person.surname)
        .email(&person.email)
        // No invitation is sent: people sign in with the company's own login.
        .generate_password(true);
    let learner = lms.ensure_learner(wanted).await?;
    report.added += usize::from(learner.is_new());
    let id = id_of(learner.value());
    if !learner.differs().is_empty() {
        // Names come from the export; phone number, tags and all other fields keep their values.
        let edited = lms.update_learner(id, |l| rename(l, person)).await?;
        report.changed += usize::from(edited.was_written());
    }
    for course in &person.courses {
        let wanted = types::AddEnrolment::builder().course(course).user(id);
        report.enrolled += usize::from(lms.ensure_enrolment(wanted).await?.is_new());
    }
    Ok(())
}

async fn plan(lms: &Lms, person: &Person, report: &mut Report) -> Result<(), Error> {
    let learner = match lms.get_learner_by_email().email(&person.email).call().await {
        Ok(learner) => learner,
        Err(error) if error.is_not_found() => {
            report.added += 1;
            report.enrolled += person.courses.len();
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    let id = id_of(&learner);
    let edit = lms.plan_update_learner(id, |l| rename(l, person)).await?;
    report.changed += usize::from(!edit.is_empty());
    for course in &person.courses {
        let mut enrolments = lms.list_enrolments().user(id).course(course).items();
        report.enrolled += usize::from(enrolments.try_next().await?.is_none());
    }
    Ok(())
}

fn rename(learner: &mut types::EditLearner, person: &Person) {
    learner.firstname.clone_from(&person.firstname);
    learner.surname.clone_from(&person.surname);
}

/// The id is optional in the schema. lms-ext refuses calls with an empty id before it sends them.
fn id_of(learner: &types::Learner) -> &str {
    learner.id.as_deref().unwrap_or_default()
}
