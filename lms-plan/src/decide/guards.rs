//! The limits of a plan: what is beyond them has to be looked at by a person.

use std::collections::BTreeMap;

use crate::{
    mapping::{Guard, Guards},
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
    let of = |situation| plan.situations.get(situation).copied().unwrap_or(0);
    let check = |guard: Guard, number: usize, of: usize, what: &str| {
        let limit = guard.broken(number, of)?;
        Some(format!("{number} of {of} {what}, and the limit is {limit}"))
    };
    let [create, change, leave] = Group::ALL.map(|group| plan.count(group));
    let undecided = of(&Situation::Invalid) + of(&Situation::Disputed);
    let missing = last.saturating_sub(rows);
    let keys = "people have a key that is not the one of their learner";
    let nothing = match rows {
        0 => Some("the file has no rows"),
        rows if rows == of(&Situation::OutOfScope) => Some("no row is in [scope]"),
        _ => None,
    };
    let mut broken = vec![
        nothing.map(str::to_owned),
        check(guards.create, create, rows, "people are added"),
        check(guards.change, change, rows, "people are changed"),
        check(guards.leave, leave, linked, "linked people leave"),
        check(guards.keys, other_keys, rows, keys),
        check(
            guards.undecided,
            undecided,
            rows,
            "rows are not valid or disputed",
        ),
        check(
            guards.shrink,
            missing,
            last,
            "rows of the last file are missing",
        ),
    ];
    let found = [Situation::Linked, Situation::Unlinked, Situation::Returned];
    let found = found.iter().map(of).sum();
    for (what, number) in exchanged(plan) {
        broken.push(check(guards.exchange, number, found, &what));
    }
    for (tag, number) in lost_tags {
        let what = format!("linked people have the tag {tag}, whose rule no row meets");
        broken.push(check(guards.rules, number, linked, &what));
    }
    broken.into_iter().flatten().collect()
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
