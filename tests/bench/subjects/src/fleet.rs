//! A job of many calls in several tasks, and its report.
//!
//! The job is the same for every subject, so that results differ only in the handling of failures.

use std::{sync::Arc, time::Instant};

use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

/// The number of concurrent tasks.
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

/// The kind of the call with this number: of ten, seven read, two add and one replaces.
#[must_use]
pub fn task(number: u32) -> Task {
    match number % 10 {
        0 | 2 | 4 | 6 | 8 => Task::ReadLearner,
        1 | 5 => Task::ReadEnrolments,
        3 | 7 => Task::AddCourse,
        _ => Task::EditLearner,
    }
}

/// The unique name of the course that a call adds.
#[must_use]
pub fn course(number: u32) -> String {
    format!("Course {number}")
}

/// The number of the call that added a course of this name.
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

/// The end of a call, as reported by the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It was processed.
    Done,
    /// It failed.
    Failed,
    /// It may have been processed.
    Ambiguous,
}

/// The report of a job.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// The duration of the job.
    pub seconds: f64,
    /// The numbers of the calls that added a course.
    pub added: Vec<u32>,
    /// The numbers of the calls that failed.
    pub failed: Vec<u32>,
    /// The numbers of the calls that may have been processed.
    pub ambiguous: Vec<u32>,
}

impl Report {
    /// Makes these calls in sixteen tasks, and adds their results.
    ///
    /// # Errors
    ///
    /// Fails if a call panics.
    pub async fn run<C, F>(
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
                    End::Ambiguous => self.ambiguous.push(number),
                }
            }
        }
        self.seconds += started.elapsed().as_secs_f64();
        Ok(())
    }
}
