//! The properties that must hold after each run.

use std::collections::{BTreeMap, BTreeSet};

use proptest::{
    prelude::*,
    test_runner::{TestCaseError, TestCaseResult},
};

use super::{
    case::Case,
    destination::{Destination, Ended, Kind},
    server::{Read, Script, Server},
    subject::Subject,
};

/// The runs after a case, in which the tenant is honest and quiet.
const QUIET_RUNS: usize = 5;

/// The history of the runs.
struct History {
    kind: Kind,
    subject: Subject,
    server: Server,
    /// The runs in which each row was hidden from the client, since it was last seen.
    hidden: BTreeMap<String, u32>,
    /// The objects that were said to be gone.
    gone: BTreeSet<String>,
    /// Whether a complete read had a count.
    had_count: bool,
    next: Read,
    /// Whether nothing has changed or lied during any run.
    undisturbed: bool,
}

/// Runs a case.
pub async fn check(kind: Kind, case: &Case) -> TestCaseResult {
    let server = Server::new(case.subject, case.tenant());
    let mut destination = Destination::new(kind, case.subject, server.clone());
    let mut history = History {
        kind,
        subject: case.subject,
        server,
        hidden: BTreeMap::new(),
        gone: BTreeSet::new(),
        had_count: false,
        next: Read::Anew,
        undisturbed: true,
    };
    for (number, script) in (1..).zip(&case.runs) {
        destination.budget =
            (kind == Kind::Budgeted).then(|| 2 + u64::from(case.rows) * number * 3 % 16);
        history.run(&mut destination, script).await?;
    }
    destination.budget = None;
    // Deleted rows are finally gone, and all other rows exist.
    let mut ended = Ended {
        complete: false,
        why: String::new(),
        removed: Vec::new(),
        of_other_tenant: false,
    };
    for _ in 0..QUIET_RUNS {
        ended = history.run(&mut destination, &Script::default()).await?;
        if ended.of_other_tenant {
            // The way out that the message names.
            destination = Destination::new(kind, case.subject, history.server.clone());
            history.begin_anew();
        }
        if ended.complete && destination.rows() == destination.truth() {
            return Ok(());
        }
        // Without an object that is found, no other one is known to be gone.
        if ended.complete && history.asks() && destination.truth().is_empty() {
            return Ok(());
        }
        // It is expected to have a count again, until `ignore_number_found` is given.
        if history.had_count && !case.subject.first().is_counted() && ended.lacks_count() {
            return Ok(());
        }
    }
    Err(TestCaseError::fail(format!(
        "{QUIET_RUNS} quiet runs end with {ended:?} and {:?}; the tenant has {:?}",
        destination.rows(),
        destination.truth()
    )))
}

impl History {
    /// There is a new destination.
    fn begin_anew(&mut self) {
        self.hidden.clear();
        self.gone.clear();
        self.had_count = false;
        self.next = Read::Anew;
    }

    /// Returns `true` if rows are deleted only after their objects were requested.
    fn asks(&self) -> bool {
        matches!(self.kind, Kind::Sqlite | Kind::Budgeted) && self.subject.has_objects()
    }

    async fn run(
        &mut self,
        destination: &mut Destination,
        script: &Script,
    ) -> Result<Ended, TestCaseError> {
        let before = destination.rows();
        self.server.begin(script, self.next);
        let ended = destination.run().await;
        prop_assert!(
            !ended.of_other_tenant || self.server.state().told_other_tid,
            "one tenant is taken for two: {}",
            ended.why
        );
        let after = destination.rows();
        self.next = if ended.complete {
            Read::Anew
        } else {
            Read::Maybe
        };
        self.undisturbed &= !self.server.state().disturbed;
        // Rows that a run with a budget did not read are those of an earlier run.
        let is_whole = destination.budget.is_none();
        if ended.complete {
            if is_whole {
                self.check_complete(&after)?;
            }
        } else if self.kind.is_replaced() {
            prop_assert_eq!(&before, &after, "an incomplete read has replaced the rows");
        }
        prop_assert!(
            ended.complete || !self.undisturbed || !is_whole,
            "an honest tenant that did not change is not complete: {}",
            ended.why
        );
        self.note_hidden(&ended);
        let server = self.server.clone();
        let gone = server.state().transcript.gone_objects().cloned().collect();
        self.gone = &self.gone | &gone;
        let gone: BTreeSet<&String> = before
            .keys()
            .filter(|key| !after.contains_key(*key))
            .collect();
        for key in gone.into_iter().chain(&ended.removed) {
            self.check_deletion(key)?;
        }
        self.had_count |= ended.complete && self.server.state().transcript.has_count();
        Ok(ended)
    }

    /// Every row that was there all the time was read, and is stored as it was sent.
    fn check_complete(&self, rows: &BTreeMap<String, String>) -> TestCaseResult {
        let state = self.server.state();
        for key in state.there.keys() {
            let sent = state.transcript.served.get(key);
            let stored = rows.get(key);
            if let (Some(sent), Some(stored)) = (sent, stored)
                && sent.contains(stored)
            {
                continue;
            }
            // A mirror keeps a row that the last reading could not see, with its value of an earlier run.
            prop_assert!(
                state.transcript.hides(key, self.had_count),
                "{key:?} was there all the time and sent as {sent:?}, and a complete read stored {stored:?}"
            );
        }
        Ok(())
    }

    /// Counts the complete reads that could not see a row.
    fn note_hidden(&mut self, ended: &Ended) {
        if !ended.complete {
            return;
        }
        let state = self.server.state();
        for key in state.tenant.rows().into_keys() {
            if state.transcript.hides(&key, self.had_count) {
                *self.hidden.entry(key).or_default() += 1;
            } else {
                self.hidden.remove(&key);
            }
        }
    }

    /// A row was deleted, or told as removed.
    fn check_deletion(&self, key: &String) -> TestCaseResult {
        let state = self.server.state();
        if !state.tenant.rows().contains_key(key) {
            return Ok(());
        }
        if self.asks() {
            prop_assert!(
                state.transcript.is_gone(key),
                "{key:?} was deleted, exists, and was not said to be gone: {:?}",
                state.transcript.asked
            );
            return Ok(());
        }
        let users = state.transcript.users.get(key);
        let of_gone = users.is_some_and(|users| !users.is_disjoint(&self.gone));
        let needed = if self.kind.is_replaced() || of_gone {
            1
        } else {
            2
        };
        let hidden = self.hidden.get(key).copied().unwrap_or_default();
        prop_assert!(
            hidden >= needed,
            "{key:?} was deleted, and exists; {hidden} reads could not see it"
        );
        Ok(())
    }
}
