//! How much all calls of a client together may repeat.
//!
//! When a tenant is down, every call fails and every call is repeated, so it gets three times its usual
//! load just when it can bear none. A budget ends that: answers earn, repeats spend.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many repeats all calls of a client have in common.
///
/// A client starts with the full budget. A repeat takes one out of it; every call that is answered puts
/// one back. While a tenant works, with a failure here and there, the budget is never
/// noticed; while it is down, it is soon spent, and calls fail after their first attempt and say so.
///
/// A repeat after 429 costs nothing: the tenant works, and the [pace](crate::RateLimits) is what keeps the
/// client from pressing. Neither does the second sending after a 401.
///
/// ```
/// # fn main() -> Result<(), lms_ext::Error> {
/// use lms_ext::{RetryBudget, prelude::*};
///
/// let lms = Lms::builder("https://acme.example")
///     .token("a-token")
///     .retry_budget(RetryBudget::new(20).responses_per_refill(10))
///     .build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryBudget {
    repeats: u32,
    responses_per_refill: u32,
}

impl Default for RetryBudget {
    /// A hundred repeats, and one more for every answer: in the long run, at most half of what is sent is
    /// repeats. That carries a job through a tenant that fails every other time, and ends it at one that
    /// has stopped answering.
    fn default() -> Self {
        Self {
            repeats: 100,
            responses_per_refill: 1,
        }
    }
}

impl RetryBudget {
    /// A budget of so many repeats; 0 is none at all.
    #[must_use]
    pub fn new(repeats: u32) -> Self {
        Self {
            repeats,
            ..Self::default()
        }
    }

    /// How many answers put one repeat back into the budget: 1. 0 counts as 1.
    #[must_use]
    pub fn responses_per_refill(mut self, answers: u32) -> Self {
        self.responses_per_refill = answers.max(1);
        self
    }

    /// As many repeats as the calls' own policies allow.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(u32::MAX)
    }
}

/// What is left of a budget.
#[derive(Debug)]
pub(crate) struct RetryTokens {
    budget: RetryBudget,
    /// In parts of a repeat: an answer earns one, a repeat spends `responses_per_refill`.
    parts: AtomicU64,
}

impl RetryTokens {
    pub(crate) fn new(budget: RetryBudget) -> Self {
        Self {
            budget,
            parts: AtomicU64::new(full(budget)),
        }
    }

    /// Takes one repeat; `false` when none is left.
    pub(crate) fn spend(&self) -> bool {
        let price = u64::from(self.budget.responses_per_refill);
        self.budget.repeats == u32::MAX
            || self
                .parts
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |parts| {
                    parts.checked_sub(price)
                })
                .is_ok()
    }

    /// Puts back what an answer earns.
    pub(crate) fn earn(&self) {
        let full = full(self.budget);
        // A full purse is the usual case, and needs no write to what all tasks share.
        if self.parts.load(Ordering::Relaxed) < full {
            let more = |parts: u64| Some((parts + 1).min(full));
            // It fails only when there is nothing to put.
            let _ = self
                .parts
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        }
    }

    /// The budget in words.
    pub(crate) fn describe(&self) -> String {
        let RetryBudget {
            repeats,
            responses_per_refill,
        } = self.budget;
        let answers = match responses_per_refill {
            1 => "every answer earns".to_owned(),
            many => format!("every {many} answers earn"),
        };
        format!(
            "the {repeats} repeats that the calls of this client share are spent, and {answers} one more"
        )
    }
}

fn full(budget: RetryBudget) -> u64 {
    u64::from(budget.repeats) * u64::from(budget.responses_per_refill)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_spend_and_answers_earn() {
        let purse = RetryTokens::new(RetryBudget::new(2).responses_per_refill(3));
        assert!(purse.spend() && purse.spend());
        assert!(!purse.spend());
        purse.earn();
        purse.earn();
        assert!(!purse.spend());
        purse.earn();
        assert!(purse.spend());
        assert!(!purse.spend());
    }

    #[test]
    fn it_never_holds_more_than_at_first() {
        let purse = RetryTokens::new(RetryBudget::new(1));
        for _ in 0..100 {
            purse.earn();
        }
        assert!(purse.spend());
        assert!(!purse.spend());
    }

    #[test]
    fn the_ends_of_the_scale() {
        assert!(!RetryTokens::new(RetryBudget::new(0)).spend());
        let unlimited = RetryTokens::new(RetryBudget::unlimited().responses_per_refill(u32::MAX));
        assert!((0..1000).all(|_| unlimited.spend()));
        assert!(RetryTokens::new(RetryBudget::new(1).responses_per_refill(0)).spend());
    }
}
