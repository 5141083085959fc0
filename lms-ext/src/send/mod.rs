//! A request's way to the service and back: tokens, rate limits, timeouts, retries, spans.

mod attempt;
pub(crate) mod auth;
mod body;
mod call_state;
mod context;
pub mod http;
pub(crate) mod rate_limit;
mod raw_response;
pub(crate) mod retry;
mod retry_loop;
mod telemetry;
mod timeouts;

pub(crate) use context::{CallContext, Sender, copy};
pub(crate) use raw_response::RawResponse;
pub use timeouts::Timeouts;
