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
    pub(super) key: String,
    pub(super) line: u64,
    pub(super) name: String,
    pub(super) learner: Option<String>,
    pub(super) situation: Situation,
    pub(super) row: Vec<String>,
    pub(super) actions: Vec<Action>,
}

impl Steps {
    pub(super) fn of(
        context: &Context<'_>,
        person: &Person,
        learner: Option<&Learner>,
        situation: Situation,
    ) -> Self {
        Self {
            key: context.text(person, &context.mapping.key).to_owned(),
            line: person.line,
            name: context.name(person),
            learner: learner.map(|learner| learner.id.clone()),
            situation,
            row: person.texts.clone(),
            actions: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, action: Action) {
        self.actions.push(action);
    }
}

impl Decided {
    pub(super) fn add(&mut self, steps: Steps) {
        *self.situations.entry(steps.situation).or_default() += 1;
        // Without a request, the row is not needed again.
        let mut row = match steps.actions.iter().all(Action::is_silent) {
            true => Vec::new(),
            false => steps.row,
        };
        for action in steps.actions {
            self.steps.push(Step {
                number: 0,
                key: steps.key.clone(),
                line: steps.line,
                name: steps.name.clone(),
                learner: steps.learner.clone(),
                situation: steps.situation,
                action,
                row: std::mem::take(&mut row),
            });
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
