//! What a load of tasks must have left behind.

use std::collections::{BTreeMap, BTreeSet};

/// What must be there at the end, and what it took.
#[derive(Debug, Default)]
pub(super) struct Account {
    /// Email and surname of every learner.
    pub(super) learners: BTreeMap<String, String>,
    /// Name and id of every course.
    pub(super) courses: BTreeMap<String, String>,
    /// Learner and course of every enrolment.
    pub(super) enrolments: BTreeSet<(String, String)>,
    /// Calls that were made, every page of a walk counted as one.
    pub(super) calls: usize,
    /// Calls that failed in spite of all repeats.
    pub(super) failed: usize,
    /// Copies whose task is known.
    pub(super) begun: usize,
    /// Copies that may have been begun, as the error said.
    pub(super) doubtful: usize,
    /// Copies whose task ended without one.
    pub(super) lost: usize,
}

impl Account {
    /// The accounts of two tasks, which have nothing in common.
    pub(super) fn and(mut self, mut other: Self) -> Self {
        self.learners.append(&mut other.learners);
        self.courses.append(&mut other.courses);
        self.enrolments.append(&mut other.enrolments);
        self.calls += other.calls;
        self.failed += other.failed;
        self.begun += other.begun;
        self.doubtful += other.doubtful;
        self.lost += other.lost;
        self
    }
}
