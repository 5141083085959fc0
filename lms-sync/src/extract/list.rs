//! Reads the pages of one list, and records the evidence in them.

use lms_ext::{Lms, Page, Pages};

use super::{
    evidence::{Evidence, ListEvidence, ListRules, PageFacts, Sign},
    extract_position::ListPosition,
    page::{Fill, RawPage, Requests, Tries},
};
use crate::{
    collection::{Collection, Filters, Listing, RawItem, listing},
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
        position: Option<&ListPosition>,
        rules: ListRules,
    ) -> Result<Self, Error> {
        let pages = list(collection)?(lms, query);
        let Some(position) = position else {
            return Ok(Self::of(pages, rules));
        };
        let pages = pages.resume(&position.checkpoint).map_err(refused)?;
        let mut pager = Self {
            evidence: position.evidence.clone(),
            ..Self::of(pages, rules)
        };
        if position.checkpoint.is_inside_page() {
            pager.noted.note(Sign::PageAgain, || {
                let name = &pager.rules.name;
                format!("a page of {name} that was stored before the run was stopped had to be requested again")
            });
        }
        Ok(pager)
    }

    /// Accepts any number of pages, because the extract counts those without a new row.
    pub(super) fn bounded_by_rows(mut self) -> Self {
        self.pages = self.pages.max_stale_pages(u64::MAX);
        self
    }

    /// A list of these pages.
    pub(super) fn of(pages: Pages<RawItem>, rules: ListRules) -> Self {
        // The evidence compares the list with its count.
        let pages = pages.ignore_number_found();
        let pages = pages.recognise_pages(|item| item.get().as_bytes());
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
        let mut tries = Tries::default();
        let page = loop {
            match self.pages.try_next().await {
                Err(error) if tries.again(&error) => {}
                page => break page.map_err(failed)?,
            }
        };
        let Some(page) = page else {
            // The rest of the list may be a page whose items were skipped.
            let evidence = std::mem::take(&mut self.noted);
            return Ok((!evidence.is_empty()).then(|| RawPage {
                evidence,
                ..RawPage::default()
            }));
        };
        let is_last = self.pages.checkpoint().is_finished();
        let mut page = observe(page, is_last, &mut self.evidence, &self.rules)?;
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

/// Adds a page to the observations of its list. Fails if the list may have no end.
pub(super) fn observe(
    page: Page<RawItem>,
    is_last: bool,
    list: &mut ListEvidence,
    rules: &ListRules,
) -> Result<RawPage, Error> {
    let listed = u64::try_from(page.items.len()).unwrap_or(u64::MAX);
    let facts = PageFacts {
        items: listed,
        has_cursor: page.next_cursor.is_some(),
        is_last,
        received: &page.received,
    };
    let (evidence, number_found) = list.page(rules, facts);
    if list.is_endless() {
        return Err(ErrorKind::Incomplete.error(format!(
                "{} may have no end: it has more than twice the items that the service counts; start the run again, or ignore \
                 `number_found` if the count is wrong",
                rules.name
            )));
    }
    let items = page.items.into_iter();
    Ok(RawPage {
        listed,
        items: items.map(|item| (item, Fill::new())).collect(),
        number_found,
        not_found: 0,
        evidence,
    })
}

/// A request failed.
pub(super) fn failed(error: lms_ext::Error) -> Error {
    let kind = if matches!(
        error.kind(),
        lms_ext::ErrorKind::Pagination | lms_ext::ErrorKind::Mismatch
    ) {
        ErrorKind::Incomplete
    } else {
        ErrorKind::Tenant
    };
    Error::new(kind, "reading failed").with_source(error)
}

/// Returns `true` if the service does not have the requested object.
pub(super) fn is_not_found(error: &Error) -> bool {
    let tenant = error.tenant_error();
    tenant.is_some_and(|error| error.kind() == lms_ext::ErrorKind::NotFound)
}

/// A checkpoint does not fit.
pub(super) fn refused(error: lms_ext::Error) -> Error {
    Error::usage("cannot resume").with_source(error)
}
