//! The limits of a plan: what is beyond them has to be looked at by a person.

use std::collections::BTreeMap;

use crate::{
    mapping::Guards,
    plan::{Action, FieldChange, Group, Plan, Situation},
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
    let of = |situation| plan.situations.get(situation).copied().unwrap_or(0);
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
            guards.undecided,
            of(&Situation::Invalid) + of(&Situation::Disputed),
            rows,
            "rows are not valid or disputed",
        ),
        (
            guards.shrink,
            last.saturating_sub(rows),
            last,
            "rows of the last file are missing",
        ),
    ];
    let empty = (rows == 0).then(|| "the file has no rows".to_owned());
    let checks = checks.map(|(guard, number, of, what)| (guard, number, of, what.to_owned()));
    let found = [Situation::Linked, Situation::Unlinked, Situation::Returned];
    let found = found.iter().map(of).sum();
    let exchanged = exchanged(plan).into_iter().map(|((a, b), number)| {
        let what = format!("people have {a} and {b} exchanged");
        (guards.exchange, number, found, what)
    });
    let broken = checks
        .into_iter()
        .chain(exchanged)
        .filter_map(|(guard, number, of, what)| {
            let limit = guard.broken(number, of)?;
            Some(format!("{number} of {of} {what}, and the limit is {limit}"))
        });
    empty.into_iter().chain(broken).collect()
}

/// The number of people for whom two fields exchange their values: one is rare, and many are columns that were mixed up.
fn exchanged(plan: &Plan) -> BTreeMap<(&str, &str), usize> {
    let mut exchanged = BTreeMap::new();
    for step in &plan.steps {
        let Action::Edit(edit) = &step.action else {
            continue;
        };
        for (at, a) in edit.fields.iter().enumerate() {
            let other = |b: &&FieldChange| a.to == b.from && a.from == b.to;
            for b in edit.fields[..at].iter().filter(other) {
                *exchanged.entry((&*b.field, &*a.field)).or_default() += 1;
            }
        }
    }
    exchanged
}
