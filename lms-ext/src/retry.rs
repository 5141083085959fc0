//! What may be repeated, how often, and after what wait.
//!
//! The service has no idempotency key, so a request is repeated only when doing so cannot do a thing
//! twice: reads, `PUT` and `DELETE` after a lost answer or a failure that passes, `POST` only when the
//! tenant cannot have carried it out. Waits grow and are drawn at random, so that a thousand clients that
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
//! carried out, is `Ambiguous` as well; a `DELETE` that then finds nothing has succeeded.

mod budget;
mod policy;
mod retry_after;
mod verdict;

pub(crate) use budget::Purse;
pub use budget::RetryBudget;
pub use policy::RetryPolicy;
pub(crate) use retry_after::retry_after;
pub(crate) use verdict::{Outcome, changes, passes, verdict};
