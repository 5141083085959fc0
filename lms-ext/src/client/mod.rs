//! [`Lms`], the client, and how it is built.

mod builder;
mod client_credentials;
mod lms;
mod tls;

pub use builder::LmsBuilder;
pub use lms::Lms;
