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
    last_rows: Option<u32>,
    lost_tags: Vec<(&str, usize)>,
) -> Vec<String> {
    let rows = plan.input.rows;
    let last = last_rows.map_or(rows, |rows| rows as usize);
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
    let nothing = match rows {
        0 => Some("the file has no rows"),
        rows if rows == of(&Situation::OutOfScope) => Some("no row is in [scope]"),
        _ => None,
    };
    let checks = checks.map(|(guard, number, of, what)| (guard, number, of, what.to_owned()));
    let found = [Situation::Linked, Situation::Unlinked, Situation::Returned];
    let found = found.iter().map(of).sum();
    let exchanged = exchanged(plan)
        .into_iter()
        .map(|(what, number)| (guards.exchange, number, found, what));
    let lost = lost_tags.into_iter().map(|(tag, number)| {
        let what = format!("linked people have the tag {tag}, whose rule no row meets");
        (guards.rules, number, linked, what)
    });
    let checks = checks.into_iter().chain(exchanged).chain(lost);
    let broken = checks.filter_map(|(guard, number, of, what)| {
        let limit = guard.broken(number, of)?;
        Some(format!("{number} of {of} {what}, and the limit is {limit}"))
    });
    let nothing = nothing.map(str::to_owned);
    nothing.into_iter().chain(broken).collect()
}

/// The number of people for whom two fields exchange their values: one is rare, and many are columns that were mixed up.
fn exchanged(plan: &Plan) -> BTreeMap<String, usize> {
    let mut exchanged = BTreeMap::new();
    for step in &plan.steps {
        let Action::Edit(edit) = &step.action else {
            continue;
        };
        for (at, a) in edit.fields.iter().enumerate() {
            let other = |b: &&FieldChange| a.to == b.from && a.from == b.to;
            for b in edit.fields[..at].iter().filter(other) {
                let what = format!("people have {} and {} exchanged", b.field, a.field);
                *exchanged.entry(what).or_default() += 1;
            }
        }
    }
    exchanged
}
