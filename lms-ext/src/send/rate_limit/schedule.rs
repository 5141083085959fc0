//! Decides when each request may leave.
//!
//! A call that has to wait reserves a moment, computed by the generic cell rate algorithm (GCRA, ITU-T I.371) under a
//! short lock, and sleeps until then. It holds nothing that another call needs: a call that is not polled loses its
//! moment, and one that is dropped returns it. When the rate or a pause changes, all reservations expire, and the calls
//! that wait reserve again. A call that has to wait for another request to return reserves nothing.
//!
//! Times are seconds, as in [`throttle`](super::throttle).

use super::throttle::{Change, Throttle};

/// With intervals shorter than this, a request may make up for so many seconds of an unused past: timers are coarse.
const CREDIT: f64 = 0.02;
/// Reservations expire when the interval has shrunk to this fraction.
const FASTER: f64 = 0.8;
/// Moments that are closer than this are the same.
const SAME: f64 = 1e-6;

#[derive(Debug)]
pub(super) struct Schedule {
    /// `None` when responses do not change the rate.
    throttle: Option<Throttle>,
    /// Between requests, by the caller's own rate; 0 without one.
    min_interval: f64,
    /// The first moment that is not reserved.
    next: f64,
    last_departure: f64,
    interval: f64,
    generation: u64,
}

/// A request leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Departure {
    /// It had to wait, and for the adaptive rate rather than the caller's.
    pub(super) delayed: bool,
    /// Requests in flight, with this one.
    pub(super) in_flight: u32,
    pub(super) change: Change,
}

/// A moment at which a request may leave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slot {
    pub(super) at: f64,
    end: f64,
    generation: u64,
}

impl Slot {
    /// Of a call that asks again when a request has returned.
    const WHEN_ONE_RETURNS: Self = Self {
        at: f64::INFINITY,
        end: f64::INFINITY,
        generation: u64::MAX,
    };
}

impl Schedule {
    pub(super) fn new(max_per_second: Option<f64>, throttle: Option<Throttle>) -> Self {
        let min_interval = max_per_second.map_or(0.0, |rate| 1.0 / rate);
        Self {
            throttle,
            min_interval,
            next: 0.0,
            last_departure: f64::MIN,
            interval: min_interval,
            generation: 0,
        }
    }

    /// Lets a request leave now, or returns the moment at which to ask again, with that slot.
    pub(super) fn depart(&mut self, slot: Option<Slot>, now: f64) -> Result<Departure, Slot> {
        let throttle = self.throttle.as_ref();
        if let Some(at) = throttle.and_then(|throttle| throttle.cap_reached_until(now))
            && at > now + SAME
        {
            return Err(Slot {
                at,
                ..Slot::WHEN_ONE_RETURNS
            });
        }
        if let Some(slot) = slot
            && slot.generation == self.generation
        {
            return if slot.at <= now + SAME {
                Ok(self.leave(slot.at, self.is_throttled(), now))
            } else {
                Err(slot)
            };
        }
        let interval = self.current_interval();
        let earliest = if interval < CREDIT { now - CREDIT } else { now };
        let at = self.next.max(earliest).max(self.paused_until());
        self.next = at + interval;
        if at <= now + SAME {
            let delayed = slot.is_some() && self.is_throttled();
            return Ok(self.leave(at, delayed, now));
        }
        Err(Slot {
            at,
            end: self.next,
            generation: self.generation,
        })
    }

    /// Returns a slot that is not used. Returns whether calls that wait must ask again.
    pub(super) fn cancel(&mut self, slot: Slot) -> bool {
        if slot.generation != self.generation {
            return false;
        }
        if slot.end == self.next {
            self.next = slot.at;
            return false;
        }
        self.expire();
        true
    }

    /// The server accepted a request that left at `sent`.
    pub(super) fn accepted(&mut self, sent: f64, departure: Departure, now: f64) -> Change {
        let Some(throttle) = &mut self.throttle else {
            return Change::None;
        };
        let change = throttle.accepted(sent, departure.in_flight, departure.delayed, now);
        self.apply(change)
    }

    /// The server refused a request and asked for a wait of `retry_after` seconds; 0 if it did not.
    pub(super) fn refused(
        &mut self,
        sent: f64,
        in_flight: u32,
        retry_after: Option<f64>,
        now: f64,
    ) -> Change {
        let Some(throttle) = &mut self.throttle else {
            return Change::None;
        };
        let change = throttle.refused(sent, in_flight, retry_after, now);
        self.apply(change)
    }

    /// A request is no longer in flight. Returns whether a call may wait for that.
    pub(super) fn returned(&mut self) -> bool {
        if let Some(throttle) = &mut self.throttle {
            throttle.returned();
        }
        self.in_flight_cap().is_some()
    }

    pub(super) fn in_flight_cap(&self) -> Option<u32> {
        self.throttle.as_ref()?.in_flight_cap()
    }

    /// The adaptive rate, if it is the one that requests wait for.
    pub(super) fn throttled_to(&self) -> Option<f64> {
        let rate = self.throttle.as_ref()?.rate()?;
        (1.0 / rate > self.min_interval).then_some(rate)
    }

    pub(super) fn paused_until(&self) -> f64 {
        self.throttle.as_ref().map_or(0.0, Throttle::paused_until)
    }

    fn is_throttled(&self) -> bool {
        self.throttle.as_ref().is_some_and(|throttle| {
            throttle.interval() > self.min_interval || throttle.in_flight_cap().is_some()
        })
    }

    fn current_interval(&self) -> f64 {
        let throttle = self.throttle.as_ref().map_or(0.0, Throttle::interval);
        throttle.max(self.min_interval)
    }

    fn leave(&mut self, at: f64, delayed: bool, now: f64) -> Departure {
        self.last_departure = at;
        let (in_flight, change) = match &mut self.throttle {
            None => (0, Change::None),
            Some(throttle) => {
                let (in_flight, change) = throttle.sent(delayed, now);
                (in_flight, self.apply(change))
            }
        };
        Departure {
            delayed,
            in_flight,
            change,
        }
    }

    fn apply(&mut self, change: Change) -> Change {
        if change != Change::None {
            self.expire();
        } else if self.current_interval() < FASTER * self.interval {
            self.expire();
            return Change::Adjusted;
        }
        change
    }

    fn expire(&mut self) {
        self.generation += 1;
        self.interval = self.current_interval();
        self.next = self.last_departure + self.interval;
    }
}
