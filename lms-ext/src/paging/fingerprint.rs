//! A short name for a text of any length.
//!
//! A walk remembers cursors, filters and ids only to tell whether it has met them before. 16 bytes do
//! for that: among a hundred million ids, two share a fingerprint with a chance of one in 10^22. It is
//! written down in checkpoints, so it is the same in every process and every version.

/// FNV-1a with 128 bits.
pub(super) fn fingerprint(text: &[u8]) -> u128 {
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
    fn fingerprints_stay_what_they_were_when_they_were_written_down() {
        // The published test vectors of FNV-1a.
        assert_eq!(fingerprint(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(fingerprint(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
        assert_eq!(
            fingerprint(b"foobar"),
            0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18
        );
    }
}
