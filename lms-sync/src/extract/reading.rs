//! The request for a collection: filters, page size and parts.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;

use super::{
    budget::Budget,
    evidence::ListRules,
    page::{Fill, Requests},
};
use crate::{
    collection::{Collection, ForEach},
    error::Error,
};

/// The default of [`Export::concurrency`](crate::Export::concurrency).
const CONCURRENCY: usize = 8;

/// The default of [`Export::max_stale_pages`](crate::Export::max_stale_pages).
const MAX_STALE_PAGES: u64 = 1000;

/// Settings for reading a collection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) filters: BTreeMap<String, String>,
    pub(crate) page_size: Option<u32>,
    pub(crate) concurrency: Option<usize>,
    /// Number of pages in a row without a new row after which a list may have no end.
    pub(crate) max_stale_pages: Option<u64>,
    /// The list whose items partition this one.
    pub(crate) partitioning: Option<&'static ForEach>,
    /// `true` if `number_found` says nothing about completeness.
    pub(crate) ignore_count: bool,
    /// `true` if the list had a count in an earlier run.
    pub(crate) was_counted: bool,
    /// `true` if a list that changed each time it was read is accepted.
    pub(crate) accept_changes: bool,
    /// The zone of times that have none.
    pub(crate) zone: Option<TimeZone>,
    /// Its name, as it was given.
    pub(crate) time_zone: Option<String>,
    /// The requests that a derived collection may cost.
    pub(crate) budget: Option<Budget>,
    /// The requests of the extract.
    pub(crate) requests: Requests,
}

impl Reading {
    pub(super) fn concurrency(&self) -> usize {
        self.concurrency.unwrap_or(CONCURRENCY)
    }

    pub(super) fn max_stale_pages(&self) -> u64 {
        self.max_stale_pages.unwrap_or(MAX_STALE_PAGES)
    }

    /// The query of a list: the filters that it has, and the page size.
    pub(super) fn query(&self, of: &Collection) -> Vec<(String, String)> {
        let filters = self.filters.iter();
        let filters = filters.filter(|(name, _)| of.filters.contains(&name.as_str()));
        let mut query: Vec<_> = filters
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if let Some(items) = self.page_size.filter(|_| of.limit) {
            query.push(("limit".to_owned(), items.to_string()));
        }
        query
    }

    /// The known facts about the list of a collection.
    pub(super) fn rules(&self, of: &Collection) -> ListRules {
        ListRules {
            counted: of.counted || self.was_counted,
            ..ListRules::of(of, self.ignore_count)
        }
    }

    /// Returns `true` if the filters select the object with these parameters.
    pub(super) fn selects(&self, parameters: &Fill) -> bool {
        parameters.iter().all(|(name, value)| {
            let chosen = self.filters.get(*name);
            chosen.is_none_or(|chosen| chosen == value)
        })
    }

    /// Refuses a partition that cannot be made or checked.
    pub(crate) fn check(&self, of: &Collection) -> Result<(), Error> {
        let Some(partitioning) = self.partitioning else {
            return Ok(());
        };
        let mut parameters = partitioning.values.iter();
        let reason = if self.ignore_count {
            "the parts are checked against number_found, which is ignored here"
        } else if parameters.any(|(name, _)| self.filters.contains_key(*name)) {
            "it has a filter for one part"
        } else {
            return Ok(());
        };
        Err(Error::usage(format!(
            "{} cannot be read in parts: {reason}; remove one of the two options",
            of.name
        )))
    }
}

/// Refuses a filter that the operation of a collection does not have, and an empty one.
pub(crate) fn check_filter(collection: &Collection, name: &str, value: &str) -> Result<(), Error> {
    let of = collection.name;
    let known = collection.all_filters();
    if !known.contains(&name) {
        let known = match known.as_slice() {
            [] => "it has none".to_owned(),
            known => format!("it has {}", known.join(", ")),
        };
        return Err(Error::usage(format!(
            "{of} has no filter {name:?}; {known}"
        )));
    }
    if value.is_empty() {
        return Err(Error::usage(format!(
            "the filter {name} of {of} is empty, which may match everything; leave it out or give a value"
        )));
    }
    Ok(())
}

/// The list whose items partition a collection by a filter.
pub(crate) fn find_partition(of: &Collection, filter: &str) -> Result<&'static ForEach, Error> {
    let filters = |by: &'static ForEach| by.values.iter().map(|(parameter, _)| *parameter);
    let mut partitions = of.partitions.iter();
    partitions
        .find(|by| filters(by).any(|known| known == filter))
        .ok_or_else(|| {
            let known: Vec<&str> = of.partitions.iter().flat_map(filters).collect();
            let known = match known.as_slice() {
                [] => "no filter".to_owned(),
                known => known.join(", "),
            };
            Error::usage(format!(
                "{} cannot be read in parts by {filter:?}; it can be read in parts by {known}",
                of.name
            ))
        })
}
