//! The sources of a report: the tenant, the time of the mirror, whether each collection was complete, and the rows that the report
//! leaves out.
//!
//! A row without its person or course is left out and counted, because a reader can do nothing about it, and takes the list
//! for all of them. A question that cannot have an answer is refused.

use std::collections::BTreeSet;

use lms_sync::{ColumnKind, Completeness, CompletenessRecord, age_of, mirror::MirrorReader};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    asked::Asked,
    cache,
    definition::Check,
    names::Chosen,
    row::{NamedRow, each_row},
};
use crate::{exit::Exit, failure::Failure, jobs::freshness};

/// A report and its sources. With `-o json`, its member `rows` has the rows.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Header {
    /// The name of the report.
    report: String,
    /// The base URL of the tenant.
    pub(super) tenant: String,
    /// The id of the tenant, if the service states one.
    pub(super) tenant_id: Option<String>,
    /// The time at which the first of the collections was read, in UTC.
    pub(super) mirrored_at: String,
    /// The time that durations count from, in UTC.
    pub(super) at: String,
    /// The values of the parameters.
    parameters: Map<String, Value>,
    /// `true` if every collection was complete.
    complete: bool,
    /// The completeness record of each collection.
    collections: Vec<CompletenessRecord>,
    /// The records of later runs that failed. The rows of the report are those of `collections`.
    failed: Vec<CompletenessRecord>,
    /// The rows that the report does not have.
    pub(super) left_out: Vec<LeftOut>,
    /// Lines that say which object each name was taken for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
}

/// Rows that a report does not have.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LeftOut {
    /// The number of rows.
    pub(super) rows: i64,
    /// The reason.
    pub(super) because: String,
}

impl Header {
    /// The header of a report on the collections of a mirror. A collection is not complete if its table has other rows than its
    /// record, or if it was read with a filter, unless the report asks for no more than the filter selects.
    ///
    /// # Errors
    ///
    /// Usage, if a collection was never mirrored; `place` names the mirror as on the command line.
    pub(super) fn read(
        asked: &Asked,
        mirror: &mut MirrorReader<'_>,
        chosen: Chosen,
        place: &str,
    ) -> Result<Self, Failure> {
        let (report, mut missing) = (asked.report.name.clone(), asked.report.needed());
        let mut records = mirror.records()?;
        records.retain(|record| missing.contains(&&*record.collection));
        missing.retain(|name| !records.iter().any(|of| of.collection == *name));
        if !missing.is_empty() {
            let names = missing.join(", ");
            let message =
                format!("the mirror does not have {names}, which the report {report} needs");
            return Err(Failure::usage(message).advice(cache::advice(&missing, place)));
        }
        for record in &mut records {
            let (known, filters) = (record.rows, record.filters.iter());
            let filters = filters.filter(|(filter, value)| !chosen.is_selected_by(filter, value));
            let filters =
                filters.map(|(filter, value)| format!("only rows with {filter}={value} were read"));
            let mut because: Vec<String> = filters.collect();
            let sql = format!(
                "SELECT count(*) AS n FROM {} WHERE _deleted_at IS NULL AND _missing_since IS NULL",
                record.collection
            );
            let (rows, _) = count(asked, mirror, &sql, false)?;
            if u64::try_from(rows).ok() != Some(known) {
                because.push(format!(
                    "its table has {rows} rows, and {known} were mirrored; `lms verify` compares them"
                ));
            }
            if !because.is_empty() {
                record.completeness = Completeness::Incomplete;
                record.because.extend(because);
            }
        }
        let failed = mirror.statuses()?.into_iter().filter(|of| {
            let mut needed = records.iter();
            of.written.is_none() && needed.any(|known| known.collection == of.record.collection)
        });
        let failed: Vec<CompletenessRecord> = failed.map(|of| of.record).collect();
        // A file of people is not repeated here.
        let shown = asked.values.iter().filter(|(name, kind, value)| {
            name != "at" && *kind != ColumnKind::Json && !value.is_null()
        });
        let shown = shown.map(|(name, _, value)| Ok((name.clone(), serde_json::to_value(value)?)));
        let first = records.iter().min_by_key(|record| &record.began).cloned();
        Ok(Self {
            report,
            tenant: first.iter().map(|of| &*of.tenant).collect(),
            tenant_id: first.as_ref().and_then(|of| of.tenant_id.clone()),
            mirrored_at: first.into_iter().map(|of| of.began).collect(),
            at: asked.now.to_string(),
            parameters: shown.collect::<Result<_, Failure>>()?,
            complete: records.iter().all(CompletenessRecord::is_complete),
            collections: records,
            failed,
            left_out: Vec::new(),
            notes: chosen.shown,
        })
    }

    /// `true` if every collection was complete.
    pub(super) fn is_complete(&self) -> bool {
        self.complete
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
            "{} of {}, mirrored at {}{}",
            self.report,
            self.tenant,
            self.mirrored_at,
            age_of(&self.mirrored_at).map_or(", in the future: a clock is wrong", |_| "")
        );
        let mut lines = match self.complete {
            true => vec![format!("{line}; every collection is complete")],
            false => vec![
                format!("incomplete: {}", self.incomplete()),
                format!("{line}; not every collection is complete"),
            ],
        };
        lines.extend(self.notes.iter().cloned());
        let left_out = self.left_out.iter();
        lines.extend(left_out.map(|of| format!("left out: {}: {}", of.because, of.rows)));
        lines.extend(self.failed.iter().map(freshness::note_of_failed));
        lines
    }

    /// All lines for people: also the parameters, and each collection.
    pub(super) fn about(&self) -> Vec<String> {
        let parameters = self.parameters.iter();
        let parameters = parameters.map(|(name, value)| format!("{name}: {value}"));
        let sources = self.collections.iter().map(|of| {
            format!(
                "{}: {} rows, {:?}, read from {} to {}",
                of.collection, of.rows, of.completeness, of.began, of.ended
            )
        });
        let at = format!("durations count from {}; times are in UTC", self.at);
        let lines = self.lines().into_iter().chain([at]);
        lines.chain(parameters).chain(sources).collect()
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

/// The place of the names in the sentence of a check whose query has them.
const NAMES: &str = "{names}";

/// Counts the rows that a report does not have.
///
/// # Errors
///
/// Usage, if the question cannot have an answer.
pub(super) fn left_out(
    asked: &Asked,
    mirror: &mut MirrorReader<'_>,
) -> Result<Vec<LeftOut>, Failure> {
    let mut left_out = Vec::new();
    for Check {
        refuses,
        sentence,
        sql,
    } in &asked.report.checks
    {
        let (rows, names) = count(asked, mirror, sql, sentence.contains(NAMES))?;
        let because = sentence.replace(NAMES, &names.join(", "));
        match (rows, refuses) {
            (0, _) => {}
            (_, true) => return Err(Failure::usage(because)),
            (rows, false) => left_out.push(LeftOut { rows, because }),
        }
    }
    Ok(left_out)
}

/// The number in the column `n` of a query, and the texts in its column `name` if it has one.
fn count(
    asked: &Asked,
    mirror: &mut MirrorReader<'_>,
    sql: &str,
    has_names: bool,
) -> Result<(i64, Vec<String>), Failure> {
    let mut columns = vec![("n".to_owned(), ColumnKind::Integer)];
    columns.extend(has_names.then(|| ("name".to_owned(), ColumnKind::Text)));
    let (mut counted, mut names) = (0, BTreeSet::new());
    each_row(mirror, sql, &asked.values, &columns, &mut |row| {
        let row = NamedRow(&columns, &row);
        counted += row.integer("n").unwrap_or_default();
        names.extend(has_names.then(|| row.text("name")));
    })?;
    Ok((counted, names.into_iter().collect()))
}
