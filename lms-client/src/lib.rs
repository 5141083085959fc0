#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! - [`raw`] is the client that [progenitor](https://crates.io/crates/progenitor) generates: [`Client`] with an async method for
//!   each operation, and its types
//! - [`requests`] has a builder for each operation, created by the methods of [`Operations`]
//! - [`types`] has a struct for each schema with a builder, and [`ids`] has a type for each kind of id
//! - [`setter`] lists the types that the setters of builders accept
//! - [`operation`] has the method, the path and the response type of each operation
//! - [`policy`] decides the effect of awaiting a builder
//! - [`wire`] reads and writes integers, timestamps and secrets in the service's formats
//! - [`formats`] has types for formats of text that only a tenant's own document has
//! - [`service`] describes the service and its open points
//!
//! `raw`, `requests` and `types` are generated from the service's OpenAPI document and checked in, so a build does not
//! compile the generator.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod builder;
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
    pub(crate) mod facade {
        #[cfg(not(feature = "tenant-document"))]
        include!("facade.rs");
        #[cfg(feature = "tenant-document")]
        include!(concat!(env!("OUT_DIR"), "/facade.rs"));
    }

    /// The raw client, which progenitor generates.
    pub mod raw {
        #[cfg(not(feature = "tenant-document"))]
        include!("raw.rs");
        #[cfg(feature = "tenant-document")]
        include!(concat!(env!("OUT_DIR"), "/raw.rs"));
    }
}

/// The types of text with a format that only a tenant's own document has.
///
/// With the feature `checked-formats`, such text is read into a type that checks it, and a value of another form fails its
/// response. Without it, all of them are `String`s, and their content is not checked.
pub mod formats {
    #[cfg(feature = "checked-formats")]
    pub use {jiff::civil::Date, rust_decimal::Decimal, uuid::Uuid};

    #[cfg(not(feature = "checked-formats"))]
    pub use std::string::{String as Date, String as Decimal, String as Uuid};
}
mod hooks;
pub mod id;
mod info;
#[allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "a document need not have an enum"
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
pub mod setter;
pub mod wire;

pub use client::Operations;
use generated::facade;
pub use generated::{
    facade::{enums, ids, requests, types},
    raw::{self, Client, Error, ResponseValue},
};
