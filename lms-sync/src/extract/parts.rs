//! Reads a list in parts, several of them concurrently: for example the enrolments of each course.
//!
//! The cursors of one list can only be followed one after the other. Several parts can be read at the same time, if the
//! [partition](super::partition) shows that they are the list.
//!
//! The pages of the parts alternate in a fixed order, so rows come in the same order whenever the same parts are read.

use std::collections::{BTreeSet, VecDeque};

use futures_util::{FutureExt as _, StreamExt as _, future::BoxFuture, stream::FuturesOrdered};
use lms_ext::Lms;

use super::{
    evidence::{Evidence, Sign},
    list::{ListPager, is_not_found},
    page::{RawPage, Requests},
    partition::{Partition, Partitioning},
    position::{Chain, PartPosition, PartsPosition, Position},
    reading::Reading,
};
use crate::{
    collection::{Collection, ForEach},
    error::Error,
};

type Read = BoxFuture<'static, (ListPager, Result<Option<RawPage>, Error>)>;

#[derive(Debug)]
pub(super) struct PartsPager {
    partition: Partition,
    concurrency: usize,
    /// The list as it is, until it is known that it can be partitioned.
    whole: ListPager,
    /// The first page of `whole`.
    first: Option<RawPage>,
    /// `None` before the first page, and for a list without parts.
    position: Option<PartsPosition>,
    /// The parts that have not been started; `None` after a resume.
    rest: Option<BTreeSet<String>>,
    /// The next page of each running part.
    listings: FuturesOrdered<Read>,
    /// The number of items of the list, until it is passed on.
    number_found: Option<u64>,
    /// Observations since the last page.
    evidence: Evidence,
    partitioning: Partitioning,
}

impl PartsPager {
    pub(super) fn new(
        lms: &Lms,
        of: &'static Collection,
        by: &'static ForEach,
        reading: &Reading,
        position: Option<PartsPosition>,
    ) -> Result<Self, Error> {
        let mut pager = Self {
            partition: Partition::new(lms, of, by, reading)?,
            concurrency: reading.concurrency,
            whole: ListPager::new(
                lms,
                of,
                reading.query(of),
                &Position::Start,
                reading.rules(of),
            )?,
            first: None,
            partitioning: Partitioning {
                parts: position.as_ref().map_or(0, |position| position.parts),
                ..Partitioning::default()
            },
            position,
            rest: None,
            listings: FuturesOrdered::new(),
            number_found: None,
            evidence: Evidence::default(),
        };
        let running = pager
            .position
            .iter()
            .flat_map(|parts| parts.running.clone());
        for part in running.collect::<Vec<_>>() {
            let listing = pager.partition.listing(&part)?;
            pager.listings.push_back(read(listing));
        }
        Ok(pager)
    }

    pub(super) async fn next(&mut self) -> Result<Option<RawPage>, Error> {
        if self.position.is_none() {
            if self.partitioning.not_partitioned.is_none() {
                self.begin().await?;
            }
            if self.partitioning.not_partitioned.is_some() {
                return match self.first.take() {
                    Some(page) => Ok(Some(page)),
                    None => self.whole.next().await,
                };
            }
        }
        if self.rest.is_none() {
            self.resume().await?;
        }
        loop {
            self.start_parts()?;
            let Some((mut listing, outcome)) = self.listings.next().await else {
                return self.end().await;
            };
            self.partition.requests.add(listing.take_requests());
            let running = self.position.as_mut().map(|parts| &mut parts.running);
            let Some((running, part)) = running.and_then(|running| {
                let part = running.pop_front()?;
                Some((running, part))
            }) else {
                return Err(self.partition.unreadable());
            };
            let outcome = match outcome {
                // The part was removed, with its rows or without: the last count tells.
                Err(error) if listing.is_at_start() && is_not_found(&error) => Ok(None),
                outcome => outcome,
            };
            match outcome {
                Ok(Some(mut page)) => {
                    running.push_back(PartPosition {
                        position: Position::List(Box::new(listing.position())),
                        ..part
                    });
                    self.listings.push_back(read(listing));
                    page.number_found = self.number_found.take();
                    page.evidence.add(std::mem::take(&mut self.evidence));
                    return Ok(Some(page));
                }
                Ok(None) => {}
                Err(error) => {
                    running.push_front(part);
                    self.listings.push_front(read(listing));
                    return Err(error);
                }
            }
        }
    }

    /// Decides whether the list is read in parts.
    async fn begin(&mut self) -> Result<(), Error> {
        if self.first.is_none() {
            self.first = self.whole.next().await?;
        }
        let Some(first) = &self.first else {
            self.partitioning.not_partitioned = Some("the list has no page".to_owned());
            return Ok(());
        };
        let counted = match self.partition.count_if_faster(first).await? {
            Ok(counted) => counted,
            Err(reason) => {
                self.partitioning.not_partitioned = Some(reason);
                return Ok(());
            }
        };
        self.first = None;
        self.number_found = counted.number_found;
        self.position = Some(PartsPosition {
            values: chain(&counted.parts),
            number_found: counted.number_found,
            running: VecDeque::new(),
            concurrency: self.concurrency,
            started: String::new(),
            parts: 0,
            counted: false,
        });
        self.rest = Some(counted.parts);
        Ok(())
    }

    /// Lists the parts that an earlier process has not started.
    async fn resume(&mut self) -> Result<(), Error> {
        let mut parts = self.partition.list().await?;
        let Some(position) = &self.position else {
            return Ok(());
        };
        if chain(&parts) != position.values {
            let of = self.partition.collection.name;
            self.evidence.note(Sign::OtherListsAfterStop, || {
                format!("the parts of {of} are not those before the run was stopped")
            });
        }
        parts.retain(|part| *part > position.started);
        self.rest = Some(parts);
        Ok(())
    }

    /// Starts parts until as many as allowed are running.
    fn start_parts(&mut self) -> Result<(), Error> {
        while let (Some(position), Some(rest)) = (&self.position, &self.rest)
            && position.running.len() < position.concurrency
            && let Some(value) = rest.first().cloned()
        {
            let part = PartPosition {
                value: value.clone(),
                position: Position::Start,
            };
            let listing = self.partition.listing(&part)?;
            self.listings.push_back(read(listing));
            self.rest.as_mut().and_then(BTreeSet::pop_first);
            if let Some(position) = &mut self.position {
                position.running.push_back(part);
                position.started = value;
                position.parts += 1;
                self.partitioning.parts = position.parts;
            }
        }
        Ok(())
    }

    /// Counts the parts again. The last page has no items and the number of the list.
    async fn end(&mut self) -> Result<Option<RawPage>, Error> {
        if self.position.as_ref().is_none_or(|parts| parts.counted) {
            return Ok(None);
        }
        let counted = self.partition.count().await?;
        let mut evidence = std::mem::take(&mut self.evidence);
        if let Some(uncovered) = counted.uncovered {
            evidence.note(Sign::NotCovered, || {
                format!("{uncovered}, so rows may be in none of them; read the list without parts")
            });
        }
        if let Some(position) = &mut self.position {
            position.counted = true;
            let (before, now) = (position.number_found, counted.number_found);
            if before != now {
                evidence.note(Sign::CountChanged, || {
                    let shown = |count: Option<u64>| count.unwrap_or_default();
                    let of = self.partition.collection.name;
                    format!(
                        "the count of {of} changed from {} to {}",
                        shown(before),
                        shown(now)
                    )
                });
            }
        }
        Ok(Some(RawPage {
            number_found: counted.number_found,
            evidence,
            ..RawPage::default()
        }))
    }

    pub(super) fn position(&self) -> Position {
        match &self.position {
            Some(parts) => Position::Parts(Box::new(parts.clone())),
            None => Position::List(Box::new(self.whole.position())),
        }
    }

    pub(super) fn partitioning(&self) -> &Partitioning {
        &self.partitioning
    }

    pub(super) fn take_requests(&mut self) -> Requests {
        let mut requests = std::mem::take(&mut self.partition.requests);
        requests.add(self.whole.take_requests());
        requests
    }
}

fn chain(parts: &BTreeSet<String>) -> Chain {
    let mut chain = Chain::default();
    for part in parts {
        chain.add(part);
    }
    chain
}

/// Reads the next page of a part.
fn read(mut listing: ListPager) -> Read {
    async move {
        let page = listing.next().await;
        (listing, page)
    }
    .boxed()
}
