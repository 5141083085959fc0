//! A client of a sandbox.

use lms_ext::prelude::*;
use lms_sandbox::Sandbox;

/// A client with the credentials of the sandbox and default settings.
pub fn client(sandbox: &Sandbox) -> Lms {
    Lms::builder(sandbox.base_url())
        .client_credentials(sandbox.client_id(), sandbox.client_secret())
        .build()
        .unwrap()
}
