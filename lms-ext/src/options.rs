//! What one call does differently.

use std::{borrow::Cow, time::Duration};

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
    limits: Option<Limits>,
    deadline: Option<Duration>,
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

    /// How long the call may take, waits and repeats included; the other limits stay as they are.
    #[must_use]
    pub fn deadline(mut self, time: Duration) -> Self {
        self.deadline = Some(time);
        self
    }

    /// The limits of this call, where `client` has those of all others.
    pub(crate) fn limits_over<'a>(&'a self, client: &'a Limits) -> Cow<'a, Limits> {
        let limits = self.limits.as_ref().unwrap_or(client);
        match self.deadline {
            None => Cow::Borrowed(limits),
            Some(deadline) => Cow::Owned(limits.clone().call(deadline)),
        }
    }
}
