use std::time::Duration;

use tokio::time::Instant;

/// How many events there were in about the last second, in the space of two counters.
#[derive(Debug)]
pub(super) struct SlidingWindow {
    began: Instant,
    now: f64,
    before: f64,
}

const SPAN: Duration = Duration::from_secs(1);

impl SlidingWindow {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            began: now,
            now: 0.0,
            before: 0.0,
        }
    }

    /// Counts one.
    pub(super) fn count(&mut self, now: Instant) {
        self.turn(now);
        self.now += 1.0;
    }

    /// All of this span, and of the one before as much as lies within a second.
    pub(super) fn in_last_second(&mut self, now: Instant) -> f64 {
        self.turn(now);
        let share = now.duration_since(self.began).as_secs_f64();
        self.now + self.before * (1.0 - share).max(0.0)
    }

    fn turn(&mut self, now: Instant) {
        let passed = now.duration_since(self.began);
        if passed >= 2 * SPAN {
            *self = Self::new(now);
        } else if passed >= SPAN {
            self.began += SPAN;
            self.before = std::mem::take(&mut self.now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_older_than_a_second_fades() {
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let mut recent = SlidingWindow::new(start);
        for _ in 0..10 {
            recent.count(at(100));
        }
        for (millis, expected) in [(100, 10.0), (999, 10.0), (1500, 5.0), (2000, 0.0)] {
            assert_eq!(recent.in_last_second(at(millis)), expected, "{millis}");
        }
        recent.count(at(9000));
        assert_eq!(recent.in_last_second(at(9000)), 1.0);
    }
}
