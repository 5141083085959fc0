//! Types of values: integers, secrets, typed fields, and the properties of operations.

mod absent;
mod bearer;
pub mod int64;
mod typed_view;

pub use absent::{blank_as_none, null_as_default};
pub(crate) use bearer::bearer_token;
pub use lms_client::operation::OperationInfo;
pub use lms_client::wire::Secret;
pub use typed_view::{Typed, TypedView};
