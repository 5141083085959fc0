//! Types of values: integers, secrets, fields without a value, and the properties of operations.

mod absent;
pub mod int64;

pub use absent::null_as_default;
pub use lms_client::operation::OperationInfo;
pub use lms_client::wire::{Secret, blank_is_absent, expose_secrets};
