//! Commands for several tenants, several at a time. Each tenant has its own limits and tokens.
//!
//! A tenant that fails neither stops nor delays the others. Every line names its tenant, and the command ends with a row for
//! each of them.

mod outcome;
mod rows;

use std::{
    collections::{BTreeSet, VecDeque},
    pin::pin,
    time::Instant,
};

use tokio::task::{JoinSet, LocalSet};
use tracing::Instrument as _;

pub(crate) use outcome::{Cost, Ended, SUMMARY, TenantOutcome, conclude};
pub(crate) use rows::{Rows, print};

use crate::{context::Context, failure::Failure, profile::config::Config, selection::Selection};

/// A context for each tenant that was chosen, in the order of the options.
///
/// # Errors
///
/// Credentials, if a name is not that of a profile, or if no profile is chosen.
pub(crate) fn contexts(context: &Context, selection: &Selection) -> Result<Vec<Context>, Failure> {
    let config = Config::load()?;
    let mut names = selection.profiles.clone();
    if names.is_empty() {
        let chosen = &selection.tag_profiles;
        names = config.names();
        names.retain(|name| {
            chosen.is_empty() || config.tags(name).iter().any(|tag| chosen.contains(tag))
        });
    }
    let known: BTreeSet<String> = config.names().into_iter().collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(*name)) {
        // Says which there are.
        config.profile(unknown)?;
    }
    if names.is_empty() {
        return Err(Failure::credentials("no profile is chosen")
            .advice("`lms profile list` shows the profiles with their tags"));
    }
    let mut seen = BTreeSet::new();
    let names = names.into_iter().filter(|name| seen.insert(name.clone()));
    Ok(names.map(|name| context.of_tenant(name)).collect())
}

/// Runs `work` for each tenant, at most as many at a time as was chosen. Returns the end of each, in the order in which they end.
/// After Ctrl-C, no other tenant is begun.
pub(crate) async fn run<F>(
    selection: &Selection,
    tenants: Vec<Context>,
    mut work: impl FnMut(Context) -> F,
) -> Vec<Ended>
where
    F: Future<Output = Result<Ended, Failure>> + 'static,
{
    let mut waiting: VecDeque<Context> = tenants.into();
    let mut running = JoinSet::new();
    let mut interrupted = pin!(crate::signal::interrupted());
    let mut stopped = false;
    let mut outcomes = Vec::new();
    let all = async {
        loop {
            while !stopped
                && running.len() < selection.at_once
                && let Some(context) = waiting.pop_front()
            {
                let work = work(context.clone());
                running.spawn_local(timed(context, work));
            }
            tokio::select! {
                biased;
                _ = &mut interrupted, if !stopped => stopped = true,
                ended = running.join_next() => match ended {
                    Some(Ok(outcome)) => outcomes.push(outcome),
                    Some(Err(error)) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                    Some(Err(_)) => {}
                    None => break,
                },
            }
        }
        outcomes.extend(waiting.iter().map(Ended::not_begun));
        outcomes
    };
    LocalSet::new().run_until(all).await
}

/// Runs the work of a tenant, and notes its end.
async fn timed(context: Context, work: impl Future<Output = Result<Ended, Failure>>) -> Ended {
    let began = Instant::now();
    let span = match &context.tenant {
        Some(name) => tracing::info_span!(target: "lms", "tenant", name),
        None => tracing::Span::none(),
    };
    let ended = work.instrument(span).await;
    let ended = ended.unwrap_or_else(|failure| Ended::of_rows(0, Err(failure)));
    let outcome = ended.of(&context, began.elapsed());
    outcome.note(&context);
    outcome
}
