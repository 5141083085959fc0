//! Where a stream stands: what a tap writes after each page, and reads when it is started again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::extract::Checkpoint;

/// The state of a stream.
///
/// All rows of a read have one version, so that a loader can delete the rows of older versions when the read is complete.
/// A read that was interrupted or failed keeps its version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct StreamState {
    /// The version of the unfinished read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) version: Option<i64>,
    /// The version of the last complete read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) last_version: Option<i64>,
    /// How far the unfinished read is at each tenant.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub(super) tenants: BTreeMap<String, TenantState>,
}

/// The state of a stream at one tenant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TenantState {
    /// The walk goes on after this position.
    At(Box<Checkpoint>),
    /// All rows were written.
    Complete,
}

impl StreamState {
    /// The version of the unfinished read, or a new one: the time in milliseconds since 1970, and above all earlier ones.
    pub(super) fn begin(&mut self) -> i64 {
        let now = jiff::Timestamp::now().as_millisecond();
        let next = self.last_version.map_or(now, |last| now.max(last + 1));
        *self.version.get_or_insert(next)
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
    }

    #[test]
    fn a_failed_read_keeps_its_version_and_reads_complete_tenants_again() {
        let mut state = StreamState::default();
        let version = state.begin();
        state.tenants.insert("a".into(), TenantState::Complete);
        state.fail();
        assert!(state.tenants.is_empty());
        assert_eq!(state.begin(), version);
    }
}
