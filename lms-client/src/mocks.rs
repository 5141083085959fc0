//! Typed mocks: a server that gives one scripted answer to one kind of request.
//!
//! A test sometimes needs an answer that no tenant in a good mood would give: exactly this page, exactly
//! that status. [`MockServerExt`] puts a method for every operation on httpmock's server; the closure
//! says which requests are answered and how, in the types of this crate:
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use lms_client::{Client, mocks::{MockServerExt, httpmock::MockServer}, transport::Plain, types};
//!
//! let server = MockServer::start_async().await;
//! let course: types::Course = types::Course::builder().id("c1".to_owned()).try_into()?;
//! let mock = server.get_course(|when, then| {
//!     when.id("c1");
//!     then.ok(&course);
//! });
//!
//! let client = Client::new(&server.url("/api/v1"), Plain.into());
//! assert_eq!(client.get_course().id("c1").send().await?.id, course.id);
//! mock.assert();
//! # Ok(())
//! # }
//! ```
//!
//! Whatever a closure does not ask for is not looked at; [`None`] asks for a parameter to be absent. The
//! path of the document's server, `/api/v1`, is part of every path.
//!
//! The document knows 200 and no other status. `then.into_inner().status(503)` goes on with what httpmock
//! itself has, and so does `when.into_inner()`.
//!
//! Mocks know nothing of each other: what was added is not in a list. For behaviour there is
//! `lms-sandbox`, the whole service.

#[cfg(not(feature = "tenant-document"))]
#[allow(
    missing_docs,
    missing_debug_implementations,
    unused_qualifications,
    clippy::all,
    clippy::restriction,
    clippy::pedantic,
    reason = "generated: its text is progenitor's"
)]
#[rustfmt::skip]
mod generated;

#[cfg(feature = "tenant-document")]
#[allow(
    missing_docs,
    missing_debug_implementations,
    unused_qualifications,
    clippy::all,
    clippy::restriction,
    clippy::pedantic,
    reason = "generated: its text is progenitor's"
)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/mocks.rs"));
}

pub use generated::{MockServerExt, operations};
pub use httpmock;

/// The pattern that matches one path segment as it is sent, and nothing else.
fn segment(value: &str) -> String {
    regex::escape(&crate::transport::encode_path(value))
}
