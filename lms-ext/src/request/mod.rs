//! One call: from a generated builder to the decoded value or an error.

mod base_url;
mod call;
mod cancel;
mod decode;
mod engine;
mod json_path;
mod options;
mod preflight;
mod require_id;
mod sending;
mod turns;

pub(crate) use base_url::{BaseUrl, PlainHttp};
pub(crate) use call::PreparedCall;
pub use call::{Call, CallFuture, Policies, Response, WithOptions};
pub(crate) use cancel::CancelSignal;
pub(crate) use decode::{PathOf, decode, path_at_offset, path_by_decoding};
pub(crate) use engine::Engine;
pub use lms_client::{
    operation::{HasId, List, OPERATIONS, Operation},
    transport::PreparedRequest,
};
pub use options::CallOptions;
pub(crate) use preflight::{Scope, matches};
pub use require_id::RequireId;
pub(crate) use turns::Turns;
