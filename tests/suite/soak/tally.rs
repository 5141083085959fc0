//! Counts the requests that the sandbox records.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use http::StatusCode;
use lms_sandbox::{Effect, Operation, RequestRecord};

#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) requests: usize,
    /// Requests with an effect.
    pub(super) with_effects: usize,
    /// Requests by effect.
    pub(super) effects: BTreeMap<String, usize>,
    /// Requests over the unannounced limit.
    pub(super) over_limit: usize,
    /// Requests answered with 429 for any reason.
    pub(super) rate_limited: usize,
    /// Issued tokens.
    pub(super) tokens: usize,
    /// Started course copies.
    pub(super) copies: usize,
}

impl Tally {
    pub(super) fn add(&mut self, records: Vec<RequestRecord>) {
        for record in records {
            self.requests += 1;
            self.with_effects += usize::from(!record.effects.is_empty());
            self.rate_limited += usize::from(record.status == Some(StatusCode::TOO_MANY_REQUESTS));
            if record.processed {
                self.tokens += usize::from(record.operation == Some(Operation::GetToken));
                self.copies += usize::from(record.operation == Some(Operation::AddDuplicateCourse));
            }
            for effect in &record.effects {
                self.over_limit += usize::from(matches!(effect, Effect::RateLimit { .. }));
                *self.effects.entry(name(&effect.to_string())).or_default() += 1;
            }
        }
    }

    /// How many requests had an effect of this name.
    pub(super) fn count(&self, effect: &str) -> usize {
        self.effects.get(effect).copied().unwrap_or_default()
    }

    /// The effects of the sandbox that no request had.
    pub(super) fn missing_effects(&self) -> BTreeSet<String> {
        Effect::FORMS
            .iter()
            .map(|form| name(form))
            .filter(|name| !self.effects.contains_key(name))
            .collect()
    }

    /// The counts in one line.
    pub(super) fn line(&self, started: Instant) -> String {
        format!(
            "{:>5} s, {} requests, {} with faults, {} answered 429, {} tokens, {} MiB",
            started.elapsed().as_secs(),
            self.requests,
            self.with_effects,
            self.rate_limited,
            self.tokens,
            memory().map_or_else(|| "?".to_owned(), |memory| memory.to_string()),
        )
    }
}

/// An effect without its settings.
fn name(effect: &str) -> String {
    effect.split(' ').next().unwrap_or_default().to_owned()
}

/// The memory of this process in MiB, on Linux.
pub(super) fn memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}
