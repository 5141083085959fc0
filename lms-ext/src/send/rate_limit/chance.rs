//! Tells chance from a limit.
//!
//! A 429 that asks for no wait may be a fault behind the server that has nothing to do with the rate. A leaky bucket decides:
//! up to [`SHARE`] of the requests may be refused, and [`MOST`] more. The second refusal in a row counts twice, the third
//! three times, and so on: a limit refuses in rows, chance does not. If one request in twenty is refused by chance, the
//! bucket is empty about once in three million requests.

/// How full the bucket is at first and at most.
const MOST: f64 = 20.0;
/// What an accepted request adds.
const SHARE: f64 = 0.08;

#[derive(Debug)]
pub(super) struct Chance {
    left: f64,
    in_a_row: f64,
}

impl Chance {
    pub(super) fn new() -> Self {
        Self {
            left: MOST,
            in_a_row: 0.0,
        }
    }

    pub(super) fn accepted(&mut self) {
        self.in_a_row = 0.0;
        self.left = (self.left + SHARE).min(MOST);
    }

    /// Returns whether a refusal may be chance.
    pub(super) fn refused(&mut self) -> bool {
        self.in_a_row += 1.0;
        self.left -= self.in_a_row;
        self.left >= 0.0
    }

    /// Returns whether all refusals are forgotten.
    pub(super) fn is_full(&self) -> bool {
        self.left >= MOST
    }

    pub(super) fn reset(&mut self) {
        self.left = MOST;
        self.in_a_row = 0.0;
    }
}
