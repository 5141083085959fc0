//! What is added and changed, and which errors end the night?
//!
//! Everybody in the export is to be a learner with those names and to be enrolled in those courses. Whoever is not in
//! it is left alone: an HR export with a hole in it must not end anyone's training.
//!
//! An error that is about one person (an address that the tenant does not take, a course that is gone) is noted, and
//! the next person has a turn. An error that would befall everybody ends the run. Repeats, waits and fresh tokens are
//! no business of this program: what reaches it has been tried as often as it makes sense.

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
    /// People for whom something did not work.
    pub problems: Vec<Problem>,
    /// What ended the run before everybody had a turn.
    pub stopped: Option<Error>,
}

/// Somebody for whom something did not work.
#[derive(Debug)]
pub struct Problem {
    /// The line of the export.
    pub line: u64,
    /// What did not work.
    pub error: Error,
}

/// Works through the export; `seen` is called after each person.
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
            Mode::DryRun => look(lms, person, &mut report).await,
        };
        match done {
            Ok(()) => {}
            Err(error) if is_about_one_person(&error) => report.problems.push(Problem {
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
        // Nobody hears of the account from here: people sign in with the company's own login.
        .generate_password(true);
    let learner = lms.ensure_learner(wanted).await?;
    report.added += usize::from(learner.is_new());
    let id = id_of(learner.value());
    if !learner.differs().is_empty() {
        // What HR says about names goes; telephone number, tags and all else stay as they are.
        let edited = lms.update_learner(id, |l| rename(l, person)).await?;
        report.changed += usize::from(edited.was_written());
    }
    for course in &person.courses {
        let wanted = types::AddEnrolment::builder().course(course).user(id);
        report.enrolled += usize::from(lms.ensure_enrolment(wanted).await?.is_new());
    }
    Ok(())
}

async fn look(lms: &Lms, person: &Person, report: &mut Report) -> Result<(), Error> {
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
    let plan = lms.plan_update_learner(id, |l| rename(l, person)).await?;
    report.changed += usize::from(!plan.is_empty());
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

/// An id is optional in the service's schema. Without one, what comes next is refused before it is sent.
fn id_of(learner: &types::Learner) -> &str {
    learner.id.as_deref().unwrap_or_default()
}

/// Whether the next person may fare better.
fn is_about_one_person(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Usage
            | ErrorKind::Rejected
            | ErrorKind::NotFound
            | ErrorKind::Conflict
            | ErrorKind::Mismatch
            // Nobody knows whether it was done; the next run looks first.
            | ErrorKind::Ambiguous
    )
}
