//! What becomes known of one request while it is served?
//!
//! The journal is outermost and writes a request down when it is over, answered or not. What it writes is found out
//! further in, by the router and the store; they note it here.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::faults::Verdict;
use crate::operations::Operation;

/// One request, as far as it has come.
#[derive(Debug, Default)]
pub(crate) struct Case {
    named: OnceLock<(Operation, Option<Verdict>)>,
    body_size: AtomicU64,
    carried_out: AtomicBool,
}

impl Case {
    /// Notes which operation it names and what is to be done to it.
    pub(crate) fn name(&self, operation: Operation, verdict: Option<Verdict>) {
        // The router comes by once.
        let _ = self.named.set((operation, verdict));
    }

    /// Notes the size of its body.
    pub(crate) fn note_body(&self, size: u64) {
        self.body_size.store(size, Ordering::Relaxed);
    }

    /// Notes whether the operation was carried out.
    pub(crate) fn note<T, E>(&self, done: &Result<T, E>) {
        self.carried_out.store(done.is_ok(), Ordering::Relaxed);
    }

    pub(crate) fn operation(&self) -> Option<Operation> {
        self.named.get().map(|(operation, _)| *operation)
    }

    pub(crate) fn verdict(&self) -> Option<&Verdict> {
        self.named.get()?.1.as_ref()
    }

    pub(crate) fn body_size(&self) -> u64 {
        self.body_size.load(Ordering::Relaxed)
    }

    pub(crate) fn carried_out(&self) -> bool {
        self.carried_out.load(Ordering::Relaxed)
    }
}
