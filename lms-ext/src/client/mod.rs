//! [`Lms`], the client that programs hold, and everything that makes one.

mod builder;
mod client_credentials;
mod lms;
mod tls;

pub use builder::LmsBuilder;
pub use lms::Lms;
