//! Chance without a generator's state.
//!
//! A generator gives its next number to whoever asks next, so threads would take each other's. A hash of what is
//! being decided gives the same number whenever and by whomever it is asked.

/// A number from these three: the seed, who decides, and for the how manyth time. It is well mixed, by two rounds of SplitMix64's finisher, which is a few lines and will not
/// change with a dependency's version.
pub(crate) fn roll(seed: u64, rule: u64, count: u64) -> u64 {
    mix(mix(seed ^ rule.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(count))
}

fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
