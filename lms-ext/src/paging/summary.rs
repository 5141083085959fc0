use lms_client::wire::Int64;

/// What a walk has seen so far, against what the tenant said there was.
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
/// use lms_ext::prelude::*;
///
/// let mut learners = lms.list_learners().items();
/// while let Some(learner) = learners.try_next().await? { /* … */ }
/// let summary = learners.summary();
/// if summary.drifted() {
///     println!("{} learners, while others came or went", summary.items());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalkSummary {
    pub(super) pages: u64,
    pub(super) items: u64,
    pub(super) repeats: u64,
    pub(super) oversized_pages: u64,
    pub(super) first_count: Option<Int64>,
    pub(super) last_count: Option<Int64>,
    pub(super) from_start: bool,
    pub(super) finished: bool,
}

impl WalkSummary {
    /// How many pages came. In a resumed walk, those before count as well, and a page that was broken off
    /// counts twice.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// How many rows were delivered, those before a resumption included.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.items
    }

    /// How many rows [`without_repeats`](crate::Items::without_repeats) dropped.
    #[must_use]
    pub fn duplicates(&self) -> u64 {
        self.repeats
    }

    /// How many pages had more rows than the `limit` that was asked for. All their rows were delivered.
    #[must_use]
    pub fn oversized_pages(&self) -> u64 {
        self.oversized_pages
    }

    /// `number_found` of the first page that had one.
    #[must_use]
    pub fn number_found_at_start(&self) -> Option<Int64> {
        self.first_count
    }

    /// `number_found` of the last page that had one.
    #[must_use]
    pub fn number_found_at_end(&self) -> Option<Int64> {
        self.last_count
    }

    /// Whether the walk has come to the end of the list.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Whether rows seem to have come, gone or moved during the walk: a repeat was dropped, `number_found`
    /// changed, or a walk over the whole list saw another number of rows.
    ///
    /// Without a `number_found`, only repeats tell. The description does not say what is counted (§2),
    /// so take it as a hint.
    #[must_use]
    pub fn drifted(&self) -> bool {
        // A row that comes twice has moved, and another may have moved out of sight.
        if self.repeats > 0 {
            return true;
        }
        let (Some(first), Some(last)) = (self.first_count, self.last_count) else {
            return false;
        };
        let seen = i128::from(self.items);
        first != last || (self.finished && self.from_start && seen != i128::from(last))
    }

    /// Takes note of rows that were delivered.
    pub(super) fn delivered(&mut self, rows: usize) {
        let rows = u64::try_from(rows).unwrap_or(u64::MAX);
        // As with pages, below.
        self.items = self.items.saturating_add(rows);
    }

    /// Takes note of a row that was dropped.
    pub(super) fn repeat(&mut self) {
        self.repeats = self.repeats.saturating_add(1);
    }

    /// Takes note of a page.
    pub(super) fn page(&mut self, number_found: Option<Int64>) {
        // A checkpoint that was changed where it is stored may begin with any number.
        self.pages = self.pages.saturating_add(1);
        if self.first_count.is_none() {
            self.first_count = number_found;
        }
        if number_found.is_some() {
            self.last_count = number_found;
        }
    }
}
