//! Reads objects that the service returns only for one item at a time: calls an operation for each item of a list, or
//! for each pair of items of two lists.
//!
//! For example, `records` has a call for each learner and each custom field. First, both lists are read to their ends.
//! Then follow the calls for the first learners, several of them concurrently, with the results in the order of the
//! list. A batch has the results for some learners, and its checkpoint has their number.
//!
//! A run that continues reads the lists again. If they begin with the same items, it makes the remaining calls, which
//! include those for new items. Otherwise the collection counts as changed.
//!
//! A call that finds nothing has no row, if [the service says so](absences).

mod absences;
mod call;
mod items;

use std::fmt;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use lms_ext::Lms;

use super::{
    evidence::Sign,
    extract_position::ForEachPosition,
    page::{Fill, RawPage},
    reading::Reading,
};
use crate::{collection::Collection, error::Error};
use absences::Absences;
use call::{Called, call};
use items::{ItemValues, read_items};

/// Number of items of the first list in a batch, unless a page size is set. The calls for a batch are lost when a run
/// is killed.
const ITEMS_IN_BATCH: u32 = 50;

#[derive(Debug)]
pub(super) struct ForEachPager {
    lms: Lms,
    collection: &'static Collection,
    pub(super) position: ForEachPosition,
    /// The items whose calls are not made. `None` until the lists are read.
    rest: Option<Rest>,
    absences: Absences,
}

/// The items whose calls are not made.
struct Rest {
    /// The items of the first list after those in `next`.
    items: ItemValues,
    /// The items of the next batch.
    next: Vec<Fill>,
    /// Each combination of the items of the other lists. One empty combination if there are none.
    others: Vec<Fill>,
    /// Nothing is left to be checked or noted.
    observed: bool,
}

impl Rest {
    /// Takes the items of the next batch, as far as the budget allows.
    fn choose_next(&mut self, reading: &Reading) -> Result<(), Error> {
        let mut number = reading.page_size.unwrap_or(ITEMS_IN_BATCH).into();
        if let Some(budget) = &reading.budget {
            number = budget.items(self.others.len()).min(number);
        }
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        self.next = self.items.by_ref().take(number).collect::<Result<_, _>>()?;
        Ok(())
    }
}

impl fmt::Debug for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rest").finish_non_exhaustive()
    }
}

impl ForEachPager {
    pub(super) fn new(
        lms: &Lms,
        collection: &'static Collection,
        position: ForEachPosition,
    ) -> Self {
        Self {
            lms: lms.clone(),
            collection,
            position,
            rest: None,
            absences: Absences::default(),
        }
    }

    /// The results for the next items. The first page has no items, but the observations of the lists.
    pub(super) async fn next(&mut self, reading: &mut Reading) -> Result<Option<RawPage>, Error> {
        let of = self.collection;
        let Some(rest) = &mut self.rest else {
            return self.read_lists(reading).await.map(Some);
        };
        let mut page = RawPage::default();
        if rest.next.is_empty()
            && let Err(error) = rest.choose_next(reading)
        {
            self.rest = None;
            return Err(error);
        }
        if rest.next.is_empty() {
            if rest.observed {
                return Ok(None);
            }
            let absent = self.position.absent;
            self.absences
                .confirm(&self.lms, of, reading, absent)
                .await?;
            rest.observed = true;
            // The last page has the items that were not read recently enough.
            let Some(budget) = &reading.budget else {
                return Ok(None);
            };
            let list = of.for_each.first().map_or(of.name, |each| each.collection);
            budget.observe(list, rest.others.len(), &mut page.evidence);
            return Ok(Some(page));
        }
        let calls = rest.next.iter().flat_map(|item| {
            let others = rest.others.iter();
            others.map(|other| [item.as_slice(), other.as_slice()].concat())
        });
        let calls = calls.map(async |parameters| {
            let called = call(&self.lms, of, &parameters, &*reading).await?;
            Ok((called, parameters))
        });
        let called: Vec<(Called, Fill)> = stream::iter(calls.collect::<Vec<_>>())
            .buffered(reading.concurrency())
            .try_collect()
            .await?;
        let absent = &mut self.position.absent;
        self.absences
            .check(&self.lms, of, reading, &called, absent)
            .await?;
        for item in rest.next.drain(..) {
            self.position.add(&item);
            if let Some(budget) = &mut reading.budget {
                budget.read(&item, false);
            }
        }
        for (call, parameters) in called {
            page.evidence.add(call.evidence);
            page.not_found += u64::from(call.absent.is_some());
            let items = call.items.into_iter();
            page.items
                .extend(items.map(|item| (item, parameters.clone())));
        }
        Ok(Some(page))
    }

    /// Reads the lists, and skips the items whose calls were made before a stop. After an error, begins again.
    async fn read_lists(&mut self, reading: &mut Reading) -> Result<RawPage, Error> {
        let of = self.collection;
        let (mut page, mut lists) = (RawPage::default(), Vec::new());
        for each in of.for_each {
            lists.push(read_items(&self.lms, of, each, reading, &mut page).await?);
        }
        let mut lists = lists.into_iter();
        let mut items = lists.next().unwrap_or_else(|| Box::new(std::iter::empty()));
        if let Some(budget) = &mut reading.budget {
            let mut sorted: Vec<Fill> = items.collect::<Result<_, _>>()?;
            budget.sort(&mut sorted);
            items = Box::new(sorted.into_iter().map(Ok));
        }
        let (mut position, mut others) = (ForEachPosition::default(), vec![Fill::new()]);
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
            let other = others.first().map(Vec::as_slice).unwrap_or_default();
            let example = &mut self.absences.example;
            example.get_or_insert_with(|| [item.as_slice(), other].concat());
            if let Some(budget) = &mut reading.budget {
                budget.read(&item, true);
            }
        }
        position.absent = self.position.absent;
        if done > 0 && position != self.position {
            page.evidence.note(Sign::OtherListsAfterStop, || {
                let name = of.name;
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
}
