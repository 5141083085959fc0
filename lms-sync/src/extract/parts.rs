//! Reads a list in parts, several of them concurrently: for example the enrolments of each course.
//!
//! [`Parts`] reads and counts the parts. The counts come first: if they do not add up to the list, it is read without parts.
//! After the last part, the counts are evidence: if they add up to the count of the complete list, no row that existed all the
//! time is missing.
//!
//! The pages of the parts alternate in a fixed order, so rows come in the same order whenever the same parts are read.

use std::collections::BTreeMap;

use lms_ext::{
    Lms,
    concurrent::{PartPage, Parts},
};

use super::{
    checkpoint::PartsPosition,
    evidence::{Evidence, ListRules, Sign},
    list::{observe, refused},
    page::{RawItem, RawPage, Requests, Tries, failed, request, values},
    reading::Reading,
};
use crate::{
    collection::{Collection, ForEach, known},
    error::Error,
};

#[derive(Debug)]
pub(super) struct PartsPager {
    rules: ListRules,
    parts: Parts<RawItem>,
    /// The position, except the checkpoint of `parts`.
    at: PartsPosition,
    requests: Requests,
    /// The requests and responses of `parts` that are counted.
    counted: [u64; 2],
}

impl PartsPager {
    pub(super) fn new(
        lms: &Lms,
        of: &'static Collection,
        by: &'static ForEach,
        reading: &Reading,
    ) -> Result<Self, Error> {
        let unreadable = || Error::usage(format!("{} cannot be read in parts", of.name));
        let [(parameter, _)] = by.values else {
            return Err(unreadable());
        };
        let others = request(lms, known(by.collection)?.operation, &[], &[])?;
        let whole = request(lms, of.operation, &[], &reading.query(of))?;
        let parts = Parts::new(
            lms,
            move |_| others.clone().pages(),
            move |item: RawItem| Some(values(of, by, &item).ok()?.swap_remove(0).1),
            move |_, part| match part {
                Some(part) => whole.clone().query(parameter, part).pages(),
                None => whole.clone().pages(),
            },
        );
        let parts = parts
            .ignore_number_found()
            .concurrency(reading.concurrency());
        Ok(Self {
            rules: reading.rules(of),
            at: PartsPosition {
                checkpoint: parts.checkpoint(),
                lists: BTreeMap::new(),
                number_found: None,
                ended: false,
            },
            parts,
            requests: reading.requests.clone(),
            counted: [0; 2],
        })
    }

    /// Continues after a position.
    pub(super) fn resume(mut self, position: PartsPosition) -> Result<Self, Error> {
        let checkpoint = position.checkpoint.clone();
        self.parts = self.parts.resume(checkpoint).map_err(refused)?;
        self.at = position;
        Ok(self)
    }

    /// The reason for reading the list without parts.
    pub(super) async fn why_not(&mut self) -> Result<Option<String>, Error> {
        let counts = self.parts.count().await.map_err(failed)?;
        self.at.number_found = counts.before.and_then(|count| u64::try_from(count).ok());
        Ok((!counts.add_up()).then(|| counts.to_string()))
    }

    pub(super) async fn next(&mut self) -> Result<Option<RawPage>, Error> {
        let mut tries = Tries::default();
        let page = loop {
            match self.parts.next_page().await {
                Err(error) if tries.again(&error) => {}
                page => break page.map_err(failed)?,
            }
        };
        match page {
            Some(page) => self.page(page).map(Some),
            None if self.at.ended => Ok(None),
            None => self.end().await.map(Some),
        }
    }

    /// A page of a part, with its observations.
    fn page(&mut self, next: PartPage<RawItem>) -> Result<RawPage, Error> {
        let list = self.at.lists.entry(next.part.clone()).or_default();
        let rules = ListRules {
            name: format!("{} of {}", self.rules.name, next.part),
            ..self.rules.clone()
        };
        let mut page = observe(next.page, next.is_last, list, &rules)?;
        if next.is_last {
            self.at.lists.remove(&next.part);
        }
        page.number_found = self.at.number_found;
        Ok(page)
    }

    /// Compares the counts at the end. The last page has no items and the number of the list.
    async fn end(&mut self) -> Result<RawPage, Error> {
        let counts = self.parts.count().await.map_err(failed)?;
        self.at.ended = true;
        let mut evidence = Evidence::default();
        let name = &self.rules.name;
        let number_found = counts.after.and_then(|count| u64::try_from(count).ok());
        if number_found != self.at.number_found {
            evidence.note(Sign::CountChanged, || {
                format!("the count of {name} changed while its parts were read")
            });
        }
        if !counts.add_up() {
            evidence.note(Sign::NotCovered, || {
                format!("{counts}, so rows of {name} may be in none of them")
            });
        }
        Ok(RawPage {
            number_found,
            evidence,
            ..RawPage::default()
        })
    }

    pub(super) fn position(&self) -> PartsPosition {
        PartsPosition {
            checkpoint: self.parts.checkpoint(),
            ..self.at.clone()
        }
    }

    /// Counts the requests since the last call.
    pub(super) fn count_requests(&mut self) {
        let (now, [sent, responses]) = (self.parts.progress(), self.counted);
        self.requests
            .add(now.requests - sent, now.responses - responses);
        self.counted = [now.requests, now.responses];
    }

    /// The number of parts that were read.
    pub(super) fn parts(&self) -> u64 {
        self.parts.progress().finished
    }
}
