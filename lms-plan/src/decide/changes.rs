//! The changes of a learner: the three-way rule for fields, and tags and courses by rules.

use std::collections::BTreeMap;

use super::{Context, Texts};
use crate::{
    ledger::Link,
    mapping::{FIELDS, IDENTIFIERS},
    people::Person,
    plan::{Action, Course, Edit, FieldChange},
    tenant::Learner,
};

/// The fields of a learner that an apply compares with those of the plan.
pub(super) fn seen(learner: &Learner) -> BTreeMap<String, String> {
    let fields = FIELDS.into_iter().filter(|(_, editable)| *editable);
    fields
        .map(|(field, _)| (field.to_owned(), learner.field(field).to_owned()))
        .collect()
}

/// Returns `true` for equal values of a field. Case does not identify people, and a service may not keep it.
fn is_same(field: &str, one: &str, other: &str) -> bool {
    one == other || (IDENTIFIERS.contains(&field) && one.to_lowercase() == other.to_lowercase())
}

impl Context<'_> {
    /// The tags that the rules give a person, and the courses with their names.
    pub(super) fn wanted(&self, person: &Person) -> (Texts, BTreeMap<String, String>) {
        let (mut tags, mut wanted) = (Texts::new(), BTreeMap::new());
        for (rule, courses) in self.mapping.rules.iter().zip(&self.courses) {
            if self.holds(person, &rule.when) {
                tags.extend(rule.tags.iter().cloned());
                wanted.extend(courses.iter().cloned());
            }
        }
        (tags, wanted)
    }

    /// The values that the file and the tenant share.
    pub(super) fn shared(&self, person: &Person, learner: &Learner) -> BTreeMap<String, String> {
        let fields = self
            .mapping
            .fields
            .keys()
            .map(|field| (field.clone(), self.field(person, field).to_owned()));
        fields
            .filter(|(field, text)| is_same(field, learner.field(field), text))
            .collect()
    }

    /// The actions that change a learner, and what was changed in the tenant and is kept.
    pub(super) fn changes(
        &self,
        person: &Person,
        learner: &Learner,
        link: Option<&Link>,
    ) -> (Vec<Action>, Vec<String>) {
        let (mut actions, mut kept) = (Vec::new(), Vec::new());
        let fields = self.fields(person, learner, link, &mut kept);
        let (tags, mut courses) = self.wanted(person);
        let (add_tags, remove_tags) = self.tags(&tags, learner, link, &mut kept);
        let edit = Edit {
            fields,
            add_tags,
            remove_tags,
            seen: seen(learner),
            ..Edit::default()
        };
        if !edit.is_empty() {
            actions.push(Action::Edit(Box::new(edit)));
        }
        let tenant = self.tenant;
        let again = link.filter(|link| link.has_left).into_iter();
        for course in again.flat_map(|link| &link.ended) {
            if tenant.courses.get(course).is_some() {
                courses.insert(course.clone(), tenant.course_name(course).to_owned());
            }
        }
        let enrolled = tenant.enrolments.get(&learner.id);
        courses.retain(|course, _| enrolled.is_none_or(|enrolled| !enrolled.contains(course)));
        for (course, course_name) in courses {
            let gave = link.is_some_and(|link| !link.has_left && link.courses.contains(&course));
            match gave && !self.mapping.wins("courses") {
                true => kept.push(format!("was unenrolled from {course_name} in the tenant")),
                false => actions.push(Action::Enrol(Course::new(&course, &course_name))),
            }
        }
        (actions, kept)
    }

    /// The fields that change. One that a person has changed in the tenant since the last run is kept.
    fn fields(
        &self,
        person: &Person,
        learner: &Learner,
        link: Option<&Link>,
        kept: &mut Vec<String>,
    ) -> Vec<FieldChange> {
        let mut changes = Vec::new();
        for field in self.mapping.fields.keys() {
            let (to, from) = (self.field(person, field), learner.field(field));
            // An empty cell changes nothing.
            let is_known = to.is_empty() || is_same(field, to, from);
            if is_known || self.mapping.only_new.contains(field) {
                continue;
            }
            let base = link.and_then(|link| link.fields.get(field));
            if !self.mapping.changes(field) {
                kept.push(format!(
                    "{field} is {from:?} and cannot be changed to {to:?}"
                ));
            } else if base.is_some_and(|base| !is_same(field, base, from))
                && !self.mapping.wins(field)
            {
                kept.push(format!(
                    "{field} was changed to {from:?} in the tenant; the file has {to:?}"
                ));
            } else {
                changes.push(FieldChange::new(field, from.to_owned(), to.to_owned()));
            }
        }
        changes
    }

    /// The tags to add, and those to remove: tags that rules gave, and do not give any more.
    fn tags(
        &self,
        wanted: &Texts,
        learner: &Learner,
        link: Option<&Link>,
        kept: &mut Vec<String>,
    ) -> (Vec<String>, Vec<String>) {
        let has = |tag: &String| learner.tags.contains(tag);
        let gave = |tag: &&String| link.is_some_and(|link| link.tags.contains(*tag));
        let new = wanted.iter().filter(|tag| !has(tag));
        let (removed, add): (Vec<_>, Vec<_>) =
            new.partition(|tag| gave(tag) && !self.mapping.wins("tags"));
        kept.extend(
            removed
                .iter()
                .map(|tag| format!("the tag {tag} was removed in the tenant")),
        );
        let left = link
            .filter(|link| link.has_left)
            .and(self.mapping.leavers.as_ref());
        let left = left.and_then(|leavers| leavers.tag.as_ref());
        let given = link.into_iter().flat_map(|link| &link.tags).chain(left);
        let old: Texts = given
            .filter(|tag| has(tag) && !wanted.contains(*tag))
            .cloned()
            .collect();
        (
            add.into_iter().cloned().collect(),
            old.into_iter().collect(),
        )
    }
}
