//! Reads a derived collection within a budget of requests, over several runs.
//!
//! A run first reads items that were never read and those that have changed, and then those that were read longest ago, so it
//! continues where the last one stopped. The destination stores when each item was read.

use std::{collections::HashMap, time::Duration};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    evidence::{Evidence, Sign},
    page::Fill,
};

/// The items of the first list of a derived collection, and when each was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemReads(HashMap<String, ItemRead>);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ItemRead {
    /// Microseconds since 1970 at which an earlier run read it.
    before: Option<i64>,
    /// Microseconds since 1970 at which this run read it.
    now: Option<i64>,
    /// `true` if the list of this run has it.
    listed: bool,
    /// `true` if something that its rows follow from has changed.
    #[serde(skip)]
    is_outdated: bool,
}

impl ItemRead {
    fn last(self) -> Option<i64> {
        self.now.or(self.before)
    }
}

impl ItemReads {
    /// Time of the least recent read of an item of the list; `None` if one was never read.
    fn oldest(&self) -> Option<i64> {
        let listed = self.0.values().filter(|read| read.listed);
        let times: Option<Vec<i64>> = listed.map(|read| read.last()).collect();
        times?.into_iter().min()
    }
}

#[cfg(any(feature = "postgres", feature = "sqlite"))]
impl ItemReads {
    /// The stored reads: items, and microseconds since 1970, which are negative for one that has changed since.
    pub(crate) fn stored(reads: impl IntoIterator<Item = (String, i64)>) -> Self {
        let reads = reads.into_iter().map(|(item, at)| {
            let read = ItemRead {
                before: Some(at.saturating_abs()),
                is_outdated: at < 0,
                ..ItemRead::default()
            };
            (item, read)
        });
        Self(reads.collect())
    }

    /// Notes that the item with these values has changed, so that it is read before others.
    pub(crate) fn outdate(&mut self, values: &[String]) {
        self.0.entry(item_name(values)).or_default().is_outdated = true;
    }

    /// Returns `true` if every item of the list was read by this run.
    pub(crate) fn is_whole(&self) -> bool {
        let mut listed = self.0.values().filter(|read| read.listed);
        listed.all(|read| read.now.is_some())
    }

    /// Returns `true` if the list has the item with these values, and this run did not read it.
    pub(crate) fn is_waiting(&self, values: &[String]) -> bool {
        let read = self.0.get(&item_name(values));
        read.is_some_and(|read| read.listed && read.now.is_none())
    }

    /// The items that this run read, with their times.
    pub(crate) fn read_now(&self) -> impl Iterator<Item = (&str, i64)> {
        let items = self.0.iter();
        items.filter_map(|(item, read)| Some((item.as_str(), read.now?)))
    }

    /// The items that the destination has and the list does not.
    pub(crate) fn unlisted(&self) -> impl Iterator<Item = &str> {
        let items = self.0.iter().filter(|(_, read)| !read.listed);
        items.map(|(item, _)| item.as_str())
    }
}

/// The name under which the time of the item with these values is stored: a JSON array.
pub(crate) fn item_name<T: AsRef<str>>(values: impl IntoIterator<Item = T>) -> String {
    let values = values.into_iter();
    let values = values.map(|value| serde_json::Value::from(value.as_ref()));
    serde_json::Value::from_iter(values).to_string()
}

fn name_of(item: &Fill) -> String {
    item_name(item.iter().map(|(_, value)| value))
}

/// The budget of a collection.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    /// Requests that may still be sent.
    left: u64,
    refresh_within: Duration,
    pub(crate) reads: ItemReads,
    /// Start of the reading.
    began: i64,
}

impl Budget {
    pub(crate) fn new(requests: u64, refresh_within: Duration, reads: ItemReads) -> Self {
        Self {
            left: requests,
            refresh_within,
            reads,
            began: 0,
        }
    }

    /// Begins a reading that began at this time, or continues it.
    pub(super) fn begin(&mut self, began: &str) {
        let began = began.parse().unwrap_or(Timestamp::UNIX_EPOCH);
        self.began = began.as_microsecond();
        for read in self.reads.0.values_mut() {
            (read.now, read.listed) = (None, false);
        }
    }

    /// Adds the items of the list, and sorts them by the order in which they are read.
    pub(super) fn sort(&mut self, items: &mut [Fill]) {
        // Not by the sort, which looks at no item if there is only one.
        for item in &*items {
            self.reads.0.entry(name_of(item)).or_default().listed = true;
        }
        items.sort_by_cached_key(|item| {
            let read = self.reads.0.get(&name_of(item))?;
            read.before.filter(|_| !read.is_outdated)
        });
    }

    /// An item was read: now, or before the run was stopped.
    pub(super) fn read(&mut self, item: &Fill, before_stop: bool) {
        let at = if before_stop {
            self.began
        } else {
            Timestamp::now().as_microsecond()
        };
        if let Some(read) = self.reads.0.get_mut(&name_of(item)) {
            read.now = Some(at);
        }
    }

    pub(super) fn spend(&mut self, requests: u64) {
        self.left = self.left.saturating_sub(requests);
    }

    /// Number of items that can be read, if each takes `calls` requests.
    pub(super) fn items(&self, calls: usize) -> u64 {
        self.left / (calls.max(1) as u64)
    }

    /// Notes the items that were not read recently enough.
    pub(super) fn observe(&self, list: &str, calls: usize, evidence: &mut Evidence) {
        let within = i64::try_from(self.refresh_within.as_micros()).unwrap_or(i64::MAX);
        let since = Timestamp::now().as_microsecond().saturating_sub(within);
        let listed = self.reads.0.values().filter(|read| read.listed);
        let old = listed
            .clone()
            .filter(|read| read.last().is_none_or(|at| at < since));
        let (count, total) = (old.clone().count(), listed.count());
        if count > 0 {
            let never = old.filter(|read| read.last().is_none()).count();
            evidence.note(Sign::NotReadWithin, || {
                let is_read = self.reads.0.values().any(|read| read.now.is_some());
                let advice = match is_read {
                    true => String::new(),
                    false => format!("; this run read none, because one costs {calls}: raise `max_requests`"),
                };
                format!(
                    "{count} of {total} {list} were not read within {within}, {never} of them never; {requests} requests are left{advice}",
                    within = humantime::format_duration(self.refresh_within),
                    requests = count * calls.max(1)
                )
            });
        }
    }

    /// Time of the least recent read of an item of the list, in UTC; `None` if one was never read.
    pub(super) fn oldest(&self) -> Option<String> {
        let oldest = Timestamp::from_second(self.reads.oldest()? / 1_000_000);
        oldest.ok().map(|at| at.to_string())
    }
}

#[cfg(all(test, feature = "sqlite"))]
mod tests {
    use super::*;

    fn item(id: &str) -> Fill {
        vec![("user", id.to_owned())]
    }

    #[test]
    fn a_reading_that_was_stopped_counts_from_its_start_and_one_that_begins_anew_not_at_all() {
        let stored = [("a", 5_000_000), ("gone", 1_000_000)];
        let stored = stored.map(|(id, at)| (name_of(&item(id)), at));
        let mut budget = Budget::new(10, Duration::MAX, ItemReads::stored(stored));
        budget.begin("1970-01-01T00:00:09Z");
        let mut items = ["a", "b"].map(item);
        budget.sort(&mut items);
        assert_eq!(items, ["b", "a"].map(item));
        assert_eq!(budget.oldest(), None);
        for (id, oldest) in [("b", "1970-01-01T00:00:05Z"), ("a", "1970-01-01T00:00:09Z")] {
            budget.read(&item(id), true);
            assert_eq!(budget.oldest().as_deref(), Some(oldest));
        }
        budget.read(&item("a"), false);
        assert_eq!(budget.oldest().as_deref(), Some("1970-01-01T00:00:09Z"));
        budget.begin("1970-01-01T00:00:20Z");
        budget.sort(&mut [item("a")]);
        let reads = &budget.reads;
        assert!(reads.is_waiting(&["a".to_owned()]) && !reads.is_whole());
        assert_eq!(reads.read_now().count(), 0);
        assert_eq!(reads.unlisted().count(), 2);
    }
}
