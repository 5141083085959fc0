//! Whether slowing down helps.
//!
//! Some tenants refuse a request now and then whatever the pace: a limit somewhere behind them, or a fault.
//! To a throttle that lowers the rate at each refusal, that is a reason to go slower for ever. So the throttle is
//! on trial: when the rate is down to half, and just as large a share of the requests is refused while
//! fewer are taken, it is not the rate that the tenant minds.

use std::time::Duration;

use tokio::time::Instant;

/// So many answers at half the rate are enough to tell.
const ENOUGH: f64 = 80.0;
/// A share larger than that is no matter of now and then.
const NOW_AND_THEN: f64 = 0.4;
/// At least so much of the share must be left.
const AS_LARGE: f64 = 0.5;
/// At most so much of what was taken must be left.
const FEWER: f64 = 0.75;

/// What a tenant did at one pace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) per_second: f64,
    pub(super) answers: f64,
    pub(super) refused: f64,
}

/// A comparison of two paces, one half of the other or less.
#[derive(Debug)]
pub(super) struct Probe {
    began: Instant,
    before: Sample,
    half: Option<Half>,
}

#[derive(Debug)]
struct Half {
    began: Instant,
    answers: f64,
    refused: f64,
}

impl Probe {
    /// Starts from the pace that had been too much.
    pub(super) fn new(before: Sample, now: Instant) -> Self {
        Self {
            began: now,
            before,
            half: None,
        }
    }

    /// The tenant took a request that left at `sent`.
    pub(super) fn accepted(&mut self, sent: Instant, rate: f64, now: Instant) -> bool {
        self.answered(sent, rate, now, 0.0)
    }

    /// The tenant refused a request that left at `sent`.
    pub(super) fn refused(&mut self, sent: Instant, rate: f64, now: Instant) -> bool {
        self.answered(sent, rate, now, 1.0)
    }

    /// `true` when it is known that slowing down does not help.
    fn answered(&mut self, sent: Instant, rate: f64, now: Instant, refused: f64) -> bool {
        if sent < self.began {
            self.before.answers += 1.0;
            self.before.refused += refused;
            return false;
        }
        match &mut self.half {
            None if rate <= self.before.per_second / 2.0 => {
                self.half = Some(Half {
                    began: now,
                    answers: 0.0,
                    refused: 0.0,
                });
                false
            }
            Some(half) if sent >= half.began => {
                half.answers += 1.0;
                half.refused += refused;
                half.answers >= ENOUGH && self.classify(now)
            }
            _ => false,
        }
    }

    fn classify(&mut self, now: Instant) -> bool {
        let Some(half) = self.half.take() else {
            return false;
        };
        let seconds = now
            .duration_since(half.began)
            .max(Duration::from_millis(1))
            .as_secs_f64();
        let now_and_then = Sample {
            per_second: half.answers / seconds,
            answers: half.answers,
            refused: half.refused,
        };
        let before = std::mem::replace(&mut self.before, now_and_then);
        self.began = now;
        now_and_then.refused >= 2.0
            && now_and_then.share() <= NOW_AND_THEN
            && now_and_then.share() >= before.share() * AS_LARGE
            && now_and_then.taken() <= before.taken() * FEWER
    }
}

impl Sample {
    /// Which share of the requests was refused.
    fn share(&self) -> f64 {
        self.refused / self.answers.max(1.0)
    }

    /// How many were taken in a second.
    fn taken(&self) -> f64 {
        self.per_second * (1.0 - self.share())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a probe that starts at 100 a second finds slowing down useless, when half as many a second
    /// are sent and every `nth` of them is refused.
    fn useless(refused_before: f64, nth: usize) -> bool {
        let start = Instant::now();
        let before = Sample {
            per_second: 100.0,
            answers: 100.0,
            refused: refused_before,
        };
        let mut probe = Probe::new(before, start);
        let mut now = start;
        (1..=200).any(|index| {
            now += Duration::from_millis(20);
            if index % nth == 0 {
                probe.refused(now, 50.0, now)
            } else {
                probe.accepted(now, 50.0, now)
            }
        })
    }

    #[test]
    fn refusals_at_any_pace_are_told_from_a_limit() {
        for (refused_before, nth, expected, why) in [
            (5.0, 20, true, "as large a share of half as many"),
            (14.0, 7, true, "also when it is large"),
            (
                5.0,
                1000,
                false,
                "none at half the pace: a limit in between",
            ),
            (
                50.0,
                20,
                false,
                "far fewer at half the pace: nearly slow enough",
            ),
            (
                96.0,
                12,
                false,
                "as many are taken as before: a limit far below",
            ),
            (95.0, 2, false, "half of all is not now and then"),
        ] {
            assert_eq!(useless(refused_before, nth), expected, "{why}");
        }
    }

    #[test]
    fn what_left_before_belongs_to_the_pace_before() {
        let start = Instant::now();
        let sent = start;
        let now = start + Duration::from_millis(10);
        let before = Sample {
            per_second: 32.0,
            answers: 20.0,
            refused: 0.0,
        };
        let mut probe = Probe::new(before, now);
        for _ in 0..12 {
            assert!(!probe.refused(sent, 1.0, now));
        }
        assert!((probe.before.share() - 0.375).abs() < 0.001);
    }
}
