//! The fault plan of a running sandbox, with the counts of its rules.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::chosen::{Chosen, ChosenFaults};
use super::effect::Effect;
use super::plan::{FaultPlan, FaultRule};
use crate::api::operation::Operation;
use crate::error::SandboxError;
use crate::rng;

/// Reads and changes the fault plan of a running sandbox; from [`Sandbox::faults`](crate::Sandbox::faults).
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), lms_sandbox::SandboxError> {
/// let sandbox = lms_sandbox::Sandbox::builder().start().await?;
/// sandbox.faults().add("addCourse: first 1: drop after")?;
/// // … the client's first course is added, but the client gets no response …
/// sandbox.faults().clear();
/// # Ok(()) }
/// ```
#[derive(Debug, Default)]
pub struct Faults {
    /// Lets a sandbox without rules skip the lock.
    has_rules: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    seed: u64,
    rules: Vec<ActiveRule>,
}

#[derive(Debug)]
struct ActiveRule {
    rule: Arc<FaultRule>,
    count: u64,
    bucket: TokenBucket,
}

impl Faults {
    pub(crate) fn new(plan: FaultPlan) -> Self {
        let faults = Self::default();
        faults.replace(plan);
        faults
    }

    /// Replaces the plan and resets all counts.
    pub fn replace(&self, plan: FaultPlan) {
        self.change(|state| {
            state.seed = plan.seed;
            state.rules = plan.rules.into_iter().map(ActiveRule::new).collect();
        });
    }

    /// Appends a [rule](FaultRule), such as `"listLearners: every 3: status 503"`. The other rules keep their counts.
    ///
    /// # Errors
    ///
    /// If the text is not a rule, or its effect applies to none of its targets.
    pub fn add(&self, rule: &str) -> Result<(), SandboxError> {
        let rule = rule.parse()?;
        self.change(|state| state.rules.push(ActiveRule::new(rule)));
        Ok(())
    }

    /// Removes all rules, and keeps the seed.
    pub fn clear(&self) {
        self.change(|state| state.rules.clear());
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        change(&mut state);
        self.has_rules
            .store(!state.rules.is_empty(), Ordering::SeqCst);
    }

    /// The current plan.
    pub fn plan(&self) -> FaultPlan {
        let state = self.state();
        let rules = state.rules.iter();
        FaultPlan {
            seed: state.seed,
            rules: rules.map(|active| FaultRule::clone(&active.rule)).collect(),
        }
    }

    /// The faults for a request that arrived at `now`; `None` if there are none.
    pub(crate) fn choose(&self, operation: Operation, now: Duration) -> Option<ChosenFaults> {
        if !self.has_rules.load(Ordering::Relaxed) {
            return None;
        }
        let mut chosen = Vec::new();
        let mut state = self.state();
        let seed = state.seed;
        for (index, active) in state.rules.iter_mut().enumerate() {
            let Some(fault) = active.choose(operation, now, seed, index as u64) else {
                continue;
            };
            let responds = fault.effect().responds();
            chosen.push(fault);
            if responds {
                break;
            }
        }
        (!chosen.is_empty()).then(|| ChosenFaults::new(chosen))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ActiveRule {
    fn new(rule: FaultRule) -> Self {
        Self {
            rule: Arc::new(rule),
            count: 0,
            bucket: TokenBucket::default(),
        }
    }

    /// Counts a request that the rule applies to, and decides whether it is affected.
    fn choose(
        &mut self,
        operation: Operation,
        now: Duration,
        seed: u64,
        index: u64,
    ) -> Option<Chosen> {
        let rule = &self.rule;
        if !rule.applies_to(operation) {
            return None;
        }
        self.count += 1;
        let random = rng::draw(seed, index, self.count);
        if !rule.when.includes(self.count, random) {
            return None;
        }
        let wait = match rule.effect {
            Effect::RateLimit {
                per_second, burst, ..
            } => self.bucket.take(now, per_second, burst)?,
            Effect::RateLimited { wait, .. } => wait,
            _ => Duration::ZERO,
        };
        Some(Chosen::new(Arc::clone(rule), random, wait))
    }
}

/// A token bucket, for rate limits. It is full at first.
///
/// Its state is the time at which it will be full again, so no task has to refill it, and it works with any clock.
#[derive(Debug, Default)]
struct TokenBucket {
    full_at: Duration,
}

impl TokenBucket {
    /// Takes a token at `now`. If there is none, the result is the time until there is one.
    fn take(&mut self, now: Duration, per_second: u32, burst: u32) -> Option<Duration> {
        let interval = Duration::from_secs(1) / per_second.max(1);
        let full_at = self.full_at.max(now) + interval;
        let capacity = interval * burst.max(1);
        match full_at.checked_sub(now + capacity) {
            Some(wait) if !wait.is_zero() => Some(wait),
            _ => {
                self.full_at = full_at;
                None
            }
        }
    }
}
