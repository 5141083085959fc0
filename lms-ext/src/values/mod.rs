//! Types of values: integers, secrets, typed fields, and the properties of operations.

mod absent;
pub mod int64;
mod secret;
mod typed_view;

pub use absent::{blank_as_none, null_as_default};
pub use lms_client::operation::OperationInfo;
pub use secret::Secret;
pub(crate) use secret::bearer_token;
pub use typed_view::{Typed, TypedView};
