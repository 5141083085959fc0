//! Reads the pages of one list, and records the evidence in them.

use lms_ext::{Page, Pages};

use super::{
    checkpoint::ListPosition,
    evidence::{ListEvidence, ListRules},
    page::{Fill, RawItem, RawPage, Requests, Tries, failed},
};
use crate::error::{Error, ErrorKind};

/// Reads the pages of one list.
#[derive(Debug)]
pub(super) struct ListPager {
    pages: Pages<RawItem>,
    rules: ListRules,
    evidence: ListEvidence,
    requests: Requests,
}

impl ListPager {
    pub(super) fn new(pages: Pages<RawItem>, rules: ListRules, requests: &Requests) -> Self {
        Self {
            // The evidence compares the list with its count.
            pages: pages.ignore_number_found(),
            rules,
            evidence: ListEvidence::default(),
            requests: requests.clone(),
        }
    }

    /// Continues after a position.
    pub(super) fn resume(mut self, position: &ListPosition) -> Result<Self, Error> {
        self.pages = self.pages.resume(&position.checkpoint).map_err(refused)?;
        self.evidence = position.evidence.clone();
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
        let Some(page) = page.map_err(failed)? else {
            return Ok(None);
        };
        let is_last = self.pages.checkpoint().is_finished();
        observe(page, is_last, &mut self.evidence, &self.rules).map(Some)
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
    let items = page.items.len() as u64;
    let (evidence, number_found) = list.page(rules, items, &page.received, is_last);
    if list.is_endless() {
        return Err(ErrorKind::Incomplete.error(format!(
                "{} may have no end: it has more than twice the items that the service counts; start the run again, or ignore \
                 `number_found` if the count is wrong",
                rules.name
            )));
    }
    let items = page.items.into_iter();
    Ok(RawPage {
        items: items.map(|item| (item, Fill::new())).collect(),
        number_found,
        evidence,
        ..RawPage::default()
    })
}

/// A checkpoint does not fit.
pub(super) fn refused(error: lms_ext::Error) -> Error {
    Error::usage("cannot resume").with_source(error)
}
