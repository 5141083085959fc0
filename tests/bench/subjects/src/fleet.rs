//! A job of many calls in several tasks, and its report.
//!
//! The job is the same for every subject, so that the results differ only in how it handles failures.

use std::{sync::Arc, time::Instant};

use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

/// How many tasks share the job.
const TASKS: u32 = 16;

/// One call of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// `getLearnerById`.
    ReadLearner,
    /// `listEnrolments` of one learner.
    ReadEnrolments,
    /// `addCourse`, with the name that [`course`] gives.
    AddCourse,
    /// `editLearner`.
    EditLearner,
}

/// What the call of this number does: of ten, seven read, two add and one replaces.
#[must_use]
pub fn task(number: u32) -> Task {
    match number % 10 {
        0 | 2 | 4 | 6 | 8 => Task::ReadLearner,
        1 | 5 => Task::ReadEnrolments,
        3 | 7 => Task::AddCourse,
        _ => Task::EditLearner,
    }
}

/// The name of the course that a call adds, and no other does.
#[must_use]
pub fn course(number: u32) -> String {
    format!("Course {number}")
}

/// The number that is in such a name.
#[must_use]
pub fn number(course: &str) -> Option<u32> {
    course.strip_prefix("Course ")?.parse().ok()
}

/// A learner of the job.
#[derive(Clone, Debug, Deserialize)]
pub struct Person {
    /// The learner's id.
    pub id: String,
    /// The learner's email, which every edit must contain.
    pub email: String,
}

/// How a call ended, as reported by the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It was carried out.
    Done,
    /// It failed.
    Failed,
    /// It may have been processed, and the subject says that it does not know.
    InDoubt,
}

/// The report of a job.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// How long all of it took.
    pub seconds: f64,
    /// The numbers of the courses that were added, as far as the subject knows.
    pub added: Vec<u32>,
    /// The numbers of the calls that failed.
    pub failed: Vec<u32>,
    /// The numbers of the calls that may have been processed.
    pub in_doubt: Vec<u32>,
}

impl Report {
    /// Makes these calls, sixteen at a time, and adds how they ended.
    ///
    /// # Errors
    ///
    /// When a call panics.
    pub async fn work_off<C, F>(
        &mut self,
        calls: Vec<u32>,
        call: C,
    ) -> Result<(), tokio::task::JoinError>
    where
        C: Fn(u32) -> F + Send + Sync + 'static,
        F: Future<Output = End> + Send + 'static,
    {
        let started = Instant::now();
        let (calls, call) = (Arc::new(calls), Arc::new(call));
        let mut tasks = JoinSet::new();
        for first in 0..TASKS as usize {
            let (calls, call) = (Arc::clone(&calls), Arc::clone(&call));
            tasks.spawn(async move {
                let mut ends = Vec::new();
                for &number in calls.iter().skip(first).step_by(TASKS as usize) {
                    ends.push((number, call(number).await));
                }
                ends
            });
        }
        while let Some(ends) = tasks.join_next().await {
            for (number, end) in ends? {
                match end {
                    End::Done if task(number) == Task::AddCourse => self.added.push(number),
                    End::Done => {}
                    End::Failed => self.failed.push(number),
                    End::InDoubt => self.in_doubt.push(number),
                }
            }
        }
        self.seconds += started.elapsed().as_secs_f64();
        Ok(())
    }
}
