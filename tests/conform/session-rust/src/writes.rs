//! Writing through a faulty proxy: the reports must agree with the tenant.
//!
//! A successful write is present once, a failed one is absent, and an ambiguous one may be either. No write may be applied
//! twice.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use lms_ext::{ErrorKind, prelude::*};

use crate::session::{Tenant, id};

const WRITES: usize = 24;

/// The report of lms-ext on a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Report {
    Applied,
    Failed,
    Ambiguous,
}

impl Report {
    fn of<T>(result: &Result<T, Error>) -> Self {
        match result {
            Ok(_) => Self::Applied,
            Err(error) if error.is_ambiguous() => Self::Ambiguous,
            // The status says that it was applied, although the body cannot be decoded.
            Err(error)
                if matches!(error.kind(), ErrorKind::Decode | ErrorKind::NotJson)
                    && error.status() == Some(200) =>
            {
                Self::Applied
            }
            Err(_) => Self::Failed,
        }
    }

    /// Returns `true` if the write may be present this number of times.
    fn allows(self, times: usize) -> bool {
        match self {
            Self::Applied => times == 1,
            Self::Failed => times == 0,
            Self::Ambiguous => times <= 1,
        }
    }
}

/// Writes through a faulty proxy, and compares the reports with the tenant at the address `direct`.
///
/// # Errors
///
/// A report that is not true, or fewer ambiguous writes than expected.
pub async fn compare(tenant: &Tenant, direct: &str, ambiguous: usize) -> anyhow::Result<String> {
    let direct = tenant.client_at(direct)?;
    let disturbed = tenant.client()?;

    let added = additions(&direct, &disturbed).await?;
    let edited = edits(&direct, &disturbed).await?;
    let deleted = deletions(&direct, &disturbed).await?;

    let count = |wanted| added.iter().filter(|report| **report == wanted).count();
    let (applied, unclear) = (count(Report::Applied), count(Report::Ambiguous));
    ensure!(
        unclear >= ambiguous,
        "{unclear} ambiguous reports, expected at least {ambiguous}: did the fault occur?"
    );
    Ok(format!(
        "of {WRITES} added courses, {applied} were reported as successful and {unclear} as ambiguous; {edited} edits and {deleted} deletes succeeded; all as reported"
    ))
}

/// Adds courses, and counts each name. Names need not be unique, so a duplicate write is visible.
async fn additions(direct: &Lms, disturbed: &Lms) -> anyhow::Result<Vec<Report>> {
    let mut reports = Vec::new();
    for number in 0..WRITES {
        let name = format!("Disturbed {number}");
        let result = disturbed.add_course(&*name).call().await;
        reports.push((name, Report::of(&result), result.err()));
    }
    let mut times = BTreeMap::<String, usize>::new();
    for course in direct.list_courses().items().collect_all().await? {
        *times.entry(course.name.unwrap_or_default()).or_default() += 1;
    }
    for (name, report, error) in &reports {
        let times = times.get(name).copied().unwrap_or_default();
        ensure!(
            report.allows(times),
            "{name} was reported as {report:?} ({error:?}) and exists {times} times"
        );
    }
    Ok(reports.into_iter().map(|(_, report, _)| report).collect())
}

/// Replaces learners.
async fn edits(direct: &Lms, disturbed: &Lms) -> anyhow::Result<usize> {
    let learners = direct.list_learners().limit(12).call().await?.items;
    let mut applied = 0;
    for (number, learner) in learners.into_iter().enumerate() {
        let learner_id = id(learner.id)?;
        let before = learner.surname.context("a learner has no surname")?;
        let surname = format!("{before}-{number}");
        let body = types::EditLearner::builder(
            learner.firstname.context("a learner has no first name")?,
            &*surname,
            learner.email.context("a learner has no email")?,
        );
        let result = disturbed.edit_learner(&learner_id, body).call().await;
        let now = direct.get_learner_by_id(&learner_id).call().await?;
        let present = usize::from(now.surname.as_deref() == Some(&*surname));
        let report = Report::of(&result);
        ensure!(
            report.allows(present),
            "the edit of {learner_id} was reported as {report:?} ({:?}), and its surname is {:?}",
            result.err(),
            now.surname
        );
        applied += usize::from(report == Report::Applied);
    }
    Ok(applied)
}

/// Deletes learners. A delete whose response was lost, and that finds nothing on retry, succeeded.
async fn deletions(direct: &Lms, disturbed: &Lms) -> anyhow::Result<usize> {
    let learners = direct.list_learners().limit(12).call().await?.items;
    let mut applied = 0;
    for learner in learners {
        let learner_id = id(learner.id)?;
        let result = disturbed.delete_learner(&learner_id).call().await;
        let gone = match direct.get_learner_by_id(&learner_id).call().await {
            Ok(_) => 0,
            Err(error) if error.is_not_found() => 1,
            Err(error) => return Err(error).context("the tenant itself"),
        };
        let report = Report::of(&result);
        ensure!(
            report.allows(gone),
            "the delete of {learner_id} was reported as {report:?} ({:?}), and it is {}",
            result.err(),
            if gone == 1 { "deleted" } else { "present" }
        );
        applied += usize::from(report == Report::Applied);
    }
    Ok(applied)
}
