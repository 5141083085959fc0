//! Tests of extracts and sinks against the sandbox. One binary with a module for each topic.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a failing test should stop where it fails"
)]

mod absences;
mod budget;
mod changes;
mod columns;
mod destination;
mod extract;
mod faults;
mod files;
mod from_mirror;
mod kill;
mod kit;
mod lies;
mod loaders;
mod nights;
mod objects;
mod overtaken;
mod parts;
mod postgres;
mod read;
mod runs;
mod sqlite;
mod store;
mod tap;
mod tenant;
mod verify;
mod witness;

use lms_ext::Lms;
use lms_sandbox::Sandbox;

/// Returns `true` if the long form of each test runs, as `cargo xtask release-check` asks for.
pub fn full() -> bool {
    std::env::var("LMS_TESTS").is_ok_and(|tests| tests == "full")
}

/// A client for a sandbox.
pub fn client(sandbox: &Sandbox) -> Lms {
    Lms::builder(sandbox.base_url())
        .client_credentials(sandbox.client_id(), sandbox.client_secret())
        .build()
        .unwrap()
}

/// A sandbox with the demo tenant.
pub async fn demo() -> Sandbox {
    Sandbox::builder().demo().start().await.unwrap()
}

/// The requests for anything but a token and the identity of the tenant.
pub fn reads(sandbox: &Sandbox) -> Vec<String> {
    let requests = sandbox.requests().unwrap().into_iter();
    let paths = requests.map(|request| request.path);
    paths.filter(|path| !path.contains("/oauth/")).collect()
}
