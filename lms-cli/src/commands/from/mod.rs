//! `--from FILE`: a command for each row of a file.
//!
//! All rows, learners and courses are read and checked before anything is written. The ledger records each row before and
//! after it is sent, so that an interrupted run can continue. The results are written to a file at the end.

mod batch;
mod columns;
mod dry_run;
mod earlier;
mod file;
mod results;
mod rows;

use std::path::{Path, PathBuf};

use clap::{ArgMatches, parser::ValueSource};
use lms_plan::{Apply, Ledger, Plan, Status, StepState};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use self::{
    batch::Batch,
    columns::Columns,
    earlier::{Earlier, open_ledger},
    file::{Row, Rows},
    results::{Opened, Results},
};
use super::{
    arguments::verb,
    ending,
    references::{self, Known},
    write::is_idempotent,
};
use crate::{
    args::{given, has},
    calls::{
        Call,
        input::{fields, id},
        label,
        stdin::Stdin,
    },
    context::Context,
    failure::{Failure, conclude},
    jobs::verdict,
    operations::lookup::is_removal,
    output::Printer,
    session::Session,
    terminal::{confirm, until_cancelled},
    wording::count,
};

/// The output of a command for a file.
#[derive(Serialize, JsonSchema)]
pub(crate) struct RowsSummary {
    /// The rows of the file.
    rows: usize,
    /// The number of rows with each result: added, existed, changed, tagged, enrolled, unchanged, removed, absent, failed,
    /// ambiguous, invalid, not sent.
    #[serde(flatten)]
    results: Map<String, Value>,
    /// The rows that ended well in earlier runs and were not sent again. The counts include them.
    earlier: usize,
    /// The file with the result of each row.
    results_file: Option<String>,
}

/// Runs a command for the rows of a file, with the values of the arguments for rows that lack them.
#[expect(clippy::too_many_lines, reason = "the steps of a run, in their order")]
pub(super) async fn run(
    context: &Context,
    matches: &ArgMatches,
    base: Call,
    stdin: &mut Stdin,
) -> Result<(), Failure> {
    let file = given::<String>(matches, "from").unwrap_or_default();
    let printer = Printer::new(context, None)?.of_any();
    let columns = Columns::of(base.command, &verb(base.command), matches)?;
    let content = stdin.or_file(&file, "--from")?;
    let clears = given::<String>(matches, "empty-is").is_some_and(|what| what == "clear");
    let Rows {
        format,
        rows,
        has_secrets,
    } = file::read(context, &content, &columns, &base, clears)?;
    let mut batch = Batch {
        rows,
        known: Known::new(),
        results: None,
    };
    if batch.rows.is_empty() {
        return conclude_rows(context, printer, &batch, &[], None, None);
    }
    // Rows that name the same object in different ways are found when they are looked up.
    batch.refuse_repeated();
    let skip_invalid = matches.get_flag("skip-invalid");
    batch.refuse_invalid(skip_invalid)?;
    let session = Session::open(context).await?;
    let lms = &session.lms;
    let concurrency = session.limits.calls();
    // A results file is for one tenant.
    let command = described(&base, matches);
    let made_by = format!("{} {command}", label::tenant(lms));
    let path = results_path(given(matches, "results"), &file, &base);
    if matches.get_flag("resume") && path.is_none() {
        return Err(Failure::usage("--resume with --from - needs --results"));
    }
    let shown = path.as_ref().map(|path| path.display().to_string());
    // The results identify the run.
    let absolute = path.as_ref().map(std::path::absolute).transpose()?;
    let absolute = absolute.map_or(String::new(), |path| path.display().to_string());
    let content = (!has_secrets).then_some(content.as_slice());
    let texts = batch.rows.iter().map(|row| row.written.as_slice());
    let mut plan = Plan::of_command(format!("{command} --from {file}"), content, texts, absolute);
    let ledger = open_ledger(matches, lms, context.dry_run).await?;
    let earlier = Earlier::of(&ledger, &plan, &batch.rows, (base.command, &command))?;
    let is_open = !earlier.open.is_empty();
    let open =
        |path: &Path, rows: &[Row]| Results::open(path, context.dry_run, (&format, &made_by), rows);
    let (mut endings, mut has_left) = (vec![None; batch.rows.len()], false);
    // Before the lookups, which would not find the objects of removals that succeeded.
    if let Some(path) = path.as_ref().filter(|path| Results::exist(path)) {
        let opened = open(path, &batch.rows)?;
        let is_known = is_open || !opened.are_well || matches.get_flag("resume");
        let mut done = (0..)
            .zip(&opened.endings)
            .filter(|(_, ending)| ending.is_some());
        if has_secrets && !is_known && done.any(|(row, _)| !earlier.overtaken.contains(&row)) {
            return Err(Failure::usage(format!(
                "{} has the results of these rows, but not their secrets, so whether those have changed is not known",
                path.display()
            ))
            .advice("pass --resume to send only the other rows, or --results for another file to send every row"));
        }
        Opened {
            results: batch.results,
            endings,
            has_left,
            ..
        } = opened;
        // Rows that can be repeated are sent again instead: they may have been undone elsewhere.
        if !has_secrets && !is_idempotent(&base) {
            has_left |= earlier.complete_results(&mut endings);
        }
    }
    if !earlier.overtaken.is_empty() {
        context.note(&format!(
            "{} to send again: later runs have undone or changed what the earlier one did",
            count(earlier.overtaken.len(), "row")
        ));
    }
    earlier.complete(&mut endings);
    batch.set_earlier(endings);
    let is_done = !is_open && !has_left && batch.rows.iter().all(Row::is_done);
    if let (Some(path), true) = (&shown, is_done) {
        context.note(&format!(
            "nothing to do: every row ended well in an earlier run (results in {path}; remove that file to send the rows again)"
        ));
        let endings: Vec<_> = batch
            .rows
            .iter()
            .filter_map(|row| row.ending.clone())
            .collect();
        return conclude_rows(context, printer, &batch, &endings, shown, None);
    }
    let names = until_cancelled(batch.look_up(lms, concurrency)).await?;
    names.iter().for_each(|line| context.note(line));
    batch.refuse_invalid(skip_invalid)?;
    plan.steps = rows::steps(&batch);
    let apply = |ledger| Apply {
        concurrency,
        ..Apply::new(lms, ledger)
    };
    if context.dry_run {
        let ledger = Ledger::temporary()?;
        let apply = apply(&ledger);
        let (batch, endings, stopped) = batch.send(context, apply, plan.clone()).await?;
        return match stopped {
            Some(failure) => Err(failure),
            None => dry_run::of_rows(context, printer, &batch, endings, (plan, &ledger)),
        };
    }
    if is_removal(base.command) && batch.unsent().next().is_some() {
        confirm(context, &question(&session, &file, &batch, &base))?;
    }
    if let (None, Some(path)) = (&batch.results, &path) {
        batch.results = open(path, &batch.rows)?.results;
    }
    let (batch, endings, stopped) = batch.send(context, apply(&ledger), plan).await?;
    conclude_rows(context, printer, &batch, &endings, shown, stopped)
}

/// Number of rows whose objects a question names.
const NAMED: usize = 5;

/// The question before a removal, with the first objects.
fn question(session: &Session, file: &str, batch: &Batch, base: &Call) -> String {
    let pending = batch.unsent().count();
    let unsent = batch.unsent().take(NAMED);
    let names = unsent.map(|call| references::label(call, &batch.known));
    let mut names = names.collect::<Vec<_>>().join(", ");
    if let more @ 1.. = pending.saturating_sub(NAMED) {
        names += &format!(" and {more} more");
    }
    let of = count(pending, "row");
    let command = format!("{} for {of} of {file}", base.command.name());
    label::question(session, &command, &names)
}

/// Prints the results of the rows.
fn conclude_rows(
    context: &Context,
    printer: Printer,
    batch: &Batch,
    endings: &[StepState],
    path: Option<String>,
    stopped: Option<Failure>,
) -> Result<(), Failure> {
    let counts = ending::counts(endings);
    let count_of = |is_it: fn(&StepState) -> bool| endings.iter().filter(|it| is_it(it)).count();
    let not_well = count_of(|ending| !ending.status.is_well());
    let ambiguous = count_of(|ending| ending.status == Status::Sent);
    let left = (not_well, ambiguous, batch.rows.len());
    let decided = verdict::of_rows(left, stopped, path.as_deref());
    let note = |rows: usize, says: &str| {
        if rows > 0 {
            context.note(&format!("{} {says}", count(rows, "row")));
        }
    };
    note(
        count_of(ending::has_kept),
        "existed with other values, which were kept; lms_note in the results has them",
    );
    note(
        count_of(StepState::may_be_done),
        "may have been processed by an interrupted attempt, so `lms undo` cannot undo them; lms_note in the results marks them",
    );
    let line = batch.counted(&counts);
    let counts = counts.into_iter();
    let summary = RowsSummary {
        rows: batch.rows.len(),
        results: counts
            .map(|(name, count)| (name.to_owned(), json!(count)))
            .collect(),
        earlier: batch.earlier(),
        results_file: path,
    };
    conclude(decided, printer.summary(context, &line, &summary))
}

/// The results file: the given one, or one next to the input; `None` for rows from stdin.
fn results_path(given: Option<String>, file: &str, call: &Call) -> Option<PathBuf> {
    if let Some(given) = given {
        return Some(given.into());
    }
    let input = (file != "-").then(|| Path::new(file))?;
    let extension = input
        .extension()
        .map_or("csv".into(), |text| text.to_string_lossy());
    // The results of a workbook are text.
    let extension = match extension.to_ascii_lowercase().as_str() {
        "xlsx" | "xlsm" => "csv".into(),
        _ => extension,
    };
    let command = call.command.name().replace(' ', "-");
    Some(input.with_extension(format!("{command}.{extension}")))
}

/// The command with the options that are values of rows, but not secrets.
fn described(call: &Call, matches: &ArgMatches) -> String {
    let mut words = vec![call.command.name()];
    let body = given::<String>(matches, "body");
    words.extend(body.map(|file| format!("--body {file}")));
    for (place, field) in fields(call.command).filter(|(_, field)| !field.secret) {
        let id = id(place, field);
        let given = matches.try_get_many::<String>(&id).ok().flatten();
        if has(matches, &id) && matches.value_source(&id) == Some(ValueSource::CommandLine) {
            let values = given.into_iter().flatten();
            words.extend(values.map(|value| format!("--{} {value}", field.flag)));
        }
    }
    // A line of a results file is one line.
    words.join(" ").replace(['\r', '\n'], " ")
}
