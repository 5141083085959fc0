//! One call: from a generated builder to the decoded value or an error.

mod base_url;
mod belongs;
mod call;
mod decode;
mod engine;
mod json;
mod prepared;

pub(crate) use base_url::{BaseUrl, matches};
pub(crate) use belongs::Requested;
pub use call::{Call, RequireId, WithOptions};
pub(crate) use decode::decode;
pub(crate) use engine::{Engine, WriteLocks};
pub use lms_client::operation::{HasId, List, OPERATIONS, Operation, PreparedRequest};
pub(crate) use prepared::PreparedCall;
pub use prepared::{CallFuture, CallOptions, Policies, Response};
