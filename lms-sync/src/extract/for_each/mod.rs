//! Reads objects that the service returns only for one item at a time: calls an operation for each item of a list, or for
//! each pair of items of two lists, several calls at once and with the results in the order of the list.
//!
//! The first list is read page by page, and a page is done when all of its calls are done. A checkpoint is therefore a
//! position in that list. Further lists are short, and are read at the start. After a stop, the first list is read
//! again up to the checkpoint, because its items are [remembered](items).

mod call;
mod items;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use lms_ext::Lms;

use super::{
    evidence::{Evidence, Sign},
    list::{ListPager, Listed, list_values},
    page::{Fill, RawPage, Requests, values},
    position::{Chain, ForEachPosition, Position},
    reading::Reading,
};
use crate::{
    collection::{Collection, ForEach, known},
    error::Error,
};
use call::{Called, call, unreadable};
use items::SeenItems;

/// Default page size of the first list. It is small, because the calls for one page are lost when a run is killed.
const PAGE: u32 = 50;

#[derive(Debug)]
pub(super) struct ForEachPager {
    lms: Lms,
    collection: &'static Collection,
    /// The first list.
    each: &'static ForEach,
    reading: Reading,
    first: ListPager,
    items: SeenItems,
    /// The parameters of each combination of the other lists. `None` until they are read.
    others: Option<Vec<Fill>>,
    others_read: Chain,
    /// The position at which reading continues, until the items before it are known.
    resumed: Option<Box<ForEachPosition>>,
    /// A page of the first list whose calls are not done.
    page: Option<RawPage>,
    /// The calls for that page. `None` until its items were looked at.
    jobs: Option<Vec<Fill>>,
    /// Observations since the last page.
    evidence: Evidence,
    requests: Requests,
}

impl ForEachPager {
    pub(super) fn new(
        lms: &Lms,
        of: &'static Collection,
        reading: &Reading,
        position: &Position,
    ) -> Result<Self, Error> {
        let each = of.for_each.first().ok_or_else(|| unreadable(of))?;
        let list = known(each.collection)?;
        let resumed = match position {
            Position::ForEach(position) => Some(position.clone()),
            _ => None,
        };
        Ok(Self {
            lms: lms.clone(),
            collection: of,
            each,
            reading: reading.clone(),
            first: first_list(lms, list, reading, position)?,
            items: SeenItems::new(list),
            others: None,
            others_read: Chain::default(),
            resumed,
            page: None,
            jobs: None,
            evidence: Evidence::default(),
            requests: Requests::default(),
        })
    }

    pub(super) async fn next(&mut self) -> Result<Option<RawPage>, Error> {
        if self.others.is_none() {
            self.others = Some(self.read_others().await?);
        }
        if let Some(position) = self.resumed.take()
            && let Err(error) = self.recall(&position).await
        {
            self.resumed = Some(position);
            return Err(error);
        }
        if self.page.is_none() {
            self.page = self.first.next().await?;
        }
        let Some(page) = &self.page else {
            let evidence = std::mem::take(&mut self.evidence);
            return Ok((evidence != Evidence::default()).then(|| RawPage {
                evidence,
                ..RawPage::default()
            }));
        };
        let jobs = match &self.jobs {
            Some(jobs) => jobs,
            None => {
                let others = self.others.as_deref().unwrap_or_default();
                let (of, evidence) = (self.collection, &mut self.evidence);
                let mut jobs = self
                    .items
                    .jobs(of, self.each, &page.items, others, evidence)?;
                jobs.retain(|job| self.reading.selects(job));
                self.jobs.insert(jobs)
            }
        };
        let ignore_count = self.reading.ignore_count;
        let calls: Vec<_> = jobs
            .iter()
            .map(|job| call(&self.lms, self.collection, job.clone(), ignore_count))
            .collect();
        let called: Vec<Called> = stream::iter(calls)
            .buffered(self.reading.concurrency)
            .try_collect()
            .await?;
        self.jobs = None;
        let page = self.page.take().unwrap_or_default();
        let mut done = RawPage {
            items: Vec::new(),
            ..page
        };
        done.evidence.add(std::mem::take(&mut self.evidence));
        for call in called {
            self.requests.add(call.requests);
            done.evidence.add(call.evidence);
            done.not_found += u64::from(!call.found);
            done.items.extend(call.items);
        }
        Ok(Some(done))
    }

    /// Reads the lists after the first one.
    async fn read_others(&mut self) -> Result<Vec<Fill>, Error> {
        let mut combinations = vec![Fill::new()];
        let (mut read, mut evidence) = (Chain::default(), Evidence::default());
        for each in self.collection.for_each.iter().skip(1) {
            let listed = list_values(&self.lms, self.collection, each, &self.reading).await?;
            let Listed {
                values: found,
                evidence: of_list,
                requests,
            } = listed;
            self.requests.add(requests);
            evidence.add(of_list);
            for (_, value) in found.iter().flatten() {
                read.add(value);
            }
            combinations = combinations
                .iter()
                .flat_map(|before| {
                    let with = |values: &Fill| [before.as_slice(), values.as_slice()].concat();
                    found.iter().map(with).collect::<Vec<_>>()
                })
                .collect();
        }
        if self
            .resumed
            .as_ref()
            .is_some_and(|position| position.others != read)
        {
            evidence.note(Sign::OtherListsAfterStop, || other_lists(self.collection));
        }
        self.evidence.add(evidence);
        self.others_read = read;
        Ok(combinations)
    }

    /// Reads the first list up to the position of an earlier process again, for its items.
    async fn recall(&mut self, position: &ForEachPosition) -> Result<(), Error> {
        let list = known(self.each.collection)?;
        let mut listing = first_list(&self.lms, list, &self.reading, &Position::Start)?;
        let mut items = SeenItems::new(list);
        // These signs are in the checkpoint.
        let mut evidence = Evidence::default();
        for _ in 0..position.list.checkpoint.pages() {
            let page = listing.next().await;
            self.requests.add(listing.take_requests());
            let Some(page) = page? else { break };
            for (item, _) in &page.items {
                let values = values(self.collection, self.each, item)?;
                items.add(self.each, item, &values, &mut evidence)?;
            }
        }
        if items.read != position.items {
            let of = self.collection;
            self.evidence
                .note(Sign::OtherListsAfterStop, || other_lists(of));
        }
        self.items = items;
        Ok(())
    }

    pub(super) fn position(&self) -> Position {
        Position::ForEach(Box::new(ForEachPosition {
            list: self.first.position(),
            items: self.items.read,
            others: self.others_read,
        }))
    }

    pub(super) fn take_requests(&mut self) -> Requests {
        let mut requests = std::mem::take(&mut self.requests);
        requests.add(self.first.take_requests());
        requests
    }
}

/// The list for whose items a collection is read.
fn first_list(
    lms: &Lms,
    list: &'static Collection,
    reading: &Reading,
    position: &Position,
) -> Result<ListPager, Error> {
    let limit = reading.page_size.unwrap_or(PAGE).to_string();
    let mut query = reading.query_of_other(list);
    if list.limit {
        query.push(("limit".to_owned(), limit));
    }
    ListPager::new(lms, list, query, position, reading.rules_of_other(list))
}

/// The sentence for lists that changed while a run was stopped.
fn other_lists(of: &Collection) -> String {
    format!(
        "the lists that {} are read for are not those before the run was stopped",
        of.name
    )
}
