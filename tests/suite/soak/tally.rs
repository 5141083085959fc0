//! Counts the requests that the sandbox records.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use http::StatusCode;
use lms_sandbox::{Effect, Operation, RequestRecord};

#[derive(Debug)]
pub(super) struct Tally {
    begun: Instant,
    pub(super) requests: usize,
    /// Requests with an effect.
    pub(super) with_effects: usize,
    /// Requests by effect.
    pub(super) effects: BTreeMap<String, usize>,
    /// Requests that the unannounced limit refused.
    pub(super) too_fast: usize,
    /// Requests answered with 429 for any reason.
    pub(super) too_many: usize,
    /// Issued tokens.
    pub(super) tokens: usize,
    /// Started course copies.
    pub(super) copies: usize,
}

impl Tally {
    pub(super) fn new() -> Self {
        Self {
            begun: Instant::now(),
            requests: 0,
            with_effects: 0,
            effects: BTreeMap::new(),
            too_fast: 0,
            too_many: 0,
            tokens: 0,
            copies: 0,
        }
    }

    pub(super) fn add(&mut self, records: Vec<RequestRecord>) {
        for record in records {
            self.requests += 1;
            self.with_effects += usize::from(!record.effects.is_empty());
            self.too_many += usize::from(record.status == Some(StatusCode::TOO_MANY_REQUESTS));
            if record.processed {
                self.tokens += usize::from(record.operation == Some(Operation::GetToken));
                self.copies += usize::from(record.operation == Some(Operation::AddDuplicateCourse));
            }
            for effect in &record.effects {
                self.too_fast += usize::from(matches!(effect, Effect::RateLimit { .. }));
                *self.effects.entry(name(&effect.to_string())).or_default() += 1;
            }
        }
    }

    /// How many requests met an effect of this name.
    pub(super) fn met(&self, effect: &str) -> usize {
        self.effects.get(effect).copied().unwrap_or_default()
    }

    /// The effects that the sandbox knows and no request met.
    pub(super) fn never_met(&self) -> BTreeSet<String> {
        Effect::FORMS
            .iter()
            .map(|form| name(form))
            .filter(|name| !self.effects.contains_key(name))
            .collect()
    }

    /// Where the run is, in a line.
    pub(super) fn line(&self) -> String {
        format!(
            "{:>5} s, {} requests, {} with faults, {} answered 429, {} tokens, {} MiB",
            self.begun.elapsed().as_secs(),
            self.requests,
            self.with_effects,
            self.too_many,
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
