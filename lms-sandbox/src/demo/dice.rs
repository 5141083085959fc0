//! Numbers that look random and are the same every time.

/// SplitMix64: a few lines, and what it gives will not change with a dependency's version.
#[derive(Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0, below `end`.
    pub(super) fn below(&mut self, end: i64) -> i64 {
        let end = u64::try_from(end).unwrap_or(1).max(1);
        i64::try_from(self.roll() % end).unwrap_or(0)
    }

    /// An index into something of this length, which is not 0.
    pub(super) fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.roll() % length.max(1) as u64).unwrap_or(0)
    }

    /// As many different numbers below `end` as are wanted and there are, by Floyd's sampling.
    pub(super) fn some(&mut self, end: usize, wanted: usize) -> Vec<usize> {
        let mut chosen = Vec::with_capacity(wanted.min(end));
        for last in end.saturating_sub(wanted)..end {
            let one = self.index(last + 1);
            chosen.push(if chosen.contains(&one) { last } else { one });
        }
        chosen
    }

    /// True in this many of a hundred cases.
    pub(super) fn chance(&mut self, percent: i64) -> bool {
        self.below(100) < percent
    }

    /// One of them, of which there is at least one.
    pub(super) fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        let index = self.index(from.len());
        &from[index]
    }
}
