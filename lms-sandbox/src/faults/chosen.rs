//! The faults of one request: those that were chosen, and those that were applied.
//!
//! A chosen effect cannot always be applied: a page may have no cursor to send again, and an error has no timestamps.
//! Each part of the sandbox that applies an effect requests it here, which records it as applied; the journal lists
//! applied effects.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::effect::{DropPoint, Effect};
use super::plan::FaultRule;

/// The faults that the plan chose for one request.
#[derive(Debug)]
pub(crate) struct ChosenFaults {
    faults: Vec<Chosen>,
}

/// One chosen fault.
#[derive(Debug)]
pub(super) struct Chosen {
    rule: Arc<FaultRule>,
    /// Makes the random decisions.
    random: u64,
    /// The `Retry-After` of a 429.
    pub(super) wait: Duration,
    applied: AtomicBool,
}

impl Chosen {
    pub(super) fn new(rule: Arc<FaultRule>, random: u64, wait: Duration) -> Self {
        Self {
            rule,
            random,
            wait,
            applied: AtomicBool::new(false),
        }
    }

    pub(super) fn effect(&self) -> &Effect {
        &self.rule.effect
    }

    /// A random duration between two.
    fn between(&self, min: Duration, max: Duration) -> Duration {
        let width = max.saturating_sub(min).as_micros().saturating_add(1);
        // The low bits, because the high bits decided whether the fault was chosen.
        let part = (u128::from(self.random & 0xffff_ffff) * width) >> 32;
        min + Duration::from_micros(u64::try_from(part).unwrap_or(u64::MAX))
    }

    pub(super) fn set_applied(&self) {
        self.applied.store(true, Ordering::Relaxed);
    }
}

impl ChosenFaults {
    pub(super) fn new(faults: Vec<Chosen>) -> Self {
        Self { faults }
    }

    /// The effects that were applied, in the order of their rules.
    pub(crate) fn applied(&self) -> Vec<Effect> {
        self.faults
            .iter()
            .filter(|fault| fault.applied.load(Ordering::Relaxed))
            .map(|fault| fault.effect().clone())
            .collect()
    }

    /// The delay of the request.
    pub(crate) fn delay(&self) -> Option<Duration> {
        self.apply_each(|fault| match fault.effect() {
            Effect::Delay { time } => Some(fault.between(*time.start(), *time.end())),
            _ => None,
        })
        .reduce(Duration::saturating_add)
    }

    /// The fault that responds instead of the service. It is the last, because it ended the evaluation of the plan.
    pub(super) fn responding(&self) -> Option<&Chosen> {
        self.faults.last().filter(|fault| fault.effect().responds())
    }

    /// The lifetime of a token, if it differs from its `expires_in`.
    pub(crate) fn early_expiry(&self) -> Option<Duration> {
        self.apply_each(|fault| match fault.effect() {
            Effect::EarlyExpiry { after } => Some(*after),
            _ => None,
        })
        .min()
    }

    /// The maximum page size.
    pub(crate) fn max_page(&self) -> Option<usize> {
        self.apply_each(|fault| match fault.effect() {
            Effect::MaxPage { items } => Some(*items),
            _ => None,
        })
        .min()
    }

    /// The numbers of rows by which the start of a page moves back and forward.
    pub(crate) fn shift_page(&self) -> Option<(u32, u32)> {
        self.apply_each(|fault| match fault.effect() {
            Effect::ShiftPage { added, removed } => Some((*added, *removed)),
            _ => None,
        })
        .reduce(|one, other| (one.0.saturating_add(other.0), one.1.saturating_add(other.1)))
    }

    /// Returns `true` if the effect was chosen, and records it as applied.
    pub(crate) fn apply(&self, effect: &Effect) -> bool {
        self.apply_each(|fault| (fault.effect() == effect).then_some(()))
            .count()
            > 0
    }

    /// Returns `true` if the connection is closed at this point.
    pub(super) fn drops(&self, at: DropPoint) -> bool {
        self.apply(&Effect::Drop { at })
    }

    /// The results of `apply` for the faults where it returns one; those are recorded as applied.
    pub(super) fn apply_each<'a, T>(
        &'a self,
        apply: impl Fn(&'a Chosen) -> Option<T> + 'a,
    ) -> impl Iterator<Item = T> + 'a {
        self.faults
            .iter()
            .filter_map(move |fault| apply(fault).inspect(|_| fault.set_applied()))
    }
}
