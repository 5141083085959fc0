//! Exports the rows of a mirror, without a request to the tenant.

use super::{Outcome, RunSummary};
use crate::{
    collection::{Collection, Row, known},
    error::{Error, ErrorKind},
    extract::Batch,
    mirror::{Mirror, MirrorReader},
    plan::{CollectionPlan, Plan},
    protocol::{CollectionState, Lookups, Sink},
    record::{CompletenessRecord, RowsDigest},
};

/// Number of rows that are passed on at once.
const ROWS: usize = 1_000;

/// Writes collections of a mirror into a sink, as they are at one moment: the rows of the last list that was committed, each
/// collection with the completeness record of that reading. The columns, the values and `rows_sha256` are those of an
/// export of the tenant.
///
/// Blocks. No request is sent. A run that was interrupted is repeated from its start.
///
/// # Errors
///
/// [`Usage`](ErrorKind::Usage) if there is no such collection, or the mirror has none that is complete; those of
/// [`Export::run`](crate::Export::run) for the sink. The error of a collection is in its [`Outcome`]: for example
/// [`Damaged`](ErrorKind::Damaged) if the rows are not those of the record.
pub fn export_mirror<'a>(
    mirror: &Mirror,
    names: impl IntoIterator<Item = &'a str>,
    mut sink: impl Sink,
) -> Result<RunSummary, Error> {
    let names: Vec<&str> = names.into_iter().collect();
    let (Some(tenant), false) = (mirror.overview()?.tenant, names.is_empty()) else {
        return Err(Error::usage(
            "the mirror has no complete collection; mirror one first",
        ));
    };
    mirror.read(|reader| {
        let records = reader.records()?;
        let chosen = names.into_iter().map(|name| {
            let collection = known(name)?;
            let mut complete = records.iter().filter(|record| record.collection == name);
            let record = complete.next().ok_or_else(|| {
                Error::usage(format!(
                    "the mirror has no complete {name}; mirror it first"
                ))
            })?;
            Ok((collection, record.clone()))
        });
        let chosen = chosen.collect::<Result<Vec<_>, Error>>()?;
        let plans = chosen
            .iter()
            .map(|(collection, _)| CollectionPlan::new(collection));
        let mut plan = Plan::new(tenant, plans);
        plan.options
            .insert("source".to_owned(), "a mirror".to_owned());
        let states = sink.begin(&plan)?;
        let mut summary = RunSummary::default();
        for ((collection, record), state) in chosen.into_iter().zip(states) {
            if state != CollectionState::Fresh {
                sink.restart(collection)?;
            }
            let error = write(reader, &mut sink, collection, &record).err();
            summary.collections.push(Outcome {
                collection,
                record,
                error: None,
            });
            if let Some(error) = error {
                refuse(&mut summary, &mut sink, collection, error)?;
            }
        }
        for (collection, error) in sink.publish()? {
            refuse(&mut summary, &mut sink, collection, error)?;
        }
        sink.end()?;
        Ok(summary)
    })
}

/// Aborts a collection because of an error.
fn refuse(
    summary: &mut RunSummary,
    sink: &mut impl Sink,
    collection: &'static Collection,
    error: Error,
) -> Result<(), Error> {
    let record = summary.refuse(collection, error);
    record.map_or(Ok(()), |record| sink.abort(collection, &record))
}

/// Writes the rows of a collection, and commits them if they are those of the record.
fn write(
    reader: &mut MirrorReader<'_>,
    sink: &mut impl Sink,
    collection: &'static Collection,
    record: &CompletenessRecord,
) -> Result<(), Error> {
    let mut digest = RowsDigest::default();
    let mut rows: Vec<Row> = Vec::new();
    let mut stored = Ok(());
    reader.visit_rows(collection, &mut |row| {
        digest.add(&row);
        rows.push(row);
        if rows.len() == ROWS && stored.is_ok() {
            stored = sink.store(Batch::of_rows(collection, std::mem::take(&mut rows)));
        }
    })?;
    stored?;
    if digest != record.rows_sha256 {
        return Err(ErrorKind::Damaged.error(format!(
                "the rows of {} in the mirror are not those of its completeness record; `lms verify` shows the differences",
                collection.name
            )));
    }
    sink.store(Batch::of_rows(collection, rows))?;
    sink.commit(collection, record, Lookups::new())
}
