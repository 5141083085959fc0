//! `history` and `undo`: what runs have changed, and the plan that changes it back.

use std::path::Path;

use clap::{Arg, ArgMatches, Command, builder::PossibleValuesParser, value_parser};
use lms_plan::{Action, Ledger, RecordedStep, Run, Status, plan_undo};
use lms_sync::tenant_id;

use super::{Context, Failure, file::given, plan::print, show, write_private_by};
use crate::{
    args::{file, text},
    format::Format,
    ledger,
    output::{Printer, TableFields},
    profile::config::check_replaced,
    session::Session,
};

pub(super) fn command() -> Command {
    let show = PossibleValuesParser::new(["show"]);
    let person =
        "Only steps about this person: a key, the id or address of a learner, or a part of a name";
    Command::new("history")
        .about("List the runs of imports and of commands with --from, or show what one has changed")
        .arg(
            Arg::new("show")
                .value_name("show")
                .value_parser(show)
                .help("Show the steps of a run"),
        )
        .arg(run_arg("The number of the run [default: all]").requires("show"))
        .arg(text("person", "PERSON", person))
        .arg(ledger::state())
}

fn run_arg(help: &'static str) -> Arg {
    let arg = Arg::new("run").value_name("RUN").help(help);
    arg.value_parser(value_parser!(i64))
}

pub(super) fn undo_command() -> Command {
    let to = file("to", "FILE", "Write the plan");
    Command::new("undo")
        .about("Make the plan that undoes a run; `lms import apply` applies it")
        .arg(run_arg("The number of the run").required(true))
        .arg(to.required(true))
        .arg(ledger::state())
}

async fn ledger(context: &Context, matches: &ArgMatches) -> Result<(Ledger, Session), Failure> {
    let session = Session::open(context).await?;
    let ledger = Ledger::open_existing(&ledger::path(matches, session.lms.base_url())?)?;
    Ok((ledger, session))
}

pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let (ledger, _session) = ledger(context, matches).await?;
    let printer = Printer::new(context, None)?;
    let format = printer.format();
    let (run, person) = (
        matches.get_one::<i64>("run").copied(),
        matches.get_one::<String>("person"),
    );
    if !matches.contains_id("show") && person.is_none() {
        let fields = TableFields::from(&["run", "purpose", "input", "began", "ended", "who"]);
        return printer.in_tables(fields).rows_of(&ledger.runs()?);
    }
    let steps = ledger.steps(run, person.map(String::as_str))?;
    if context.jq.is_some() || !(format == Format::Table || format.has_cells()) {
        return printer.rows_of(&steps);
    }
    // A course is in no step about a learner.
    let about = match steps.iter().any(|recorded| recorded.step.learner.is_some()) {
        true => "learner",
        false => "object",
    };
    let fields = TableFields {
        columns: &[
            "run", "name", about, "action", "field", "from", "to", "status", "at",
        ],
        below: &["reason"],
    };
    printer.in_tables(fields).rows_of(&show::recorded(&steps))
}

pub(super) async fn undo(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let to = Path::new(given(matches, "to"));
    check_replaced(to, "{")?;
    let (ledger, session) = ledger(context, matches).await?;
    let lms = &session.lms;
    // Runs of commands do not need the identity of the tenant; a plan does.
    let tenant = match ledger.tenant()? {
        unknown if unknown.is_empty() => tenant_id(lms).await?,
        tenant => tenant,
    };
    let run = matches.get_one::<i64>("run").copied().unwrap_or_default();
    let steps = ledger.steps(Some(run), None)?;
    let plan = plan_undo((&tenant, lms.base_url()), run, &steps)?;
    write_private_by(to, |file| plan.write(file))?;
    let this = format!("run {run}");
    let undone =
        |it: &Run| it.purpose == "undo" && it.input == this && it.steps.contains_key(&Status::Done);
    if let Some(undone) = ledger.runs()?.into_iter().find(undone) {
        context.note(&format!(
            "run {} has undone run {run}, or a part of it; what it has changed back is left as it is",
            undone.run
        ));
    }
    if plan.is_empty() {
        context.note(&format!(
            "nothing of run {run} can be undone: the plan is empty"
        ));
    }
    let is_added = |step: &RecordedStep| {
        step.state.status == Status::Done && matches!(step.step.action, Action::Create { .. })
    };
    if steps.iter().any(is_added) {
        let options = ledger::options(context, matches);
        context.note(&format!(
            "to delete the learners that it added (--dry-run shows them, --yes deletes them): lms history show {run}{options} --jq 'select(.action == \"create\" and .status == \"done\") | {{id: .learner}}' | lms learners rm --from -{options} --dry-run"
        ));
    }
    print(context, matches, &plan)
}
