//! The sources of a report: the tenant, the time of the mirror, and whether each collection was complete.

use lms_sync::{Collection, Completeness, CompletenessRecord};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{exit::Exit, failure::Failure};

/// A report and its sources. With `-o json`, its member `rows` has the rows.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Header {
    /// The name of the report.
    pub(super) report: String,
    /// The base URL of the tenant.
    pub(super) tenant: String,
    /// The id of the tenant, if the service states one.
    tenant_id: Option<String>,
    /// When the first of the collections was read, in UTC.
    mirrored_at: String,
    /// The time that durations count from, in UTC.
    pub(super) at: String,
    /// The values of the parameters.
    parameters: Map<String, Value>,
    /// `true` if every collection was complete.
    complete: bool,
    collections: Vec<Source>,
}

/// A collection that a report reads.
#[derive(Serialize, JsonSchema)]
struct Source {
    collection: String,
    /// The completeness of the rows of the mirror.
    completeness: Completeness,
    /// Why it is not complete, a sentence each.
    because: Vec<String>,
    rows: u64,
    /// When the first request was sent, in UTC.
    began: String,
    /// When the last page was read, in UTC.
    ended: String,
}

impl Source {
    fn of(record: CompletenessRecord) -> Self {
        let mut because = record.because;
        let mut completeness = record.completeness;
        if !record.filters.is_empty() {
            let filters = record.filters.iter();
            let filters: Vec<String> = filters
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            because.push(format!("only rows with {} were read", filters.join(", ")));
            completeness = Completeness::Incomplete;
        }
        Self {
            collection: record.collection,
            completeness,
            because,
            rows: record.rows,
            began: record.began,
            ended: record.ended,
        }
    }
}

impl Header {
    /// The header of a report on the collections of a mirror.
    ///
    /// # Errors
    ///
    /// Usage, if one of them was never mirrored; `place` names the mirror as on the command line.
    pub(super) fn new(
        (report, needs): (&str, &[&'static Collection]),
        records: Vec<CompletenessRecord>,
        (at, parameters): (String, Map<String, Value>),
        place: &str,
    ) -> Result<Self, Failure> {
        let has = |known: &Collection| records.iter().any(|record| record.collection == known.name);
        let missing: Vec<&str> = needs
            .iter()
            .filter(|known| !has(known))
            .map(|known| known.name)
            .collect();
        if !missing.is_empty() {
            return Err(Failure::usage(format!(
                "the mirror does not have {}, which {report} needs",
                missing.join(", ")
            ))
            .advice(format!("lms mirror {} --to {place}", missing.join(","))));
        }
        let needed =
            |record: &CompletenessRecord| needs.iter().any(|known| known.name == record.collection);
        let records: Vec<CompletenessRecord> = records.into_iter().filter(needed).collect();
        let first = records.iter().min_by_key(|record| record.began.clone());
        let (tenant, tenant_id, mirrored_at) = first.map_or_else(Default::default, |record| {
            (
                record.tenant.clone(),
                record.tenant_id.clone(),
                record.began.clone(),
            )
        });
        let collections: Vec<Source> = records.into_iter().map(Source::of).collect();
        Ok(Self {
            report: report.to_owned(),
            tenant,
            tenant_id,
            mirrored_at,
            at,
            parameters,
            complete: collections
                .iter()
                .all(|source| source.completeness == Completeness::Complete),
            collections,
        })
    }

    /// The collections that are not complete, each with the reasons.
    fn incomplete(&self) -> Vec<String> {
        let incomplete = self.collections.iter();
        let incomplete = incomplete.filter(|source| source.completeness != Completeness::Complete);
        incomplete
            .map(|source| format!("{} ({})", source.collection, source.because.join("; ")))
            .collect()
    }

    /// Lines for people. Incomplete collections come first.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let complete = if self.complete {
            "every collection is complete"
        } else {
            lines.push(format!("incomplete: {}", self.incomplete().join(", ")));
            "not every collection is complete"
        };
        lines.push(format!(
            "{} of {}, mirrored at {}; {complete}",
            self.report, self.tenant, self.mirrored_at
        ));
        lines
    }

    /// More lines for people: the parameters, and each collection.
    #[cfg(feature = "xlsx")]
    pub(super) fn details(&self) -> Vec<String> {
        let parameters = self.parameters.iter();
        let parameters = parameters.map(|(name, value)| format!("{name}: {value}"));
        let sources = self.collections.iter().map(|source| {
            format!(
                "{}: {} rows, {:?}, read from {} to {}",
                source.collection, source.rows, source.completeness, source.began, source.ended
            )
        });
        let at = format!("durations count from {}; times are in UTC", self.at);
        [at].into_iter().chain(parameters).chain(sources).collect()
    }

    /// The end of the report.
    pub(super) fn verdict(&self) -> Result<(), Failure> {
        if self.complete {
            return Ok(());
        }
        let message = format!(
            "the report rests on incomplete collections: {}",
            self.incomplete().join(", ")
        );
        Err(Failure::of_job((Exit::Partial, "incomplete"), message)
            .advice("run `lms mirror` again; rows may be missing from the report"))
    }
}
