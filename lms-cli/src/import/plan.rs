//! `import plan`: what an import would change.

use std::{path::Path, time::Duration};

use clap::{ArgMatches, Command};
use lms_plan::{Mapping, Plan, Purpose, Tenant, plan_import};
use serde_json::value::to_raw_value;

use super::{
    Context, Failure,
    file::{self, given},
    show, write_private_by,
};
use crate::{
    args::{self, duration, is_set, switch, text},
    calls::stdin::Stdin,
    exit::Exit,
    failure::conclude,
    jobs::mirror_of,
    ledger,
    output::Printer,
    profile::config::check_replaced,
    session::Session,
    terminal::until_cancelled,
    wording::quoted,
};

pub(super) fn command() -> Command {
    Command::new("plan")
        .about("Show what an import would change; change nothing")
        .arg(file::people_arg())
        .arg(args::file("map", "FILE", "The mapping; `lms import init` writes a first one").required(true))
        .arg(args::file("to", "FILE", "Write the plan, for `lms import apply`"))
        .arg(
            text("mirror", "DATABASE", "Read a mirror with learners, courses and enrolments instead of the lists of the tenant")
                .requires("max-age"),
        )
        .arg(
            text("max-age", "AGE", "The oldest mirror to use, such as 1h")
                .requires("mirror")
                .value_parser(duration),
        )
        .arg(switch("exit-code", "End with 9 if something would change"))
        .arg(switch("all", "Show every change; otherwise those of the first people"))
        .arg(switch("markdown", "Print Markdown, for a pull request"))
        .arg(ledger::state())
}

pub(super) async fn run(context: &Context, matches: &ArgMatches) -> Result<(), Failure> {
    let map = given(matches, "map");
    let mut stdin = Stdin::of(context);
    let text = stdin.or_text_file(map, "--map")?;
    let mapping = Mapping::parse(&text).map_err(|error| Failure::from(error).of(map))?;
    let people = file::people(context, &mut stdin, given(matches, "people"), &mapping)?;
    let session = Session::of_job(context).await?;
    let lms = &session.lms;
    let read = async {
        session.check().await?;
        Ok(match matches.get_one::<Duration>("max-age") {
            Some(age) => Tenant::of_mirror(&mirror_of(context, matches, "mirror")?, *age)?,
            None => Tenant::read(lms).await?,
        })
    };
    let tenant = until_cancelled(read).await?;
    let ledger = ledger::open(matches, lms, tenant.id())?;
    let plan = plan_import(&people, &mapping, &tenant, &ledger)?;
    if let Some(to) = matches.get_one::<String>("to") {
        check_replaced(to.as_ref(), "{")?;
        write_private_by(Path::new(to), |file| plan.write(file))?;
    }
    let printed = print(context, matches, &plan);
    conclude(decided(context, &plan, matches), printed)
}

fn decided(context: &Context, plan: &Plan, matches: &ArgMatches) -> Result<(), Failure> {
    plan.check_approval(None).map_err(|error| {
        Failure::from(error).advice(match matches.get_one::<String>("to") {
            Some(to) => format!(
                "look at the people that the plan names; to apply exactly this plan: lms import apply {}{} --approve {}",
                quoted(to), ledger::options(context, matches), plan.hash
            ),
            None => "look at the people that the plan names; --to FILE writes the plan, to approve it".to_owned(),
        })
    })?;
    match matches.get_flag("exit-code") && !plan.is_empty() {
        true => Err(Failure::of_job((Exit::Changes, "changes"), "")),
        false => Ok(()),
    }
}

/// Prints a plan: for people, as JSON, or its steps as rows.
pub(super) fn print(context: &Context, matches: &ArgMatches, plan: &Plan) -> Result<(), Failure> {
    let printer = Printer::new(context, None)?.of_any();
    if is_set(matches, "markdown") {
        return printer.text(&show::markdown(plan));
    }
    let more = match plan.purpose {
        Purpose::Import if is_set(matches, "all") => None,
        Purpose::Import => Some("--all shows them"),
        _ => Some("-o csv shows them"),
    };
    let json = |printer: Printer| printer.object(&to_raw_value(plan)?);
    show::print(context, printer, plan, &show::summary(plan), more, json)
}
