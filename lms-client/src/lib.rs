#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! - [`requests`] has a builder for each operation, created by the methods of [`Client`]
//! - [`types`] has a struct for each schema, and [`ids`] has a type for each kind of id
//! - [`setter`] lists the types that the setters of builders accept
//! - [`operation`] has the method, the path and the response type of each operation
//! - [`transport`] sends the requests, and [`policy`] decides the effect of awaiting a builder
//! - [`wire`] reads and writes integers, timestamps and secrets in the service's formats
//! - [`formats`] has types for formats of text that only a tenant's own document has
//! - [`service`] describes the service and its open points
//!
//! `requests` and `types` are generated from the service's OpenAPI document and checked in, so a build does not compile
//! the generator.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod client;
#[allow(
    missing_docs,
    missing_debug_implementations,
    nonstandard_style,
    unreachable_pub,
    unused_imports,
    unused_qualifications,
    clippy::all,
    clippy::restriction,
    clippy::pedantic,
    reason = "generated; items without docs have none in the document"
)]
mod generated {
    #[cfg(not(feature = "tenant-document"))]
    include!("generated.rs");
    #[cfg(feature = "tenant-document")]
    include!(concat!(env!("OUT_DIR"), "/generated.rs"));
}

pub mod formats;
pub mod id;
mod info;
#[allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "a document need not have every kind of enum"
)]
mod open_enum;
pub mod operation;
pub mod policy;
mod request;
/// Known facts about the service, open questions, and the assumptions of this client.
///
#[doc = include_str!("service.md")]
pub mod service {}
#[cfg(feature = "schemars")]
mod schema;
mod scope;
mod send;
pub mod setter;
pub mod transport;
pub mod wire;

pub use client::Client;
pub use generated::{ids, requests, types};
pub use progenitor_client::{Error, ResponseValue};
