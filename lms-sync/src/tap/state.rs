//! Where a stream stands: what a tap writes after each page, and reads when it is started again.
//!
//! Meltano may merge a state into the one before it, object by object: a field that is left out keeps its old value. So all
//! fields are written, and the tenants are an array, which is replaced as a whole.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::known_keys::KnownKeys;
use crate::extract::Checkpoint;

/// The state of a stream.
///
/// All rows of a read have one version, so that a loader can delete the rows of older versions when the read is complete.
/// A read that was interrupted or failed keeps its version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct StreamState {
    /// The version of the unfinished read.
    #[serde(default)]
    pub(super) version: Option<i64>,
    /// The version of the last complete read.
    #[serde(default)]
    pub(super) last_version: Option<i64>,
    /// How far the unfinished read is at each tenant.
    #[serde(default, with = "pairs")]
    pub(super) tenants: BTreeMap<String, TenantState>,
}

/// A map as an array of pairs.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    use super::TenantState;

    pub(super) fn serialize<S: Serializer>(
        map: &BTreeMap<String, TenantState>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<String, TenantState>, D::Error> {
        let pairs = Vec::<(String, TenantState)>::deserialize(deserializer)?;
        Ok(pairs.into_iter().collect())
    }
}

/// The state of a stream at one tenant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TenantState {
    /// The walk continues after this position.
    At {
        checkpoint: Box<Checkpoint>,
        known_keys: KnownKeys,
    },
    /// All rows were written.
    Complete,
}

impl StreamState {
    /// The version of the unfinished read, or a new one: the time in milliseconds since 1970, and above all earlier ones.
    ///
    /// A read that nothing is continued of gets a new version, so that the rows of the failed one are deleted, too, if they
    /// are gone.
    pub(super) fn begin(&mut self) -> i64 {
        let now = jiff::Timestamp::now().as_millisecond();
        let earlier = self.version.or(self.last_version);
        let next = earlier.map_or(now, |earlier| now.max(earlier.saturating_add(1)));
        let unfinished = self.version.filter(|_| !self.tenants.is_empty());
        *self.version.insert(unfinished.unwrap_or(next))
    }

    /// Ends a complete read.
    pub(super) fn complete(&mut self) {
        self.last_version = self.version.take();
        self.tenants.clear();
    }

    /// Ends a read that failed at some tenants. Tenants that are complete are read again by the next run, since days may
    /// pass until the others are repaired.
    pub(super) fn fail(&mut self) {
        self.tenants
            .retain(|_, state| *state != TenantState::Complete);
    }
}

#[cfg(test)]
mod tests {
    use super::{StreamState, TenantState};

    #[test]
    fn versions_grow_even_when_the_clock_goes_back() {
        let mut state = StreamState {
            last_version: Some(i64::MAX - 1),
            ..StreamState::default()
        };
        assert_eq!(state.begin(), i64::MAX);
        state.complete();
        assert_eq!(state.last_version, Some(i64::MAX));
        // Without a larger one, no loader deletes anything.
        assert_eq!(state.begin(), i64::MAX);
    }

    #[test]
    fn a_read_keeps_its_version_only_when_it_goes_on() {
        let mut state = StreamState::default();
        let version = state.begin();
        state.tenants.insert("a".into(), TenantState::Complete);
        // Interrupted.
        assert_eq!(state.begin(), version);
        state.fail();
        assert!(state.tenants.is_empty());
        assert!(state.begin() > version);
    }
}
