//! What must exist after the load.

use std::collections::{BTreeMap, BTreeSet};

/// What must exist at the end, and how many calls it took.
#[derive(Debug, Default)]
pub(super) struct Account {
    /// Email and surname of every learner.
    pub(super) learners: BTreeMap<String, String>,
    /// Name and id of every course.
    pub(super) courses: BTreeMap<String, String>,
    /// Learner and course of every enrolment.
    pub(super) enrolments: BTreeSet<(String, String)>,
    /// Calls; each page of a walk counts as one.
    pub(super) calls: usize,
    /// Calls that failed after all retries.
    pub(super) failed: usize,
    /// Copies whose task is known.
    pub(super) started: usize,
    /// Names of copies that were reported as ambiguous. If one was started, it appears after a while.
    pub(super) ambiguous: BTreeSet<String>,
    /// Copies whose task failed.
    pub(super) lost: usize,
}

impl Account {
    /// Adds the account of another task.
    pub(super) fn merge(mut self, mut other: Self) -> Self {
        self.learners.append(&mut other.learners);
        self.courses.append(&mut other.courses);
        self.enrolments.append(&mut other.enrolments);
        self.calls += other.calls;
        self.failed += other.failed;
        self.started += other.started;
        self.ambiguous.append(&mut other.ambiguous);
        self.lost += other.lost;
        self
    }
}
