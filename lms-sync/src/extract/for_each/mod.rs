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
//! A call that finds nothing has no row, if [the service says so](super::calls). An object that cannot exist is requested when
//! the first call finds nothing, and again at the end of the reading, together with an object that was found: an outage may
//! begin or end during the reading. If no call found an object, only JSON is believed, since the service responds with JSON.

mod items;

use std::fmt;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use lms_ext::Lms;

use super::{
    absent::AbsentForm,
    calls::{Called, Calls},
    checkpoint::ForEachPosition,
    evidence::Sign,
    page::{Fill, RawPage, path},
    reading::Reading,
};
use crate::{
    collection::Collection,
    error::{Error, ErrorKind},
};
use items::{ItemValues, read_items};

/// Number of items of the first list in a batch, unless a page size is set. The calls for a batch are lost when a run
/// is killed.
const ITEMS_IN_BATCH: u32 = 50;

/// Number of objects that were found, of which one has to be found again.
const KNOWN: usize = 3;

#[derive(Debug)]
pub(super) struct ForEachPager {
    lms: Lms,
    collection: &'static Collection,
    pub(super) position: ForEachPosition,
    /// The items whose calls are not made. `None` until the lists are read.
    rest: Option<Rest>,
    /// The path parameters of a call, and of some calls that found an object.
    example: Option<Vec<String>>,
    known: Vec<Vec<String>>,
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
            example: None,
            known: Vec::new(),
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
            return self.end(reading).await;
        }
        let parameters = rest.next.iter().flat_map(|item| {
            let others = rest.others.iter();
            others.map(|other| [item.as_slice(), other.as_slice()].concat())
        });
        let parameters: Vec<Fill> = parameters.collect();
        let calls = self.calls(&*reading);
        let all = parameters.into_iter().map(async |parameters| {
            let path = path(of, &parameters);
            let called = calls.call(&path).await.map_err(|error| {
                let message = format!("{} of {}: {error}", of.name, path.join(", "));
                error.summarized(message)
            })?;
            Ok((called, parameters))
        });
        let called: Vec<(Called, Fill)> = stream::iter(all.collect::<Vec<_>>())
            .buffered(reading.concurrency())
            .try_collect()
            .await?;
        self.check_absences(reading, &called).await?;
        let next = self
            .rest
            .as_mut()
            .map(|rest| std::mem::take(&mut rest.next));
        for item in next.unwrap_or_default() {
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

    fn calls<'a>(&'a self, reading: &'a Reading) -> Calls<'a> {
        Calls {
            lms: &self.lms,
            of: self.collection,
            operation: self.collection.operation,
            reading,
        }
    }

    /// Checks that the calls of a batch that found nothing have responses of the service.
    async fn check_absences(
        &mut self,
        reading: &Reading,
        called: &[(Called, Fill)],
    ) -> Result<(), Error> {
        let of = self.collection;
        for (call, parameters) in called {
            let path = path(of, parameters);
            self.example.get_or_insert_with(|| path.clone());
            let Some(absent) = call.absent else {
                if self.known.len() < KNOWN {
                    self.known.push(path);
                }
                continue;
            };
            let form = match self.position.absent {
                None => self.calls(reading).impossible(&path).await?,
                known => known,
            };
            if !form.is_some_and(|form| absent.is_like(form)) {
                let response = format!("the response for {}", path.join(", "));
                return Err(not_of_the_service(of, &response));
            }
            self.position.absent.get_or_insert(absent);
        }
        Ok(())
    }

    /// Checks at the end of the reading that the responses to calls that found nothing are those of the service. The last page has
    /// the items that were not read recently enough.
    async fn end(&mut self, reading: &Reading) -> Result<Option<RawPage>, Error> {
        let (of, mut page) = (self.collection, RawPage::default());
        if self.rest.as_ref().is_none_or(|rest| rest.observed) {
            return Ok(None);
        }
        if let (Some(form), Some(example)) = (self.position.absent, &self.example) {
            let calls = self.calls(reading);
            let is_of_service = match self.known.is_empty() {
                true => form.is_json,
                false => calls.finds_one(&self.known).await?,
            };
            let is_like = |control: AbsentForm| form.is_like(control);
            if !is_of_service || !calls.impossible(example).await?.is_some_and(is_like) {
                return Err(not_of_the_service(of, "each response"));
            }
        }
        let (Some(rest), Some(budget)) = (&mut self.rest, &reading.budget) else {
            return Ok(None);
        };
        rest.observed = true;
        let list = of.for_each.first().map_or(of.name, |each| each.collection);
        budget.observe(list, rest.others.len(), &mut page.evidence);
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
            let parameters = [item.as_slice(), other].concat();
            self.example.get_or_insert_with(|| path(of, &parameters));
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

fn not_of_the_service(of: &Collection, response: &str) -> Error {
    ErrorKind::Incomplete.error(format!(
        "{} is not complete: {response} that says that there is none may be of a gateway, because the service does not respond like \
         this for an object that cannot exist, or finds no other one; start the run again",
        of.name
    ))
}
