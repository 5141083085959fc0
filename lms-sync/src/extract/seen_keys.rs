//! The keys of the rows that were read, to drop duplicates.
//!
//! A set of 16 bytes for each key takes 35 MB for a million keys and grows with the rows. After 100,000 keys, the set is sorted
//! into a temporary file, and a Bloom filter of 14 bits a key, which stays in memory, tells for 999 of 1,000 new keys that they
//! are not in the file. Memory is 5 MB, and 1.8 MB for each million keys.

use std::{
    cmp::Ordering,
    collections::HashSet,
    fs::File,
    io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _},
};

use crate::error::Error;

/// Number of keys after which the keys are written into a temporary file.
const IN_MEMORY: usize = 100_000;

const KEY: usize = size_of::<u128>();

/// Bits of the Bloom filter for each key, and how many of them each key sets: 0.1 % false positives.
const BITS: usize = 14;
const HASHES: u64 = 10;

/// Fingerprints of keys.
#[derive(Debug)]
pub(crate) struct SeenKeys {
    /// Number of keys that may be in memory.
    most: usize,
    recent: HashSet<u128>,
    files: Vec<Spilled>,
}

/// Sorted keys in a temporary file, which is removed when it is closed.
#[derive(Debug)]
struct Spilled {
    file: File,
    filter: Vec<u64>,
    keys: u64,
}

impl Default for SeenKeys {
    fn default() -> Self {
        Self::new(IN_MEMORY)
    }
}

impl SeenKeys {
    fn new(most: usize) -> Self {
        Self {
            most,
            recent: HashSet::new(),
            files: Vec::new(),
        }
    }

    /// Records a key; returns false if it is known.
    ///
    /// # Errors
    ///
    /// [`Destination`](crate::ErrorKind::Destination) when the temporary file cannot be read or written.
    pub(crate) fn insert(&mut self, key: u128) -> Result<bool, Error> {
        self.try_insert(key).map_err(|error| {
            Error::destination(
                "cannot keep the keys of the rows in a temporary file",
                error,
            )
        })
    }

    fn try_insert(&mut self, key: u128) -> io::Result<bool> {
        if self.recent.contains(&key) {
            return Ok(false);
        }
        for file in &mut self.files {
            if file.contains(key)? {
                return Ok(false);
            }
        }
        if self.recent.len() == self.most {
            let mut keys: Vec<u128> = self.recent.drain().collect();
            keys.sort_unstable();
            self.files.push(Spilled::write(&keys)?);
        }
        Ok(self.recent.insert(key))
    }
}

impl Spilled {
    fn write(keys: &[u128]) -> io::Result<Self> {
        let file = tempfile::tempfile()?;
        let mut writer = BufWriter::new(&file);
        let mut filter = vec![0_u64; (keys.len() * BITS).div_ceil(64)];
        for key in keys {
            writer.write_all(&key.to_be_bytes())?;
            for (word, bit) in bits(*key, filter.len()) {
                filter[word] |= bit;
            }
        }
        writer.flush()?;
        drop(writer);
        Ok(Self {
            file,
            filter,
            keys: keys.len() as u64,
        })
    }

    fn contains(&mut self, key: u128) -> io::Result<bool> {
        if bits(key, self.filter.len()).any(|(word, bit)| self.filter[word] & bit == 0) {
            return Ok(false);
        }
        let (mut low, mut high) = (0, self.keys);
        while low < high {
            let middle = low.midpoint(high);
            let mut bytes = [0; KEY];
            self.file.seek(SeekFrom::Start(middle * KEY as u64))?;
            self.file.read_exact(&mut bytes)?;
            match u128::from_be_bytes(bytes).cmp(&key) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Ok(true),
                Ordering::Greater => high = middle,
            }
        }
        Ok(false)
    }
}

/// The bits that a key sets in a Bloom filter of this number of words. The key is a hash, so its halves are two hashes.
fn bits(key: u128, words: usize) -> impl Iterator<Item = (usize, u64)> {
    let size = u128::try_from(words).unwrap_or(u128::MAX) * 64;
    let half = |half: u128| u64::try_from(half).unwrap_or_default();
    let (high, low) = (half(key >> 64), half(key & u128::from(u64::MAX)));
    (0..HASHES).map(move |index| {
        let hash = low.wrapping_add(high.wrapping_mul(index));
        // Scaled to the filter, which takes less time than a remainder.
        let bit = (u128::from(hash) * size) >> 64;
        let word = usize::try_from(bit / 64).unwrap_or_default();
        (word, 1 << (bit % 64))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(index: u32) -> u128 {
        use sha2::Digest as _;
        let hash = sha2::Sha256::digest(index.to_be_bytes());
        u128::from_be_bytes(*hash.first_chunk().unwrap())
    }

    #[test]
    fn keys_are_known_in_memory_and_in_files() {
        const MOST: u16 = 1000;
        let mut seen = SeenKeys::new(MOST.into());
        let count = u32::from(MOST) * 2 + 100;
        for index in 0..count {
            assert!(seen.insert(key(index)).unwrap(), "{index}");
        }
        assert_eq!(seen.files.len(), 2);
        assert!(seen.recent.len() <= usize::from(MOST));
        for index in 0..count {
            assert!(!seen.insert(key(index)).unwrap(), "{index}");
        }
        // A new key that the filter does not exclude is looked up in the file.
        for index in count..count + 2_000 {
            assert!(seen.insert(key(index)).unwrap(), "{index}");
        }
    }
}
