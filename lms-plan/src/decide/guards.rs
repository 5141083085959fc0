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
    let last = last_rows.unwrap_or(rows);
    let count = |group| plan.count(group);
    let keys = "people have a key that is not the one of their learner";
    let checks = [
        (
            guards.create,
            count(Group::Create),
            rows,
            "people are added",
        ),
        (
            guards.change,
            count(Group::Change),
            rows,
            "people are changed",
        ),
        (
            guards.leave,
            count(Group::Leave),
            linked,
            "linked people leave",
        ),
        (guards.keys, other_keys, rows, keys),
        (
            guards.shrink,
            last.saturating_sub(rows),
            last,
            "rows of the last file are missing",
        ),
    ];
    let empty = (rows == 0).then(|| "the file has no rows".to_owned());
    let broken = checks.into_iter().filter_map(|(guard, number, of, what)| {
        let limit = guard.broken(number, of)?;
        Some(format!("{number} of {of} {what}, and the limit is {limit}"))
    });
    empty.into_iter().chain(broken).collect()
}
