//! A list can lack rows although no request fails: rows move between pages, counts are wrong, cursors get lost.
//!
//! This file decides whether a collection that was read to its end is complete. The decision depends only on observations of
//! each page of each list that the collection is made from, of its rows, and of the tenant.
//!
//! - A collection without an observation of [`Sign`] is *complete* if every list was read to its end.
//! - With one, it *changed while it was read*, is *partial* or *incomplete*: [`Sign::means`] has the meaning of each sign.
//! - If a request fails, `more`, `next_cursor` or `items` cannot be read, the list may have no end, or the tenant changes,
//!   reading fails, and the collection is *incomplete*. A request also fails if its response [belongs to another
//!   one](lms_ext::ErrorKind::Mismatch). So does a call that finds no object, unless the response is [of the
//!   service](super::for_each).
//!
//! *Incomplete* takes precedence over *changed*, and *changed* over *partial*. No observation cancels another.
//! `ignore_number_found` turns off all rules about counts. Neither a page without items nor a call that finds no object is an
//! observation.

use std::collections::BTreeMap;

use lms_ext::PageReceived;
use serde::{Deserialize, Serialize};

use crate::{collection::Collection, record::Completeness};

/// An observation because of which a collection is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Sign {
    /// `number_found` of a list changed, even if it changed back.
    CountChanged,
    /// A list ended with more items than it counts.
    MoreThanCounted,
    /// A row was returned twice.
    RowTwice,
    /// An item for which rows are read was returned twice.
    ItemTwice,
    /// After a stop, a list for whose items rows are read does not begin with the items before the stop.
    OtherListsAfterStop,
    /// The parts that were read do not add up to the list at the end.
    NotCovered,
    /// After a stop, a page whose rows are stored was requested again, because it named no next page.
    PageAgain,
    /// An item for which rows are read was not read recently enough, because the budget of requests was spent.
    NotReadWithin,
    /// A list ended with fewer items than it counts.
    FewerThanCounted,
    /// A page has more items than the list counts.
    CountBelowPage,
    /// `number_found` is not a whole number as JSON integer or in a string.
    NotACount,
    /// `number_found` is missing from a page, and the document, another page or an earlier run has it.
    NoCount,
    /// The last page has no `more`, and no count confirms that it is the last.
    NoEnd,
    /// A response has another status than 200.
    NotOk,
    /// A response has a content type that is not JSON.
    NotJson,
    /// A row lacks a part of its key, or has one that cannot be kept as text.
    NoKey,
    /// At the end, the credentials belong to another tenant than at the start.
    OtherTenant,
}

impl Sign {
    fn means(self) -> Completeness {
        match self {
            Self::CountChanged
            | Self::MoreThanCounted
            | Self::RowTwice
            | Self::ItemTwice
            | Self::OtherListsAfterStop
            | Self::NotCovered
            | Self::PageAgain => Completeness::Changed,
            Self::NotReadWithin => Completeness::Partial,
            _ => Completeness::Incomplete,
        }
    }
}

/// The observations of a collection. Their size does not depend on the rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Evidence(BTreeMap<Sign, Observed>);

/// Number of observations of one kind, and the first of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Observed {
    first: String,
    more: u64,
}

impl Evidence {
    /// Notes an observation, with a sentence that is only made for the first of its kind.
    pub(super) fn note(&mut self, sign: Sign, sentence: impl FnOnce() -> String) {
        let observed = self.0.entry(sign);
        observed
            .and_modify(|observed| observed.more += 1)
            .or_insert_with(|| Observed {
                first: sentence(),
                more: 0,
            });
    }

    pub(super) fn add(&mut self, other: Self) {
        for (sign, found) in other.0 {
            let observed = self.0.entry(sign);
            observed
                .and_modify(|observed| observed.more = observed.more.saturating_add(found.more + 1))
                .or_insert(found);
        }
    }

    /// The completeness of a collection whose lists were read to their end, and its reasons.
    pub(super) fn completeness(&self) -> (Completeness, Vec<String>) {
        let meanings = self.0.keys().map(|sign| sign.means());
        let worst = meanings.max().unwrap_or(Completeness::Complete);
        let because = self.0.values().map(|observed| match observed.more {
            0 => observed.first.clone(),
            more => format!("{} (and {more} more)", observed.first),
        });
        (worst, because.collect())
    }
}

/// The known facts about a list before it is read.
#[derive(Clone, Debug)]
pub(super) struct ListRules {
    /// Name of the list in messages.
    pub(super) name: String,
    /// `true` if pages have `number_found`, by the document or an earlier run.
    pub(super) counted: bool,
    pub(super) ignore_count: bool,
}

impl ListRules {
    pub(super) fn of(collection: &Collection, ignore_count: bool) -> Self {
        Self {
            name: collection.name.to_owned(),
            counted: collection.counted,
            ignore_count,
        }
    }
}

/// Number of items that a list may have beyond twice its count, before reading it ends.
const UNCOUNTED: u64 = 10_000;

/// The observations of the pages of a list so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ListEvidence {
    items: u64,
    count: Option<u64>,
    changed: bool,
    /// Pages without a count.
    uncounted: u64,
}

impl ListEvidence {
    /// Adds a page with this number of items, with which the list may end. Returns its observations, and the count of the list
    /// that it states.
    pub(super) fn page(
        &mut self,
        rules: &ListRules,
        items: u64,
        received: &PageReceived,
        is_last: bool,
    ) -> (Evidence, Option<u64>) {
        let (mut evidence, name) = (Evidence::default(), &rules.name);
        response(
            &mut evidence,
            name,
            received.status,
            received.content_type.as_deref(),
        );
        self.items = self.items.saturating_add(items);
        let count = self.count(rules, items, received, &mut evidence);
        if is_last {
            self.end(rules, received, &mut evidence);
        }
        (evidence, count)
    }

    /// Returns `true` if the list is so much longer than the service counts that it may have no end.
    pub(super) fn is_endless(&self) -> bool {
        let most = |count: u64| count.saturating_mul(2).saturating_add(UNCOUNTED);
        self.count.is_some_and(|count| self.items > most(count))
    }

    /// Compares the count of a page with those before it.
    fn count(
        &mut self,
        rules: &ListRules,
        items: u64,
        received: &PageReceived,
        evidence: &mut Evidence,
    ) -> Option<u64> {
        let name = &rules.name;
        let text = received.number_found.as_deref().unwrap_or("null");
        let count = read_count(text);
        if rules.ignore_count {
            return count;
        }
        if text == "null" {
            self.uncounted += 1;
            return None;
        }
        let Some(count) = count else {
            evidence.note(Sign::NotACount, || {
                format!("a page of {name} has the number_found {text}, which is not a count")
            });
            return None;
        };
        if count < items {
            evidence.note(Sign::CountBelowPage, || {
                format!("a page of {name} has {items} items and counts {count}")
            });
        }
        if let Some(before) = self.count.replace(count)
            && before != count
        {
            self.changed = true;
            evidence.note(Sign::CountChanged, || {
                format!("the count of {name} changed from {before} to {count}")
            });
        }
        Some(count)
    }

    /// Compares the complete list with its count.
    fn end(&self, rules: &ListRules, received: &PageReceived, evidence: &mut Evidence) {
        let (name, items) = (&rules.name, self.items);
        let count = self.count.filter(|_| self.uncounted == 0);
        if received.paged && !received.more && count != Some(items) {
            evidence.note(Sign::NoEnd, || {
                format!("the last page of {name} does not say that it is the last")
            });
        }
        if rules.ignore_count {
            return;
        }
        if self.uncounted > 0 && (rules.counted || self.count.is_some()) {
            let uncounted = self.uncounted;
            evidence.note(Sign::NoCount, || {
                format!(
                    "{uncounted} pages of {name} lack the count that the list should have; if the service does not count it, ignore \
                     `number_found`"
                )
            });
        }
        match self.count {
            Some(count) if items < count && !self.changed => {
                evidence.note(Sign::FewerThanCounted, || {
                    format!("the service counts {count} {name}, and the list ended after {items}")
                });
            }
            Some(count) if items > count => evidence.note(Sign::MoreThanCounted, || {
                format!("the service counts {count} {name}, and {items} were read")
            }),
            _ => {}
        }
    }
}

/// Notes a response that differs from the document.
pub(super) fn response(
    evidence: &mut Evidence,
    name: &str,
    status: u16,
    content_type: Option<&str>,
) {
    if status != 200 {
        evidence.note(Sign::NotOk, || {
            format!("a response for {name} has the status {status} instead of 200")
        });
    }
    // A response without a content type is judged by its body.
    let essence = content_type.and_then(|text| text.split(';').next());
    if let Some(essence) = essence.map(|text| text.trim().to_ascii_lowercase())
        && essence != "application/json"
        && !essence.ends_with("+json")
    {
        evidence.note(Sign::NotJson, || {
            format!("a response for {name} has the content type {essence:?}, which is not JSON")
        });
    }
}

/// A count: a whole number that is not negative, as a JSON integer or in a string.
fn read_count(json: &str) -> Option<u64> {
    let text = json.trim_matches('"');
    let count: i64 = text.parse().ok()?;
    let count = u64::try_from(count).ok()?;
    (count.to_string() == text).then_some(count)
}

#[cfg(test)]
mod tests;
