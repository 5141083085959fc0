//! Which answers slow a client down, by how much, and how it gets fast again.
//!
//! The state of the throttle is plain data and time is handed in, so what it decides can be read off in tests.

use std::time::Duration;

use reqwest::StatusCode;
use tokio::time::Instant;

use super::{
    probe::{Probe, Sample},
    sliding_window::SlidingWindow,
};

/// What is left of the rate that was too much.
const LOWERED_TO: f64 = 0.8;
/// The lowest rate: a request every two seconds. Below it, `Retry-After` says when to come back.
const LOWEST: f64 = 0.5;
/// How long, of time with answers, until the rate is almost again what had been too much, and what
/// almost is.
const RECOVERY: Duration = Duration::from_secs(3);
const RECOVERED_TO: f64 = 0.95;
/// How long it then grows by a hundredth a second, before it starts to double.
const PROBING: Duration = Duration::from_secs(15);
const PROBING_GROWTH: f64 = 0.01;
/// What is left of a rate that is too much before it has recovered: then what it was lowered from was
/// far too much, as after a burst that the tenant had room for. So may be one that has doubled since it was guessed.
const FAR_TOO_MUCH: f64 = 0.75;
const DOUBLES_IN: Duration = Duration::from_secs(10);
/// Answers further apart count as this far apart: what nobody sends is no proof that it would be taken.
const LONGEST_GAP: Duration = Duration::from_secs(1);
/// Nor is what nobody waits to send: an answer counts when somebody had been held up shortly before its request left, in
/// the time of so many requests at the lowered rate, and that gap.
const STILL_HELD_UP: f64 = 2.0;
/// The lowest first guess at what had been too much. A client that has sent a handful has tried nothing:
/// when one of them is refused, that may be the end of somebody else's burst.
const FIRST_GUESS: f64 = 10.0;
/// How long a rate that was a guess is tried, of time with answers, and how fast it grows then. A job that has just
/// begun has sent little, and that says nothing about what the tenant would take.
const GUESS_STANDS: Duration = Duration::from_secs(1);
const GUESS_DOUBLES_IN: Duration = Duration::from_secs(1);
/// So many refusals in a second may be chance, whatever share of its requests they are.
const FEW: f64 = 5.0;
/// Besides those, up to this share of a second's requests may be refused by chance.
const CHANCE: f64 = 0.07;
/// A client that has sent fewer in a second cannot tell chance from a limit by counting.
const TOO_FEW_TO_TELL: f64 = 20.0;
/// How long refusals are left to the calls that get them, once it is known that slowing down does not
/// help; it doubles each time that is found again.
const CALM: Duration = Duration::from_secs(60);
const LONGEST_CALM: Duration = Duration::from_secs(960);
/// A larger share of a second's requests, and it is known no longer.
const MANY: f64 = 0.5;
/// How long nobody must have been held up until the throttle lets go.
const LETS_GO_AFTER: Duration = Duration::from_secs(30);
/// The pause after a refusal that does not ask for one; it doubles with each that follows at once.
const PAUSE: Duration = Duration::from_millis(250);
const LONGEST_OWN_PAUSE: Duration = Duration::from_secs(8);
/// The longest pause that a tenant can impose on all calls. Then somebody looks whether it still stands.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// An answer that says: too much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Throttled {
    proof: Proof,
    asked: Option<Duration>,
}

/// What it takes to believe it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Proof {
    Itself,
    /// So many in a row.
    Streak(u32),
    /// More than this share of the last second's requests, and more than a [`FEW`].
    Share(f64),
    /// More than [`CHANCE`] has it, unless the rate is lowered already. Where requests are [too few to
    /// tell](TOO_FEW_TO_TELL), two in a row.
    Repetition,
}

impl Throttled {
    /// Whether an answer with this status says so, and how loudly.
    ///
    /// One that asks for a wait does. A 429 that does not is one of many when there is a limit, and may be
    /// chance while it is the only one. A 503 without `Retry-After` may be a gateway's hiccup, which says
    /// nothing about the rate: only the third in a row is taken for overload. A 429 with `Retry-After: 0`
    /// invites to go on at once: it is believed when more than a fifth of a second's requests are answered so.
    pub(crate) fn of(status: StatusCode, asked: Option<Duration>) -> Option<Self> {
        let proof = match (status.as_u16(), asked) {
            (429, Some(Duration::ZERO)) => Proof::Share(0.2),
            (429, None) => Proof::Repetition,
            (503, None | Some(Duration::ZERO)) => Proof::Streak(3),
            (429 | 503, _) => Proof::Itself,
            _ => return None,
        };
        let asked = asked.filter(|asked| !asked.is_zero());
        Some(Self { proof, asked })
    }
}

/// What the throttle does to the pace of a client.
#[derive(Debug)]
pub(super) struct AdaptiveThrottle {
    sent: SlidingWindow,
    taken: SlidingWindow,
    refused: SlidingWindow,
    streak: u32,
    pauses: u32,
    pub(super) paused_until: Option<Instant>,
    lowered: Option<Lowered>,
    probe: Option<Probe>,
    calm_until: Option<Instant>,
    calm: Duration,
}

/// A rate that has been lowered.
#[derive(Debug)]
struct Lowered {
    /// The rate that was too much.
    ceiling: f64,
    /// It was guessed from what had been sent, and further refusals of that make it more exact.
    guessed: bool,
    /// Requests that left before tell nothing about the new rate.
    since: Instant,
    /// How much time with answers has passed since.
    proven: Duration,
    last_answer: Instant,
    delayed: Instant,
}

/// What changed, to be told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change {
    /// Requests a second from now on.
    pub(super) rate: f64,
    /// How long nothing is sent.
    pub(super) pause: Duration,
}

impl AdaptiveThrottle {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            sent: SlidingWindow::new(now),
            taken: SlidingWindow::new(now),
            refused: SlidingWindow::new(now),
            streak: 0,
            pauses: 0,
            paused_until: None,
            lowered: None,
            probe: None,
            calm_until: None,
            calm: CALM,
        }
    }

    /// The rate at which requests may leave; `None` when the tenant has not complained.
    pub(super) fn rate(&self) -> Option<f64> {
        self.lowered.as_ref().map(Lowered::rate)
    }

    /// A request leaves. `true` when the throttle has let go.
    pub(super) fn sent(&mut self, now: Instant) -> bool {
        self.sent.count(now);
        self.paused_until = self.paused_until.filter(|until| now < *until);
        let lets_go = self
            .lowered
            .as_ref()
            .is_some_and(|lowered| now.duration_since(lowered.delayed) > LETS_GO_AFTER);
        if lets_go {
            self.lowered = None;
            self.probe = None;
        }
        lets_go
    }

    /// A request must wait.
    pub(super) fn delayed(&mut self, now: Instant) {
        if let Some(lowered) = &mut self.lowered {
            // Not before the end of a pause, to which all are held up.
            lowered.delayed = lowered.delayed.max(now);
        }
    }

    /// The tenant took a request that left at `sent`.
    pub(super) fn accepted(&mut self, sent: Instant, now: Instant) {
        self.streak = 0;
        self.pauses = 0;
        self.taken.count(now);
        let rate = self.rate();
        if let (Some(probe), Some(rate)) = (&mut self.probe, rate)
            && probe.accepted(sent, rate, now)
        {
            self.calm_down(now);
        }
        if let Some(lowered) = &mut self.lowered {
            if lowered.is_tried(sent) {
                lowered.proven += now.duration_since(lowered.last_answer).min(LONGEST_GAP);
            }
            lowered.last_answer = now;
        }
    }

    /// The tenant refused a request that left at `sent`. Says what changed, if anything did.
    pub(super) fn refused(
        &mut self,
        throttled: Throttled,
        sent: Instant,
        now: Instant,
    ) -> Option<Change> {
        self.streak = self.streak.saturating_add(1);
        self.refused.count(now);
        let rate = self.rate();
        if let (Some(probe), Some(rate)) = (&mut self.probe, rate)
            && probe.refused(sent, rate, now)
        {
            self.calm_down(now);
        }
        if self.is_calm(now) {
            return None;
        }
        let believed = match throttled.proof {
            Proof::Itself => true,
            Proof::Streak(needed) => self.streak >= needed,
            Proof::Share(share) => self.refuses_more_than(share, now),
            Proof::Repetition => {
                let tells = self.sent.in_last_second(now) >= TOO_FEW_TO_TELL;
                if !tells && self.streak == 1 && self.lowered.is_none() {
                    // In case there will be a second.
                    let pause = self.pause(None);
                    self.paused_until = self.paused_until.max(Some(now + pause));
                }
                self.lowered.is_some()
                    || (!tells && self.streak > 1)
                    || self.refuses_more_than_by_chance(now)
            }
        };
        if !believed {
            return None;
        }
        if let Some(lowered) = &mut self.lowered
            && sent < lowered.since
        {
            if lowered.guessed {
                lowered.ceiling = (lowered.ceiling - 1.0).max(LOWEST);
            }
            // It may know of a longer pause.
            let until = now + throttled.asked?.min(LONGEST_PAUSE);
            lowered.delayed = lowered.delayed.max(until);
            self.paused_until = self.paused_until.max(Some(until));
            return None;
        }
        if self.lowered.is_none() {
            let refused = self.refused.in_last_second(now);
            let before = Sample {
                per_second: self.sent.in_last_second(now),
                answers: self.taken.in_last_second(now) + refused,
                refused,
            };
            self.probe = Some(Probe::new(before, now));
        }
        let pause = self.pause(throttled.asked);
        self.paused_until = self.paused_until.max(Some(now + pause));
        let lowered = Lowered {
            ceiling: match &self.lowered {
                None => {
                    let sent = self.sent.in_last_second(now);
                    (sent - self.refused.in_last_second(now)).max(FIRST_GUESS)
                }
                Some(lowered) if lowered.guessed || lowered.proven < RECOVERY => {
                    lowered.rate() * FAR_TOO_MUCH
                }
                Some(lowered) => lowered.rate(),
            }
            .max(LOWEST),
            guessed: self.lowered.is_none(),
            since: now,
            proven: Duration::ZERO,
            last_answer: now + pause,
            delayed: now + pause,
        };
        let rate = lowered.rate();
        self.lowered = Some(lowered);
        Some(Change { rate, pause })
    }

    fn refuses_more_than(&mut self, share: f64, now: Instant) -> bool {
        let refused = self.refused.in_last_second(now);
        refused >= FEW && refused > share * self.sent.in_last_second(now)
    }

    fn refuses_more_than_by_chance(&mut self, now: Instant) -> bool {
        self.refused.in_last_second(now) > FEW + CHANCE * self.sent.in_last_second(now)
    }

    /// Leaves refusals to the calls that get them: slowing all of them down has been tried.
    fn calm_down(&mut self, now: Instant) {
        self.lowered = None;
        self.probe = None;
        self.paused_until = None;
        self.calm_until = Some(now + self.calm);
        self.calm = (self.calm * 2).min(LONGEST_CALM);
    }

    fn is_calm(&mut self, now: Instant) -> bool {
        if self.calm_until.is_none_or(|until| now >= until) {
            return false;
        }
        if self.refuses_more_than(MANY, now) {
            self.calm_until = None;
            return false;
        }
        true
    }

    /// How long to send nothing. A random part keeps clients apart that were refused together.
    fn pause(&mut self, asked: Option<Duration>) -> Duration {
        let doublings = self.pauses.min(16);
        self.pauses = self.pauses.saturating_add(1);
        match asked {
            Some(asked) => asked.min(LONGEST_PAUSE) + PAUSE.mul_f64(fastrand::f64()),
            None => (PAUSE * (1 << doublings))
                .min(LONGEST_OWN_PAUSE)
                .mul_f64(0.75 + 0.5 * fastrand::f64()),
        }
    }
}

impl Lowered {
    /// Whether requests left as fast as the rate lets them, at `sent`. If they did not, their answers say nothing about
    /// it: it would grow beyond all that was ever sent, and then let a burst out unhindered.
    fn is_tried(&self, sent: Instant) -> bool {
        let interval = Duration::from_secs_f64(STILL_HELD_UP / self.rate());
        sent.duration_since(self.delayed) <= interval + LONGEST_GAP
    }

    /// Up to the ceiling in a few seconds, slowly past it, then faster and faster; from a guess, fast at once.
    fn rate(&self) -> f64 {
        let proven = self.proven;
        let rate = if self.guessed {
            let growing = proven.saturating_sub(GUESS_STANDS).as_secs_f64();
            let doubling = growing / GUESS_DOUBLES_IN.as_secs_f64();
            self.ceiling * LOWERED_TO * doubling.min(64.0).exp2()
        } else if proven < RECOVERY {
            let share = proven.as_secs_f64() / RECOVERY.as_secs_f64();
            self.ceiling * (LOWERED_TO + (RECOVERED_TO - LOWERED_TO) * share)
        } else if proven < RECOVERY + PROBING {
            let probing = (proven - RECOVERY).as_secs_f64();
            self.ceiling * (RECOVERED_TO + PROBING_GROWTH * probing)
        } else {
            let doubling = (proven - RECOVERY - PROBING).as_secs_f64() / DOUBLES_IN.as_secs_f64();
            let from = RECOVERED_TO + PROBING_GROWTH * PROBING.as_secs_f64();
            self.ceiling * from * doubling.min(64.0).exp2()
        };
        rate.max(LOWEST)
    }
}

#[cfg(test)]
mod tests;
