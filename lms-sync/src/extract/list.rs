//! Reads the pages of one list, and records the evidence in them.

use lms_ext::{Lms, Page, Pages};

use super::{
    evidence::{Evidence, ListEvidence, ListRules, PageFacts, Sign},
    page::{Fill, RawPage, Requests, values},
    position::{ListPosition, Position},
    reading::Reading,
};
use crate::{
    collection::{Collection, Filters, ForEach, Listing, RawItem, known, listing},
    error::{Error, ErrorKind},
};

/// Reads the pages of one list.
#[derive(Debug)]
pub(super) struct ListPager {
    pages: Pages<RawItem>,
    rules: ListRules,
    evidence: ListEvidence,
    /// Observations before the next page.
    noted: Evidence,
    counted: Requests,
}

impl ListPager {
    /// A list that is read on its own.
    pub(super) fn new(
        lms: &Lms,
        collection: &Collection,
        query: Filters,
        position: &Position,
        rules: ListRules,
    ) -> Result<Self, Error> {
        let pages = list(collection)?(lms, query);
        let list = match position {
            Position::Start => return Ok(Self::of(pages, rules)),
            Position::List(list) => list,
            Position::ForEach(position) => &position.list,
            Position::Parts(_) => {
                return Err(Error::usage(format!(
                    "{} was read in parts, and cannot be resumed as one list",
                    collection.name
                )));
            }
        };
        let pages = pages.resume(&list.checkpoint).map_err(refused)?;
        let mut pager = Self {
            evidence: list.evidence.clone(),
            ..Self::of(pages, rules)
        };
        if list.checkpoint.is_inside_page() {
            pager.noted.note(Sign::PageAgain, || {
                let name = &pager.rules.name;
                format!("a page of {name} that was stored before the run was stopped had to be requested again")
            });
        }
        Ok(pager)
    }

    /// A list of these pages.
    pub(super) fn of(pages: Pages<RawItem>, rules: ListRules) -> Self {
        Self {
            counted: Requests::of(&pages.summary()),
            pages,
            rules,
            evidence: ListEvidence::default(),
            noted: Evidence::default(),
        }
    }

    /// The next page. The last one has the observations of the complete list.
    pub(super) async fn next(&mut self) -> Result<Option<RawPage>, Error> {
        let Some(page) = self.pages.try_next().await.map_err(failed)? else {
            // The rest of the list may be a page whose items were skipped.
            let evidence = std::mem::take(&mut self.noted);
            return Ok((!evidence.is_empty()).then(|| RawPage {
                evidence,
                ..RawPage::default()
            }));
        };
        let is_last = self.pages.checkpoint().is_finished();
        let mut page = observe(page, is_last, &mut self.evidence, &self.rules);
        page.evidence.add(std::mem::take(&mut self.noted));
        Ok(Some(page))
    }

    /// Returns `true` if no page has been read.
    pub(super) fn is_at_start(&self) -> bool {
        self.pages.summary().pages() == 0
    }

    pub(super) fn position(&self) -> ListPosition {
        ListPosition {
            checkpoint: self.pages.checkpoint(),
            evidence: self.evidence.clone(),
        }
    }

    pub(super) fn take_requests(&mut self) -> Requests {
        let now = Requests::of(&self.pages.summary());
        now.since(std::mem::replace(&mut self.counted, now))
    }
}

/// The list of a collection that is not derived.
pub(super) fn list(of: &Collection) -> Result<Listing, Error> {
    listing(of.operation, &[])
        .ok_or_else(|| Error::usage(format!("{} cannot be read on its own", of.name)))
}

/// Adds a page to the observations of its list.
pub(super) fn observe(
    page: Page<RawItem>,
    is_last: bool,
    list: &mut ListEvidence,
    rules: &ListRules,
) -> RawPage {
    let listed = u64::try_from(page.items.len()).unwrap_or(u64::MAX);
    let facts = PageFacts {
        items: listed,
        has_cursor: page.next_cursor.is_some(),
        is_last,
        received: &page.received,
    };
    let (evidence, number_found) = list.page(rules, facts);
    let items = page.items.into_iter();
    RawPage {
        listed,
        items: items.map(|item| (item, Fill::new())).collect(),
        next_cursor: page.next_cursor,
        number_found,
        not_found: 0,
        evidence,
    }
}

/// The result of reading all items of a list.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// The parameters that a collection takes from each item, without repetitions.
    pub(super) values: Vec<Fill>,
    pub(super) evidence: Evidence,
    pub(super) requests: Requests,
}

/// Reads from each item of a list the parameters that a collection takes from it.
pub(super) async fn list_values(
    lms: &Lms,
    of: &Collection,
    each: &ForEach,
    reading: &Reading,
) -> Result<Listed, Error> {
    let list = known(each.collection)?;
    let rules = reading.rules_of_other(list);
    let mut listing = ListPager::new(
        lms,
        list,
        reading.query_of_other(list),
        &Position::Start,
        rules,
    )?;
    let mut listed = Listed::default();
    let mut known = std::collections::HashSet::new();
    while let Some(page) = listing.next().await? {
        listed.evidence.add(page.evidence);
        for (item, _) in &page.items {
            let values = values(of, each, item)?;
            if known.insert(values.clone()) {
                listed.values.push(values);
            } else {
                listed.evidence.note(Sign::ItemTwice, || twice(each));
            }
        }
    }
    listed.requests = listing.take_requests();
    Ok(listed)
}

/// The sentence for an item that a list returned twice.
pub(super) fn twice(each: &ForEach) -> String {
    format!("the list of {} has an item twice", each.collection)
}

/// A request failed.
pub(super) fn failed(error: lms_ext::Error) -> Error {
    let kind = if error.kind() == lms_ext::ErrorKind::Pagination {
        ErrorKind::Incomplete
    } else {
        ErrorKind::Tenant
    };
    Error::new(kind, "reading failed").caused_by(error)
}

/// Returns `true` if the service does not have the requested object.
pub(super) fn is_not_found(error: &Error) -> bool {
    let tenant = error.tenant_error();
    tenant.is_some_and(|error| error.kind() == lms_ext::ErrorKind::NotFound)
}

/// A checkpoint does not fit.
pub(super) fn refused(error: lms_ext::Error) -> Error {
    Error::usage("cannot resume").caused_by(error)
}
