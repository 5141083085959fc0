//! What a mirror does with rows that the tenant no longer has.

/// What happens to rows that a complete walk did not find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Deletes {
    /// They are deleted.
    #[default]
    Delete,
    /// They stay, and `_deleted_at` is set to the time of the commit. It is null in all other rows. A row that returns is
    /// an added row, and its `_deleted_at` is null again.
    Mark,
}

/// How a mirror is brought to the state of the tenant.
///
/// ```
/// use lms_sync::mirror::{Deletes, MirrorPolicy};
///
/// let policy = MirrorPolicy::default().deletes(Deletes::Mark).max_delete_share(0.25);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MirrorPolicy {
    pub(crate) deletes: Deletes,
    pub(crate) max_delete_share: f64,
    pub(crate) first_run_changes: FirstRunChanges,
}

/// Whether the first walk of a collection appends to the feed of changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FirstRunChanges {
    /// It does not, because the rows may be years old.
    #[default]
    Skip,
    /// It appends every row as added.
    Append,
}

impl Default for MirrorPolicy {
    fn default() -> Self {
        Self {
            deletes: Deletes::Delete,
            max_delete_share: 0.1,
            first_run_changes: FirstRunChanges::Skip,
        }
    }
}

impl MirrorPolicy {
    /// What happens to rows that a complete walk did not find. Default: they are deleted.
    #[must_use]
    pub fn deletes(mut self, deletes: Deletes) -> Self {
        self.deletes = deletes;
        self
    }

    /// The largest share of the rows of a collection that one run may delete or mark, from 0 to 1, where 1 is no limit.
    /// Default: 0.1. If more rows are gone, the run does not change the collection, whose outcome is the error
    /// [`TooManyDeletes`](crate::ErrorKind::TooManyDeletes).
    #[must_use]
    pub fn max_delete_share(mut self, share: f64) -> Self {
        self.max_delete_share = share;
        self
    }

    /// Whether the first walk of a collection appends to the feed of changes. Default: it does not.
    #[must_use]
    pub fn first_run_changes(mut self, changes: FirstRunChanges) -> Self {
        self.first_run_changes = changes;
        self
    }

    /// Whether `deleted` of `rows` are too many. A share that is not a number refuses all.
    pub(crate) fn refuses(&self, deleted: u64, rows: u64) -> bool {
        #[expect(
            clippy::cast_precision_loss,
            reason = "an error of 1 in 2^53 rows does not matter to a share"
        )]
        let share = deleted as f64 / rows as f64;
        deleted > 0 && (self.max_delete_share.is_nan() || share > self.max_delete_share)
    }
}

#[cfg(test)]
mod tests {
    use super::MirrorPolicy;

    #[test]
    fn exactly_the_share_may_be_deleted() {
        let policy = MirrorPolicy::default();
        for (deleted, rows, refused) in [
            (0, 0, false),
            (0, 5, false),
            (1, 10, false),
            (2, 10, true),
            (1, 9, true),
            (5, 5, true),
        ] {
            assert_eq!(
                policy.refuses(deleted, rows),
                refused,
                "{deleted} of {rows}"
            );
        }
        assert!(!MirrorPolicy::default().max_delete_share(1.0).refuses(5, 5));
        assert!(
            MirrorPolicy::default()
                .max_delete_share(f64::NAN)
                .refuses(1, 5)
        );
    }
}
