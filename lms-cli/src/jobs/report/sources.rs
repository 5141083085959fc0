//! The sources of a report: the tenant, the time of the mirror, and whether each collection was complete.

use lms_sync::{Collection, Completeness, CompletenessRecord};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{exit::Exit, failure::Failure};

/// A report and its sources. With `-o json`, its member `rows` has the rows.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Header {
    /// The name of the report.
    report: String,
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
    /// The completeness record of each collection.
    collections: Vec<CompletenessRecord>,
}

impl Header {
    /// The header of a report on the collections of a mirror. A collection that was read with a filter is not complete, unless
    /// `is_asked` says that the report asks for no more than the filter selects.
    ///
    /// # Errors
    ///
    /// Usage, if a collection was never mirrored; `place` names the mirror as on the command line.
    pub(super) fn new(
        (report, needs): (&str, &[&'static Collection]),
        mut records: Vec<CompletenessRecord>,
        is_asked: impl Fn(&str, &str) -> bool,
        (at, parameters): (String, Map<String, Value>),
        place: &str,
    ) -> Result<Self, Failure> {
        let missing = needs
            .iter()
            .filter(|known| !records.iter().any(|of| of.collection == known.name));
        let missing: Vec<&str> = missing.map(|known| known.name).collect();
        if !missing.is_empty() {
            return Err(Failure::usage(format!(
                "the mirror does not have {}, which {report} needs",
                missing.join(", ")
            ))
            .advice(format!("lms mirror {} --to {place}", missing.join(","))));
        }
        records.retain(|of| needs.iter().any(|known| known.name == of.collection));
        for record in &mut records {
            for (name, value) in &record.filters {
                if !is_asked(name, value) {
                    record.completeness = Completeness::Incomplete;
                    let sentence = format!("only rows with {name}={value} were read");
                    record.because.push(sentence);
                }
            }
        }
        let first = records.iter().min_by_key(|record| &record.began).cloned();
        Ok(Self {
            report: report.to_owned(),
            tenant: first.iter().map(|of| &*of.tenant).collect(),
            tenant_id: first.as_ref().and_then(|of| of.tenant_id.clone()),
            mirrored_at: first.into_iter().map(|of| of.began).collect(),
            at,
            parameters,
            complete: records.iter().all(CompletenessRecord::is_complete),
            collections: records,
        })
    }

    /// The collections that are not complete, each with the reasons.
    fn incomplete(&self) -> String {
        let incomplete = self.collections.iter().filter(|of| !of.is_complete());
        let incomplete: Vec<String> = incomplete
            .map(|of| format!("{} ({})", of.collection, of.because.join("; ")))
            .collect();
        incomplete.join(", ")
    }

    /// Lines for people. Incomplete collections come first.
    pub(super) fn lines(&self) -> Vec<String> {
        let line = format!(
            "{} of {}, mirrored at {}",
            self.report, self.tenant, self.mirrored_at
        );
        match self.complete {
            true => vec![format!("{line}; every collection is complete")],
            false => vec![
                format!("incomplete: {}", self.incomplete()),
                format!("{line}; not every collection is complete"),
            ],
        }
    }

    /// More lines for people: the parameters, and each collection.
    #[cfg(feature = "xlsx")]
    pub(super) fn details(&self) -> Vec<String> {
        let parameters = self.parameters.iter();
        let parameters = parameters.map(|(name, value)| format!("{name}: {value}"));
        let sources = self.collections.iter().map(|of| {
            format!(
                "{}: {} rows, {:?}, read from {} to {}",
                of.collection, of.rows, of.completeness, of.began, of.ended
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
        let incomplete = self.incomplete();
        let message = format!("the report rests on incomplete collections: {incomplete}");
        Err(Failure::of_job((Exit::Partial, "incomplete"), message)
            .advice("run `lms mirror` again; rows may be missing from the report"))
    }
}
