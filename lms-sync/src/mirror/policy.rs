//! The treatment of rows that the tenant no longer has.

use std::collections::BTreeMap;

use crate::error::{Error, ErrorKind};

/// The treatment of rows that are gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Deletes {
    /// They are deleted, with those that earlier runs have marked.
    #[default]
    Delete,
    /// They stay, and `_deleted_at` is set to the time of the commit. It is null in all other rows. A row that returns is
    /// an added row, and its `_deleted_at` is null again.
    Mark,
}

/// The rules by which a mirror follows the tenant.
///
/// ```
/// use lms_sync::mirror::{Deletes, MirrorPolicy};
///
/// let policy = MirrorPolicy::default().deletes(Deletes::Mark).max_delete_share_of("courses", 0.5);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MirrorPolicy {
    pub(crate) deletes: Deletes,
    max_delete_share: f64,
    max_delete_shares: BTreeMap<String, f64>,
    max_delete_rows: u64,
    pub(crate) confirm_deletes: u64,
    pub(crate) first_run_changes: bool,
    pub(crate) extra_changes: bool,
}

impl Default for MirrorPolicy {
    fn default() -> Self {
        Self {
            deletes: Deletes::Delete,
            max_delete_share: 0.1,
            max_delete_shares: BTreeMap::new(),
            max_delete_rows: 20,
            confirm_deletes: 500,
            first_run_changes: false,
            extra_changes: false,
        }
    }
}

impl MirrorPolicy {
    /// Sets the treatment of rows that are gone. Default: they are deleted.
    #[must_use]
    pub fn deletes(mut self, deletes: Deletes) -> Self {
        self.deletes = deletes;
        self
    }

    /// The largest share of the rows of a collection that one run may delete or mark, from 0 to 1, where 1 is no limit.
    /// Default: 0.1. If more rows are gone, and more than [`max_delete_rows`](Self::max_delete_rows), the run does not change
    /// the collection, whose outcome is the error [`TooManyDeletes`](ErrorKind::TooManyDeletes).
    #[must_use]
    pub fn max_delete_share(mut self, share: f64) -> Self {
        self.max_delete_share = share;
        self
    }

    /// The [share](Self::max_delete_share) of one collection.
    #[must_use]
    pub fn max_delete_share_of(mut self, collection: impl Into<String>, share: f64) -> Self {
        self.max_delete_shares.insert(collection.into(), share);
        self
    }

    /// The number of rows that one run may always delete or mark in a collection, regardless of their
    /// [share](Self::max_delete_share). Default: 20.
    #[must_use]
    pub fn max_delete_rows(mut self, rows: u64) -> Self {
        self.max_delete_rows = rows;
        self
    }

    /// Sets the maximum number of requests of one run for the objects of rows that a list lacks. Default: 500. Rows
    /// whose objects are not requested stay until a later run requests them.
    #[must_use]
    pub fn confirm_deletes(mut self, requests: u64) -> Self {
        self.confirm_deletes = requests;
        self
    }

    /// Appends every row of the first run of a collection to the feed of changes, as added. Without this, a first run appends
    /// nothing, because the rows may be years old.
    #[must_use]
    pub fn first_run_changes(mut self) -> Self {
        self.first_run_changes = true;
        self
    }

    /// Appends an event for each row of which only fields without a column changed. Without this, a run appends one event for
    /// all of them: a new field of the service changes every row.
    #[must_use]
    pub fn extra_changes(mut self) -> Self {
        self.extra_changes = true;
        self
    }

    /// Fails if `deleted` of `rows` are too many. `missing` other rows may be gone too: the list lacks them. A share that is not a number refuses all beyond the number of rows.
    #[expect(
        clippy::cast_precision_loss,
        reason = "an error of 1 in 2^53 rows does not matter to a share"
    )]
    pub(crate) fn check(
        &self,
        name: &str,
        deleted: u64,
        rows: u64,
        missing: u64,
    ) -> Result<(), Error> {
        let limit = self.max_delete_shares.get(name);
        let limit = *limit.unwrap_or(&self.max_delete_share);
        let share = deleted as f64 / rows as f64;
        if deleted <= self.max_delete_rows || share <= limit {
            return Ok(());
        }
        let (at_least, others) = match missing {
            0 => ("", String::new()),
            missing => ("at least ", format!(" and {missing} others are not listed")),
        };
        Err(ErrorKind::TooManyDeletes.error(format!(
                "{at_least}{deleted} of {rows} {name} ({:.1} %) are gone from the tenant{others}, more than the limits of {:.1} % and {} rows, so \
                 nothing was changed; check the tenant, then run again with a higher limit",
                share * 100.0,
                limit * 100.0,
                self.max_delete_rows
            )))
    }
}

#[cfg(test)]
mod tests {
    use super::MirrorPolicy;

    #[test]
    fn more_rows_than_both_limits_are_refused() {
        let default = MirrorPolicy::default;
        for (policy, deleted, rows, refused) in [
            (default(), 0, 0, false),
            (default(), 20, 20, false),
            (default(), 21, 210, false),
            (default(), 21, 209, true),
            (default().max_delete_rows(2), 2, 2, false),
            (default().max_delete_rows(0), 1, 10, false),
            (default().max_delete_rows(0), 1, 9, true),
            (default().max_delete_share(1.0), 50, 50, false),
            (default().max_delete_share_of("tags", 0.5), 25, 50, false),
            (default().max_delete_share_of("tags", 0.5), 26, 50, true),
            (default().max_delete_share_of("courses", 0.5), 25, 50, true),
            (default().max_delete_share(f64::NAN), 21, 1000, true),
        ] {
            let checked = policy.check("tags", deleted, rows, 0);
            assert_eq!(checked.is_err(), refused, "{deleted} of {rows}: {policy:?}");
        }
    }

    /// A run requests a limited number of objects by id.
    #[test]
    fn rows_that_were_not_looked_up_make_the_number_a_least_one() {
        let refused = MirrorPolicy::default().check("tags", 500, 1254, 102);
        let message = refused.unwrap_err().to_string();
        let expected = "at least 500 of 1254 tags (39.9 %) are gone from the tenant and 102 others are not listed, more than";
        assert!(message.starts_with(expected), "{message}");
    }
}
