//! When a token is fresh, due or over.
//!
//! A token is renewed before it ends, so that no request arrives with one that ended on the way. The margin
//! is a share of the token's life: fixed margins of minutes would fetch a token for every request here.
//!
//! A life that nobody stated is unlimited: the token is used until the tenant refuses it. A stated life of
//! less than a second, zero and negative ones included, counts as not stated. Taken at its word it would
//! make every token over before its first use, and every attempt a token request.

use std::time::Duration;

use reqwest::header::HeaderValue;
use tokio::time::Instant;

const LONGEST_MARGIN: Duration = Duration::from_secs(30);
const SHORTEST_LIFE: Duration = Duration::from_secs(1);
const SHORTEST_PAUSE: Duration = Duration::from_secs(1);

/// A token as it is sent, and how long it is used.
#[derive(Clone, Debug)]
pub(super) struct CachedToken {
    header: HeaderValue,
    life: Option<Life>,
}

#[derive(Clone, Copy, Debug)]
struct Life {
    renew_at: Instant,
    expires_at: Instant,
}

/// What may be done with a token at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It is used.
    Fresh,
    /// It works, and somebody should renew it.
    Due { expires_at: Instant },
    /// It does not work any more.
    Over,
}

impl CachedToken {
    /// A token that lives from now on.
    pub(super) fn new(header: HeaderValue, lifetime: Option<Duration>) -> Self {
        let now = Instant::now();
        let life = lifetime
            .filter(|lifetime| *lifetime >= SHORTEST_LIFE)
            .and_then(|lifetime| {
                Some(Life {
                    renew_at: now.checked_add(lifetime.saturating_sub(margin(lifetime)))?,
                    // Later than can be counted is never.
                    expires_at: now.checked_add(lifetime)?,
                })
            });
        Self { header, life }
    }

    pub(super) fn header(&self) -> &HeaderValue {
        &self.header
    }

    pub(super) fn at(&self, now: Instant) -> Use {
        match self.life {
            Some(life) if now >= life.expires_at => Use::Over,
            Some(life) if now >= life.renew_at => Use::Due {
                expires_at: life.expires_at,
            },
            _ => Use::Fresh,
        }
    }

    /// Lets a pause pass before the next early renewal: a quarter of what is left of the token, a second at
    /// least and `at_least` at least. With 30 s left that is a handful of tries.
    pub(super) fn postpone(&mut self, now: Instant, at_least: Duration) {
        if let Some(life) = &mut self.life {
            let left = life.expires_at.saturating_duration_since(now);
            let pause = (left / 4).max(SHORTEST_PAUSE).max(at_least);
            // Waiting beyond the end is pointless: from there on every call needs a new one.
            life.renew_at = now
                .checked_add(pause)
                .map_or(life.expires_at, |at| at.min(life.expires_at));
        }
    }

    /// Whether another token is used longer than this one.
    pub(super) fn is_outlived_by(
        &self,
        header: &HeaderValue,
        lifetime: Option<Duration>,
        now: Instant,
    ) -> bool {
        let Some(life) = self.life else {
            return false;
        };
        self.header != header
            && lifetime
                .is_none_or(|lifetime| lifetime > life.expires_at.saturating_duration_since(now))
    }
}

/// How long before its end a token is renewed: 30 s or a fifth of its life, the shorter of the two, less up
/// to a fifth of that, so that clients that started together do not renew together.
fn margin(lifetime: Duration) -> Duration {
    let margin = (lifetime / 5).min(LONGEST_MARGIN);
    margin.mul_f64(1.0 - 0.2 * fastrand::f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cached(lifetime: Option<Duration>) -> CachedToken {
        CachedToken::new(HeaderValue::from_static("Bearer t"), lifetime)
    }

    #[tokio::test(start_paused = true)]
    async fn a_token_is_due_within_its_margin_and_over_at_its_end() {
        for (lifetime, fresh_until, due_from) in [
            (300.0, 269.9, 276.1),
            (3600.0, 3569.9, 3576.1),
            (10.0, 7.9, 8.5),
            (1.0, 0.79, 0.85),
        ] {
            let cached = cached(Some(Duration::from_secs_f64(lifetime)));
            let at = |seconds| cached.at(Instant::now() + Duration::from_secs_f64(seconds));
            assert_eq!(at(0.0), Use::Fresh, "{lifetime}");
            assert_eq!(at(fresh_until), Use::Fresh, "{lifetime}");
            assert!(matches!(at(due_from), Use::Due { .. }), "{lifetime}");
            assert_eq!(at(lifetime), Use::Over, "{lifetime}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_life_that_is_not_stated_or_makes_no_sense_is_unlimited() {
        let century = Duration::from_secs(100 * 365 * 86_400);
        for lifetime in [
            None,
            Some(Duration::ZERO),
            Some(Duration::from_millis(999)),
            Some(Duration::MAX),
        ] {
            let cached = cached(lifetime);
            assert_eq!(
                cached.at(Instant::now() + century),
                Use::Fresh,
                "{lifetime:?}"
            );
        }
    }

    #[tokio::test(start_paused = true)]
    async fn tries_to_renew_early_are_a_handful() {
        let mut cached = cached(Some(Duration::from_secs(300)));
        let end = Instant::now() + Duration::from_secs(300);
        let mut now = Instant::now() + Duration::from_secs(270);
        let mut tries = 0;
        while now < end {
            if cached.at(now) != Use::Fresh {
                tries += 1;
                cached.postpone(now, Duration::ZERO);
            }
            now += Duration::from_millis(10);
        }
        assert!((5..=14).contains(&tries), "{tries}");
    }

    #[tokio::test(start_paused = true)]
    async fn what_the_tenant_asks_to_wait_is_waited_but_not_beyond_the_end() {
        let mut cached = cached(Some(Duration::from_secs(300)));
        let start = Instant::now();
        let now = start + Duration::from_secs(280);
        cached.postpone(now, Duration::from_secs(15));
        assert_eq!(cached.at(now + Duration::from_secs(14)), Use::Fresh);
        assert_ne!(cached.at(now + Duration::from_secs(15)), Use::Fresh);
        cached.postpone(now, Duration::MAX);
        assert_eq!(cached.at(now + Duration::from_secs(19)), Use::Fresh);
        assert_eq!(cached.at(start + Duration::from_secs(300)), Use::Over);
    }
}
