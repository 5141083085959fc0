//! A hash of a text that is the same in every process and every release.

/// 128-bit FNV-1a, a 16-byte hash of a text.
///
/// Among a hundred million ids, the chance that any two share a fingerprint is 1 in 10^22. Checkpoints contain fingerprints of
/// filters, so the function must give the same result in every process and every release.
pub(crate) fn fingerprint(text: &[u8]) -> u128 {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    text.iter().fold(OFFSET, |hash, byte| {
        (hash ^ u128::from(*byte)).wrapping_mul(PRIME)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_those_of_fnv_1a() {
        // The published test vectors.
        for (text, expected) in [
            ("", 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d),
            ("a", 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964),
            ("foobar", 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18),
        ] {
            assert_eq!(fingerprint(text.as_bytes()), expected, "{text}");
        }
    }
}
