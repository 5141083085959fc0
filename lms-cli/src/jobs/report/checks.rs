//! The rows that a report leaves out: a reader takes a list of names for all of them.
//!
//! A row without its person or course is left out and counted, because nobody can act on it. A question that cannot have an
//! answer is refused.

use std::collections::BTreeSet;

use lms_sync::{ColumnKind, mirror::MirrorReader};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    asked::Asked,
    definition::Check,
    row::{NamedRow, each_row},
};
use crate::failure::Failure;

/// Rows that a report does not have.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LeftOut {
    /// The number of rows.
    pub(super) rows: i64,
    /// The reason.
    pub(super) because: String,
}

/// The place of the names in the sentence of a check whose query has them.
const NAMES: &str = "{names}";

/// Counts the rows that a report does not have.
///
/// # Errors
///
/// Usage, if the question cannot have an answer.
pub(super) fn run(asked: &Asked, mirror: &mut MirrorReader<'_>) -> Result<Vec<LeftOut>, Failure> {
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

/// The number of rows of the last list of a collection.
pub(super) fn rows_of(
    asked: &Asked,
    mirror: &mut MirrorReader<'_>,
    collection: &str,
) -> Result<i64, Failure> {
    let sql = format!(
        "SELECT count(*) AS n FROM {collection} WHERE _deleted_at IS NULL AND _missing_since IS NULL"
    );
    Ok(count(asked, mirror, &sql, false)?.0)
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
