//! Reads what the service returns only for one item at a time: calls an operation for each item of a list, or for each pair
//! of items of two lists, several calls at once and with the results in the order of the list.
//!
//! The first list is read page by page, and a page is done when all its calls are. So a checkpoint is the position in that
//! list, whatever it contains later. Further lists are short, and are read at the start.

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use lms_ext::{ErrorKind as TenantErrorKind, Lms};

use super::{
    list::{ListWalker, check_count, failed, list_values},
    page::{Fill, RawPage, Requests, values},
    position::Position,
    reading::Reading,
};
use crate::{
    collection::{Collection, CollectionSource, ForEach, RawItem, call, known, pages},
    error::Error,
};

/// The page size of the first list, unless another is asked for: the calls for one page are lost when a run is killed.
const PAGE: u32 = 50;

#[derive(Debug)]
pub(super) struct ForEachWalker {
    lms: Lms,
    collection: &'static Collection,
    /// The first list.
    each: &'static ForEach,
    concurrency: usize,
    first: ListWalker,
    /// The parameters of each combination of the other lists. `None` until they are read.
    others: Option<Vec<Fill>>,
    /// A page of the first list whose calls are not done.
    page: Option<RawPage>,
    requests: Requests,
}

/// What a call returned.
struct Called {
    items: Vec<(RawItem, Fill)>,
    requests: Requests,
    found: bool,
}

impl ForEachWalker {
    pub(super) fn new(
        lms: &Lms,
        of: &'static Collection,
        reading: &Reading,
        position: &Position,
    ) -> Result<Self, Error> {
        let each = of.for_each.first().ok_or_else(|| unreadable(of))?;
        let first = known(each.collection)?;
        let limit = reading.page_size.unwrap_or(PAGE).to_string();
        let query = if first.limit {
            vec![("limit".to_owned(), limit)]
        } else {
            Vec::new()
        };
        Ok(Self {
            lms: lms.clone(),
            collection: of,
            each,
            concurrency: reading.concurrency,
            first: ListWalker::new(lms, first, query, position)?,
            others: None,
            page: None,
            requests: Requests::default(),
        })
    }

    pub(super) async fn next(&mut self) -> Result<Option<RawPage>, Error> {
        if self.others.is_none() {
            self.others = Some(self.read_others().await?);
        }
        if self.page.is_none() {
            self.page = self.first.next().await?;
        }
        let (Some(page), Some(others)) = (&self.page, &self.others) else {
            return Ok(None);
        };
        let mut jobs = Vec::new();
        for (item, _) in &page.items {
            let values = values(self.collection, self.each, item)?;
            for other in others {
                jobs.push([values.as_slice(), other.as_slice()].concat());
            }
        }
        let calls = jobs
            .into_iter()
            .map(|job| one(&self.lms, self.collection, job));
        let called: Vec<Called> = stream::iter(calls)
            .buffered(self.concurrency)
            .try_collect()
            .await?;
        let mut done = RawPage {
            listed: page.listed,
            next_cursor: page.next_cursor.clone(),
            number_found: page.number_found,
            ..RawPage::default()
        };
        self.page = None;
        for call in called {
            self.requests.add(call.requests);
            done.not_found += u64::from(!call.found);
            done.items.extend(call.items);
        }
        Ok(Some(done))
    }

    /// Reads the lists after the first one.
    async fn read_others(&mut self) -> Result<Vec<Fill>, Error> {
        let mut combinations = vec![Fill::new()];
        for each in self.collection.for_each.iter().skip(1) {
            let (found, requests) = list_values(&self.lms, self.collection, each).await?;
            self.requests.add(requests);
            combinations = combinations
                .iter()
                .flat_map(|before| {
                    let with = |values: &Fill| [before.as_slice(), values.as_slice()].concat();
                    found.iter().map(with).collect::<Vec<_>>()
                })
                .collect();
        }
        Ok(combinations)
    }

    pub(super) fn position(&self) -> Position {
        self.first.position()
    }

    pub(super) fn take_requests(&mut self) -> Requests {
        let mut requests = std::mem::take(&mut self.requests);
        requests.add(self.first.take_requests());
        requests
    }
}

fn unreadable(of: &Collection) -> Error {
    Error::usage(format!(
        "{} cannot be read for each item of a list",
        of.name
    ))
}

/// Makes one call. An object that the service does not find has no row.
async fn one(lms: &Lms, of: &'static Collection, parameters: Fill) -> Result<Called, Error> {
    let path: Vec<&str> = of
        .path_parameters
        .iter()
        .filter_map(|name| {
            let mut known = parameters.iter();
            known.find(|(parameter, _)| parameter == name)
        })
        .map(|(_, value)| value.as_str())
        .collect();
    if of.source == CollectionSource::Object {
        let call = call(lms, of.operation, &path).ok_or_else(|| unreadable(of))?;
        let (attempts, items) = match call.await {
            Ok(response) => (response.attempts, vec![(response.value, parameters)]),
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
        });
    }
    let mut walk = pages(lms, of.operation, &path, Vec::new()).ok_or_else(|| unreadable(of))?;
    let mut items = Vec::new();
    let mut found = true;
    loop {
        match walk.try_next().await {
            Ok(Some(page)) => {
                let page = page.items.into_iter();
                items.extend(page.map(|item| (item, parameters.clone())));
            }
            Ok(None) => break,
            Err(error) if error.kind() == TenantErrorKind::NotFound && items.is_empty() => {
                found = false;
                break;
            }
            Err(error) => return Err(failed(error)),
        }
    }
    let summary = walk.summary();
    check_count(of, &path.join(", "), &summary)?;
    Ok(Called {
        items,
        requests: Requests::of(&summary),
        found,
    })
}
