//! A client of a tenant that behaves, or misbehaves as it was told to.

use lms_ext::prelude::*;
use lms_sandbox::Sandbox;

/// A client of a sandbox, with its credentials and without settings of its own.
pub fn client(sandbox: &Sandbox) -> Lms {
    Lms::builder(sandbox.base_url())
        .client_credentials(sandbox.client_id(), sandbox.client_secret())
        .build()
        .unwrap()
}
