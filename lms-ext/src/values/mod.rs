//! Types of values: integers, secrets, fields without a value, and the properties of operations.

mod absent;
pub mod int64;

pub use absent::{blank_as_none, null_as_default};
pub use lms_client::operation::OperationInfo;
pub use lms_client::wire::{Secret, expose_secrets};
