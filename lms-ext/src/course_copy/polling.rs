//! How often a task is looked at, and for how long.

use std::time::Duration;

/// How often a task is looked at, and how long it is waited for.
///
/// The first look comes after half a second, each wait is half as long again as the one before, and none
/// is longer than 10 s; up to half of each is left out at random. After 30 minutes the waiting ends, and
/// the task goes on.
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
/// use std::time::Duration;
/// use lms_ext::Polling;
///
/// let patient = Polling::default()
///     .interval(Duration::from_secs(5), Duration::from_secs(60))
///     .deadline(Duration::from_secs(6 * 3600));
/// let course = lms.duplicate_course("c1", |d| d).await?.polling(patient).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polling {
    first: Duration,
    longest: Duration,
    pub(super) deadline: Duration,
}

impl Default for Polling {
    fn default() -> Self {
        Self {
            first: Duration::from_millis(500),
            longest: Duration::from_secs(10),
            deadline: Duration::from_secs(30 * 60),
        }
    }
}

impl Polling {
    /// The wait before the first look, at least a millisecond, and the longest before any.
    #[must_use]
    pub fn interval(mut self, first: Duration, longest: Duration) -> Self {
        self.first = first.max(Duration::from_millis(1));
        self.longest = longest.max(self.first);
        self
    }

    /// How long to wait in all, counted from the call that waits.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// How long to wait before the look that comes after `looks` others.
    pub(super) fn wait_after(&self, looks: u32) -> Duration {
        let mut wait = self.first;
        for _ in 0..looks.min(64) {
            wait = wait.saturating_mul(3) / 2;
            if wait >= self.longest {
                break;
            }
        }
        wait.min(self.longest).mul_f64(1.0 - fastrand::f64() / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_the_longest_and_stay_there() {
        let polling = Polling::default();
        for (looks, longest) in [
            (0, 500),
            (1, 750),
            (2, 1_125),
            (20, 10_000),
            (u32::MAX, 10_000),
        ] {
            let longest = Duration::from_millis(longest);
            for _ in 0..100 {
                let wait = polling.wait_after(looks);
                assert!(wait <= longest && wait >= longest / 2, "{looks}: {wait:?}");
            }
        }
    }

    #[test]
    fn a_wait_is_never_nothing() {
        let polling = Polling::default().interval(Duration::ZERO, Duration::ZERO);
        assert!(!polling.wait_after(3).is_zero());
    }
}
