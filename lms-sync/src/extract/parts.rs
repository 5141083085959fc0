//! Reads a list in parts, several of them concurrently: for example the enrolments of each course.
//!
//! [`Parts`] reads and counts the parts. Before the first part, it decides to read the list without parts if their
//! counts do not add up to the list, or if reading them would not be faster. After the last part, the counts are
//! evidence: if they add up to the count of the complete list, no row that existed all the time is missing.
//!
//! The pages of the parts alternate in a fixed order, so rows come in the same order whenever the same parts are read.

use std::collections::BTreeMap;

use lms_ext::{
    Lms,
    concurrent::{PartPage, Parts},
};

use super::{
    evidence::{Evidence, ListEvidence, ListRules, Sign},
    extract_position::{ExtractPosition, PartsPosition},
    list::{ListPager, failed, list, observe, refused},
    page::{RawPage, Requests, Tries, values},
    reading::Reading,
};
use crate::{
    collection::{Collection, Filters, ForEach, RawItem, known},
    error::Error,
};

/// The partition of a list.
#[derive(Clone, Debug, Default)]
pub(super) struct Partitioning {
    /// The parts that were read.
    pub(super) parts: u64,
    /// The reason for reading the list without parts.
    pub(super) not_partitioned: Option<String>,
}

#[derive(Debug)]
pub(super) struct PartsPager {
    concurrency: usize,
    rules: ListRules,
    /// The list as it is, until it is known that it can be partitioned.
    whole: ListPager,
    /// The first page of `whole`.
    first: Option<RawPage>,
    parts: Parts<RawItem>,
    /// The observations of the running parts.
    lists: BTreeMap<String, ListEvidence>,
    /// `true` once the list is read in parts.
    begun: bool,
    /// `true` if the last page was returned.
    ended: bool,
    /// The number of items of the list when its parts were counted first.
    number_found: Option<u64>,
    /// Observations since the last page.
    evidence: Evidence,
    partitioning: Partitioning,
    requests: Requests,
}

impl PartsPager {
    pub(super) fn new(
        lms: &Lms,
        of: &'static Collection,
        by: &'static ForEach,
        reading: &Reading,
        position: Option<PartsPosition>,
    ) -> Result<Self, Error> {
        let unreadable = || Error::usage(format!("{} cannot be read in parts", of.name));
        let [(parameter, _)] = by.values else {
            return Err(unreadable());
        };
        let other = known(by.collection)?;
        let (others, all) = (list(other)?, list(of)?);
        let query = reading.query(of);
        let parts = Parts::new(
            lms,
            move |lms| others(lms, Filters::new()),
            move |item: RawItem| Some(values(of, by, &item).ok()?.swap_remove(0).1),
            move |lms, part| {
                let part = part.map(|part| ((*parameter).to_owned(), part.to_owned()));
                all(lms, query.iter().cloned().chain(part).collect())
            },
        );
        let pager = Self {
            concurrency: reading.concurrency,
            rules: reading.rules(of),
            whole: ListPager::new(lms, of, reading.query(of), None, reading.rules(of))?,
            first: None,
            parts: parts.ignore_number_found().concurrency(reading.concurrency),
            lists: BTreeMap::new(),
            begun: false,
            ended: false,
            number_found: None,
            evidence: Evidence::default(),
            partitioning: Partitioning::default(),
            requests: Requests::default(),
        };
        match position {
            Some(position) => pager.resume(position),
            None => Ok(pager),
        }
    }

    fn resume(mut self, position: PartsPosition) -> Result<Self, Error> {
        if position.checkpoint.is_inside_page() {
            self.evidence.note(Sign::PageAgain, || {
                let name = &self.rules.name;
                format!("a page of {name} that was stored before the run was stopped had to be requested again")
            });
        }
        self.parts = self.parts.resume(position.checkpoint).map_err(refused)?;
        self.lists = position.lists;
        self.number_found = position.number_found;
        self.begun = true;
        self.ended = position.ended;
        Ok(self)
    }

    pub(super) async fn next(&mut self) -> Result<Option<RawPage>, Error> {
        if !self.begun && self.partitioning.not_partitioned.is_none() {
            self.begin().await?;
        }
        if !self.begun {
            return match self.first.take() {
                Some(page) => Ok(Some(page)),
                None => self.whole.next().await,
            };
        }
        let mut tries = Tries::default();
        let page = loop {
            match self.parts.next_page().await {
                Err(error) if tries.again(&error) => {}
                page => break page.map_err(failed)?,
            }
        };
        match page {
            Some(page) => self.page(page).map(Some),
            None if self.ended => Ok(None),
            None => self.end().await.map(Some),
        }
    }

    /// Decides whether the list is read in parts.
    async fn begin(&mut self) -> Result<(), Error> {
        if self.first.is_none() {
            self.first = self.whole.next().await?;
        }
        let (found, listed) = self
            .first
            .as_ref()
            .map_or((None, 0), |first| (first.number_found, first.listed));
        self.partitioning.not_partitioned = self.why_not(found.unwrap_or_default(), listed).await?;
        if self.partitioning.not_partitioned.is_none() {
            self.first = None;
            self.number_found = found;
            self.begun = true;
        }
        Ok(())
    }

    /// The reason for reading a list of `found` items, with `listed` on a page, without parts.
    async fn why_not(&mut self, found: u64, listed: u64) -> Result<Option<String>, Error> {
        let parts = self.parts.total().await.map_err(failed)?;
        let pages = found.div_ceil(listed.max(1));
        // Each part costs a count, and a page that is not full.
        let requests = pages.saturating_add(parts.saturating_mul(2));
        let concurrency = u64::try_from(self.concurrency).unwrap_or(u64::MAX);
        if requests.saturating_mul(2) > pages.saturating_mul(concurrency) {
            return Ok(Some(format!(
                "reading {parts} parts, {concurrency} at a time, would not take half the time of {pages} pages"
            )));
        }
        let counts = self.parts.count().await.map_err(failed)?;
        Ok((!counts.add_up()).then(|| counts.to_string()))
    }

    /// A page of a part, with its observations.
    fn page(&mut self, next: PartPage<RawItem>) -> Result<RawPage, Error> {
        let list = self.lists.entry(next.part.clone()).or_default();
        let rules = ListRules {
            name: format!("{} of {}", self.rules.name, next.part),
            ..self.rules.clone()
        };
        let mut page = observe(next.page, next.is_last, list, &rules)?;
        if next.is_last {
            self.lists.remove(&next.part);
        }
        page.number_found = self.number_found;
        page.evidence.add(std::mem::take(&mut self.evidence));
        Ok(page)
    }

    /// Compares the counts at the end. The last page has no items and the number of the list.
    async fn end(&mut self) -> Result<RawPage, Error> {
        let counts = self.parts.count().await.map_err(failed)?;
        self.ended = true;
        let mut evidence = std::mem::take(&mut self.evidence);
        let name = &self.rules.name;
        let number_found = counts.after.and_then(|count| u64::try_from(count).ok());
        if number_found != self.number_found {
            evidence.note(Sign::CountChanged, || {
                format!("the count of {name} changed while its parts were read")
            });
        }
        if !counts.add_up() {
            evidence.note(Sign::NotCovered, || {
                format!("{counts}, so rows of {name} may be in none of them")
            });
        }
        Ok(RawPage {
            number_found,
            evidence,
            ..RawPage::default()
        })
    }

    pub(super) fn position(&self) -> ExtractPosition {
        if !self.begun {
            return ExtractPosition::List(Box::new(self.whole.position()));
        }
        ExtractPosition::Parts(Box::new(PartsPosition {
            checkpoint: self.parts.checkpoint(),
            lists: self.lists.clone(),
            number_found: self.number_found,
            ended: self.ended,
        }))
    }

    pub(super) fn partitioning(&self) -> Partitioning {
        let parts = if self.begun {
            self.parts.progress().finished
        } else {
            0
        };
        Partitioning {
            parts,
            ..self.partitioning.clone()
        }
    }

    pub(super) fn take_requests(&mut self) -> Requests {
        let progress = self.parts.progress();
        let now = Requests {
            sent: progress.requests,
            responses: progress.responses,
        };
        let mut requests = now.since(std::mem::replace(&mut self.requests, now));
        requests.add(self.whole.take_requests());
        requests
    }
}
