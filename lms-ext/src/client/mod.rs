//! [`Lms`], the client, and how it is built.

#[cfg(feature = "clap")]
mod args;
mod builder;
mod client_credentials;
mod connections;
mod env;
mod lms;
mod tls;

#[cfg(feature = "clap")]
pub use args::LmsArgs;
pub use builder::LmsBuilder;
pub use lms::Lms;
