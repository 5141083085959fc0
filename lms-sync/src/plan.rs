//! The plan of a run. A destination stores it, to recognise the run when it is started again.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Display,
    hash::{BuildHasher as _, RandomState},
};

use serde::{Deserialize, Serialize};

use crate::{
    collection::{Collection, collection},
    error::{Error, ErrorKind},
};

/// The arguments of a run that decide which rows it reads and how they are stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Plan {
    /// The identity of the tenant: its `tid`, or the base URL if `GET /oauth/me` returns none.
    pub tenant: String,
    /// `true` if the data of another tenant may be replaced.
    #[serde(skip)]
    pub replace_tenant: bool,
    /// The collections, in the order in which they are read.
    pub collections: Vec<CollectionPlan>,
    /// Options of the extract and of the sink, by name.
    pub options: BTreeMap<String, String>,
}

/// The treatment of an unfinished run in the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// A run with the same arguments continues it, and others are refused.
    Resume,
    Discard,
}

/// A token of a run, or the name of its data: 16 random hexadecimal digits.
pub(crate) fn random_token() -> String {
    format!("{:016x}", RandomState::new().hash_one(()))
}

/// A collection of a [`Plan`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CollectionPlan {
    /// The name.
    pub name: String,
    /// The filters.
    #[serde(default)]
    pub filters: BTreeMap<String, String>,
    /// The filter by which the list is [partitioned](crate::Export::partition_by).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partitioning: Option<String>,
}

impl CollectionPlan {
    /// All rows of a collection.
    #[must_use]
    pub fn new(collection: &Collection) -> Self {
        Self {
            name: collection.name.to_owned(),
            filters: BTreeMap::new(),
            partitioning: None,
        }
    }

    /// The collection; `None` if this version does not know it.
    #[must_use]
    pub fn collection(&self) -> Option<&'static Collection> {
        collection(&self.name)
    }
}

impl Plan {
    /// A plan for a tenant.
    pub fn new(
        tenant: impl Into<String>,
        collections: impl IntoIterator<Item = CollectionPlan>,
    ) -> Self {
        Self {
            tenant: tenant.into(),
            replace_tenant: false,
            collections: collections.into_iter().collect(),
            options: BTreeMap::new(),
        }
    }

    /// Everything that two plans are compared by, with its name in messages.
    fn facts(&self) -> BTreeMap<String, String> {
        let names: Vec<&str> = self.collections.iter().map(|plan| &*plan.name).collect();
        let mut facts = self.options.clone();
        facts.insert("tenant".to_owned(), self.tenant.clone());
        facts.insert("collections".to_owned(), names.join(", "));
        for plan in &self.collections {
            let filters = plan.filters.iter();
            let filters: Vec<_> = filters
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            facts.insert(format!("filters of {}", plan.name), filters.join(" "));
            let partitioning = plan.partitioning.clone().unwrap_or_default();
            facts.insert(format!("parts of {}", plan.name), partitioning);
        }
        facts
    }

    /// Refuses a destination that has the data of another tenant, unless it may be replaced.
    pub(crate) fn check_tenant(&self, other: &str, destination: impl Display) -> Result<(), Error> {
        if other == self.tenant || self.replace_tenant {
            return Ok(());
        }
        Err(ErrorKind::OtherRun.error(format!(
                "{destination} has the data of the tenant {other:?}, and this run reads {:?}; choose another destination, or \
                 run with `replace_tenant()`",
                self.tenant
            )))
    }

    /// Refuses to continue an unfinished run of other arguments.
    pub(crate) fn check(&self, unfinished: &Self, destination: impl Display) -> Result<(), Error> {
        let (before, now) = (unfinished.facts(), self.facts());
        let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
        let differences = names.into_iter().filter_map(|name| {
            let [before, now] = [&before, &now].map(|of| of.get(name).map_or("", String::as_str));
            (before != now).then(|| format!("{name}: it has {before:?}, this run has {now:?}"))
        });
        let differences: Vec<String> = differences.collect();
        if differences.is_empty() {
            return Ok(());
        }
        Err(ErrorKind::OtherRun.error(format!(
                "{destination} has an unfinished run with other arguments ({}); finish it with its own arguments, choose \
                 another destination, or discard it with `discard_unfinished()`",
                differences.join("; ")
            )))
    }
}
