//! The check that the parts of a list are the complete list: the sum of their counts.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The service's counts of a list and of its parts; `None` for a list that the service does not count.
///
/// Its `Display` is a sentence for error messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PartCounts {
    /// The complete list, before its parts were counted.
    pub before: Option<i64>,
    /// The sum of all parts; `None` if the service does not count one of them.
    pub parts: Option<i64>,
    /// The complete list, after its parts were counted.
    pub after: Option<i64>,
    /// `true` if the parts that were counted are not those that were read: some were added or removed.
    pub parts_changed: bool,
}

impl PartCounts {
    /// No part is counted yet.
    pub(super) fn of_list(before: Option<i64>) -> Self {
        Self {
            before,
            parts: Some(0),
            ..Self::default()
        }
    }

    pub(super) fn add(&mut self, part: Option<i64>) {
        let sum = self.parts.zip(part);
        self.parts = sum.and_then(|(sum, part)| sum.checked_add(part));
    }

    /// Returns `true` if the parts are the complete list: all three numbers are the same, for the same parts.
    #[must_use]
    pub fn add_up(&self) -> bool {
        !self.parts_changed
            && self.parts.is_some()
            && self.before == self.parts
            && self.after == self.parts
    }
}

impl fmt::Display for PartCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            before: Some(before),
            parts: Some(parts),
            after: Some(after),
            ..
        } = self
        else {
            return match self.before.or(self.after) {
                Some(found) => write!(
                    f,
                    "the service counts {found} items in the list, but does not count each of its parts"
                ),
                None => write!(f, "the service does not count the list"),
            };
        };
        write!(
            f,
            "the service counts {before} items in the list before and {after} after it counts {parts} in its parts"
        )?;
        if self.parts_changed {
            write!(f, ", which are not those that were read")?;
        }
        Ok(())
    }
}
