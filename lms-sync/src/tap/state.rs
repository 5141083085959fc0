//! The state of a stream, which a tap reads when it is started again.
//!
//! It has no position in a list: a list that is continued may return rows again that came before the position and skip
//! others, and the keys that would show this do not fit into a state. A stream that was interrupted is read from its start.
//!
//! Meltano may merge a state into the previous one, object by object: a field that is left out keeps its old value. Therefore all
//! fields are written, and the tenants are an array, which is replaced completely.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};

/// The state of a stream.
///
/// A loader that activates a version deletes the rows without it. A row that one list lacks may still exist, so two
/// complete reads have the same version, which is activated after the second read: rows without the version are in
/// neither list. Interrupted and failed reads also have this version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct StreamState {
    /// The version that is not activated yet.
    #[serde(default)]
    pub(super) version: Option<i64>,
    /// Number of complete reads that carried it.
    #[serde(default)]
    complete_reads: u32,
    /// The version that was activated last.
    #[serde(default)]
    pub(super) last_version: Option<i64>,
    /// The tenants that the unfinished read has read completely.
    #[serde(default)]
    pub(super) complete_tenants: BTreeSet<String>,
    /// The identity of each tenant.
    #[serde(default, with = "pairs")]
    pub(super) identities: BTreeMap<String, String>,
}

/// A map as an array of pairs.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        map: &BTreeMap<String, T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<String, T>, D::Error> {
        let pairs = Vec::<(String, T)>::deserialize(deserializer)?;
        Ok(pairs.into_iter().collect())
    }
}

/// The end of a read of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadEnd {
    Incomplete,
    Complete,
    /// It is the second complete one with its version.
    Activate,
}

impl StreamState {
    /// The version of the next read: the one that is not activated yet, or a new one. A new one is the time in milliseconds
    /// since 1970, and above all earlier ones.
    pub(super) fn begin(&mut self) -> i64 {
        let now = jiff::Timestamp::now().as_millisecond();
        let next = self
            .last_version
            .map_or(now, |last| now.max(last.saturating_add(1)));
        *self.version.get_or_insert(next)
    }

    /// Checks that a tenant is the one that the state is of.
    ///
    /// # Errors
    ///
    /// Fails if it is another one.
    pub(super) fn check_identity(&mut self, tenant: &str, identity: &str) -> Result<(), Error> {
        let known = self.identities.entry(tenant.to_owned());
        let known = known.or_insert_with(|| identity.to_owned());
        if known == identity {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::OtherRun,
            format!(
                "the state is of the tenant {known:?}, and this run reads {identity:?}; load it into a table of its own, or start \
                 without the state"
            ),
        ))
    }

    /// Ends a complete read.
    pub(super) fn complete(&mut self) -> ReadEnd {
        self.complete_tenants.clear();
        self.complete_reads += 1;
        if self.complete_reads < 2 {
            return ReadEnd::Complete;
        }
        self.last_version = self.version.take();
        self.complete_reads = 0;
        ReadEnd::Activate
    }

    /// Ends a read that failed at some tenants. Tenants that are complete are read again by the next run, since days may
    /// pass until the others are repaired.
    pub(super) fn fail(&mut self) -> ReadEnd {
        self.complete_tenants.clear();
        ReadEnd::Incomplete
    }
}

#[cfg(test)]
mod tests {
    use super::{ReadEnd, StreamState};

    #[test]
    fn versions_grow_even_when_the_clock_goes_back() {
        for last in [i64::MAX - 1, i64::MAX] {
            let mut state = StreamState {
                last_version: Some(last),
                ..StreamState::default()
            };
            assert_eq!(state.begin(), i64::MAX);
        }
    }

    #[test]
    fn a_version_is_activated_after_two_complete_reads() {
        let mut state = StreamState::default();
        let version = state.begin();
        state.complete_tenants.insert("a".into());
        // Interrupted.
        assert_eq!(state.begin(), version);
        assert_eq!(state.fail(), ReadEnd::Incomplete);
        assert!(state.complete_tenants.is_empty());
        assert_eq!(state.begin(), version);
        assert_eq!(state.complete(), ReadEnd::Complete);
        assert_eq!(state.begin(), version);
        assert_eq!(state.complete(), ReadEnd::Activate);
        assert!(state.begin() > version);
        assert_eq!(state.complete(), ReadEnd::Complete);
    }
}
