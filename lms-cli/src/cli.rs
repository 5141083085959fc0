//! The commands for clap, and the code that runs each.

use std::{ffi::OsString, fs};

use clap::{
    ArgMatches, Command,
    error::{ContextKind, ErrorKind},
};
use tracing::Level;

use crate::{
    args::has,
    commands::{self, api, arguments},
    console::{Reader, Stdout},
    context::{Context, options},
    describe::{completion, man, outputs::fields_of, schema},
    doctor, examples,
    failure::Failure,
    import, jobs,
    operations::lookup,
    output::check_columns,
    profiles, pseudonyms, skill,
    terminal::until_interrupted,
    trace,
};

/// `lms` with all commands.
pub(crate) fn command() -> Command {
    let command = Command::new("lms")
        .version(env!("CARGO_PKG_VERSION"))
        .about("The learning-management API on the command line")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .max_term_width(100)
        .args(options())
        .subcommands(arguments::resources())
        .subcommands(jobs::commands())
        .subcommands(import::commands())
        .subcommand(api::command())
        .subcommand(profiles::command())
        .subcommand(doctor::command())
        .subcommand(schema::command())
        .subcommand(skill::command())
        .subcommand(completion::command())
        .subcommand(man::command())
        .override_help(overview());
    examples::add(command)
}

/// The help, which fits a screen of 24 lines. A test compares it with the commands.
fn overview() -> String {
    let mut lines = vec!["Resources  ".to_owned()];
    for resource in arguments::resources() {
        if !resource.has_subcommands() {
            continue;
        }
        let fits = |line: &String| line.len() + 1 + resource.get_name().len() < 80;
        match lines.last_mut() {
            Some(line) if fits(line) => *line += &format!(" {}", resource.get_name()),
            _ => lines.push(format!("{:11} {}", "", resource.get_name())),
        }
    }
    OVERVIEW.replace("RESOURCES", &lines.join("\n"))
}

const OVERVIEW: &str = "\
The learning-management API on the command line

Usage: lms COMMAND [ARGUMENTS] [OPTIONS]      lms COMMAND --help

RESOURCES
Jobs        export mirror status changes verify tap report remind
Plans       import history undo
Others      profile doctor me test api schema skill completion man help

Options of every command:
  -o, --output FORMAT    table, json, ndjson, xlsx, csv (--bom, --formula-guard)
      --columns NAMES    only these fields: id,email; also --csv-separator ';'
      --jq FILTER        apply a jq filter to each object; also --pseudonyms
  -q, --quiet            only output and errors; -v, --verbose: more; --debug
      --color WHEN       auto, always or never; also --accessible, --no-input
      --max-per-second N, --concurrency N, --timeout TIME, --max-attempts N
      --profile NAME     use this profile; or --base-url, --client-id,
                         --client-secret-stdin; or LMS_BASE_URL and others
      --profiles A,B     read several; or --all-profiles, --tag-profiles TAG
      --sandbox          use an embedded service with demo data; also --no-pager
  -h, --help  -V, --version

Try: lms --sandbox learners list
";

/// Parses the arguments and runs the command.
pub(crate) async fn run(arguments: Vec<OsString>) -> Result<(), Failure> {
    let arguments = pseudonyms::restore(arguments)?;
    let matches = match command().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => return explain(&error),
    };
    let Some((word, matches)) = matches.subcommand() else {
        return Err(Failure::usage("there is no command; see `lms --help`"));
    };
    let inner = matches.subcommand();
    let innermost = inner.map_or(matches, |(_, inner)| inner);
    let name = inner.map_or_else(|| word.to_owned(), |(verb, _)| format!("{word} {verb}"));
    let context = Context::read(innermost)?;
    check_outputs(innermost)?;
    if context.pseudonyms && !only_prints(&name, [matches, innermost]) {
        return Err(Failure::usage(
            "--pseudonyms is for commands that print what they read",
        ));
    }
    // Before a job, which prints its result at the end. The commands of operations check their own fields.
    if let (Some(chosen), None) = (&context.columns, &context.selection) {
        let known = fields_of(&name);
        if !known.is_empty() {
            check_columns(chosen, &known)?;
        }
    }
    let level = context.level();
    if level > Level::INFO || !context.quiet {
        trace::install(level);
    }
    // A job stops at a checkpoint when Ctrl-C is pressed; all others stop at once.
    if let Some(result) = jobs::run(&context, word, matches).await {
        return result;
    }
    if let Some(result) = import::run(&context, word, matches).await {
        return result;
    }
    match (word, inner) {
        ("api", _) => interruptible(api::run(&context, matches)).await,
        ("doctor", _) => interruptible(doctor::run(&context, matches)).await,
        ("skill", _) => skill::run(&context, matches),
        ("schema", _) => schema::run(&command(), matches),
        ("completion", _) => completion::run(matches),
        ("man", _) => man::run(command(), matches),
        ("profile", Some((verb, matches))) => {
            interruptible(profiles::run(&context, verb, matches)).await
        }
        _ => operation(&context, &name, innermost).await,
    }
}

/// Refuses an output that is another file of the command, which it would replace.
fn check_outputs(matches: &ArgMatches) -> Result<(), Failure> {
    let files = |id: &str| {
        let values = matches.try_get_raw(id).ok().flatten().into_iter().flatten();
        let paths = values.filter_map(|value| {
            let text = value.to_str()?;
            fs::canonicalize(text.strip_prefix("sqlite:").unwrap_or(text)).ok()
        });
        paths.filter(|path| path.is_file()).collect::<Vec<_>>()
    };
    for output in ["to", "metrics-file", "bundle", "outcomes"] {
        let written = files(output);
        if written.is_empty() {
            continue;
        }
        let mut others = matches.ids().map(clap::Id::as_str);
        let other =
            others.find(|id| *id != output && files(id).iter().any(|of| written.contains(of)));
        if let Some(other) = other {
            return Err(Failure::usage(format!(
                "--{output} would replace the file that is also given as {other}"
            )));
        }
    }
    Ok(())
}

/// Returns `true` if a command changes nothing, and writes no file that would name people.
fn only_prints(name: &str, matches: [&ArgMatches; 2]) -> bool {
    const PRINTING: [&str; 6] = ["report", "changes", "status", "verify", "doctor", "schema"];
    let prints = match (
        lookup::named(name),
        matches[0].try_get_one::<String>("method"),
    ) {
        (Some(command), _) => !lookup::is_write(command),
        (None, Ok(Some(method))) => method.eq_ignore_ascii_case("GET"),
        (None, _) => PRINTING.contains(&name.split(' ').next().unwrap_or_default()),
    };
    prints && !matches.iter().any(|matches| has(matches, "to"))
}

async fn operation(context: &Context, name: &str, matches: &ArgMatches) -> Result<(), Failure> {
    let command = lookup::named(name)
        .ok_or_else(|| Failure::fault(format!("{name} is not in the table of commands")))?;
    let command = commands::run(context, command, matches);
    // The rows of a file have results, which Ctrl-C must not lose.
    match has(matches, "from") {
        true => command.await,
        false => interruptible(command).await,
    }
}

/// Runs a command until it ends or Ctrl-C is pressed.
async fn interruptible(command: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    until_interrupted(command, || {
        Failure::cancelled("cancelled")
            .advice("if a change was being sent, it may have been made; read the object before you try again")
    })
    .await
}

/// The command that arguments name, such as `lms courses get`.
pub(crate) fn name_of(arguments: &[OsString]) -> String {
    let (mut command, mut name) = (&command(), "lms".to_owned());
    for word in arguments.iter().skip(1) {
        if let Some(inner) = command.find_subcommand(word) {
            name = format!("{name} {}", inner.get_name());
            command = inner;
        }
    }
    name
}

/// Prints the help, or turns a mistake in the arguments into a failure.
fn explain(error: &clap::Error) -> Result<(), Failure> {
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            Ok(Stdout::new(Reader::MayLeave).print(text.as_bytes())?)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let text = text.trim_end();
            Err(Failure::usage(format!("a command is missing\n\n{text}")))
        }
        _ => {
            let text = text.strip_prefix("error: ").unwrap_or(&text);
            // After an empty line, clap has a tip or the usage.
            let mut parts = text.split("\n\n").map(str::trim);
            let failure = Failure::usage(parts.next().unwrap_or_default());
            let argument = error.get(ContextKind::InvalidArg).map(ToString::to_string);
            if let Some(flag @ ("true" | "false")) = argument.as_deref() {
                let advice =
                    format!("write the value of a flag after =, for example --published={flag}");
                return Err(failure.advice(advice));
            }
            // An option that does not exist is a mistake, hardly ever a value.
            let hint = parts.find(|hint| !hint.starts_with("tip: to pass"));
            let hint = hint.filter(|hint| !hint.starts_with("For more information"));
            Err(
                match hint.map(|hint| hint.replacen("Usage: ", "usage: ", 1)) {
                    Some(hint) => failure.advice(hint.trim_start_matches("tip: ")),
                    None => failure,
                },
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_valid_and_in_the_overview() {
        let root = command();
        root.clone().debug_assert();
        let overview = overview();
        let words: Vec<_> = overview.split_whitespace().collect();
        for inner in root.get_subcommands() {
            assert!(words.contains(&inner.get_name()), "{}", inner.get_name());
        }
        for option in options() {
            let long = format!("--{}", option.get_long().unwrap());
            assert!(overview.contains(&long), "{long}");
        }
    }

    #[test]
    fn the_overview_fits_a_screen() {
        assert!(overview().lines().count() <= 24);
        assert!(overview().lines().all(|line| line.chars().count() <= 80));
    }
}
