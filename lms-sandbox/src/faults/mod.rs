//! Fault injection: makes occasional failures of a real service reproducible in tests.
//!
//! A real service is slow, drops connections, limits rates and sends a gateway's error page, but not when a test needs
//! it. A [`FaultPlan`] selects the affected requests and the effects on them, and [`Faults`] changes the plan of a
//! running sandbox. The router gets the [`ChosenFaults`] of each request from the [`ActivePlan`] and applies them
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
mod target;
mod token_bucket;
mod wire;

pub(crate) use self::active_plan::ActivePlan;
pub(crate) use self::chosen::ChosenFaults;
pub use self::effect::{BadJson, DropPoint, Effect, ErrorBody, LimitHeaders, RetryAfter};
pub use self::plan::{FaultPlan, FaultRule, When};
pub use self::target::Target;
pub(crate) use self::wire::Aborted;
use crate::error::SandboxError;

/// Reads and changes the fault plan of a running sandbox; from [`Sandbox::faults`](crate::Sandbox::faults).
///
/// ```
/// use lms_sandbox::{DropPoint, Effect, FaultRule, Operation, Sandbox, When};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), lms_sandbox::SandboxError> {
/// let sandbox = Sandbox::builder().start().await?;
/// let lost_response = FaultRule::new(Effect::Drop { at: DropPoint::After });
/// sandbox.faults().add(lost_response.on([Operation::AddCourse]).when(When::First(1)))?;
/// // … the client's first course is added, but the client gets no response …
/// sandbox.faults().clear();
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Faults<'a> {
    active: &'a ActivePlan,
}

impl<'a> Faults<'a> {
    pub(crate) fn new(active: &'a ActivePlan) -> Self {
        Self { active }
    }

    /// The current plan.
    pub fn plan(&self) -> FaultPlan {
        self.active.plan()
    }

    /// Appends a rule, which may be text: `"listLearners: every 3: status 503"`. The other rules keep their counts.
    ///
    /// # Errors
    ///
    /// If a setting of the rule is invalid, or its effect applies to none of its targets.
    pub fn add(
        &self,
        rule: impl TryInto<FaultRule, Error: Into<SandboxError>>,
    ) -> Result<(), SandboxError> {
        let rule = rule.try_into().map_err(Into::into)?;
        rule.check()?;
        self.active.add(rule);
        Ok(())
    }

    /// Replaces the plan and resets all counts.
    ///
    /// # Errors
    ///
    /// If a setting is invalid; the plan is then not changed.
    pub fn replace(&self, plan: FaultPlan) -> Result<(), SandboxError> {
        plan.check()?;
        self.active.replace(plan);
        Ok(())
    }

    /// Removes all rules, and keeps the seed.
    pub fn clear(&self) {
        self.active.clear();
    }
}

#[cfg(test)]
mod tests;
