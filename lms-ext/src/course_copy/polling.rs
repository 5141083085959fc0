use std::time::Duration;

/// Intervals and timeout of polling a copy.
///
/// By default, the first poll comes after half a second, and each wait is 1.5 times the previous one, up to 10 s. Up to
/// half of each wait is subtracted at random. Polling ends after 30 minutes, but the copy continues.
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
/// use std::time::Duration;
/// use lms_ext::Polling;
///
/// let patient = Polling::default()
///     .interval(Duration::from_secs(5), Duration::from_secs(60))
///     .timeout(Duration::from_secs(6 * 3600));
/// let course = lms.duplicate_course("c1", |d| d).await?.polling(patient).wait().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polling {
    first: Duration,
    max: Duration,
    pub(super) timeout: Duration,
}

impl Default for Polling {
    fn default() -> Self {
        Self {
            first: Duration::from_millis(500),
            max: Duration::from_secs(10),
            timeout: Duration::from_secs(30 * 60),
        }
    }
}

impl Polling {
    /// Sets the wait before the first poll, at least 1 ms, and the maximum wait.
    #[must_use]
    pub fn interval(mut self, first: Duration, max: Duration) -> Self {
        self.first = first.max(Duration::from_millis(1));
        self.max = max.max(self.first);
        self
    }

    /// Sets the time after which waiting fails, from the start of the waiting call.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The wait after this number of polls.
    pub(super) fn wait_after(&self, polls: u32) -> Duration {
        let mut wait = self.first;
        for _ in 0..polls.min(64) {
            wait = wait.saturating_mul(3) / 2;
            if wait >= self.max {
                break;
            }
        }
        wait.min(self.max).mul_f64(1.0 - fastrand::f64() / 2.0)
    }
}
