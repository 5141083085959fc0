//! Where a walk goes on.

use serde::{Deserialize, Serialize};

/// Where a walk goes on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Position {
    /// At the start.
    #[default]
    Start,
    /// In a list.
    List(Box<lms_ext::Checkpoint>),
}
