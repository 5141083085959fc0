//! The data that an import is decided from, and the plan as it grows.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::Timestamp;

use crate::{
    ledger::Link,
    mapping::Mapping,
    people::{People, Person, Places},
    plan::{Action, Note, Situation, Step},
    tenant::{Learner, Tenant},
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
    /// The number of people whose learner is linked to another key.
    pub(super) other_keys: usize,
}

/// The steps of a person.
pub(super) struct Steps {
    /// The fields that the steps share.
    pub(super) of: Step,
    pub(super) actions: Vec<Action>,
}

impl Steps {
    pub(super) fn of(
        context: &Context<'_>,
        person: &Person,
        learner: Option<&Learner>,
        situation: Situation,
    ) -> Self {
        let key = context.text(person, &context.mapping.key).to_owned();
        let learner = learner.map(|learner| learner.id.clone());
        let mut steps = Self::new(key, context.name(person), learner, situation);
        steps.of.line = person.line;
        steps.of.row.clone_from(&person.texts);
        steps
    }

    pub(super) fn new(
        key: String,
        name: String,
        learner: Option<String>,
        situation: Situation,
    ) -> Self {
        let of = Step {
            key,
            situation,
            ..Step::of_row(0, 0, name, Action::Leave, Vec::new()).about(learner)
        };
        Self {
            of,
            actions: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, action: Action) {
        self.actions.push(action);
    }
}

impl Decided {
    pub(super) fn add(&mut self, steps: Steps) {
        let Steps { mut of, actions } = steps;
        *self.situations.entry(of.situation).or_default() += 1;
        let row = std::mem::take(&mut of.row);
        let steps = actions.into_iter().map(|action| Step {
            action,
            ..of.clone()
        });
        let first = self.steps.len();
        self.steps.extend(steps);
        // Without a request, the row is not needed again.
        let new = &mut self.steps[first..];
        if new.iter().any(|step| !step.action.is_silent()) {
            new[0].row = row;
        }
    }

    pub(super) fn note(
        &mut self,
        context: &Context<'_>,
        person: &Person,
        situation: Situation,
        reason: String,
    ) {
        let key = context.text(person, &context.mapping.key).to_owned();
        self.noted(&key, person.line, &context.name(person), situation, reason);
        // In the file, so not absent.
        self.observe(context, &key, BTreeMap::new(), false);
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

    pub(super) fn noted(
        &mut self,
        key: &str,
        line: u64,
        name: &str,
        situation: Situation,
        reason: String,
    ) {
        *self.situations.entry(situation).or_default() += 1;
        if reason.is_empty() {
            return;
        }
        self.notes.push(Note {
            key: key.to_owned(),
            line,
            name: name.to_owned(),
            situation,
            reason,
        });
    }
}

/// Texts in their order, each once.
pub(super) type Texts = BTreeSet<String>;
