//! How is the sandbox a bad tenant, on request?
//!
//! A real tenant is slow, drops connections, limits requests and answers with a gateway's error page, though never
//! when a test looks. Here that is planned: a [`FaultPlan`] says what is done, to which requests and when, and
//! [`Faults`] changes it while the sandbox runs. The router asks for a verdict on each request and passes it by the
//! places where something can be done; the operations know nothing of it, but for the twists of a page and of a
//! duplication, which only they can make.

mod answers;
mod bucket;
mod effect;
mod live;
mod plan;
mod quirks;
mod reshape;
pub(crate) mod span;
mod target;
mod verdict;
mod wire;
mod words;

pub use self::effect::{BadJson, DropPoint, Effect, ErrorBody, RetryAfter};
pub(crate) use self::live::LivePlan;
pub use self::plan::{FaultPlan, FaultRule, When};
pub use self::quirks::Quirks;
pub use self::target::Target;
pub(crate) use self::verdict::Verdict;
pub(crate) use self::wire::Severed;
use crate::error::SandboxError;

/// Changes the fault plan of a running sandbox; from [`Sandbox::faults`](crate::Sandbox::faults).
///
/// ```
/// use lms_sandbox::{DropPoint, Effect, FaultRule, Operation, Sandbox, When};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), lms_sandbox::SandboxError> {
/// let sandbox = Sandbox::builder().start().await?;
/// let lost = FaultRule::new(Effect::Drop { at: DropPoint::After });
/// sandbox.faults().add(lost.on([Operation::AddCourse]).when(When::First(1)))?;
/// // … the client's first course is made, and the client is not told …
/// sandbox.faults().clear();
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Faults<'a> {
    live: &'a LivePlan,
}

impl<'a> Faults<'a> {
    pub(crate) fn new(live: &'a LivePlan) -> Self {
        Self { live }
    }

    /// The plan as it is now, the rules of [`Quirks`] among the others.
    pub fn plan(&self) -> FaultPlan {
        self.live.plan()
    }

    /// Adds a rule behind the others, whose counts go on.
    ///
    /// # Errors
    ///
    /// When a setting makes no sense.
    pub fn add(&self, rule: FaultRule) -> Result<(), SandboxError> {
        rule.check()?;
        self.live.add(rule);
        Ok(())
    }

    /// Puts another plan in the place of this one. All counts begin anew.
    ///
    /// # Errors
    ///
    /// When a setting makes no sense; the plan then stays as it was.
    pub fn replace(&self, plan: FaultPlan) -> Result<(), SandboxError> {
        plan.check()?;
        self.live.replace(plan);
        Ok(())
    }

    /// Removes all rules; the seed stays.
    pub fn clear(&self) {
        self.live.replace(FaultPlan::seeded(self.live.plan().seed));
    }
}
