//! Linked people who are not in the file: who waits, who has left, and what leaving changes.

use std::collections::{BTreeMap, HashSet};

use super::{Context, Decided, Decision, changes::seen, find::Index};
use crate::{
    ledger::Link,
    people::Person,
    plan::{Action, Course, Edit, Situation, Step},
};

impl Context<'_> {
    /// Decides about linked people who are not in the file.
    pub(super) fn decide_absent(&self, index: &Index<'_>, decided: &mut Decided) {
        let rows = || self.people.rows.iter();
        let keys: HashSet<&str> = rows().map(|person| self.key(person)).collect();
        // The linked learners whom rows with other keys, or without one, lead to. These rows are noted.
        let others = rows().filter(|person| !self.links.contains_key(self.key(person)));
        let others = others.flat_map(|person| index.matches(self.identifiers(person)));
        let others: HashSet<&str> = others.map(|(learner, _)| learner.id.as_str()).collect();
        let is_unread = |person: &&Person| person.problem.is_some() && self.key(person).is_empty();
        let unread = rows().find(is_unread).map(|person| person.line);
        let links = self.links.iter();
        let absent = links.filter(|(key, link)| !link.has_left && !keys.contains(key.as_str()));
        let absent: BTreeMap<_, _> = absent.collect();
        for (key, link) in absent {
            if others.contains(link.learner.as_str()) {
                decided.observe((key, link), BTreeMap::new(), None);
                continue;
            }
            if unread.is_none() {
                decided.observe((key, link), BTreeMap::new(), Some(self.now));
            }
            let of = Step {
                key: key.clone(),
                name: link.name.clone(),
                learner: Some(link.learner.clone()),
                ..Step::default()
            };
            decided.add(of, self.absence(link, unread));
        }
    }

    /// The decision about a linked person who is not in the file. `unread` is the line of a row that may be the person's.
    fn absence(&self, link: &Link, unread: Option<u64>) -> Decision {
        let learner = self.tenant.learners.get(&link.learner);
        let since = link.absent_since.unwrap_or(self.now);
        let absent = self.now.duration_since(since).unsigned_abs();
        let waiting = match (unread, &self.mapping.leavers) {
            (Some(line), _) => format!("not in the file, or in line {line}, which cannot be read"),
            (None, None) => "not in the file, and the mapping has no [leavers]".to_owned(),
            (None, Some(leavers)) if absent < leavers.gone_after => {
                let after = humantime::format_duration(leavers.gone_after);
                format!("not in the file since {since:.0}; leaves after {after}")
            }
            _ if learner.is_some_and(|learner| learner.is_admin) => {
                let reason = "the learner is an administrator, and is not in the file".to_owned();
                return (Situation::Disputed, Vec::new(), reason);
            }
            _ => return (Situation::Gone, self.leaving(link), String::new()),
        };
        (Situation::Waiting, Vec::new(), waiting)
    }

    fn leaving(&self, link: &Link) -> Vec<Action> {
        let mut actions = Vec::new();
        // One who was deleted in the tenant has left without a request.
        let learner = self.tenant.learners.get(&link.learner);
        if let Some(learner) = learner.filter(|learner| !learner.is_closed) {
            let enrolled = self.tenant.enrolments.get(&learner.id);
            for course in enrolled.into_iter().flatten() {
                let name = self.tenant.course_name(course);
                actions.push(Action::Unenrol(Course::new(course, name)));
            }
            let leavers = self.mapping.leavers.as_ref();
            let tag = leavers.and_then(|leavers| leavers.tag.as_ref());
            if let Some(tag) = tag.filter(|tag| !learner.tags.contains(tag)) {
                actions.push(Action::Edit(Box::new(Edit {
                    add_tags: vec![tag.clone()],
                    seen: seen(learner),
                    ..Edit::default()
                })));
            }
        }
        actions.push(Action::Leave);
        actions
    }
}
