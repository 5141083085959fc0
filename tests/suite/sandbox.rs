//! Clients and faults of a sandbox.

use std::time::Duration;

use lms_ext::{LmsBuilder, RetryPolicy, prelude::*};
use lms_sandbox::Sandbox;

/// A builder of a client with the credentials of the sandbox.
pub fn builder(sandbox: &Sandbox) -> LmsBuilder {
    Lms::builder(sandbox.base_url())
        .client_credentials(sandbox.client_id(), sandbox.client_secret())
}

/// A client with default settings.
pub fn client(sandbox: &Sandbox) -> Lms {
    builder(sandbox).build().unwrap()
}

/// Retries without backoff, since a sandbox runs in real time.
pub fn at_once() -> RetryPolicy {
    RetryPolicy::default().backoff(Duration::ZERO, Duration::ZERO)
}

/// Adds fault rules, in the notation of the sandbox.
pub fn disturb<R: AsRef<str>>(sandbox: &Sandbox, rules: impl IntoIterator<Item = R>) {
    for rule in rules {
        sandbox.faults().add(rule.as_ref()).unwrap();
    }
}
