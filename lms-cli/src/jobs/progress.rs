//! The progress of a job, collection by collection.

use lms_sync::RunProgress;

use crate::{context::Context, progress::Progress, trace::Waiting};

/// Shows the progress of a run, page by page.
#[derive(Debug)]
pub(super) struct JobProgress {
    context: Context,
    /// The collection that is read. Each has its own progress, so that no line has the rows of one and the total of another.
    current: Option<(&'static str, Progress)>,
}

impl JobProgress {
    pub(super) fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            current: None,
        }
    }

    /// Shows how far a run is.
    pub(super) fn show(&mut self, state: &RunProgress) {
        Waiting::ended(self.context.tenant.as_deref());
        // One line at its end is enough for each of several tenants.
        if self.context.tenant.is_some() {
            return;
        }
        let total = state
            .number_found
            .and_then(|total| u64::try_from(total).ok());
        if self
            .current
            .as_ref()
            .is_none_or(|(name, _)| *name != state.collection)
        {
            self.end();
            let budget = state.budget;
            let budget = budget.map(|requests| format!(", at most {requests} requests"));
            let label = format!(
                "({} of {}) {}{}",
                state.position,
                state.collections,
                state.collection,
                budget.unwrap_or_default()
            );
            let progress = Progress::of_collection(&self.context, &label);
            self.current = Some((state.collection, progress));
        }
        if let Some((_, progress)) = &self.current {
            progress.set(state.rows, total);
        }
    }

    /// The last line of a collection has all its rows.
    fn end(&mut self) {
        if let Some((_, progress)) = self.current.take() {
            progress.print_last();
        }
    }
}

impl Drop for JobProgress {
    fn drop(&mut self) {
        self.end();
    }
}
