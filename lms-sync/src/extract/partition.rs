//! Whether the parts of a list are the list, and whether reading them is faster.
//!
//! A filter partitions a list: for example the enrolments into those of each course. But the service does not promise
//! that the parts together are the list: there may be enrolments of a course that the list of courses lacks. Therefore
//! the parts are counted before the first one is read and after the last one, and their numbers must add up to the number
//! of the complete list, which must be the same before and after the count. A row that existed all the time was then in a
//! part that was read. If the numbers do not add up at the start, or reading the parts would not be faster, the list is
//! read without parts.

use std::collections::BTreeSet;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use lms_ext::Lms;
use serde::{Deserialize, Serialize};

use super::{
    evidence::ListRules,
    list::{ListPager, is_not_found, list_values},
    page::{RawPage, Requests},
    position::{PartPosition, Position},
    reading::{Reading, one_item},
};
use crate::{
    collection::{Collection, Filters, ForEach},
    error::Error,
};

/// Number of counts after which the parts count as not adding up. Rows may be added and removed between two counts.
const COUNTS: u32 = 3;

/// The partition of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Partitioning {
    /// The parts that were read.
    pub(super) parts: u64,
    /// The reason for reading the list without parts.
    pub(super) not_partitioned: Option<String>,
}

/// A list and the filter that partitions it.
#[derive(Debug)]
pub(super) struct Partition {
    lms: Lms,
    pub(super) collection: &'static Collection,
    by: &'static ForEach,
    parameter: &'static str,
    reading: Reading,
    pub(super) requests: Requests,
}

/// The numbers of items of a list and of its parts.
pub(super) struct Counted {
    pub(super) parts: BTreeSet<String>,
    pub(super) number_found: Option<u64>,
    /// Why the parts are not the list.
    pub(super) uncovered: Option<String>,
}

impl Partition {
    pub(super) fn new(
        lms: &Lms,
        of: &'static Collection,
        by: &'static ForEach,
        reading: &Reading,
    ) -> Result<Self, Error> {
        let [(parameter, _)] = by.values else {
            return Err(unreadable(of));
        };
        Ok(Self {
            lms: lms.clone(),
            collection: of,
            by,
            parameter,
            reading: reading.clone(),
            requests: Requests::default(),
        })
    }

    /// Counts the parts of a list with this first page, or returns the reason for reading it without parts.
    pub(super) async fn count_if_faster(
        &mut self,
        first: &RawPage,
    ) -> Result<Result<Counted, String>, Error> {
        let found = first.number_found.unwrap_or_default();
        let parts = self.list().await?;
        let pages = found.div_ceil(first.listed.max(1));
        let count = u64::try_from(parts.len()).unwrap_or(u64::MAX);
        // Each part costs two counts, and a page that is not full.
        let requests = pages.saturating_add(count.saturating_mul(3));
        let concurrency = u64::try_from(self.reading.concurrency).unwrap_or(u64::MAX);
        if requests.saturating_mul(2) > pages.saturating_mul(concurrency) {
            return Ok(Err(format!(
                "reading {count} parts, {concurrency} at a time, would not take half the time of {pages} pages"
            )));
        }
        let counted = self.count().await?;
        Ok(match counted.uncovered {
            Some(uncovered) => Err(uncovered),
            None => Ok(counted),
        })
    }

    /// Counts the list and its parts until the numbers add up, a few times at most.
    pub(super) async fn count(&mut self) -> Result<Counted, Error> {
        let mut tries = 1;
        loop {
            let counted = self.count_once().await?;
            if counted.uncovered.is_none() || tries == COUNTS {
                return Ok(counted);
            }
            tries += 1;
        }
    }

    async fn count_once(&mut self) -> Result<Counted, Error> {
        let before = self.count_whole().await?;
        let parts = self.list().await?;
        let counts = parts.iter().map(|value| {
            let query = self.query(Some(value));
            number_found(&self.lms, self.collection, query, self.rules(value))
        });
        let counts: Vec<_> = counts.collect();
        let counts: Vec<_> = stream::iter(counts)
            .buffered(self.reading.concurrency)
            .try_collect()
            .await?;
        let mut sum = Some(0_u64);
        for (count, requests) in counts {
            self.requests.add(requests);
            sum = sum
                .zip(count)
                .and_then(|(sum, count)| sum.checked_add(count));
        }
        let after = self.count_whole().await?;
        let shown =
            |count: Option<u64>| count.map_or("no number".to_owned(), |count| count.to_string());
        let uncovered = (sum.is_none() || before != sum || after != sum).then(|| {
            format!(
                "the service counts {} items before and {} after it counts {} in {} parts, one for each of {}",
                shown(before),
                shown(after),
                shown(sum),
                parts.len(),
                self.by.collection
            )
        });
        Ok(Counted {
            parts,
            number_found: after,
            uncovered,
        })
    }

    async fn count_whole(&mut self) -> Result<Option<u64>, Error> {
        let query = self.query(None);
        let rules = self.reading.rules(self.collection);
        let (found, requests) = number_found(&self.lms, self.collection, query, rules).await?;
        self.requests.add(requests);
        Ok(found)
    }

    /// The parts. Whether they are all of them is seen from their counts.
    pub(super) async fn list(&mut self) -> Result<BTreeSet<String>, Error> {
        let listed = list_values(&self.lms, self.collection, self.by, &self.reading).await?;
        self.requests.add(listed.requests);
        let values = listed.values.into_iter().flatten();
        Ok(values.map(|(_, value)| value).collect())
    }

    fn rules(&self, part: &str) -> ListRules {
        let rules = self.reading.rules(self.collection);
        ListRules {
            name: format!("{} of {part}", rules.name),
            ..rules
        }
    }

    /// Reads a part from its position.
    pub(super) fn listing(&self, part: &PartPosition) -> Result<ListPager, Error> {
        let query = self.query(Some(&part.value));
        let rules = self.rules(&part.value);
        ListPager::new(&self.lms, self.collection, query, &part.position, rules)
    }

    /// The query of the list, or of a part.
    fn query(&self, part: Option<&str>) -> Filters {
        let mut query = self.reading.query(self.collection);
        query.extend(part.map(|value| (self.parameter.to_owned(), value.to_owned())));
        query
    }

    pub(super) fn unreadable(&self) -> Error {
        unreadable(self.collection)
    }
}

/// The number of items that a list has by a query; `None` if the service does not say, or does not find the part.
async fn number_found(
    lms: &Lms,
    of: &'static Collection,
    query: Filters,
    rules: ListRules,
) -> Result<(Option<u64>, Requests), Error> {
    let mut listing = ListPager::new(lms, of, one_item(of, query), &Position::Start, rules)?;
    let found = match listing.next().await {
        Ok(page) => page.and_then(|page| page.number_found),
        Err(error) if is_not_found(&error) => None,
        Err(error) => return Err(error),
    };
    Ok((found, listing.take_requests()))
}

fn unreadable(of: &Collection) -> Error {
    Error::usage(format!("{} cannot be read in parts", of.name))
}
