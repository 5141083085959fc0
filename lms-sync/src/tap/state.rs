//! The state of a stream, which a tap reads when it is started again.
//!
//! It has no position in a list: a list that is continued may return rows again that came before the position and skip
//! others, and the keys that would show this do not fit into a state. A stream that was interrupted is read from its start.
//!
//! Meltano may merge a state into the previous one, object by object: a field that is left out keeps its old value. Therefore all
//! fields are written, and the tenants are an array, which is replaced completely.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};

/// The state of a stream.
///
/// A loader that activates a version deletes the rows without it. A row that one list lacks may still exist, so two
/// complete reads of the same tenants have the same version, which is activated after the second read: rows without the
/// version are in neither list of any tenant. Interrupted and failed reads between them have the same version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct StreamState {
    /// The version that is not activated yet.
    #[serde(default)]
    pub(super) version: Option<i64>,
    /// The tenants of the previous complete read with this version. Empty if there was none.
    #[serde(default)]
    previous_read: BTreeSet<String>,
    /// The version that was activated last.
    #[serde(default)]
    pub(super) last_version: Option<i64>,
    /// The facts about each tenant that a read has found, even if the tenant is not configured any more.
    #[serde(default)]
    known: Vec<(String, KnownTenant)>,
}

/// The facts about a tenant by which later reads are checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct KnownTenant {
    identity: String,
    /// `true` if a complete list had a count: one that has none now is not complete.
    counted: bool,
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
    /// The facts about the tenants, so that the state of another tenant is refused and a missing count is noticed.
    pub(super) fn of_known(&self) -> Self {
        Self {
            known: self.known.clone(),
            ..Self::default()
        }
    }

    /// The version of the next read: the one that is not activated yet, or a new one. A new one is the time in milliseconds
    /// since 1970, and above all earlier ones.
    pub(super) fn begin(&mut self) -> i64 {
        let now = jiff::Timestamp::now().as_millisecond();
        let next = self
            .last_version
            .map_or(now, |last| now.max(last.saturating_add(1)));
        *self.version.get_or_insert(next)
    }

    /// Checks that a tenant is the one that the state is of. Returns whether its list had a count.
    ///
    /// # Errors
    ///
    /// Fails if it is another one.
    pub(super) fn check_identity(&mut self, tenant: &str, identity: &str) -> Result<bool, Error> {
        let Some((_, known)) = self.known.iter().find(|(name, _)| name == tenant) else {
            let known = KnownTenant {
                identity: identity.to_owned(),
                counted: false,
            };
            self.known.push((tenant.to_owned(), known));
            return Ok(false);
        };
        if known.identity == identity {
            return Ok(known.counted);
        }
        let known = &known.identity;
        Err(ErrorKind::OtherRun.error(format!(
                "the state is of the tenant {known:?}, and this run reads {identity:?}; load it into a table of its own, or start \
                 without the state"
            )))
    }

    /// Notes that the list of a tenant was complete and had a count.
    pub(super) fn note_count(&mut self, tenant: &str) {
        for (_, known) in self.known.iter_mut().filter(|(name, _)| name == tenant) {
            known.counted = true;
        }
    }

    /// Ends a complete read of these tenants. The version is activated if both of the following are true:
    ///
    /// - The previous read with this version was also complete, and of the same tenants.
    /// - All known tenants were read. Otherwise the loader would delete the rows of those that are not configured any
    ///   more.
    pub(super) fn complete(&mut self, tenants: BTreeSet<String>) -> ReadEnd {
        let is_missing = self.known.iter().any(|(known, _)| !tenants.contains(known));
        if is_missing || self.previous_read != tenants {
            self.previous_read = tenants;
            return ReadEnd::Complete;
        }
        self.previous_read.clear();
        self.last_version = self.version.take();
        ReadEnd::Activate
    }
}

#[cfg(test)]
mod tests {
    use super::StreamState;

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
}
