//! What becomes of this request?
//!
//! The plan as it runs: each rule with the number of requests it was asked about. A sandbox without rules asks one
//! flag and nothing else.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::bucket::Bucket;
use super::effect::Effect;
use super::plan::{FaultPlan, FaultRule};
use super::verdict::{Chosen, Verdict};
use crate::dice;
use crate::operations::Operation;

/// The plan of one sandbox, as far as it has come.
#[derive(Debug, Default)]
pub(crate) struct LivePlan {
    /// Whether there is any rule.
    some: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    seed: u64,
    rules: Vec<LiveRule>,
}

#[derive(Debug)]
struct LiveRule {
    rule: Arc<FaultRule>,
    count: u64,
    bucket: Bucket,
}

impl LivePlan {
    pub(crate) fn new(plan: FaultPlan) -> Self {
        let live = Self::default();
        live.replace(plan);
        live
    }

    /// Puts another plan in the place of this one; all counts begin anew.
    pub(crate) fn replace(&self, plan: FaultPlan) {
        let mut state = self.state();
        *state = State {
            seed: plan.seed,
            rules: plan.rules.into_iter().map(LiveRule::new).collect(),
        };
        self.some.store(!state.rules.is_empty(), Ordering::SeqCst);
    }

    /// Adds a rule behind the others, whose counts go on.
    pub(crate) fn add(&self, rule: FaultRule) {
        let mut state = self.state();
        state.rules.push(LiveRule::new(rule));
        self.some.store(true, Ordering::SeqCst);
    }

    /// The plan as it is now.
    pub(crate) fn plan(&self) -> FaultPlan {
        let state = self.state();
        FaultPlan {
            seed: state.seed,
            rules: state
                .rules
                .iter()
                .map(|live| FaultRule::clone(&live.rule))
                .collect(),
        }
    }

    /// What befalls a request that has come at `now`; `None` when nothing does.
    pub(crate) fn verdict(&self, operation: Operation, now: Duration) -> Option<Verdict> {
        if !self.some.load(Ordering::Relaxed) {
            return None;
        }
        let mut chosen = Vec::new();
        let mut state = self.state();
        let seed = state.seed;
        for (number, live) in state.rules.iter_mut().enumerate() {
            let Some(one) = live.asked(operation, now, seed, number as u64) else {
                continue;
            };
            let last = one.effect().is_in_place();
            chosen.push(one);
            if last {
                break;
            }
        }
        (!chosen.is_empty()).then(|| Verdict::new(chosen))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LiveRule {
    fn new(rule: FaultRule) -> Self {
        Self {
            rule: Arc::new(rule),
            count: 0,
            bucket: Bucket::default(),
        }
    }

    /// Whether this rule's effect befalls a request.
    fn asked(
        &mut self,
        operation: Operation,
        now: Duration,
        seed: u64,
        number: u64,
    ) -> Option<Chosen> {
        let rule = &self.rule;
        let is_target = rule.on.is_empty() || rule.on.iter().any(|target| target.covers(operation));
        if !is_target || !rule.effect.concerns(operation) {
            return None;
        }
        self.count += 1;
        let roll = dice::roll(seed, number, self.count);
        if !rule.when.hits(self.count, roll) {
            return None;
        }
        let wait = match rule.effect {
            // Served, unless it comes too fast.
            Effect::RateLimit {
                per_second, burst, ..
            } => self.bucket.take(now, per_second, burst)?,
            Effect::RateLimited { wait, .. } => wait,
            _ => Duration::ZERO,
        };
        Some(Chosen::new(Arc::clone(rule), roll, wait))
    }
}
