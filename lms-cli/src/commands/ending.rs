//! The ending of a row: its status, the id of its object, and the error or note.

use lms_plan::MAYBE_DONE;
use serde::{Deserialize, Serialize};

use crate::calls::{
    Call,
    applied::{Applied, Effect},
};

pub(super) const AMBIGUOUS: &str = "ambiguous";
pub(super) const FAILED: &str = "failed";
pub(super) const INVALID: &str = "invalid";
/// The status of a row that was not sent because the run was stopped.
pub(super) const UNSENT: &str = "not sent";

const KEPT: &str = "kept: ";

/// The end of a row.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Ending {
    pub(super) status: String,
    pub(super) id: String,
    pub(super) error: String,
    /// The values that an object which existed has kept, or the attempt that may have processed the row before.
    pub(super) note: String,
}

impl Ending {
    pub(super) fn error(status: &str, error: impl Into<String>) -> Self {
        Self {
            status: status.to_owned(),
            error: error.into(),
            ..Self::default()
        }
    }

    pub(super) fn of_applied(applied: &Applied) -> Self {
        Self {
            status: applied.effect.name().to_owned(),
            id: applied.id.clone().unwrap_or_default(),
            note: match applied.differs.is_empty() {
                true => String::new(),
                false => format!("{KEPT}{}", applied.differs.join("; ")),
            },
            ..Self::default()
        }
    }

    /// The text for the ledger.
    pub(super) fn stored(&self) -> String {
        // Texts always serialize.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Adds the id of the object that the call names, unless the response had one.
    pub(super) fn of(mut self, call: &Call) -> Self {
        if let (true, [id]) = (self.id.is_empty(), call.input.path(call.command).as_slice()) {
            (*id).clone_into(&mut self.id);
        }
        self
    }

    /// Notes for a row without an effect that an interrupted attempt may have had it, unless values of its object show that
    /// it has not.
    pub(super) fn or_earlier(mut self, may_be_done: bool) -> Self {
        if may_be_done && self.note.is_empty() {
            MAYBE_DONE.clone_into(&mut self.note);
        }
        self
    }

    /// Returns `true` if the object existed with other values.
    pub(super) fn has_kept(&self) -> bool {
        self.is_well() && self.note.starts_with(KEPT)
    }

    /// Returns `true` if this run had nothing to do after an interrupted attempt.
    pub(super) fn may_be_done(&self) -> bool {
        self.note == MAYBE_DONE
    }

    pub(super) fn is_well(&self) -> bool {
        ![AMBIGUOUS, FAILED, INVALID, UNSENT].contains(&self.status.as_str())
    }

    /// Returns `true` if the row was processed, or may have been.
    pub(super) fn may_be_processed(&self) -> bool {
        self.is_well() || self.is_ambiguous()
    }

    /// Returns `true` if it is not known whether the row was processed.
    pub(super) fn is_ambiguous(&self) -> bool {
        self.status == AMBIGUOUS
    }
}

/// The statuses, in the order in which they are reported.
pub(super) fn statuses() -> impl Iterator<Item = &'static str> {
    let effects = Effect::ALL.into_iter().map(|(_, name)| name);
    effects.chain([FAILED, AMBIGUOUS, INVALID, UNSENT])
}

/// The number of rows with each status.
pub(super) fn counts(endings: &[Ending]) -> Vec<(&'static str, usize)> {
    let count = |name: &str| {
        let endings = endings.iter();
        endings.filter(|ending| ending.status == name).count()
    };
    let counts = statuses().map(|name| (name, count(name)));
    counts.filter(|(_, count)| *count > 0).collect()
}
