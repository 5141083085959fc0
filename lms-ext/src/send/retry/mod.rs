//! Retries: which requests, how often, after what wait, and within which budget.
//!
//! The service has no idempotency keys, so a request is only retried when it cannot take effect twice. Waits are random
//! and grow exponentially, so that many clients that fail together do not retry together. A budget that all calls of a
//! client share keeps retries from making an outage worse.
//!
//! | outcome of an attempt | reads | `PUT`, `DELETE` | `POST` |
//! |---|---|---|---|
//! | no connection | retry | retry | retry |
//! | 429 | retry | retry | retry |
//! | 408, 500, 502, 503, 504 | retry | retry | [`Ambiguous`](crate::ErrorKind::Ambiguous) |
//! | response lost, late or broken off | retry | retry | `Ambiguous` |
//! | a success that is not JSON | retry | the result | the result |
//! | 401, the first time | retry with a new token | the same | the same |
//! | any other status | the result | the result | the result |
//!
//! A `PUT` or `DELETE` that fails after an attempt that may have been processed is `Ambiguous`, too, with one exception:
//! a `DELETE` that then gets 404 or 410 has succeeded.

mod budget;
mod classify;
mod policy;

pub use budget::RetryBudget;
pub(crate) use budget::RetryTokens;
pub(crate) use classify::{Outcome, classify};
pub use policy::RetryPolicy;
