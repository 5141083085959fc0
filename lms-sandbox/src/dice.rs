//! Chance without a generator's state.
//!
//! A generator gives its next number to whoever asks next, so threads would take each other's. A hash of what is
//! being decided gives the same number whenever and by whomever it is asked.

/// A number from a seed, who decides by it, and for the how manyth time. Two rounds of SplitMix64's finisher mix it
/// well; they are a few lines and will not change with a dependency's version.
pub(crate) fn roll(seed: u64, who: u64, count: u64) -> u64 {
    mix(mix(seed ^ who.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(count))
}

fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
