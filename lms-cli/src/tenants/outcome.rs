//! The result of the work for each tenant, and the exit code of a command for several tenants.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    context::Context,
    exit::Exit,
    failure::{self, Failure},
    output::{Printer, TableFields},
    profile::config::write_private,
    selection::Selection,
    wording::count,
};

/// The end of the work for a tenant.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) row: TenantOutcome,
    pub(crate) decided: Result<(), Failure>,
}

/// The cost of reading a tenant, without requests for tokens.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Cost {
    /// The requests for pages and objects, retries included.
    pub(crate) requests: u64,
    /// Number of the requests that were retries.
    pub(crate) retries: u64,
    /// The bytes of the items that were read, as JSON text.
    pub(crate) bytes: u64,
}

/// The result of a command for a tenant.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct TenantOutcome {
    /// The name of the profile.
    tenant: String,
    /// The rows that were read, or those of the destination of a tenant that was skipped. Null if another process holds it.
    rows: Option<u64>,
    /// Rows that were inserted, updated or deleted; null if the destination has no single rows.
    pub(crate) changes: Option<u64>,
    /// `true` if everything is complete and stored, by this command or before. Null if another process holds the destination.
    pub(crate) complete: Option<bool>,
    /// With `lms status`, how long ago the oldest collection was read; null without one.
    pub(crate) age: Option<String>,
    /// The reason for skipping the tenant: another process holds the destination, or it is fresh. Null otherwise.
    pub(crate) skipped: Option<String>,
    /// The message of the error; null if there was none.
    error: Option<String>,
    /// The duration in seconds.
    seconds: f64,
    #[serde(flatten)]
    pub(crate) cost: Cost,
    /// The result for each collection, as the command prints it for one tenant.
    #[schemars(with = "Vec<serde_json::Value>")]
    pub(crate) collections: Vec<Box<RawValue>>,
}

impl Ended {
    /// The work was done, completely or in part.
    pub(crate) fn of_rows(rows: u64, decided: Result<(), Failure>) -> Self {
        let row = TenantOutcome {
            rows: Some(rows),
            complete: Some(decided.is_ok()),
            ..TenantOutcome::default()
        };
        Self { row, decided }
    }

    /// There was nothing to do. `stored` has the rows of the destination, and whether they are complete; `None` if another
    /// process is writing them.
    pub(crate) fn skipped(reason: String, stored: Option<(u64, bool)>) -> Self {
        let mut ended = Self::of_rows(0, Ok(()));
        (ended.row.rows, ended.row.complete) = stored.unzip();
        ended.row.skipped = Some(reason);
        ended
    }

    /// With the name of the tenant, and the message of the error.
    pub(super) fn of(mut self, context: &Context, time: Duration) -> Self {
        self.row.tenant = context.tenant.clone().unwrap_or_default();
        self.row.seconds = (time.as_secs_f64() * 1000.0).round() / 1000.0;
        let error = self.decided.as_ref().err();
        self.row.error = error.map(|failure| failure.message().to_owned());
        self
    }

    /// A tenant that was not begun before the command was stopped.
    pub(super) fn not_begun(context: &Context) -> Self {
        let stopped = Failure::cancelled("stopped before it was begun");
        Self::of_rows(0, Err(stopped)).of(context, Duration::ZERO)
    }

    /// Writes a line about how it ended. `--quiet` does not hide errors.
    pub(super) fn note(&self, context: &Context) {
        let row = &self.row;
        match (&row.error, &row.skipped) {
            (Some(error), _) => context.line(&format!("error: {error}")),
            (None, Some(reason)) => context.note(&format!("skipped: {reason}")),
            (None, None) => {
                let rows = count(row.rows.unwrap_or_default(), "row");
                let changes = row.changes.map(|changes| count(changes, "change") + ", ");
                let changes = changes.unwrap_or_default();
                context.note(&format!("{rows}, {changes}{:.1} s", row.seconds));
            }
        }
    }
}

/// The columns of a table of the results.
pub(crate) const SUMMARY: &[&str] = &["tenant", "rows", "changes", "complete", "seconds"];

/// Ends a command for several tenants: partial if one failed. Writes the outcomes to their file, and prints them in a table with
/// these columns, if it has some.
pub(crate) fn conclude(
    context: &Context,
    selection: &Selection,
    mut outcomes: Vec<Ended>,
    columns: &[&str],
) -> Result<(), Failure> {
    outcomes.sort_by(|a, b| a.row.tenant.cmp(&b.row.tenant));
    let rows: Vec<&TenantOutcome> = outcomes.iter().map(|outcome| &outcome.row).collect();
    let failures = outcomes
        .iter()
        .filter_map(|ended| ended.decided.as_ref().err());
    let failures: Vec<Exit> = failures.map(Failure::exit).collect();
    let (failed, all) = (failures.len(), rows.len());
    let message = format!("{failed} of {all} tenants are not complete");
    let decided = if failures.contains(&Exit::Cancelled) {
        Err(Failure::cancelled(format!("stopped: {message}"))
            .advice("run the same command again to resume"))
    } else if failed == 0 {
        Ok(())
    } else if failures == vec![Exit::Usage; all] {
        Err(Failure::usage(message).advice("each error is above with its tenant"))
    } else {
        Err(Failure::of_job((Exit::Partial, "partial"), message)
            .advice("each error is above with its tenant; the same command continues where it can"))
    };
    let written = selection.outcomes.as_ref().map_or(Ok(()), |file| {
        let json = serde_json::to_string_pretty(&rows)?;
        write_private(file.as_ref(), &format!("{json}\n"))
    });
    let decided = failure::conclude(decided, written);
    if columns.is_empty() {
        return decided;
    }
    let fields = TableFields {
        columns,
        // Long texts, which nothing truncates there.
        below: &["skipped", "error"],
    };
    let printer = Printer::new(context, None).map(|printer| printer.in_tables(fields));
    failure::conclude(decided, printer.and_then(|printer| printer.rows_of(&rows)))
}
