//! Random numbers that depend only on their purpose.
//!
//! With a shared generator, the numbers would depend on the order of threads, and so would fault rules. Each decision
//! therefore has its own generator.

use fastrand::Rng;

/// The number at `index` of a `stream`. The same arguments always give the same number.
pub(crate) fn draw(seed: u64, stream: u64, index: u64) -> u64 {
    let mut seeds = Rng::with_seed(seed ^ stream.rotate_left(32));
    Rng::with_seed(seeds.u64(..) ^ index).u64(..)
}

/// True with this probability, in percent.
pub(crate) fn chance(rng: &mut Rng, percent: u8) -> bool {
    rng.u8(..100) < percent
}

/// One of the items, of which there must be at least one.
pub(crate) fn pick<'t, T>(rng: &mut Rng, items: &'t [T]) -> &'t T {
    &items[rng.usize(..items.len())]
}

/// Up to `count` different numbers below `end`, by Floyd's sampling.
pub(crate) fn sample(rng: &mut Rng, end: usize, count: usize) -> Vec<usize> {
    let mut chosen = Vec::with_capacity(count.min(end));
    for last in end.saturating_sub(count)..end {
        let number = rng.usize(..=last);
        chosen.push(if chosen.contains(&number) {
            last
        } else {
            number
        });
    }
    chosen
}
