//! Reads objects that the service returns only for one item at a time: calls an operation for each item of a list, or
//! for each pair of items of two lists.
//!
//! For example, `records` has a call for each learner and each custom field. First, both lists are read to their ends.
//! Then follow the calls for the first learners, several of them concurrently, with the results in the order of the
//! list. A batch has the results for some learners, and its checkpoint has their number.
//!
//! A run that continues reads the lists again. If they begin with the same items, it makes the remaining calls, which
//! include those for new items. Otherwise the collection counts as changed.

mod call;
mod items;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use lms_ext::Lms;

use super::{
    evidence::Sign,
    extract_position::ForEachPosition,
    page::{Fill, RawPage, Requests},
    reading::Reading,
};
use crate::{collection::Collection, error::Error};
use call::{Called, call, unreadable};
use items::{ItemList, ItemValues};

/// Number of items of the first list in a batch, unless a page size is set. The calls for a batch are lost when a run
/// is killed.
const ITEMS_IN_BATCH: u32 = 50;

#[derive(Debug)]
pub(super) struct ForEachPager {
    lms: Lms,
    collection: &'static Collection,
    reading: Reading,
    position: ForEachPosition,
    /// The items whose calls are not made. `None` until the lists are read.
    rest: Option<Rest>,
    requests: Requests,
}

/// The items whose calls are not made.
#[derive(Debug)]
struct Rest {
    /// The items of the first list after those in `next`.
    items: ItemValues,
    /// The items of the next batch.
    next: Vec<Fill>,
    /// Each combination of the items of the other lists. One empty combination if there are none.
    others: Vec<Fill>,
    /// The items that were not read recently enough are noted.
    observed: bool,
}

impl Rest {
    /// A page with the items that were not read recently enough, once, if there is a budget.
    fn observe(&mut self, of: &Collection, reading: &Reading) -> Option<RawPage> {
        let budget = reading.budget.as_ref().filter(|_| !self.observed)?;
        self.observed = true;
        let list = of.for_each.first()?.collection;
        let mut page = RawPage::default();
        budget.observe(list, self.others.len(), &mut page.evidence);
        Some(page)
    }
}

impl ForEachPager {
    pub(super) fn new(
        lms: &Lms,
        of: &'static Collection,
        reading: &Reading,
        position: ForEachPosition,
    ) -> Self {
        Self {
            lms: lms.clone(),
            collection: of,
            reading: reading.clone(),
            position,
            rest: None,
            requests: Requests::default(),
        }
    }

    /// The results for the next items. The first page has no items, but the observations of the lists.
    pub(super) async fn next(&mut self) -> Result<Option<RawPage>, Error> {
        let Some(rest) = &mut self.rest else {
            return self.read_lists().await.map(Some);
        };
        if rest.next.is_empty() {
            let mut number = self.reading.page_size.unwrap_or(ITEMS_IN_BATCH).into();
            if let Some(budget) = &self.reading.budget {
                number = budget.items(rest.others.len()).min(number);
            }
            let number = usize::try_from(number).unwrap_or(usize::MAX);
            let next: Result<_, _> = rest.items.by_ref().take(number).collect();
            match next {
                Ok(next) => rest.next = next,
                Err(error) => {
                    self.rest = None;
                    return Err(error);
                }
            }
        }
        if rest.next.is_empty() {
            return Ok(rest.observe(self.collection, &self.reading));
        }
        let calls = rest.next.iter().flat_map(|item| {
            let others = rest.others.iter();
            others.map(|other| [item.as_slice(), other.as_slice()].concat())
        });
        let ignore_count = self.reading.ignore_count;
        let calls: Vec<_> = calls
            .map(|parameters| call(&self.lms, self.collection, parameters, ignore_count))
            .collect();
        let called: Vec<Called> = stream::iter(calls)
            .buffered(self.reading.concurrency)
            .try_collect()
            .await?;
        for item in rest.next.drain(..) {
            self.position.add(&item);
            if let Some(budget) = &self.reading.budget {
                budget.read(&item, false);
            }
        }
        let mut page = RawPage::default();
        for call in called {
            self.requests.add(call.requests);
            if let Some(budget) = &self.reading.budget {
                budget.spend(call.requests.sent);
            }
            page.evidence.add(call.evidence);
            page.not_found += u64::from(!call.found);
            page.items.extend(call.items);
        }
        Ok(Some(page))
    }

    /// Reads the lists, and skips the items whose calls were made before a stop. After an error, begins again.
    async fn read_lists(&mut self) -> Result<RawPage, Error> {
        let mut page = RawPage::default();
        let mut lists = Vec::new();
        for each in self.collection.for_each {
            let mut list = ItemList::new(&self.lms, self.collection, each, &self.reading)?;
            let read = list.read(&self.reading, &mut page).await;
            let requests = list.take_requests();
            self.requests.add(requests);
            if let Some(budget) = &self.reading.budget {
                budget.spend(requests.sent);
            }
            read?;
            lists.push(list.into_values()?);
        }
        let mut lists = lists.into_iter();
        let mut items = lists.next().ok_or_else(|| unreadable(self.collection))?;
        if let Some(budget) = &self.reading.budget {
            items = items.sorted(budget)?;
        }
        let mut position = ForEachPosition::default();
        let mut others = vec![Fill::new()];
        for list in lists {
            let list = list.collect::<Result<Vec<_>, _>>()?;
            position.add_others(&list);
            let with = |before: &Fill| {
                let all = list
                    .iter()
                    .map(|item| [before.as_slice(), item.as_slice()].concat());
                all.collect::<Vec<_>>()
            };
            others = others.iter().flat_map(with).collect();
        }
        let done = usize::try_from(self.position.done).unwrap_or(usize::MAX);
        for item in items.by_ref().take(done) {
            let item = item?;
            position.add(&item);
            if let Some(budget) = &self.reading.budget {
                budget.read(&item, true);
            }
        }
        if done > 0 && position != self.position {
            page.evidence.note(Sign::OtherListsAfterStop, || {
                let name = self.collection.name;
                format!(
                    "the lists that {name} are read for are not those before the run was stopped"
                )
            });
        }
        self.position = position;
        self.rest = Some(Rest {
            items,
            next: Vec::new(),
            others,
            observed: false,
        });
        Ok(page)
    }

    pub(super) fn position(&self) -> ForEachPosition {
        self.position
    }

    pub(super) fn take_requests(&mut self) -> Requests {
        std::mem::take(&mut self.requests)
    }
}
