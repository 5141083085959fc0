//! Completion at the prompt: `completion` prints a script for a shell, which runs this program for each completion.

use std::{env, ffi::OsString, process::ExitCode};

use clap::{Arg, ArgMatches, Command, builder::PossibleValuesParser};
use clap_complete::{CompleteEnv, env::Shells};

use super::{candidates, quoting::Quoting};
use crate::{
    console::{Reader, Stdout},
    failure::Failure,
};

/// The variable in which a script passes the name of its shell.
const VARIABLE: &str = "LMS_COMPLETE";

/// The word that is completed, for a program that looks at an opening quote.
const IN_BASH: [&str; 2] = [
    "words[COMP_CWORD]=\"$2\"",
    r#"[[ ${words[COMP_CWORD]} == [\"\']* ]] || words[COMP_CWORD]="$2""#,
];

/// zsh runs the file of a folder in `fpath` as the function of its name, also the first time.
const FIRST_TIME: &str = "
if [ \"$funcstack[1]\" = \"_lms\" ]; then
    _clap_dynamic_completer_lms \"$@\"
fi
";

pub(crate) fn command() -> Command {
    Command::new("completion")
        .about("Print a script for a shell, which completes commands, options, profiles, columns and ids")
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .value_parser(PossibleValuesParser::new(Shells::builtins().names())),
        )
}

/// Prints the script.
pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let wanted = matches.get_one::<String>("shell").map_or("", |name| name);
    let mut script = Vec::new();
    if let Some(shell) = Shells::builtins().completer(wanted) {
        let written = shell.write_registration(VARIABLE, "lms", "lms", "lms", &mut script);
        written.map_err(|error| Failure::fault(format!("could not write the script: {error}")))?;
    }
    if wanted == "zsh" {
        script.extend(FIRST_TIME.as_bytes());
    }
    let script = String::from_utf8_lossy(&script).replace(IN_BASH[0], IN_BASH[1]);
    Stdout::new(Reader::MayLeave).print(script.as_bytes())?;
    Ok(())
}

/// Prints what a shell asks for; `None` if the program was not started by a script. Never writes to stderr, which would
/// appear in the line that is completed.
pub(crate) fn answer(root: fn() -> Command) -> Option<ExitCode> {
    let shell = env::var(VARIABLE).ok()?;
    let mut arguments: Vec<OsString> = env::args_os().collect();
    let start = arguments.iter().position(|word| word == "--");
    let line = &mut arguments[start.map_or(0, |at| at + 1)..];
    let quoting = Quoting::of(&shell, line);
    let line = line.to_vec();
    let completed = CompleteEnv::with_factory(|| candidates::add(root(), root(), &line, quoting))
        .var(VARIABLE)
        .try_complete(arguments, env::current_dir().ok().as_deref());
    match completed {
        Ok(true) => Some(ExitCode::SUCCESS),
        Ok(false) => None,
        Err(_) => Some(ExitCode::FAILURE),
    }
}
