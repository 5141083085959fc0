//! Sends a call: the token, rate limits, timeouts, retries and spans around each HTTP request.
//!
//! [`retry_loop`] shows how a request passes through these files.

mod attempt;
pub(crate) mod auth;
mod body;
mod call_state;
mod context;
mod counts;
pub mod http;
#[cfg(feature = "metrics")]
pub(crate) mod metrics;
mod new_id;
mod not_json;
pub(crate) mod rate_limit;
mod raw_response;
pub(crate) mod retry;
mod retry_loop;
mod task;
mod telemetry;
mod timeouts;

pub(crate) use context::{CallContext, Sender, copy};
pub(crate) use raw_response::RawResponse;
pub(crate) use task::spawn;
pub use timeouts::Timeouts;
pub(crate) use timeouts::{after, call_timeout};
