//! What one call does differently.

use crate::{guard::Scope, limits::Limits, retry::RetryPolicy};

/// What one call does differently from the client it is made with.
///
/// ```
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_ext::Error> {
/// use lms_ext::{CallOptions, RetryPolicy, prelude::*};
///
/// let once = CallOptions::new().retry(RetryPolicy::off());
/// let me = lms.me().options(once).call().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct CallOptions {
    pub(crate) retry: Option<RetryPolicy>,
    pub(crate) limits: Option<Limits>,
    pub(crate) scope: Scope,
}

impl CallOptions {
    /// Nothing different.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Another policy on repeats.
    #[must_use]
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = Some(policy);
        self
    }

    /// Other limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }
}
