//! A sandbox of the learning-management API, for development and tests.
//!
//! It implements all operations on an embedded SQLite database, in memory or in a file, and serves them on a
//! loopback port. It shares no code with the clients, so that a mistake of a client cannot also be in the server of its
//! tests.
//!
//! ```
//! use std::time::Duration;
//! use lms_sandbox::Sandbox;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), lms_sandbox::SandboxError> {
//! let sandbox = Sandbox::builder().demo().start().await?;
//! println!("{} {} {}", sandbox.base_url(), sandbox.client_id(), sandbox.client_secret());
//! // … run a client against it …
//! sandbox.clock().advance(Duration::from_secs(300)); // all tokens have expired
//! assert!(sandbox.requests()?.is_empty());            // no request has arrived yet
//! # Ok(()) }
//! ```
//!
//! [`Sandbox::seed`] adds objects that the API cannot add, such as topics. The sandbox is also a program,
//! `lms-sandbox serve`.
//!
//! # Faults
//!
//! A [`FaultPlan`] makes requests fail in the ways of real services: delays, rejected tokens, rate limits, gateway
//! errors, dropped connections, invalid JSON, pages that shift. Rules have the same notation in Rust, on the command line
//! and in the [control API](SandboxBuilder::control), and the same seed always chooses the same requests.
//! [`Sandbox::requests`] lists the requests that arrived, whether they were processed, and which faults were applied.
//!
//! ```
//! use lms_sandbox::{FaultRule, Operation, Sandbox};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), lms_sandbox::SandboxError> {
//! let sandbox = Sandbox::builder().demo().start().await?;
//! sandbox.faults().add("listLearners: every 3: status 503 html")?;
//! sandbox.faults().add("addCourse: first 1: drop after")?;
//! // … run a client …
//! for request in sandbox.requests_to(Operation::AddCourse)? {
//!     println!("{:?} {} {:?}", request.status, request.processed, request.effects);
//! }
//! # Ok(()) }
//! ```
//!
//! [`FaultPlan::unusual`] has rules for unusual behaviour in all operations, such as `null` values.
//!
//! # Large tenants
//!
//! [`SandboxBuilder::population`] generates any number of learners, courses and enrolments. A million learners take
//! about a minute: `lms-sandbox serve --data big.db --learners 1000000 --courses 100`.
//!
//! # Durability
//!
//! With a [data file](SandboxBuilder::data_file), every write with a response is in the file, even if the process is
//! killed immediately afterwards. A second sandbox on the same file does not start.
//!
#![doc = include_str!("behaviour.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod api;
mod app;
mod clock;
mod demo;
mod error;
mod faults;
mod journal;
mod rng;
mod sandbox;
mod seed;
mod server;
mod service;
mod store;
mod tokens;

pub use self::api::example::{DEMO_CLIENT_ID, DEMO_CLIENT_SECRET, Example};
pub use self::api::operation::Operation;
pub use self::clock::Clock;
pub use self::demo::Population;
pub use self::error::SandboxError;
pub use self::faults::{
    BadJson, DropPoint, Effect, ErrorBody, FaultPlan, FaultRule, Faults, LimitHeaders, RetryAfter,
    Target, When,
};
pub use self::journal::RequestRecord;
pub use self::sandbox::{Sandbox, SandboxBuilder};
pub use self::seed::Seed;
pub use self::service::fixtures::{
    FieldPermission, NewAttachment, NewLearner, NewProfile, NewRecord, NewSignupPage, NewTopic,
    NewUserField, Resource,
};

#[cfg(test)]
mod tests;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
