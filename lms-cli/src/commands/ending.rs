//! The ending of a row: the state of its step. The result of the state has the word for the effect, and the id of the object.

use lms_plan::{Status, StepState};

use crate::calls::{
    Call,
    applied::{Applied, Effect},
};

pub(super) const INVALID: &str = "invalid";
const AMBIGUOUS: &str = "ambiguous";
const FAILED: &str = "failed";
/// The word for a row that was not sent because the run was stopped.
const UNSENT: &str = "not sent";

const KEPT: &str = "kept: ";

/// The state of a call that was made. A reason says which values an object that existed has kept.
pub(super) fn of_applied(call: &Call, applied: &Applied) -> StepState {
    let status = match applied.effect {
        _ if applied.has_begun => Status::Sent,
        Effect::Existed | Effect::Unchanged | Effect::Absent => Status::Unneeded,
        _ => Status::Done,
    };
    let reason = match applied.differs.as_slice() {
        [] => String::new(),
        differs => format!("{KEPT}{}", differs.join("; ")),
    };
    let id = applied.id.as_deref().unwrap_or_else(|| named(call));
    StepState::new(status, reason, format!("{} {id}", applied.effect.name()))
}

/// The state of a call that was not made.
pub(super) fn unsent(call: &Call) -> StepState {
    StepState::new(Status::Planned, "", format!(" {}", named(call)))
}

/// The id of the object that a call names; empty if it names none, or several.
fn named(call: &Call) -> &str {
    match call.input.path(call.command).as_slice() {
        [id] => id,
        _ => "",
    }
}

/// The state that the results have; `None` for a word whose meaning is not known, because a person has written it.
pub(super) fn parsed([word, id, error, note]: [String; 4]) -> Option<StepState> {
    let status = match word.as_str() {
        AMBIGUOUS => Status::Sent,
        UNSENT => Status::Planned,
        FAILED | INVALID => Status::Failed,
        word if words().any(|known| known == word) => Status::Done,
        _ => return None,
    };
    Some(StepState::new(
        status,
        error + &note,
        format!("{word} {id}"),
    ))
}

/// The columns of the results: the word, the id, the error and the note.
pub(super) fn cells(state: &StepState) -> [&str; 4] {
    let id = id(state);
    match state.status.is_well() {
        true => [word(state), id, "", &state.reason],
        false => [word(state), id, &state.reason, ""],
    }
}

pub(super) fn id(state: &StepState) -> &str {
    state.result.split_once(' ').map_or("", |(_, id)| id)
}

/// The word for a state.
pub(super) fn word(state: &StepState) -> &str {
    let word = state.result.split(' ').next().unwrap_or_default();
    match state.status {
        Status::Done | Status::Unneeded => word,
        Status::Sent => AMBIGUOUS,
        Status::Planned => UNSENT,
        _ if word == INVALID => INVALID,
        _ => FAILED,
    }
}

/// Returns `true` if the object existed with other values.
pub(super) fn has_kept(state: &StepState) -> bool {
    state.status.is_well() && state.reason.starts_with(KEPT)
}

/// Returns `true` if the row was processed, or may have been.
pub(super) fn may_be_processed(state: &StepState) -> bool {
    state.status.is_well() || state.status == Status::Sent
}

/// The words, in the order in which they are reported.
fn words() -> impl Iterator<Item = &'static str> {
    let effects = Effect::ALL.into_iter().map(|(_, name)| name);
    effects.chain([FAILED, AMBIGUOUS, INVALID, UNSENT])
}

/// The number of rows with each word.
pub(super) fn counts(endings: &[StepState]) -> Vec<(&'static str, usize)> {
    let count = |name: &str| endings.iter().filter(|ending| word(ending) == name).count();
    let counts = words().map(|name| (name, count(name)));
    counts.filter(|(_, count)| *count > 0).collect()
}
