//! Where a walk is, to be stored and taken up by another process.

use lms_client::wire::Int64;
use serde::{Deserialize, Serialize};

use super::summary::WalkSummary;
use crate::{error::Error, values::OperationInfo};

/// The form in which checkpoints are written.
const VERSION: u32 = 1;

/// How far a walk has come: what `checkpoint()` of [`Items`](crate::Items) and [`Pages`](crate::Pages)
/// gives, and their `resume` takes.
///
/// It is made to be stored, as JSON for example, and keeps its form from version to version. It holds a
/// cursor and no rows, and belongs to one operation with one set of filters.
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), Box<dyn std::error::Error>> {
/// use lms_ext::{Checkpoint, prelude::*};
///
/// let mut pages = lms.list_course_completions().pages();
/// if let Some(page) = pages.try_next().await? {
///     // Store the rows, then where to go on.
///     std::fs::write("export.checkpoint", serde_json::to_vec(&pages.checkpoint())?)?;
/// }
///
/// // In another process:
/// let checkpoint: Checkpoint = serde_json::from_slice(&std::fs::read("export.checkpoint")?)?;
/// let mut pages = lms.list_course_completions().pages().resume(&checkpoint)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    version: u32,
    operation: String,
    /// The fingerprint of the filters, in hexadecimal digits.
    filters: String,
    /// The page to go on with, and how many of its rows are behind us.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
    #[serde(default)]
    skip: u64,
    #[serde(default)]
    pages: u64,
    #[serde(default)]
    items: u64,
    #[serde(default)]
    repeats: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number_found: Option<Int64>,
    #[serde(default)]
    from_start: bool,
    #[serde(default)]
    finished: bool,
}

/// A place in a list: a page, and how many of its rows are behind us.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) cursor: Option<String>,
    pub(super) skip: usize,
}

impl Checkpoint {
    pub(super) fn new(
        operation: &OperationInfo,
        filters: u128,
        position: &Position,
        summary: &WalkSummary,
        finished: bool,
    ) -> Self {
        Self {
            version: VERSION,
            operation: operation.id.to_owned(),
            filters: digits(filters),
            cursor: position.cursor.clone(),
            skip: u64::try_from(position.skip).unwrap_or(u64::MAX),
            pages: summary.pages,
            items: summary.items,
            repeats: summary.repeats,
            number_found: summary.first_count,
            from_start: summary.from_start,
            finished,
        }
    }

    /// The operation it belongs to, e.g. `list_learners`.
    #[must_use]
    pub fn operation(&self) -> &str {
        &self.operation
    }

    /// The cursor of the page that the walk goes on with; `None` for the beginning of the list.
    #[must_use]
    pub fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    /// How many rows have been delivered.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.items
    }

    /// How many pages have come.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// Whether the walk had come to the end of the list; taken up, it gives nothing more.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    pub(super) fn position(&self) -> Position {
        Position {
            cursor: self.cursor.clone(),
            skip: usize::try_from(self.skip).unwrap_or(usize::MAX),
        }
    }

    pub(super) fn summary(&self) -> WalkSummary {
        WalkSummary {
            pages: self.pages,
            items: self.items,
            repeats: self.repeats,
            first_count: self.number_found,
            last_count: self.number_found,
            from_start: self.from_start,
            finished: self.finished,
            ..WalkSummary::default()
        }
    }

    /// Refuses to be taken up by another walk than it was made by.
    pub(super) fn check(
        &self,
        operation: &'static OperationInfo,
        filters: u128,
    ) -> Result<(), Error> {
        let reason = if self.version != VERSION {
            format!(
                "the checkpoint has the form {}, and this version reads the form {VERSION}; start the walk anew",
                self.version
            )
        } else if self.operation != operation.id {
            "the checkpoint is of another operation; use it with the one it was made by".to_owned()
        } else if self.filters != digits(filters) {
            "the checkpoint is of a walk with other filters; use it with those it was made with"
                .to_owned()
        } else {
            return Ok(());
        };
        Err(Error::usage(reason).in_operation(operation))
    }
}

fn digits(filters: u128) -> String {
    format!("{filters:032x}")
}
