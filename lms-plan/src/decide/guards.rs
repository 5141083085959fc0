//! The limits of a plan: what is beyond them has to be looked at by a person.

use crate::{
    mapping::Guards,
    plan::{Group, Plan},
};

/// The limits that a plan is beyond.
pub(super) fn broken(
    plan: &Plan,
    guards: &Guards,
    linked: usize,
    other_keys: usize,
    last_rows: Option<usize>,
) -> Vec<String> {
    let rows = plan.input.rows;
    let mut held = Vec::new();
    if rows == 0 {
        held.push("the file has no rows".to_owned());
    }
    let mut check = |guard: &crate::mapping::Guard, number: usize, of: usize, what: &str| {
        if let Some(limit) = guard.broken(number, of) {
            held.push(format!("{number} of {of} {what}, and the limit is {limit}"));
        }
    };
    check(
        &guards.create,
        plan.count(Group::Create),
        rows,
        "people are added",
    );
    check(
        &guards.change,
        plan.count(Group::Change),
        rows,
        "people are changed",
    );
    check(
        &guards.leave,
        plan.count(Group::Leave),
        linked,
        "linked people leave",
    );
    check(
        &guards.keys,
        other_keys,
        rows,
        "people have a key that is not the one of their learner",
    );
    if let Some(last) = last_rows {
        check(
            &guards.shrink,
            last.saturating_sub(rows),
            last,
            "rows of the last file are missing",
        );
    }
    held
}
