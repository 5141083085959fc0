//! What was decided about one request, and what of it took place?
//!
//! A rule may choose a request to which its effect then cannot be done: a page that has no cursor to repeat, an error
//! that holds no timestamps. So each part of the sandbox that does something asks for its effect here and says that
//! it was done; the journal records what was.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::effect::{DropPoint, Effect};
use super::plan::FaultRule;

/// The effects that the plan chose for one request.
#[derive(Debug)]
pub(crate) struct Verdict {
    chosen: Vec<Chosen>,
}

/// One effect, chosen.
#[derive(Debug)]
pub(super) struct Chosen {
    rule: Arc<FaultRule>,
    /// What to decide by chance with.
    roll: u64,
    /// How long a 429 says to wait.
    wait: Duration,
    done: AtomicBool,
}

impl Chosen {
    pub(super) fn new(rule: Arc<FaultRule>, roll: u64, wait: Duration) -> Self {
        Self {
            rule,
            roll,
            wait,
            done: AtomicBool::new(false),
        }
    }

    pub(super) fn effect(&self) -> &Effect {
        &self.rule.effect
    }

    pub(super) fn wait(&self) -> Duration {
        self.wait
    }

    /// A time between two, by chance.
    fn between(&self, least: Duration, most: Duration) -> Duration {
        let width = most.saturating_sub(least).as_micros().saturating_add(1);
        // The lowest bits, since the highest decided whether it was chosen.
        let part = (u128::from(self.roll & 0xffff_ffff) * width) >> 32;
        least + Duration::from_micros(u64::try_from(part).unwrap_or(u64::MAX))
    }

    pub(super) fn done(&self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

impl Verdict {
    pub(super) fn new(chosen: Vec<Chosen>) -> Self {
        Self { chosen }
    }

    /// The effects that took place, in the order of their rules.
    pub(crate) fn effects(&self) -> Vec<Effect> {
        self.chosen
            .iter()
            .filter(|chosen| chosen.done.load(Ordering::Relaxed))
            .map(|chosen| chosen.effect().clone())
            .collect()
    }

    /// How long to hold the request up.
    pub(crate) fn delay(&self) -> Option<Duration> {
        self.all(|chosen| match chosen.effect() {
            Effect::Delay { least, most } => Some(chosen.between(*least, *most)),
            _ => None,
        })
        .reduce(Duration::saturating_add)
    }

    /// The effect that answers in place of the service. The plan's asking ended with it, so it is the last.
    pub(super) fn in_place(&self) -> Option<&Chosen> {
        self.chosen
            .last()
            .filter(|chosen| chosen.effect().is_in_place())
    }

    /// How long a token that is given out is good, if it is not as long as it says.
    pub(crate) fn early_expiry(&self) -> Option<Duration> {
        self.all(|chosen| match chosen.effect() {
            Effect::EarlyExpiry { after } => Some(*after),
            _ => None,
        })
        .min()
    }

    /// The most rows that a page has.
    pub(crate) fn max_page(&self) -> Option<usize> {
        self.all(|chosen| match chosen.effect() {
            Effect::MaxPage { rows } => Some(*rows),
            _ => None,
        })
        .min()
    }

    /// How many rows a page begins back and on from its cursor's place.
    pub(crate) fn drift(&self) -> Option<(u32, u32)> {
        self.all(|chosen| match chosen.effect() {
            Effect::Drift { added, removed } => Some((*added, *removed)),
            _ => None,
        })
        .reduce(|one, other| (one.0.saturating_add(other.0), one.1.saturating_add(other.1)))
    }

    /// Whether an effect is to be done, which it then counts as.
    pub(crate) fn does(&self, effect: &Effect) -> bool {
        self.all(|chosen| (chosen.effect() == effect).then_some(()))
            .count()
            > 0
    }

    /// Whether such an effect was chosen.
    pub(super) fn holds_any(&self, is_such: impl Fn(&Effect) -> bool) -> bool {
        self.chosen.iter().any(|chosen| is_such(chosen.effect()))
    }

    /// Whether the connection is closed at this point.
    pub(super) fn drops(&self, at: DropPoint) -> bool {
        self.does(&Effect::Drop { at })
    }

    /// What `pick` finds in the chosen effects; each in which it finds something counts as done.
    pub(super) fn all<'a, T>(
        &'a self,
        pick: impl Fn(&'a Chosen) -> Option<T> + 'a,
    ) -> impl Iterator<Item = T> + 'a {
        self.chosen.iter().filter_map(move |chosen| {
            let found = pick(chosen);
            if found.is_some() {
                chosen.done();
            }
            found
        })
    }
}
