//! The limits of a plan: what is beyond them has to be looked at by a person.

use std::collections::BTreeMap;

use super::{Context, Texts};
use crate::{
    ledger::Link,
    mapping::{Guard, Rule},
    plan::{Action, FieldChange, Group, Plan, Situation},
};

impl Context<'_> {
    /// The limits that a plan is beyond.
    pub(super) fn broken(
        &self,
        plan: &Plan,
        other_keys: usize,
        last_rows: Option<u32>,
    ) -> Vec<String> {
        let guards = &self.mapping.guards;
        let linked = self.links.values().filter(|link| !link.has_left);
        let linked: Vec<&Link> = linked.collect();
        let rows = plan.input.rows;
        let last = last_rows.map_or(rows, |rows| rows as usize);
        let of = |situation| plan.situations.get(&situation).copied().unwrap_or(0);
        let [create, change, leave] = Group::ALL.map(|group| plan.count(group));
        let undecided = of(Situation::Invalid) + of(Situation::Disputed);
        let missing = last.saturating_sub(rows);
        let other = "people have a key that is not the one of their learner";
        let found = [Situation::Linked, Situation::Unlinked, Situation::Returned];
        let found = found.into_iter().map(of).sum();
        let checks: [(Guard, usize, usize, &str); 6] = [
            (guards.create, create, rows, "people are added"),
            (guards.change, change, rows, "people are changed"),
            (guards.leave, leave, linked.len(), "linked people leave"),
            (guards.keys, other_keys, rows, other),
            (
                guards.undecided,
                undecided,
                rows,
                "rows are not valid or disputed",
            ),
            (
                guards.shrink,
                missing,
                last,
                "rows of the last file are missing",
            ),
        ];
        let checks = checks.map(|(guard, number, of, what)| (guard, number, of, what.to_owned()));
        let exchanged = exchanged(plan).into_iter();
        let exchanged = exchanged.map(|(what, number)| (guards.exchange, number, found, what));
        let lost = self.lost_tags().into_iter().map(|tag| {
            let have = linked
                .iter()
                .filter(|link| link.tags.contains(&tag))
                .count();
            let what = format!("linked people have the tag {tag}, whose rule no row meets");
            (guards.rules, have, linked.len(), what)
        });
        let checks = checks.into_iter().chain(exchanged).chain(lost);
        let broken = checks.filter_map(|(guard, number, of, what)| {
            let limit = guard.broken(number, of)?;
            Some(format!("{number} of {of} {what}, and the limit is {limit}"))
        });
        let nothing = match rows {
            0 => Some("the file has no rows"),
            rows if rows == of(Situation::OutOfScope) => Some("no row is in [scope]"),
            _ => None,
        };
        nothing
            .map(str::to_owned)
            .into_iter()
            .chain(broken)
            .collect()
    }

    /// The tags of rules that no row meets: a text of the file or the mapping was renamed.
    fn lost_tags(&self) -> Texts {
        let is_met = |rule: &&Rule| {
            let mut rows = self.people.rows.iter();
            rows.any(|person| self.holds(person, &rule.when))
        };
        let (met, unmet): (Vec<&Rule>, Vec<&Rule>) = self.mapping.rules.iter().partition(is_met);
        let mut lost: Texts = unmet
            .into_iter()
            .flat_map(|rule| rule.tags.clone())
            .collect();
        lost.retain(|tag| !met.iter().any(|rule| rule.tags.contains(tag)));
        lost
    }
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
