//! Fault injection: makes occasional failures of a real service reproducible in tests.
//!
//! A real service is slow, drops connections, limits rates and sends a gateway's error page, but not when a test needs
//! it. A [`FaultPlan`] selects the affected requests and the effects on them, and [`Faults`] changes the plan of a
//! running sandbox. The router gets the [`ChosenFaults`] of each request from it and applies them
//! before and after the operation. Operations do not know about faults, except those that act on pages and
//! duplications.

mod active_plan;
mod chosen;
pub(crate) mod duration;
mod effect;
mod notation;
mod plan;
mod reshape;
mod responses;
mod wire;

pub use self::active_plan::Faults;
pub(crate) use self::chosen::ChosenFaults;
pub use self::effect::{BadJson, DropPoint, Effect, ErrorBody, RetryAfter};
pub use self::plan::{FaultPlan, FaultRule};
pub(crate) use self::wire::Aborted;

#[cfg(test)]
mod tests;
