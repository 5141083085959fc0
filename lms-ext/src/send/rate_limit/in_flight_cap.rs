//! Tells a cap on requests in flight from a limit on their rate, and keeps to it.
//!
//! A cap of four refuses exactly those requests that leave while four others are in flight, and no rate limit does. So the
//! client remembers the most requests in flight of which one was accepted, and the fewest of which one was refused. If the
//! former is less than the latter when the server slows the client down, that may be a cap: the client sends at full speed,
//! with fewer requests in flight than were refused. If a request is refused nevertheless, it was no cap, and the next time
//! it takes one more such coincidence in a row. Now and then the client tries one request more, halfway between two others:
//! a token bucket without bursts refuses requests that leave together, as a cap does, but not these.
//!
//! Requests that the server is about to refuse count as in flight here and not there. So acceptances count only after a
//! round trip without a refusal.

use super::curve::{CYCLE, CYCLE_PER_PAUSE};

/// A cap is certain after so many accepted requests for each that may be in flight.
const ROUNDS: u32 = 10;

#[derive(Debug, Default)]
pub(super) struct InFlightCap {
    in_flight: u32,
    cap: Option<u32>,
    most_accepted: u32,
    fewest_refused: Option<u32>,
    /// The most of which one was accepted since this time, in the present round trip.
    round: f64,
    most_of_round: u32,
    /// How often in a row it looked like a cap, and how often it was none.
    seen: u32,
    mistaken: u32,
    /// Requests that must be accepted until the cap is certain.
    doubt: u32,
    /// One more than the cap is in flight.
    trying: bool,
    next_try: f64,
    last_sent: f64,
    round_trip: f64,
}

impl InFlightCap {
    /// Number of requests that may be in flight, or `None` while the client does not limit them.
    pub(super) fn cap(&self) -> Option<u32> {
        self.cap
    }

    pub(super) fn is_doubted(&self) -> bool {
        self.doubt > 0
    }

    /// Returns when a request may leave though none has returned, or `None` if it need not wait for that.
    pub(super) fn reached_until(&self, now: f64) -> Option<f64> {
        let cap = self.cap.filter(|cap| self.in_flight >= *cap)?;
        if self.in_flight > cap {
            return Some(f64::INFINITY);
        }
        // Not so late that others are about to return either: the server may have taken them off already.
        let earliest = self.round_trip / f64::from(cap) / 2.0;
        let latest = f64::midpoint(self.round_trip, earliest);
        if now < self.next_try || now > self.last_sent + latest {
            return Some(f64::INFINITY);
        }
        Some(self.last_sent + earliest)
    }

    /// A request leaves. Returns how many are in flight with it.
    pub(super) fn sent(&mut self, now: f64) -> u32 {
        self.in_flight += 1;
        self.last_sent = now;
        if self.cap.is_some_and(|cap| self.in_flight > cap) {
            self.trying = true;
            // Again, if this one gets no response.
            self.next_try = now + CYCLE;
        }
        self.in_flight
    }

    /// A request is no longer in flight.
    pub(super) fn returned(&mut self) {
        self.in_flight -= 1;
    }

    /// The server accepted a request that left at `sent` as one of `in_flight`.
    pub(super) fn accepted(&mut self, sent: f64, in_flight: u32, now: f64) {
        self.doubt = self.doubt.saturating_sub(1);
        self.round_trip = now - sent;
        if sent >= self.round {
            self.most_accepted = self.most_accepted.max(self.most_of_round);
            self.most_of_round = 0;
            self.round = now;
        }
        self.most_of_round = self.most_of_round.max(in_flight);
        if self.trying
            && let Some(cap) = &mut self.cap
            && in_flight > *cap
        {
            *cap += 1;
            self.trying = false;
            self.next_try = now;
        }
    }

    /// The server refused a request that left as one of `in_flight`, and asked for a wait of `pause` seconds. Returns
    /// whether the cap explains it.
    pub(super) fn refused(&mut self, in_flight: u32, pause: f64, now: f64) -> bool {
        let fewest = self.fewest_refused.unwrap_or(in_flight);
        self.fewest_refused = Some(fewest.min(in_flight));
        self.most_of_round = 0;
        self.round = now;
        let Some(cap) = self.cap else {
            return false;
        };
        let explained = in_flight > cap.min(self.most_accepted.max(1));
        if explained {
            self.keep_to(cap.min(in_flight - 1), pause, now);
        }
        explained
    }

    /// The server slows the client down, and the cap does not explain it. Returns whether that looks like another cap.
    pub(super) fn is_found(&mut self, pause: f64, now: f64) -> bool {
        let fewest = self.fewest_refused.unwrap_or(1);
        if self.cap.is_some() || self.most_accepted >= fewest {
            self.mistaken += u32::from(self.is_doubted());
            self.forget();
            return false;
        }
        self.seen += 1;
        if self.seen <= self.mistaken || fewest < 2 {
            return false;
        }
        self.doubt = ROUNDS * (fewest - 1);
        self.keep_to(fewest - 1, pause, now);
        true
    }

    /// Starts again.
    pub(super) fn forget(&mut self) {
        *self = Self {
            in_flight: self.in_flight,
            mistaken: self.mistaken,
            last_sent: self.last_sent,
            round_trip: self.round_trip,
            ..Self::default()
        };
    }

    fn keep_to(&mut self, cap: u32, pause: f64, now: f64) {
        self.cap = Some(cap);
        self.trying = false;
        self.next_try = now + CYCLE.max(CYCLE_PER_PAUSE * pause);
    }
}
