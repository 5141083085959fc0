//! Reads the pages of one list, and records the evidence in them.

use lms_ext::{Page, Pages};

use super::{
    evidence::{Evidence, ListEvidence, ListRules, PageFacts, Sign},
    extract_position::ListPosition,
    page::{Fill, RawPage, Requests, Tries},
};
use crate::{
    collection::RawItem,
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
    requests: Requests,
}

impl ListPager {
    pub(super) fn new(pages: Pages<RawItem>, rules: ListRules, requests: &Requests) -> Self {
        Self {
            // The evidence compares the list with its count.
            pages: pages.ignore_number_found(),
            rules,
            evidence: ListEvidence::default(),
            noted: Evidence::default(),
            requests: requests.clone(),
        }
    }

    /// Continues after a position.
    pub(super) fn resume(mut self, position: &ListPosition) -> Result<Self, Error> {
        self.pages = self.pages.resume(&position.checkpoint).map_err(refused)?;
        self.evidence = position.evidence.clone();
        if position.checkpoint.is_inside_page() {
            page_again(&mut self.noted, &self.rules.name);
        }
        Ok(self)
    }

    /// The next page. The last one has the observations of the complete list.
    pub(super) async fn next(&mut self) -> Result<Option<RawPage>, Error> {
        let (mut tries, before) = (Tries::default(), self.pages.summary());
        let page = loop {
            match self.pages.try_next().await {
                Err(error) if tries.again(&error) => {}
                page => break page,
            }
        };
        let now = self.pages.summary();
        self.requests.add(
            now.requests() - before.requests(),
            now.pages() - before.pages(),
        );
        let page = page.map_err(failed)?;
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
        evidence,
        ..RawPage::default()
    })
}

/// Notes that the rows of a page are stored, and that it is requested again.
pub(super) fn page_again(evidence: &mut Evidence, list: &str) {
    evidence.note(Sign::PageAgain, || {
        format!(
            "a page of {list} that was stored before the run was stopped had to be requested again"
        )
    });
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

/// A checkpoint does not fit.
pub(super) fn refused(error: lms_ext::Error) -> Error {
    Error::usage("cannot resume").with_source(error)
}
