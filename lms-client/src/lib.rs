//! The raw client of a learning-management service: every operation as a builder, every schema as a
//! type, and one seam through which every request goes.
//!
//! ```no_run
//! # async fn example(token: &str) -> Result<(), Box<dyn std::error::Error>> {
//! use lms_client::{Client, transport::Bearer};
//!
//! let client = Client::new("https://acme.example/api/v1", Bearer::new(token)?.into());
//!
//! let page = client.list_learners().limit(50).tags(vec!["emea".into()]).send().await?;
//! for learner in &page.items {
//!     println!("{:?} {:?}", learner.surname, learner.email);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! This crate says what the service can do and nothing about how to live with it: no token is fetched,
//! nothing is repeated, no page is followed. For that there is `lms-ext`, whose `Lms` dereferences to
//! the [`Client`] here. Use this crate alone when you bring those policies yourself, as a
//! [`Transport`](transport::Transport).
//!
//! # What is generated and what is not
//!
//! `generated.rs` is made from the service's OpenAPI document by `cargo xtask regen` and checked in, so
//! nobody who depends on this crate builds a generator. Written by hand are the
//! [seam](transport) and the [wire types](wire).
//!
//! # Features
//!
//! | feature | on by default | what it does |
//! |---|---|---|
//! | `rustls` | yes | TLS by rustls, with aws-lc for the cryptography |
//! | `rustls-no-provider` | no | TLS by rustls, with the cryptography that the program installs; without any, `Client::new` panics |
//! | `native-tls` | no | TLS by what the platform brings: OpenSSL, Secure Transport or SChannel |
//! | `mocks` | no | typed mocks (module `mocks`) for tests that script single answers; brings an HTTP server |
//! | `jiff`, `chrono`, `time` | no | [timestamps](wire::Timestamp) to and from the types of these crates |
//! | `tenant-document` | no | generate, at build time, from the OpenAPI document that the environment variable `LMS_CLIENT_DOCUMENT` names by its absolute path; needs Rust 1.89 |
//!
//! The last is for a tenant whose document has more than ours: its fields and operations are then there
//! as if they had always been. It costs the build of the generator.

mod address;
#[cfg(not(feature = "tenant-document"))]
#[allow(
    missing_docs,
    unreachable_pub,
    unused_imports,
    unused_qualifications,
    clippy::all,
    clippy::restriction,
    clippy::pedantic,
    reason = "generated: its text is progenitor's, and what lacks docs lacks them in the document"
)]
#[rustfmt::skip]
mod generated;

#[cfg(feature = "tenant-document")]
#[allow(
    missing_docs,
    unreachable_pub,
    unused_imports,
    unused_qualifications,
    clippy::all,
    clippy::restriction,
    clippy::pedantic,
    reason = "generated: its text is progenitor's, and what lacks docs lacks them in the document"
)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/generated.rs"));
}

#[cfg(feature = "mocks")]
pub mod mocks;
/// What is known about the service, what is not, and what this client assumes.
///
#[doc = include_str!("service.md")]
pub mod service {}
pub mod transport;
pub mod wire;

pub use generated::{ByteStream, Client, ClientInfo, Error, ResponseValue, builder, types};
