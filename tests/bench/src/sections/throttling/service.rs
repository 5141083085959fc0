//! Limits as real services have them. Times are seconds of a simulated clock.

use std::collections::VecDeque;

#[derive(Clone, Copy)]
pub(super) enum Limit {
    None,
    Bucket { per_second: f64, burst: f64 },
    FixedWindow { requests: u32, seconds: f64 },
    SlidingWindow { requests: u32, seconds: f64 },
    InFlight(u32),
}

impl Limit {
    /// From when on a client that adapts to it has done so.
    pub(super) const fn settled(self) -> f64 {
        match self {
            Self::FixedWindow { seconds, .. } | Self::SlidingWindow { seconds, .. }
                if seconds > 5.0 =>
            {
                2.0 * seconds
            }
            _ => 10.0,
        }
    }

    /// The same kind of limit, with the number of requests multiplied by this factor.
    pub(super) fn times(self, factor: f64) -> Self {
        let times = |requests: u32| (f64::from(requests) * factor).max(1.0) as u32;
        match self {
            Self::None => self,
            Self::Bucket { per_second, burst } => Self::Bucket {
                per_second: per_second * factor,
                burst: (burst * factor).max(1.0),
            },
            Self::FixedWindow { requests, seconds } => Self::FixedWindow {
                requests: times(requests),
                seconds,
            },
            Self::SlidingWindow { requests, seconds } => Self::SlidingWindow {
                requests: times(requests),
                seconds,
            },
            Self::InFlight(most) => Self::InFlight(times(most)),
        }
    }
}

/// The `Retry-After` of a refusal.
#[derive(Clone, Copy)]
pub(super) enum RetryAfter {
    Absent,
    Zero,
    /// Whole seconds, rounded up.
    True,
    /// The same number each time.
    Always(f64),
}

pub(super) struct Service {
    limit: Limit,
    retry_after: RetryAfter,
    tokens: f64,
    refilled: f64,
    accepted: VecDeque<f64>,
    in_flight: u32,
}

/// `Err` is a refusal, with its `Retry-After`.
pub(super) type Answer = Result<(), Option<f64>>;

impl Service {
    pub(super) fn new(limit: Limit, retry_after: RetryAfter) -> Self {
        let tokens = match limit {
            Limit::Bucket { burst, .. } => burst,
            Limit::FixedWindow { requests, .. } => requests.into(),
            _ => 0.0,
        };
        Self {
            limit,
            retry_after,
            tokens,
            refilled: 0.0,
            accepted: VecDeque::new(),
            in_flight: 0,
        }
    }

    pub(super) fn change(&mut self, limit: Limit, now: f64) {
        self.refill(now);
        if let (
            Limit::FixedWindow { requests: old, .. },
            Limit::FixedWindow { requests: new, .. },
        ) = (self.limit, limit)
        {
            self.tokens += f64::from(new) - f64::from(old);
        }
        self.limit = limit;
    }

    /// Returns when a request would be accepted, from `now` on. A limit on requests in flight does not say.
    pub(super) fn opens(&mut self, now: f64) -> f64 {
        self.refill(now);
        match self.limit {
            Limit::Bucket { per_second, .. } => now + ((1.0 - self.tokens) / per_second).max(0.0),
            Limit::FixedWindow { seconds, .. } if self.tokens < 1.0 => {
                ((now / seconds).floor() + 1.0) * seconds
            }
            Limit::SlidingWindow { requests, seconds } => {
                let requests = requests as usize;
                match self.accepted.len().checked_sub(requests) {
                    Some(index) => self.accepted[index] + seconds,
                    None => now,
                }
            }
            Limit::InFlight(most) if self.in_flight >= most => now + 0.001,
            Limit::None | Limit::FixedWindow { .. } | Limit::InFlight(_) => now,
        }
    }

    pub(super) fn ask(&mut self, now: f64) -> Answer {
        let opens = self.opens(now);
        if opens > now + 1e-9 {
            return Err(match self.retry_after {
                RetryAfter::Absent => None,
                RetryAfter::Zero => Some(0.0),
                RetryAfter::True => Some((opens - now).ceil()),
                RetryAfter::Always(seconds) => Some(seconds),
            });
        }
        self.tokens -= 1.0;
        self.in_flight += 1;
        if let Limit::SlidingWindow { .. } = self.limit {
            self.accepted.push_back(now);
        }
        Ok(())
    }

    pub(super) fn done(&mut self) {
        self.in_flight -= 1;
    }

    fn refill(&mut self, now: f64) {
        match self.limit {
            Limit::Bucket { per_second, burst } => {
                self.tokens = (self.tokens + (now - self.refilled) * per_second).min(burst);
            }
            Limit::FixedWindow { requests, seconds } => {
                if (now / seconds).floor() > (self.refilled / seconds).floor() {
                    self.tokens = requests.into();
                }
            }
            Limit::SlidingWindow { seconds, .. } => {
                while self.accepted.front().is_some_and(|at| *at <= now - seconds) {
                    self.accepted.pop_front();
                }
            }
            Limit::None | Limit::InFlight(_) => {}
        }
        self.refilled = now;
    }
}
