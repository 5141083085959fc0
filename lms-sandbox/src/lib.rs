//! The whole learning-management service, embedded: a tenant to develop and test against.
//!
//! A client cannot be tested against a real tenant a thousand times a day. The sandbox is one in its place: all 32
//! operations with real behaviour on an embedded SQLite database, in memory or in a file, on a loopback port. It is
//! a reading of the service description of its own and shares no code with the client.
//!
//! ```
//! use std::time::Duration;
//! use lms_sandbox::Sandbox;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), lms_sandbox::SandboxError> {
//! let sandbox = Sandbox::builder().demo().start().await?;
//! println!("{} {} {}", sandbox.base_url(), sandbox.client_id(), sandbox.client_secret());
//! // … point a client at it …
//! sandbox.clock().advance(Duration::from_secs(300)); // every token so far has expired
//! assert!(sandbox.requests().is_empty());            // nobody asked anything yet
//! # Ok(()) }
//! ```
//!
//! What the API cannot put into a tenant, [`Sandbox::seed`] can. The binary is `lms-sandbox serve`;
//! `lms-sandbox serve --help` has its options.
//!
//! # A bad tenant, on request
//!
//! A [`FaultPlan`] says what goes wrong, for whom and when: delays, refused tokens, rate limits, gateway errors, lost
//! connections, strange bodies, pages that drift. It is the same in Rust, on the command line and at the
//! [control endpoint](SandboxBuilder::control), and one seed always makes the same of it. [`Sandbox::requests`] says
//! what arrived, whether it was carried out and what was done to it.
//!
//! ```
//! use lms_sandbox::{FaultRule, Operation, Sandbox};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), lms_sandbox::SandboxError> {
//! let sandbox = Sandbox::builder().demo().start().await?;
//! sandbox.faults().add("listLearners: every 3: status 503 html".parse()?)?;
//! sandbox.faults().add("addCourse: first 1: drop after".parse()?)?;
//! // … run a client …
//! for request in sandbox.requests_to(Operation::AddCourse) {
//!     println!("{:?} {} {:?}", request.status, request.carried_out, request.effects);
//! }
//! # Ok(()) }
//! ```
//!
//! [`Quirks`] are names for rules that are wanted often.
//!
//! # A large tenant, and a live one
//!
//! [`SandboxBuilder::population`] fills it with as many learners, courses and enrolments as are asked for, a million
//! learners in about a minute: `lms-sandbox serve --data big.db --learners 1000000 --courses 100`. In a
//! [live](SandboxBuilder::live) one learners complete topics as the clock goes on.
//!
//! # A durable one
//!
//! With a [data file](SandboxBuilder::data_file), a write that was answered is in it, also when the process is killed
//! the moment after. To try that a hundred times, under load:
//! `LMS_SANDBOX_KILLS=100 cargo test -p lms-sandbox --test running killed`. A second sandbox on the same file is
//! turned away.
//! With a browser, its address shows the API reference, where operations can be tried.
//!
//! # What the service description leaves open
//!
//! | Open | Here |
//! |---|---|
//! | HEAD | as GET, without the body |
//! | Error statuses | 400 what cannot be understood (JSON, query, cursor), 401, 404, 405, 408, 409 what would be there twice, 413, 415, 422 what is understood and not acceptable |
//! | Error body | `{"error": {"code", "message", "field"}}`; `field` where one is to blame |
//! | Order of checks | path and method, token, query, content type, size, JSON, fields |
//! | Default limit | 200; 100 for user fields and their permissions |
//! | Maximum limit | 200 ([`max_page`](SandboxBuilder::max_page)); more is answered with the maximum, and `limit` says so; less than 1 is 400 |
//! | Default order | as created, oldest first; topic progress by enrolment, then topic |
//! | `order_by` | `created`, `updated`, `firstname`, `surname`, `email`, `username`; equals by id; names by code point, emails and usernames without regard to ASCII case, no username first |
//! | `order_direction` | `ASC` or `DESC`, so spelled; anything else is 400 |
//! | Cursors | good for ever, and over restarts, with the same filters and order; the limit may change; anything else is 400 |
//! | `next_cursor` | only when `more` is true |
//! | Unknown query parameters, and one given twice | 400 |
//! | Filters by an id that names nothing | an empty list |
//! | `tags` as a filter | repeated parameters; learners who have all of them |
//! | `archived` and `published` of user fields | filter, and are not echoed: the list has no such fields |
//! | Timestamps | RFC 3339 in UTC with seconds, `2026-03-01T09:30:00Z` |
//! | Absent values | left out; in a request `null` is absent |
//! | Token lifetime | 300 s ([`token_lifetime`](SandboxBuilder::token_lifetime)); tokens do not outlive a restart |
//! | `client_id` | a string or a number |
//! | `expires_in` | a number |
//! | Learner `email`, `username` | unique without regard to ASCII case, 409; an empty username is none |
//! | Learner `tags` | names; a new name makes a tag |
//! | Learner `password` | never in a response, and never stored; not empty; accepted beside `generate_password` |
//! | Neither `password` nor `generate_password` | accepted |
//! | Edit of a learner | what is left out is cleared, except the password; `id`, if given, must be the path's |
//! | Deleted learners | gone from lists, 404; their enrolments, progress and records go too, completions stay |
//! | Archived courses | stay in lists unless filtered |
//! | Edit of a course | what is left out goes back to what a new course has; `id`, `creator`, `created`, `modified`, `permalink`, `has_cover_art`, `cover_art_url`, `thumbnail_url` are ignored; unknown fields are kept and sent again |
//! | A new course | booleans `false`, `auto_due_type` `none`, the rest absent |
//! | Deleted courses | their topics, enrolments and progress go too, completions stay |
//! | `addLearner` with a sign-up page, profiles | their tags, courses and permissions are applied; 422 when there is no such one |
//! | Enrolling twice | 409 |
//! | `deleteEnrolment` | both: that one, 404 if there is none; one: all of that learner or course; neither: 400 and nothing is removed |
//! | Topic progress | exists for each topic of each course a learner is enrolled in; otherwise 404 |
//! | Course progress of someone not enrolled | 404 |
//! | A course completes | when its last topic does; the completion is added once for an enrolment |
//! | Duplication | each poll is a step: `progress` 0, 25, 50, 75, 100, `stage` 1 to 4; `new_course` at the end; named "Copy of …"; topics are copied, enrolments on request; 404 when the course is deleted before |
//! | Permissions | one for each field and learner: the learner's own, or else the field's settings |
//! | Record of someone without a value | 200 with `has_value` false |
//! | Largest body | 1 MiB ([`Limits`]) |

mod api;
mod app;
mod clock;
mod demo;
mod error;
mod faults;
mod journal;
mod live;
mod rng;
mod sandbox;
mod seed;
mod server;
mod service;
mod store;
mod tokens;

pub use self::api::operation::Operation;
pub use self::app::{DEMO_CLIENT_ID, DEMO_CLIENT_SECRET};
pub use self::clock::Clock;
pub use self::demo::{FillProgress, Population};
pub use self::error::SandboxError;
pub use self::faults::{
    BadJson, DropPoint, Effect, ErrorBody, FaultPlan, FaultRule, Faults, RetryAfter, Target, When,
};
pub use self::journal::RequestRecord;
pub use self::live::Live;
pub use self::sandbox::{Sandbox, SandboxBuilder};
pub use self::seed::Seed;
pub use self::server::limits::Limits;
pub use self::service::fixtures::{
    FieldPermission, NewAttachment, NewLearner, NewProfile, NewRecord, NewSignupPage, NewTopic,
    NewUserField, Resource,
};

#[cfg(test)]
mod tests;
