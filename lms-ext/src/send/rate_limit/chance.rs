//! Distinguishes random refusals from a rate limit.
//!
//! Faults behind a gateway refuse requests at any rate, and slowing down for them only loses time. Rare refusals
//! therefore delay only their own calls. A leaky bucket decides whether refusals are rare: each refusal takes one unit
//! from it for each refusal in the current row, because a rate limit refuses several requests in a row. If the cause is
//! a rate limit, the share of refusals falls once the client is slower than the accepted rate. If lowering the rate
//! several times does not lower the share, that share is tolerated.

/// Share of refusals that is tolerated at full speed.
const RARE: f64 = 0.065;
/// Size of the bucket at full speed, at a low rate, and at a low rate that avoids refusals.
const FULL_SPEED: f64 = 30.0;
const LOW_RATE: f64 = 10.0;
const LIMITED: f64 = 1.0;
/// The least and the largest share that is taken for chance. In an outage it is larger.
const LEAST: f64 = 0.05;
const LARGEST: f64 = 0.6;
/// Requests that show chance, and requests that show a limit.
const FEW: f64 = 10.0;
const MANY: f64 = 50.0;
/// Number of times that the rate is lowered in vain.
const IN_VAIN: u32 = 3;
/// Factor of a tolerated share after an accepted request: the share is forgotten after some 10,000.
const KEPT: f64 = 0.9999;

#[derive(Debug, Default)]
pub(super) struct Chance {
    /// The amount that refusals have taken from the bucket.
    taken: f64,
    pub(super) in_a_row: f64,
    /// Responses at a low rate, or at full speed since the first refusal, which left at `began`.
    began: f64,
    accepted: f64,
    refused: f64,
    /// The share of refusals in the responses before these.
    last_share: f64,
    tolerated: f64,
    pub(super) in_vain: u32,
    is_limit: bool,
}

impl Chance {
    pub(super) fn accepted(&mut self, full_speed: bool, sent: f64) {
        self.in_a_row = 0.0;
        if full_speed {
            self.tolerated *= KEPT;
            let tolerated = 1.4 * self.tolerated / (1.0 - self.tolerated) + 0.02;
            self.taken = (self.taken - tolerated.max(RARE)).max(0.0);
            if self.taken == 0.0 {
                (self.accepted, self.refused) = (0.0, 0.0);
            }
        }
        if !full_speed || self.refused > 0.0 && sent >= self.began {
            self.accepted += 1.0;
        }
    }

    /// Returns whether a refusal may be chance.
    pub(super) fn refused(&mut self, full_speed: bool, sent: f64) -> bool {
        if self.refused == 0.0 {
            self.began = sent;
        }
        self.refused += 1.0;
        self.in_a_row += 1.0;
        let is_usual = full_speed && self.tolerated > RARE / 2.0;
        self.taken += if is_usual { 1.0 } else { self.in_a_row };
        let size = match (full_speed, self.is_limit) {
            (true, _) => FULL_SPEED,
            (false, true) => LIMITED,
            (false, false) => LOW_RATE,
        };
        self.taken <= size
    }

    /// The rate is lowered from full speed. Returns the requests per second that were accepted between refusals.
    pub(super) fn slow_down(&mut self, last_sent: f64) -> Option<f64> {
        let seconds = (last_sent - self.began).max(0.01);
        let accepted = (self.accepted >= 3.0).then_some(self.accepted / seconds);
        *self = Self {
            last_share: self.share(),
            ..Self::default()
        };
        accepted
    }

    /// The rate is lowered again. Returns whether that is in vain.
    pub(super) fn is_found(&mut self) -> bool {
        (self.taken, self.in_a_row) = (0.0, 0.0);
        let (requests, share) = (self.accepted + self.refused, self.share());
        let remains = LEAST.max(self.last_share / 2.0)..LARGEST;
        if remains.contains(&share) && self.refused >= 2.0 && requests >= FEW {
            self.in_vain += 1;
            self.tolerated = self.tolerated.max(share);
            self.is_limit &= self.in_vain < 2;
        } else if requests >= MANY || share >= LARGEST && requests >= FEW {
            self.in_vain = 0;
            self.tolerated = 0.0;
            self.is_limit = share < LEAST / 2.0;
        } else {
            return false;
        }
        (self.accepted, self.refused, self.last_share) = (0.0, 0.0, share);
        self.in_vain >= IN_VAIN
    }

    /// The client returns to full speed.
    pub(super) fn release(&mut self) {
        *self = Self {
            tolerated: self.tolerated,
            ..Self::default()
        };
    }

    fn share(&self) -> f64 {
        self.refused / (self.accepted + self.refused).max(1.0)
    }
}
