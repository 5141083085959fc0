//! `import apply`: sends a plan.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use clap::{
    ArgAction, ArgMatches, Command, ValueHint,
    builder::{PossibleValuesParser, RangedU64ValueParser},
};
use lms_plan::{Applied, Apply, Failure as Failed, Group, Plan, Processed, Status};
use lms_sync::tenant_id;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::{Context, Failure, given, read_text, show, write_private};
use crate::{
    args::{text, yes},
    calls::label,
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
    Command::new("apply")
        .about("Apply a plan, or continue one that was stopped")
        .arg(
            clap::Arg::new("plan")
                .value_name("PLAN")
                .required(true)
                .value_hint(ValueHint::FilePath)
                .help("The plan, written by `lms import plan` or `lms undo`"),
        )
        .arg(yes("Do not ask for confirmation"))
        .arg(text(
            "approve",
            "HASH",
            "Approve the plan with this hash, although it is held",
        ))
        .arg(
            text(
                "limit",
                "N",
                "Process at most this many people; the same command continues with others",
            )
            .value_parser(number),
        )
        .arg(
            text(
                "only",
                "GROUPS",
                "Process only these people: create, change, leave",
            )
            .value_delimiter(',')
            .action(ArgAction::Append)
            .value_parser(PossibleValuesParser::new(Group::ALL.map(Group::name))),
        )
        .arg(text("max-errors", "N", "Stop when this many people have failed").value_parser(number))
        .arg(
            text(
                "failed",
                "FILE",
                "File for the rows of the people who failed [default: next to the plan]",
            )
            .value_hint(ValueHint::FilePath),
        )
        .arg(ledger::state())
}

pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let path = given(matches, "plan");
    let plan = Plan::parse(&read_text(path)?).map_err(|error| Failure::from(error).of(path))?;
    let approved = matches.get_one::<String>("approve");
    plan.check_approval(approved.map(String::as_str)).map_err(|error| {
        Failure::from(error).advice(format!(
            "look at `lms import plan` again; to apply exactly this plan: lms import apply {}{} --approve {}",
            quoted(path),
            ledger::options(context, matches),
            plan.hash
        ))
    })?;
    let session = Session::of_job(context).await?;
    let lms = &session.lms;
    // Before the ledger is opened, which is for one tenant.
    plan.check_tenant(&tenant_id(lms).await?)?;
    let ledger = ledger::open(matches, lms, &plan.tenant)?;
    if !plan.is_empty() {
        let summary = show::summary(&plan);
        confirm(
            context,
            &label::question(&session, &format!("apply {path}"), &summary),
        )?;
    }
    let plan = Arc::new(plan);
    let people = plan.people().count();
    let progress = Progress::of_writes(context, people as u64);
    let report = |processed: Processed<'_>| progress.set((people - processed.left) as u64, None);
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
    let options = ledger::options(context, matches);
    conclude(decided(context, applied, path, &options), printed)
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
            failed.status.name(),
            of_commands(&failed.reason)
        ));
    }
}

fn print(context: &Context, applied: &Applied, failed_file: Option<String>) -> Result<(), Failure> {
    let printer = Printer::new(context, None)?.of_any();
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
        true => format!("nothing to do: run {} has ended ({counts})", applied.run),
        false => format!("run {}: {counts}", applied.run),
    };
    let run = applied.run;
    printer.summary(
        context,
        &line,
        &AppliedPlan {
            run,
            steps,
            failed_file,
        },
    )
}

fn decided(context: &Context, applied: Applied, path: &str, options: &str) -> Result<(), Failure> {
    let command = format!("lms import apply {}{options}", quoted(path));
    let failures = applied.failures.len();
    let left = [Status::Planned, Status::Sent, Status::Failed].map(|status| applied.count(status));
    let again = match left {
        [0, 0, 0] => "what is not as the plan expects needs a new plan".to_owned(),
        _ => format!(
            "the same command continues, and looks up steps that may have been sent: {command}"
        ),
    };
    if let Some(error) = applied.stopped {
        let failure = Failure::from(error);
        return Err(match failure.exit() {
            Exit::Cancelled => failure,
            _ => failure.into_partial("the run was stopped"),
        }
        .advice(again));
    }
    match failures {
        0 => {
            if left[0] > 0 {
                let steps = count(left[0], "step");
                context.note(&format!("{steps} left; to continue: {command}"));
            }
            Ok(())
        }
        people => {
            let message = format!(
                "the steps of {} did not all end well",
                match people {
                    1 => "1 person".to_owned(),
                    several => format!("{several} people"),
                }
            );
            Err(Failure::of_job((Exit::Partial, "partial"), message).advice(again))
        }
    }
}

/// The column with the reason of a row that failed.
const ERROR: &str = "lms_error";

/// Writes the rows of people who failed in the form of the input, with the reason.
fn failed_file(
    matches: &ArgMatches,
    plan_path: &str,
    plan: &Plan,
    failures: &[Failed],
) -> Result<Option<String>, Failure> {
    let rows: Vec<_> = failures
        .iter()
        .filter(|failed| !failed.row.is_empty())
        .collect();
    if rows.is_empty() {
        return Ok(None);
    }
    let input = &plan.input;
    let (form, ending) = match input.delimiter {
        Some(delimiter) => {
            let delimiter = u8::try_from(delimiter).unwrap_or(b',');
            let bom = input.bom;
            (Form::Csv { delimiter, bom }, "csv")
        }
        None => (Form::Ndjson, "ndjson"),
    };
    let path = match matches.get_one::<String>("failed") {
        Some(path) => path.clone(),
        None => Path::new(plan_path)
            .with_extension(format!("failed.{ending}"))
            .display()
            .to_string(),
    };
    let names = input.columns.iter().map(String::as_str);
    let mut content = form.head(names.clone().chain([ERROR]));
    for failed in rows {
        let reason = of_commands(&failed.reason);
        let cells = match form {
            Form::Ndjson => {
                let cells = names.clone().map(str::to_owned).zip(&failed.row);
                let cells: serde_json::Map<_, _> =
                    cells.map(|(name, text)| (name, json!(text))).collect();
                vec![json!(cells).to_string()]
            }
            _ => failed.row.clone(),
        };
        content.extend(form.line(&cells, &[(ERROR, reason.as_str())]));
    }
    write_private(Path::new(&path), &content)?;
    Ok(Some(path))
}
