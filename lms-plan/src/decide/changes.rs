//! The changes of a learner: the three-way rule for fields, and tags and courses by rules.

use std::collections::BTreeMap;

use super::{Context, Texts};
use crate::{
    ledger::Link,
    mapping::{FIELDS, IDENTIFIERS},
    people::Person,
    plan::{Action, Course, Edit, FieldChange, Situation},
    tenant::Learner,
};

/// The tags and courses that the rules give a person.
pub(super) struct Wanted {
    pub(super) tags: Texts,
    /// The courses, with their names.
    pub(super) courses: BTreeMap<String, String>,
}

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
    pub(super) fn wanted(&self, person: &Person) -> Wanted {
        let mut wanted = Wanted {
            tags: Texts::new(),
            courses: BTreeMap::new(),
        };
        for (rule, courses) in self.mapping.rules.iter().zip(&self.courses) {
            if rule.when.holds(|column| self.text(person, column)) {
                wanted.tags.extend(rule.tags.iter().cloned());
                wanted.courses.extend(courses.iter().cloned());
            }
        }
        wanted
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
        situation: Situation,
    ) -> (Vec<Action>, Vec<String>) {
        let (mut actions, mut kept) = (Vec::new(), Vec::new());
        let fields = self.fields(person, learner, link, &mut kept);
        let Wanted { tags, courses } = self.wanted(person);
        let (add_tags, remove_tags) = self.tags(&tags, learner, link, situation, &mut kept);
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
        let enrolled = self.tenant.enrolments.get(&learner.id);
        let left = link.filter(|link| link.has_left).into_iter();
        let again = left.flat_map(|link| &link.ended);
        let again = again.filter(|course| self.tenant.courses.get(course).is_some());
        let named = |course: &String| (course.clone(), self.tenant.course_name(course).to_owned());
        let again = again.map(named);
        let courses: BTreeMap<_, _> = again.chain(courses).collect();
        for (course, course_name) in courses {
            if enrolled.is_some_and(|enrolled| enrolled.contains(&course)) {
                continue;
            }
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
                changes.push(FieldChange {
                    field: field.clone(),
                    from: from.to_owned(),
                    to: to.to_owned(),
                });
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
        situation: Situation,
        kept: &mut Vec<String>,
    ) -> (Vec<String>, Vec<String>) {
        let has = |tag: &String| learner.tags.contains(tag);
        let gave = |tag: &String| link.is_some_and(|link| link.tags.contains(tag));
        let mut add = Vec::new();
        for tag in wanted.iter().filter(|tag| !has(tag)) {
            match gave(tag) && !self.mapping.wins("tags") {
                true => kept.push(format!("the tag {tag} was removed in the tenant")),
                false => add.push(tag.clone()),
            }
        }
        let leavers = self.mapping.leavers.iter();
        let left = leavers.filter_map(|leavers| leavers.tag.as_ref());
        let left = left.filter(|_| situation == Situation::Returned);
        let given = link.into_iter().flat_map(|link| &link.tags);
        let old: Texts = given
            .chain(left)
            .filter(|tag| !wanted.contains(*tag) && has(tag))
            .cloned()
            .collect();
        (add, old.into_iter().collect())
    }
}
