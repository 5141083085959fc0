//! `import apply`: sends a plan.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::{
    ArgAction, ArgMatches, Command,
    builder::{PossibleValuesParser, RangedU64ValueParser},
};
use lms_plan::{Applied, Apply, Group, Plan, RecordedStep, Status, Step, StepState};
use lms_sync::tenant_id;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::{
    Context, Failure,
    file::{given, path},
    show, write_private,
};
use crate::{
    args::{self, text, yes},
    calls::{label, stdin::Stdin},
    exit::Exit,
    failure::conclude,
    ledger,
    output::Printer,
    progress::Progress,
    session::Session,
    signal::stop_signal,
    spreadsheet::Form,
    terminal::confirm,
    wording::{count, of_commands, quoted},
};

/// The result of applying a plan.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AppliedPlan {
    /// The number of the run, for `lms history show`.
    run: i64,
    /// The number of steps of the plan with each status: done, unneeded, conflict, failed, sent, planned.
    steps: BTreeMap<Status, usize>,
    /// The file with the rows of the people whose steps did not end well, in the form of the input.
    failed_file: Option<String>,
}

pub(super) fn command() -> Command {
    let number = RangedU64ValueParser::<usize>::new().range(1..);
    let plan = "The plan, written by `lms import plan` or `lms undo`";
    let approve = "Approve the plan with this hash, although it is held";
    let limit = "Maximum number of people to process; the same command continues with the others";
    let only = "Process only these people: create, change, leave";
    let errors = "Number of people who failed after which the run stops";
    let failed = "File for the rows of the people who failed [default: next to the plan]";
    Command::new("apply")
        .about("Apply a plan, or continue one that was stopped")
        .arg(path("plan", "PLAN", plan))
        .arg(yes("Do not ask for confirmation"))
        .arg(text("approve", "HASH", approve))
        .arg(text("limit", "N", limit).value_parser(number))
        .arg(
            text("only", "GROUPS", only)
                .value_delimiter(',')
                .action(ArgAction::Append)
                .value_parser(PossibleValuesParser::new(Group::ALL.map(Group::name))),
        )
        .arg(text("max-errors", "N", errors).value_parser(number))
        .arg(args::file("failed", "FILE", failed))
        .arg(ledger::state())
}

pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let path = given(matches, "plan");
    let text = Stdin::of(context).or_text_file(path, "plan")?;
    let plan = Plan::parse(&text).map_err(|error| Failure::from(error).of(path))?;
    let approved = matches.get_one::<String>("approve");
    let command = format!(
        "lms import apply {}{}",
        quoted(path),
        ledger::options(context, matches)
    );
    let refused = plan.check_approval(approved.map(String::as_str));
    refused.map_err(|error| {
        Failure::from(error).advice(format!(
            "look at `lms import plan` again; to apply exactly this plan: {command} --approve {}",
            plan.hash
        ))
    })?;
    let session = Session::of_job(context).await?;
    let lms = &session.lms;
    // Before the ledger is opened, which is for one tenant.
    plan.check_tenant(&tenant_id(lms).await?)?;
    let ledger = ledger::open(matches, lms, &plan.tenant)?;
    if !plan.is_empty() {
        let question = format!("apply {path}");
        confirm(
            context,
            &label::question(&session, &question, &show::summary(&plan)),
        )?;
    }
    let plan = Arc::new(plan);
    let people = plan.people().count();
    let progress = Progress::of_writes(context, people as u64);
    let report =
        |_: &[Step], _: &[StepState], left: usize| progress.set((people - left) as u64, None);
    let only: Vec<&String> = matches.get_many("only").into_iter().flatten().collect();
    let mut groups = Group::ALL.to_vec();
    groups.retain(|group| only.iter().any(|name| *name == group.name()));
    let apply = Apply {
        approved: approved.cloned(),
        limit: matches.get_one("limit").copied(),
        only: groups,
        max_errors: matches.get_one("max-errors").copied(),
        concurrency: session.limits.calls(),
        ..Apply::new(lms, &ledger)
    };
    let applied = apply.run(Arc::clone(&plan), report, stop_signal()).await?;
    drop(progress);
    note_failures(context, &applied);
    let file = failed_file(matches, path, &plan, &applied.failures)?;
    let printed = print(context, &applied, file);
    conclude(decided(context, applied, &command), printed)
}

/// Names each person whose steps did not all end well.
fn note_failures(context: &Context, applied: &Applied) {
    for failed in &applied.failures {
        let step = &failed.step;
        context.note(&format!(
            "line {}, {}: {} {}: {}",
            step.line,
            step.name,
            step.action.name(),
            failed.state.status.name(),
            of_commands(&failed.state.reason)
        ));
    }
}

fn print(context: &Context, applied: &Applied, failed_file: Option<String>) -> Result<(), Failure> {
    let run = applied.run;
    let mut steps = BTreeMap::new();
    for state in &applied.states {
        *steps.entry(state.status).or_default() += 1;
    }
    let counts = steps
        .iter()
        .map(|(status, number)| format!("{} {number}", status.name()));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let line = match applied.was_finished {
        true if counts.is_empty() => "nothing to do: the plan is empty".to_owned(),
        true => format!("nothing to do: run {run} has ended ({counts})"),
        false => format!("run {run}: {counts}"),
    };
    let result = AppliedPlan {
        run,
        steps,
        failed_file,
    };
    Printer::new(context, None)?
        .of_any()
        .summary(context, &line, &result)
}

fn decided(context: &Context, applied: Applied, command: &str) -> Result<(), Failure> {
    let planned = applied.count(Status::Planned);
    let left = planned + applied.count(Status::Sent) + applied.count(Status::Failed);
    let again = match left {
        0 => "what is not as the plan expects needs a new plan".to_owned(),
        _ => format!(
            "the same command continues, and looks up steps that may have been sent: {command}"
        ),
    };
    if let Some(error) = applied.stopped {
        let failure = Failure::from(error);
        let failure = match failure.exit() {
            Exit::Cancelled => failure,
            _ => failure.into_partial("the run was stopped"),
        };
        return Err(failure.advice(again));
    }
    let people = match applied.failures.len() {
        0 => {
            if planned > 0 {
                let steps = count(planned, "step");
                context.note(&format!("{steps} left; to continue: {command}"));
            }
            return Ok(());
        }
        1 => "1 person".to_owned(),
        several => format!("{several} people"),
    };
    let message = format!("the steps of {people} did not all end well");
    Err(Failure::of_job((Exit::Partial, "partial"), message).advice(again))
}

/// The column with the reason of a row that failed.
const ERROR: &str = "lms_error";

/// Writes the rows of people who failed in the form of the input, with the reason.
fn failed_file(
    matches: &ArgMatches,
    plan_path: &str,
    plan: &Plan,
    failures: &[RecordedStep],
) -> Result<Option<String>, Failure> {
    let input = &plan.input;
    let (form, ending) = match input.delimiter {
        Some(delimiter) => {
            let delimiter = u8::try_from(delimiter).unwrap_or(b',');
            let bom = input.bom;
            (Form::Csv { delimiter, bom }, "failed.csv")
        }
        None => (Form::Ndjson, "failed.ndjson"),
    };
    let names = input.columns.iter().map(String::as_str);
    let mut content = form.head(names.chain([ERROR]));
    let rows = failures.iter().filter(|failed| !failed.step.row.is_empty());
    for failed in rows.clone() {
        let cells = match form {
            Form::Ndjson => {
                let cells: BTreeMap<_, _> = input.columns.iter().zip(&failed.step.row).collect();
                vec![json!(cells).to_string()]
            }
            _ => failed.step.row.clone(),
        };
        content.extend(form.line(&cells, &[(ERROR, &of_commands(&failed.state.reason))]));
    }
    if rows.count() == 0 {
        return Ok(None);
    }
    let given = matches.get_one::<String>("failed").map(PathBuf::from);
    let path = given.unwrap_or_else(|| Path::new(plan_path).with_extension(ending));
    write_private(&path, &content)?;
    Ok(Some(path.display().to_string()))
}
