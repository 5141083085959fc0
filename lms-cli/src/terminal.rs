//! What is asked of the user, and what terminals there are.

use std::io::{self, BufRead, IsTerminal, Write};

use crate::{context::Context, failure::Failure, sanitize::visible};

/// Asks whether to go on. Without a terminal, or with `--no-input`, only `--yes` does.
///
/// # Errors
///
/// Cancelled, unless the user or `--yes` confirms.
pub(crate) fn confirm(context: &Context, question: &str) -> Result<(), Failure> {
    if context.yes {
        return Ok(());
    }
    if !can_ask(context) {
        return Err(Failure::cancelled(format!("not confirmed: {question}"))
            .advice("pass --yes to confirm, or --dry-run to see what would be sent"));
    }
    let mut stderr = io::stderr().lock();
    write!(stderr, "{} [y/N] ", visible(question))?;
    stderr.flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    match line.trim() {
        "y" | "Y" | "yes" => Ok(()),
        _ => Err(Failure::cancelled("not confirmed; nothing was changed")),
    }
}

/// Whether a question can be asked and answered.
pub(crate) fn can_ask(context: &Context) -> bool {
    !context.no_input && io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Reads a secret: hidden from a terminal, otherwise the first line of stdin.
pub(crate) fn read_secret(context: &Context, prompt: &str) -> Result<String, Failure> {
    let line = if io::stdin().is_terminal() {
        if !can_ask(context) {
            return Err(
                Failure::credentials(format!("{prompt} is needed")).advice("write it to stdin")
            );
        }
        rpassword::prompt_password(format!("{prompt}: "))
            .map_err(|error| Failure::fault(format!("could not read {prompt}: {error}")))?
    } else {
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line).map_err(|error| {
            Failure::fault(format!("could not read {prompt} from stdin: {error}"))
        })?;
        line
    };
    let secret = line.trim_end_matches(['\r', '\n']);
    if secret.is_empty() {
        return Err(Failure::credentials(format!("{prompt} is empty")));
    }
    Ok(secret.to_owned())
}
