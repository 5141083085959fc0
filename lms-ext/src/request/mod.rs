//! One call: from a generated builder to the decoded value or an error.

mod base_url;
mod belongs;
mod blanks;
mod call;
mod decode;
mod engine;
mod json_path;
mod options;
mod prepared;
mod require_id;

pub(crate) use base_url::{BaseUrl, PlainHttp, matches};
pub(crate) use belongs::Requested;
pub use call::{Call, WithOptions};
pub(crate) use decode::decode;
pub(crate) use engine::{Engine, WriteLocks};
pub use lms_client::operation::{HasId, List, OPERATIONS, Operation, PreparedRequest};
pub use options::CallOptions;
pub(crate) use prepared::PreparedCall;
pub use prepared::{CallFuture, Policies, Response};
pub use require_id::RequireId;
