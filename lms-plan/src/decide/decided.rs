//! The data that an import is decided from, and the plan as it grows.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::Timestamp;

use crate::{
    ledger::Link,
    mapping::Mapping,
    people::{People, Places},
    plan::{Action, Note, Situation, Step},
    tenant::Tenant,
};

/// The data that decisions are made from.
pub(super) struct Context<'a> {
    pub(super) mapping: &'a Mapping,
    pub(super) people: &'a People,
    pub(super) places: Places,
    pub(super) tenant: &'a Tenant,
    pub(super) links: HashMap<String, Link>,
    /// The ids and names of the courses of each rule.
    pub(super) courses: Vec<Vec<(String, String)>>,
    pub(super) now: Timestamp,
}

/// A plan that grows.
#[derive(Default)]
pub(super) struct Decided {
    pub(super) steps: Vec<Step>,
    pub(super) notes: Vec<Note>,
    pub(super) situations: BTreeMap<Situation, usize>,
    /// The links that have changed because of what was seen.
    pub(super) links: Vec<(String, Link)>,
}

/// The decision about a person.
pub(super) struct Decision {
    /// A step of the person, without its action.
    pub(super) of: Step,
    pub(super) actions: Vec<Action>,
    /// The reason why something is left as it is; empty if nothing is.
    pub(super) reason: String,
}

impl Decided {
    pub(super) fn add(&mut self, decision: Decision) {
        let Decision {
            mut of,
            actions,
            reason,
        } = decision;
        *self.situations.entry(of.situation).or_default() += 1;
        if !reason.is_empty() {
            self.notes.push(of.noted(reason));
        }
        let row = std::mem::take(&mut of.row);
        let first = self.steps.len();
        self.steps.extend(actions.into_iter().map(|action| Step {
            action,
            ..of.clone()
        }));
        // Without a request, the row is not needed again.
        let new = &mut self.steps[first..];
        if new.iter().any(|step| !step.action.is_silent()) {
            new[0].row = row;
        }
    }

    /// Keeps what was seen of a linked person: the values that the file and the tenant share, and since when the person is
    /// absent.
    pub(super) fn observe(
        &mut self,
        context: &Context<'_>,
        key: &str,
        fields: BTreeMap<String, String>,
        is_absent: bool,
    ) {
        let Some(old) = context.links.get(key) else {
            return;
        };
        let mut new = old.clone();
        new.fields.extend(fields);
        new.absent_since = is_absent.then(|| old.absent_since.unwrap_or(context.now));
        if new != *old {
            self.links.push((key.to_owned(), new));
        }
    }
}

/// Texts in their order, each once.
pub(super) type Texts = BTreeSet<String>;
