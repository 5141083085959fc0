//! Settings of one call.

use std::time::Duration;

use crate::send::{Timeouts, retry::RetryPolicy};

/// Settings of one call that replace those of its client.
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
/// use lms_ext::{CallOptions, RetryPolicy, prelude::*};
///
/// let once = CallOptions::new().retry(RetryPolicy::disabled());
/// let me = lms.me().options(once).call().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct CallOptions {
    pub(crate) retry: Option<RetryPolicy>,
    timeouts: Option<Timeouts>,
    timeout: Option<Duration>,
    pub(crate) absence_expected: bool,
}

impl CallOptions {
    /// The settings of the client, unchanged.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Spans and metrics do not count a 404 or 410 as an error.
    pub(crate) fn absence_expected() -> Self {
        Self {
            absence_expected: true,
            ..Self::default()
        }
    }

    /// Sets the retry policy.
    #[must_use]
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = Some(policy);
        self
    }

    /// Sets all timeouts.
    #[must_use]
    pub fn timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = Some(timeouts);
        self
    }

    /// Sets the timeout of the entire call, with its retries and waits. The other timeouts do not change.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The timeouts of this call, given those of its client.
    pub(crate) fn timeouts_over(&self, client: &Timeouts) -> Timeouts {
        let timeouts = self.timeouts.as_ref().unwrap_or(client).clone();
        match self.timeout {
            None => timeouts,
            Some(timeout) => timeouts.call(timeout),
        }
    }
}
