//! What may be repeated, how often, and after what wait.
//!
//! The service has no idempotency key, so a request is repeated only when doing so cannot do a thing
//! twice: reads, `PUT` and `DELETE` after a lost answer or a failure that passes, `POST` only when the
//! tenant cannot have processed it. Waits grow and are drawn at random, so that a thousand clients that
//! failed together do not come back together; and all calls of a client together repeat only so much, so
//! that an outage is not made worse by those who wait for its end.
//!
//! | what happened | reads | `PUT`, `DELETE` | `POST` |
//! |---|---|---|---|
//! | no connection | repeated | repeated | repeated |
//! | 429 | repeated | repeated | repeated |
//! | 408, 500, 502, 503, 504 | repeated | repeated | [`Ambiguous`](crate::ErrorKind::Ambiguous) |
//! | answer lost, late or broken off | repeated | repeated | `Ambiguous` |
//! | 401, the first time | sent again with a new token | the same | the same |
//! | any other status | the answer | the answer | the answer |
//!
//! A `PUT` or `DELETE` whose repeats run out, or that fails otherwise after an attempt that may have been
//! processed, is `Ambiguous` as well; a `DELETE` that then finds nothing has succeeded.

mod budget;
mod classify;
mod policy;

pub use budget::RetryBudget;
pub(crate) use budget::RetryTokens;
pub(crate) use classify::{Outcome, changes, classify};
pub use policy::RetryPolicy;
