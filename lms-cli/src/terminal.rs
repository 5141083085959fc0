//! Questions to the user, and the kinds of terminals.

use std::{
    future::ready,
    io::{self, BufRead, IsTerminal},
    pin::pin,
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use crate::{console, context::Context, exit::Exit, failure::Failure};

const CANCELLED: &str = "cancelled; nothing was sent";

/// Makes something until it ends or Ctrl-C is pressed, which is a failure.
pub(crate) async fn until_interrupted<T>(
    work: impl Future<Output = Result<T, Failure>>,
    cancelled: impl FnOnce() -> Failure,
) -> Result<T, Failure> {
    tokio::select! {
        result = work => result,
        Ok(()) = crate::signal::interrupted() => Err(cancelled()),
    }
}

/// Makes something before anything is sent, until it ends or Ctrl-C is pressed.
pub(crate) async fn until_cancelled<T>(
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    until_interrupted(work, || Failure::cancelled(CANCELLED)).await
}

/// Asks for a confirmation. Without a terminal, or with `--no-input`, only `--yes` does.
///
/// # Errors
///
/// Cancelled, unless the user or `--yes` confirms.
pub(crate) fn confirm(context: &Context, question: &str) -> Result<(), Failure> {
    if context.yes {
        return Ok(());
    }
    if !can_ask(context) {
        let advice = match context.can_dry_run {
            true => "pass --yes to confirm, or --dry-run to see what would be sent",
            false => "pass --yes to confirm",
        };
        return Err(Failure::cancelled(format!("not confirmed: {question}")).advice(advice));
    }
    let mut line = String::new();
    while_waiting(|| {
        console::ask(&format!("{question} [y/N]"))?;
        io::stdin().lock().read_line(&mut line)
    })?;
    match line.trim() {
        "y" | "Y" | "yes" => Ok(()),
        _ => Err(Failure::cancelled("not confirmed; nothing was changed")),
    }
}

/// Returns `true` if a question can be asked and answered.
pub(crate) fn can_ask(context: &Context) -> bool {
    !context.no_input && io::stdin().is_terminal() && console::stderr_is_terminal()
}

/// Reads a secret: hidden from a terminal, otherwise the first line of stdin.
pub(crate) fn read_secret(context: &Context, prompt: &str) -> Result<String, Failure> {
    let line = if !io::stdin().is_terminal() {
        let mut line = String::new();
        while_waiting(|| io::stdin().lock().read_line(&mut line)).map(|_| line)
    } else if can_ask(context) {
        while_waiting(|| rpassword::prompt_password(format!("{prompt}: ")))
    } else {
        return Err(Failure::credentials(format!("{prompt} is needed")).advice("write it to stdin"));
    };
    let line = line.map_err(|error| match error.kind() {
        io::ErrorKind::Interrupted => Failure::cancelled(CANCELLED),
        _ => Failure::fault(format!("could not read {prompt}: {error}")),
    })?;
    let secret = line.trim_end_matches(['\r', '\n']);
    if secret.is_empty() {
        let empty = Failure::credentials(format!("{prompt} is empty"));
        return Err(empty.advice("write it to stdin"));
    }
    Ok(secret.to_owned())
}

/// Asks and waits for stdin. Ctrl-C ends the program meanwhile: nothing else runs that could react to it, and nothing was
/// sent.
pub(crate) fn while_waiting<T>(ask: impl FnOnce() -> T) -> T {
    let waiting = Arc::new(AtomicBool::new(true));
    let watched = Arc::clone(&waiting);
    let (registering, registered) = mpsc::channel::<()>();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        // Without the runtime, Ctrl-C has its usual effect.
        let Ok(runtime) = runtime else { return };
        let pressed = runtime.block_on(async {
            let mut pressed = pin!(crate::signal::interrupted());
            tokio::select! {
                biased;
                // The first poll registers it.
                result = &mut pressed => return result,
                () = ready(()) => drop(registering),
            }
            pressed.await
        });
        // A hidden prompt is interrupted, and shows typed characters again. All others keep waiting.
        thread::sleep(Duration::from_millis(100));
        if pressed.is_ok() && watched.load(Ordering::SeqCst) {
            console::line(&format!("\nerror: {CANCELLED}"));
            process::exit(Exit::Cancelled as i32);
        }
    });
    // Ends when the sender is dropped. A question that is shown earlier could miss the Ctrl-C that answers it.
    let _ = registered.recv();
    let result = ask();
    waiting.store(false, Ordering::SeqCst);
    result
}
