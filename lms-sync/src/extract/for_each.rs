//! Reads objects that the service returns only for one item at a time: calls an operation for each item of a list, or for
//! each pair of items of two lists, several calls at once and with the results in the order of the list.
//!
//! The first list is read page by page, and a page is done when all its calls are. A checkpoint is thus the position in that
//! list, whatever it contains later. Further lists are short, and are read at the start.

//!
//! An item that the list returns twice may stand in the place of one that it left out. Calls that find nothing leave no row to
//! recognise it by, so the items themselves are remembered. After a stop, the list is read again up to the checkpoint for that.

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use lms_ext::{ErrorKind as TenantErrorKind, Lms};

use super::{
    evidence::{Evidence, ListRules, Sign, response},
    list::{ListPager, Listed, failed, is_not_found, list_values, twice},
    page::{Fill, RawPage, Requests, values},
    position::{Chain, ForEachPosition, Position},
    reading::Reading,
    seen::SeenKeys,
};
use crate::{
    collection::{Collection, CollectionSource, ForEach, RawItem, RowReader, call, known, pages},
    error::Error,
};

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

/// The items of the first list so far.
#[derive(Debug)]
struct SeenItems {
    reader: RowReader,
    keys: SeenKeys,
    /// The calls so far. Items may ask for the same: two enrolments of a learner in a course.
    called: SeenKeys,
    read: Chain,
}

impl SeenItems {
    fn new(list: &'static Collection) -> Self {
        Self {
            reader: RowReader::new(list).without_extra(),
            keys: SeenKeys::default(),
            called: SeenKeys::default(),
            read: Chain::default(),
        }
    }

    /// Adds the items of a page. Returns the parameters of the calls for them, with each combination of the others.
    fn jobs(
        &mut self,
        of: &Collection,
        each: &ForEach,
        items: &[(RawItem, Fill)],
        others: &[Fill],
        evidence: &mut Evidence,
    ) -> Result<Vec<Fill>, Error> {
        let values = items.iter().map(|(item, _)| values(of, each, item));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let mut jobs = Vec::new();
        for ((item, _), values) in items.iter().zip(values) {
            if self.add(each, item, &values, evidence)? {
                let with = |other: &Fill| [values.as_slice(), other.as_slice()].concat();
                jobs.extend(others.iter().map(with));
            }
        }
        Ok(jobs)
    }

    /// Adds an item, whose parameters are these. Returns whether to call for it.
    fn add(
        &mut self,
        each: &ForEach,
        item: &RawItem,
        values: &Fill,
        evidence: &mut Evidence,
    ) -> Result<bool, Error> {
        let row = self.reader.read(item.get());
        match row.and_then(|row| row.key_fingerprint()) {
            None => evidence.note(Sign::NoKey, || {
                format!("an item of {} has no key", each.collection)
            }),
            Some(key) => {
                self.read.add(key.to_be_bytes());
                if !self.keys.insert(key)? {
                    evidence.note(Sign::ItemTwice, || twice(each));
                }
            }
        }
        let mut call = Chain::default();
        for (_, value) in values {
            call.add(value);
            self.read.add(value);
        }
        let (call, _) = call.0.split_at(16);
        let call = call.try_into().map_or(0, u128::from_be_bytes);
        self.called.insert(call)
    }
}

/// The result of a call.
struct Called {
    items: Vec<(RawItem, Fill)>,
    requests: Requests,
    found: bool,
    evidence: Evidence,
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
                let jobs = self
                    .items
                    .jobs(of, self.each, &page.items, others, evidence)?;
                self.jobs.insert(jobs)
            }
        };
        let ignore_count = self.reading.ignore_count;
        let calls = jobs
            .iter()
            .map(|job| one(&self.lms, self.collection, job.clone(), ignore_count));
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
    let query = if list.limit {
        vec![("limit".to_owned(), limit)]
    } else {
        Vec::new()
    };
    ListPager::new(lms, list, query, position, reading.rules_of_other(list))
}

/// The sentence for lists that changed while a run was stopped.
fn other_lists(of: &Collection) -> String {
    format!(
        "the lists that {} are read for are not those before the run was stopped",
        of.name
    )
}

fn unreadable(of: &Collection) -> Error {
    Error::usage(format!(
        "{} cannot be read for each item of a list",
        of.name
    ))
}

/// Makes one call. An object that the service does not find has no row.
async fn one(
    lms: &Lms,
    of: &'static Collection,
    parameters: Fill,
    ignore_count: bool,
) -> Result<Called, Error> {
    let path: Vec<&str> = of
        .path_parameters
        .iter()
        .filter_map(|name| {
            let mut known = parameters.iter();
            known.find(|(parameter, _)| parameter == name)
        })
        .map(|(_, value)| value.as_str())
        .collect();
    let mut evidence = Evidence::default();
    if of.source == CollectionSource::Object {
        let call = call(lms, of.operation, &path).ok_or_else(|| unreadable(of))?;
        let (attempts, items) = match call.await {
            Ok(received) => {
                let content_type = received.headers.get("content-type");
                let content_type = content_type.map(|it| String::from_utf8_lossy(it.as_bytes()));
                response(
                    &mut evidence,
                    of.name,
                    received.status,
                    content_type.as_deref(),
                );
                (received.attempts, vec![(received.value, parameters)])
            }
            Err(error) if error.kind() == TenantErrorKind::NotFound => {
                (error.attempts(), Vec::new())
            }
            Err(error) => return Err(failed(error)),
        };
        return Ok(Called {
            requests: Requests {
                sent: attempts.into(),
                responses: 1,
            },
            found: !items.is_empty(),
            items,
            evidence,
        });
    }
    let pages = pages(lms, of.operation, &path, Vec::new()).ok_or_else(|| unreadable(of))?;
    let rules = ListRules {
        name: format!("{} of {}", of.name, path.join(", ")),
        ignore_count,
        ..ListRules::of(of)
    };
    let mut listing = ListPager::of(pages, rules);
    let (mut items, mut found) = (Vec::new(), true);
    loop {
        match listing.next().await {
            Ok(Some(page)) => {
                evidence.add(page.evidence);
                let page = page.items.into_iter();
                items.extend(page.map(|(item, _)| (item, parameters.clone())));
            }
            Ok(None) => break,
            Err(error) if listing.is_at_start() && is_not_found(&error) => {
                found = false;
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Called {
        items,
        requests: listing.take_requests(),
        found,
        evidence,
    })
}
