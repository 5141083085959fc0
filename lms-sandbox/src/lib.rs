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
//! # What the service's documentation leaves open
//!
//! | Topic | Behaviour of the sandbox |
//! |---|---|
//! | HEAD | as GET, without the body |
//! | Error statuses | 400 malformed JSON, query or cursor; 401; 404; 405; 409 exists already; 413; 415; 422 invalid field |
//! | Error body | `{"error": {"code", "message", "field"}}`; `field` only if one is wrong |
//! | Order of checks | path and method, token, query, content type, size, JSON, fields |
//! | Default limit | 200; 100 for user fields and their permissions |
//! | Maximum limit | 200 ([`max_page`](SandboxBuilder::max_page)); a larger one is lowered, and `limit` in the response says so; less than 1 is 400 |
//! | Default order | by creation, oldest first; topic progress by enrolment, then topic |
//! | `order_by` | `created`, `updated`, `firstname`, `surname`, `email`, `username`; ties by id; names by code point, emails and usernames ignoring ASCII case, missing usernames first |
//! | `order_direction` | exactly `ASC` or `DESC`; anything else is 400 |
//! | Cursors | do not expire, also across restarts, for the same filters and order; the limit may change; anything else is 400 |
//! | `next_cursor` | only if `more` is true |
//! | Unknown or repeated query parameters | 400 |
//! | Filter with an unknown id | an empty list |
//! | Filter by `tags` | repeated parameters; learners with all of the tags |
//! | `archived` and `published` of user fields | filter, but are not echoed: the list has no such fields |
//! | Timestamps | RFC 3339 in UTC with seconds, `2026-03-01T09:30:00Z` |
//! | Absent values | omitted; `null` in a request means absent |
//! | Token lifetime | 300 s ([`token_lifetime`](SandboxBuilder::token_lifetime)); tokens are lost in a restart |
//! | `client_id` | a string or a number |
//! | `expires_in` | a number |
//! | Learner `email`, `username` | unique ignoring ASCII case, otherwise 409; an empty username means none |
//! | Learner `tags` | names; a new name creates a tag |
//! | Learner `password` | not empty; never in a response and never stored; accepted together with `generate_password` |
//! | Neither `password` nor `generate_password` | accepted |
//! | Edit of a learner | clears omitted fields, except the password; `id`, if present, must match the path |
//! | Deleted learners | not in lists, 404; deletes their enrolments, progress and records, but not their completions |
//! | Archived courses | are in lists, unless filtered |
//! | Edit of a course | resets omitted fields to those of a new course; ignores `id`, `creator`, `created`, `modified`, `permalink`, `has_cover_art`, `cover_art_url`, `thumbnail_url`; keeps and returns unknown fields |
//! | New courses | booleans are `false`, `auto_due_type` is `none`, other fields are absent |
//! | Deleted courses | deletes their topics, enrolments and progress, but not their completions |
//! | `addLearner` with a sign-up page or profiles | applies their tags, courses and permissions; 422 for an unknown id |
//! | Second enrolment in the same course | 409 |
//! | `deleteEnrolment` | with both parameters: that enrolment, or 404; with one: all of that learner or course; with none: 400, and nothing is deleted |
//! | Topic progress | exists for each topic of each course that the learner is enrolled in; otherwise 404 |
//! | Course progress without an enrolment | 404 |
//! | Completion of a course | with the last topic; one completion per enrolment |
//! | Duplication | each poll advances it: `progress` 0, 25, 50, 75, 100, `stage` 1 to 4; `new_course` at the end; without polls, the copy is made 60 s after the last one; named "Copy of …"; copies topics, and enrolments on request; 404 if the course is deleted before the end |
//! | Permissions | one per field and learner: the learner's own, or else the settings of the field |
//! | Record without a value | 200 with `has_value` false |
//! | Maximum body size | 1 MiB |
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
