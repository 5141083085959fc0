//! Reads a list in parts, several of them concurrently: for example the enrolments of each course.
//!
//! The cursors of one list can only be followed one after the other. A filter cuts the list into parts, which can be read at
//! the same time. But the service does not promise that the parts together are the list: there may be enrolments of a course
//! that the list of courses does not show. So the parts are counted before the first one is read and after the last one, and
//! their numbers must add up to the number of the whole list, which must be the same before and after the count. A row that
//! existed all the time was then in a part that was read. If the numbers do not add up at the start, or so many parts would
//! not be faster, the list is read as a whole.
//!
//! The pages of the parts alternate in a fixed order, so rows come in the same order whenever the same parts are read.

use std::collections::{BTreeSet, VecDeque};

use futures_util::{
    FutureExt as _, StreamExt as _, TryStreamExt as _, future::BoxFuture, stream,
    stream::FuturesOrdered,
};
use lms_ext::{ErrorKind as TenantErrorKind, Lms};
use serde::{Deserialize, Serialize};

use super::{
    list::ListWalker,
    page::{RawPage, Reading, Requests, values},
    position::{PartPosition, PartsPosition, Position},
};
use crate::{
    collection::{Collection, Filters, ForEach, collection},
    error::{Error, ErrorKind},
};

/// How often the parts are counted until their numbers add up: rows may come and go meanwhile.
const COUNTS: u32 = 3;

/// How a list was cut.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Cut {
    /// The parts that were read.
    pub(super) parts: u64,
    /// Why the list is read as a whole instead.
    pub(super) not_cut: Option<String>,
    /// Why the parts are not the list.
    pub(super) uncovered: Option<String>,
}

type Read = BoxFuture<'static, (ListWalker, Result<Option<RawPage>, Error>)>;

pub(super) struct PartsWalker {
    lms: Lms,
    collection: &'static Collection,
    by: &'static ForEach,
    parameter: &'static str,
    reading: Reading,
    /// The list as it is, until it is known that it can be cut.
    whole: ListWalker,
    /// The first page of `whole`.
    first: Option<RawPage>,
    /// `None` before the first page, and for a list that is not cut.
    position: Option<PartsPosition>,
    /// The parts that have not been started; `None` after a resume.
    rest: Option<BTreeSet<String>>,
    /// The next page of each running part.
    walks: FuturesOrdered<Read>,
    /// The number of items of the list, until it is passed on.
    number_found: Option<i64>,
    cut: Cut,
    requests: Requests,
}

/// The numbers of items of a list and of its parts.
struct Counted {
    parts: BTreeSet<String>,
    number_found: Option<i64>,
    /// Why the parts are not the list.
    uncovered: Option<String>,
}

impl std::fmt::Debug for PartsWalker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PartsWalker")
            .field("collection", &self.collection.name)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}

impl PartsWalker {
    pub(super) fn new(
        lms: &Lms,
        of: &'static Collection,
        by: &'static ForEach,
        reading: &Reading,
        position: Option<PartsPosition>,
    ) -> Result<Self, Error> {
        let [(parameter, _)] = by.values else {
            return Err(unreadable(of));
        };
        let mut walker = Self {
            lms: lms.clone(),
            collection: of,
            by,
            parameter,
            whole: ListWalker::new(lms, of, reading.query(of), &Position::Start)?,
            reading: reading.clone(),
            first: None,
            cut: Cut {
                parts: position.as_ref().map_or(0, |position| position.parts),
                ..Cut::default()
            },
            position,
            rest: None,
            walks: FuturesOrdered::new(),
            number_found: None,
            requests: Requests::default(),
        };
        let running = walker
            .position
            .iter()
            .flat_map(|parts| parts.running.clone());
        for part in running.collect::<Vec<_>>() {
            let walk = walker.part(&part)?;
            walker.walks.push_back(read(walk));
        }
        Ok(walker)
    }

    pub(super) async fn next(&mut self) -> Result<Option<RawPage>, Error> {
        if self.position.is_none() {
            if self.cut.not_cut.is_none() {
                self.begin().await?;
            }
            if self.cut.not_cut.is_some() {
                return match self.first.take() {
                    Some(page) => Ok(Some(page)),
                    None => self.whole.next().await,
                };
            }
        }
        if self.rest.is_none() {
            self.rest = Some(self.list_parts().await?);
        }
        loop {
            self.start_parts()?;
            let Some((mut walk, outcome)) = self.walks.next().await else {
                return self.end().await;
            };
            self.requests.add(walk.take_requests());
            let running = self.position.as_mut().map(|parts| &mut parts.running);
            let Some((running, part)) = running.and_then(|running| {
                let part = running.pop_front()?;
                Some((running, part))
            }) else {
                return Err(unreadable(self.collection));
            };
            let outcome = match outcome {
                Ok(None) => walk.check(self.collection, &part.value).map(|()| None),
                // The part was removed, with its rows or without: the last count tells.
                Err(error) if walk.is_at_start() && is_not_found(&error) => Ok(None),
                outcome => outcome,
            };
            match outcome {
                Ok(Some(mut page)) => {
                    running.push_back(PartPosition {
                        position: walk.position(),
                        ..part
                    });
                    self.walks.push_back(read(walk));
                    page.number_found = self.number_found.take();
                    return Ok(Some(page));
                }
                Ok(None) => {}
                Err(error) => {
                    running.push_front(part);
                    self.walks.push_front(read(walk));
                    return Err(error);
                }
            }
        }
    }

    /// Decides whether the list is cut.
    async fn begin(&mut self) -> Result<(), Error> {
        if self.first.is_none() {
            self.first = self.whole.next().await?;
        }
        let Some(first) = &self.first else {
            self.cut.not_cut = Some("the list has no page".to_owned());
            return Ok(());
        };
        let found = first
            .number_found
            .and_then(|found| u64::try_from(found).ok());
        let (found, page) = (found.unwrap_or_default(), first.listed.max(1));
        let parts = self.list_parts().await?;
        let pages = found.div_ceil(page);
        let count = u64::try_from(parts.len()).unwrap_or(u64::MAX);
        // Each part costs two counts, and a page that is not full.
        let requests = pages.saturating_add(count.saturating_mul(3));
        let concurrency = u64::try_from(self.reading.concurrency).unwrap_or(u64::MAX);
        if requests.saturating_mul(2) > pages.saturating_mul(concurrency) {
            self.cut.not_cut = Some(format!(
                "reading {count} parts, {concurrency} at a time, would not take half the time of {pages} pages"
            ));
            return Ok(());
        }
        let counted = self.count().await?;
        if let Some(uncovered) = counted.uncovered {
            self.cut.not_cut = Some(uncovered);
            return Ok(());
        }
        self.first = None;
        self.number_found = counted.number_found;
        self.rest = Some(counted.parts);
        self.position = Some(PartsPosition {
            running: VecDeque::new(),
            concurrency: self.reading.concurrency,
            started: String::new(),
            parts: 0,
            counted: false,
        });
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
            let walk = self.part(&part)?;
            self.walks.push_back(read(walk));
            self.rest.as_mut().and_then(BTreeSet::pop_first);
            if let Some(position) = &mut self.position {
                position.running.push_back(part);
                position.started = value;
                position.parts += 1;
                self.cut.parts = position.parts;
            }
        }
        Ok(())
    }

    /// Counts the parts again. The last page has no items and the number of the list.
    async fn end(&mut self) -> Result<Option<RawPage>, Error> {
        if self.position.as_ref().is_none_or(|parts| parts.counted) {
            return Ok(None);
        }
        let counted = self.count().await?;
        self.cut.uncovered = counted.uncovered;
        if let Some(position) = &mut self.position {
            position.counted = true;
        }
        Ok(Some(RawPage {
            items: Vec::new(),
            listed: 0,
            next_cursor: None,
            number_found: counted.number_found,
            not_found: 0,
        }))
    }

    /// Counts the list and its parts until the numbers add up, a few times at most.
    async fn count(&mut self) -> Result<Counted, Error> {
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
        let before = self.number_found(None).await?;
        let parts = self.list_parts_after("").await?;
        let counts = parts.iter().map(|value| {
            let query = self.query_of(Some(value));
            number_found(&self.lms, self.collection, query)
        });
        let counts: Vec<_> = stream::iter(counts)
            .buffered(self.reading.concurrency)
            .try_collect()
            .await?;
        let mut sum = Some(0_i64);
        for (count, requests) in counts {
            self.requests.add(requests);
            sum = sum
                .zip(count)
                .and_then(|(sum, count)| sum.checked_add(count));
        }
        let after = self.number_found(None).await?;
        let shown =
            |count: Option<i64>| count.map_or("no number".to_owned(), |count| count.to_string());
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

    async fn number_found(&mut self, part: Option<&str>) -> Result<Option<i64>, Error> {
        let query = self.query_of(part);
        let (found, requests) = number_found(&self.lms, self.collection, query).await?;
        self.requests.add(requests);
        Ok(found)
    }

    /// The parts that have not been started.
    async fn list_parts(&mut self) -> Result<BTreeSet<String>, Error> {
        let started = self.position.as_ref();
        let started = started.map_or(String::new(), |parts| parts.started.clone());
        self.list_parts_after(&started).await
    }

    async fn list_parts_after(&mut self, started: &str) -> Result<BTreeSet<String>, Error> {
        let list = collection(self.by.collection).ok_or_else(|| unreadable(self.collection))?;
        let mut walk = ListWalker::new(&self.lms, list, Filters::new(), &Position::Start)?;
        let mut parts = BTreeSet::new();
        while let Some(page) = walk.next().await? {
            for (item, _) in &page.items {
                let values = values(self.collection, self.by, item)?;
                parts.extend(values.into_iter().map(|(_, value)| value));
            }
        }
        self.requests.add(walk.take_requests());
        parts.retain(|part| part.as_str() > started);
        Ok(parts)
    }

    fn part(&self, part: &PartPosition) -> Result<ListWalker, Error> {
        let query = self.query_of(Some(&part.value));
        ListWalker::new(&self.lms, self.collection, query, &part.position)
    }

    /// The query of the list, or of a part.
    fn query_of(&self, part: Option<&str>) -> Filters {
        let mut query = self.reading.query(self.collection);
        query.extend(part.map(|value| (self.parameter.to_owned(), value.to_owned())));
        query
    }

    pub(super) fn position(&self) -> Position {
        match &self.position {
            Some(parts) => Position::Parts(Box::new(parts.clone())),
            None => self.whole.position(),
        }
    }

    pub(super) fn cut(&self) -> &Cut {
        &self.cut
    }

    pub(super) fn take_requests(&mut self) -> Requests {
        let mut requests = std::mem::take(&mut self.requests);
        requests.add(self.whole.take_requests());
        requests
    }
}

/// Reads the next page of a part.
fn read(mut walk: ListWalker) -> Read {
    async move {
        let page = walk.next().await;
        (walk, page)
    }
    .boxed()
}

/// The number of items that a list has by a query; `None` if the service does not say, or does not find the part.
async fn number_found(
    lms: &Lms,
    of: &'static Collection,
    mut query: Filters,
) -> Result<(Option<i64>, Requests), Error> {
    query.retain(|(name, _)| name != "limit");
    if of.limit {
        query.push(("limit".to_owned(), "1".to_owned()));
    }
    let mut walk = ListWalker::new(lms, of, query, &Position::Start)?;
    let found = match walk.next().await {
        Ok(page) => page.and_then(|page| page.number_found),
        Err(error) if is_not_found(&error) => None,
        Err(error) => return Err(error),
    };
    Ok((found, walk.take_requests()))
}

fn is_not_found(error: &Error) -> bool {
    let tenant = error.tenant_error();
    tenant.is_some_and(|error| error.kind() == TenantErrorKind::NotFound)
}

fn unreadable(of: &Collection) -> Error {
    Error::new(ErrorKind::Usage, format!("{} cannot be cut", of.name))
}
