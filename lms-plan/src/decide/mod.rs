//! Decides what an import changes: the situation of each person, and the steps that follow from it.
//!
//! A person is found by the link table first, and otherwise by `sso_id`, username and email address. Only a learner who is
//! linked, or becomes linked by the plan, is touched.

mod changes;
mod decided;
mod find;
mod guards;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use jiff::Timestamp;

use self::{
    changes::Wanted,
    decided::{Context, Decided, Decision, Texts},
    find::{Found, Index},
};
use crate::{
    error::Error,
    ledger::{Ledger, Link},
    mapping::{IDENTIFIERS, Mapping, Rule},
    people::{People, Person, sha256},
    plan::{Action, Course, Edit, Input, Plan, Purpose, Situation, Step},
    tenant::{Learner, Tenant},
    who::Condition,
};

/// Makes the plan of an import: what the people of a file, the mapping and the links say, compared with the tenant.
///
/// It sends nothing. The ledger keeps since when people are absent, and the values that the file and the tenant share.
///
/// # Errors
///
/// [`Usage`](crate::ErrorKind::Usage) if the file lacks a column of the mapping,
/// [`NotFound`](crate::ErrorKind::NotFound) if the tenant lacks a course of a rule,
/// [`OtherTenant`](crate::ErrorKind::OtherTenant) if the ledger is that of another tenant, and
/// [`Ledger`](crate::ErrorKind::Ledger) if it cannot be read or written.
pub fn plan_import(
    people: &People,
    mapping: &Mapping,
    mapping_text: &str,
    tenant: &Tenant,
    ledger: &Ledger,
) -> Result<Plan, Error> {
    let mut links = ledger.links()?;
    let exists = |link: &Link| tenant.learners.contains_key(&link.learner);
    links.retain(|key, link| exists(link) || !mapping.relink.contains(key));
    let context = Context {
        mapping,
        people,
        places: people.places(mapping.columns())?,
        tenant,
        links,
        courses: courses(mapping, tenant)?,
        now: Timestamp::now(),
    };
    let mut decided = Decided::default();
    let (found, others) = context.find_all();
    context.decide_rows(&found, &mut decided);
    let is_of_other = |found: &&Found<'_>| matches!(found, Found::OtherKey(_));
    let other_keys = found.iter().filter(is_of_other).count();
    drop(found);
    context.decide_absent(&others, &mut decided);
    let input = Input {
        name: people.file.clone(),
        sha256: people.sha256.clone(),
        rows: people.rows.len(),
        delimiter: people.delimiter,
        bom: people.bom,
        columns: people.columns.clone(),
        mapping_sha256: sha256(mapping_text.as_bytes()),
        ..Input::default()
    };
    let mut plan = Plan {
        purpose: Purpose::Import,
        tenant: tenant.id.clone(),
        base_url: tenant.base_url.clone(),
        read_at: tenant.read_at.to_string(),
        input,
        situations: decided.situations,
        steps: decided.steps,
        notes: decided.notes,
        ..Plan::default()
    };
    let active = context.links.values().filter(|link| !link.has_left).count();
    plan.held = guards::broken(
        &plan,
        &mapping.guards,
        active,
        other_keys,
        ledger.last_rows()?,
        context.lost_tags(),
    );
    ledger.observe(&decided.links)?;
    plan.sealed()
}

fn courses(mapping: &Mapping, tenant: &Tenant) -> Result<Vec<Vec<(String, String)>>, Error> {
    let of_rule = |names: &Vec<String>| names.iter().map(|name| tenant.course(name)).collect();
    let rules = mapping.rules.iter();
    rules.map(|rule| of_rule(&rule.courses)).collect()
}

impl Context<'_> {
    fn text<'a>(&self, person: &'a Person, column: &str) -> &'a str {
        self.places.text(person, column)
    }

    /// The text of a field; empty if the file does not have it.
    fn field<'a>(&self, person: &'a Person, field: &str) -> &'a str {
        let column = self.mapping.fields.get(field);
        column.map_or("", |column| self.text(person, column))
    }

    fn name(&self, person: &Person) -> String {
        let names = [
            self.field(person, "firstname"),
            self.field(person, "surname"),
        ];
        let name = names.join(" ").trim().to_owned();
        match name.is_empty() {
            true => self.key(person).to_owned(),
            false => name,
        }
    }

    /// The tags of rules that no row meets, which linked people have from them: a text of the file or the mapping was renamed.
    fn lost_tags(&self) -> Vec<(&str, usize)> {
        let (met, unmet): (Vec<&Rule>, Vec<&Rule>) = self.mapping.rules.iter().partition(|rule| {
            let mut rows = self.people.rows.iter();
            rows.any(|person| rule.when.holds(|column| self.text(person, column)))
        });
        let tags = unmet.into_iter().flat_map(|rule| &rule.tags);
        let lost = tags.filter(|tag| !met.iter().any(|rule| rule.tags.contains(tag)));
        let lost: BTreeSet<&String> = lost.collect();
        let have = |tag: &String| {
            let links = self.links.values();
            links
                .filter(|link| !link.has_left && link.tags.contains(tag))
                .count()
        };
        lost.into_iter().map(|tag| (&**tag, have(tag))).collect()
    }

    /// The texts by which a learner who is not linked is found.
    fn identifiers<'a>(&self, person: &'a Person) -> [(&'static str, &'a str); 3] {
        IDENTIFIERS.map(|field| (field, self.field(person, field)))
    }

    /// The learner of each row, and the ids of the linked learners whom rows with other keys lead to.
    fn find_all(&self) -> (Vec<Found<'_>>, HashSet<&str>) {
        let index = Index::new(self.tenant, &self.links);
        let repeated = self.repeated();
        let rows = || self.people.rows.iter();
        let found = rows().map(|person| self.find(person, &index, &repeated));
        let others = rows().filter(|person| !self.links.contains_key(self.key(person)));
        let others = others.flat_map(|person| index.led_to(self.identifiers(person)));
        (found.collect(), others.collect())
    }

    fn key<'a>(&self, person: &'a Person) -> &'a str {
        self.text(person, &self.mapping.key)
    }

    fn decide_rows(&self, found: &[Found<'_>], decided: &mut Decided) {
        // A learner whom two rows lead to belongs to neither.
        let mut rows: HashMap<&str, usize> = HashMap::new();
        for learner in found.iter().filter_map(Found::learner) {
            *rows.entry(learner.id.as_str()).or_default() += 1;
        }
        for (person, found) in self.people.rows.iter().zip(found) {
            let decision = match found.learner() {
                Some(learner) if rows[learner.id.as_str()] > 1 => {
                    let reason = format!("several rows lead to the learner {}", learner.id);
                    self.nothing(person, Situation::Disputed, reason)
                }
                _ => self.decide(person, found),
            };
            let shared = found.learner().map(|learner| self.shared(person, learner));
            let shared = shared.filter(|_| decision.of.situation != Situation::Disputed);
            decided.observe(self, &decision.of.key, shared.unwrap_or_default(), false);
            decided.add(decision);
        }
    }

    /// The keys, and the texts of identifiers, that several rows have.
    fn repeated(&self) -> HashSet<(&str, String)> {
        let columns: Vec<_> = self.mapping.identifying().map(String::as_str).collect();
        let (mut seen, mut repeated) = (HashSet::new(), HashSet::new());
        for person in &self.people.rows {
            for column in &columns {
                let text = self.text(person, column).to_lowercase();
                let entry = (*column, text);
                if !entry.1.is_empty() && !seen.insert(entry.clone()) {
                    repeated.insert(entry);
                }
            }
        }
        repeated
    }

    fn find<'a>(
        &'a self,
        person: &Person,
        index: &Index<'a>,
        repeated: &HashSet<(&str, String)>,
    ) -> Found<'a> {
        if let Some(problem) = &person.problem {
            return Found::Nobody(Situation::Invalid, problem.clone());
        }
        let key = self.key(person);
        if key.is_empty() {
            return Found::Nobody(Situation::Invalid, format!("{} is empty", self.mapping.key));
        }
        for column in self.mapping.identifying() {
            let entry = (column.as_str(), self.text(person, column).to_lowercase());
            if repeated.contains(&entry) {
                let reason = format!(
                    "several rows have the {column} {}",
                    self.text(person, column)
                );
                return Found::Nobody(Situation::Disputed, reason);
            }
        }
        let holds = |condition: &Condition| condition.holds(|column| self.text(person, column));
        if !self.mapping.scope.as_ref().is_none_or(holds) {
            return Found::Nobody(Situation::OutOfScope, String::new());
        }
        if self.mapping.away.as_ref().is_some_and(holds) {
            let reason = "on leave, so nothing is changed".to_owned();
            return Found::Nobody(Situation::Away, reason);
        }
        index.find(key, &self.identifiers(person))
    }

    fn decide(&self, person: &Person, found: &Found<'_>) -> Decision {
        let (learner, by) = match found {
            Found::Nobody(situation, reason) => {
                return self.nothing(person, *situation, reason.clone());
            }
            Found::OtherKey(reason) => {
                return self.nothing(person, Situation::Disputed, reason.clone());
            }
            Found::None => return self.decide_new(person),
            Found::Learner(learner, by) => (learner, by),
        };
        let situation = match by {
            Ok(link) if link.has_left => Situation::Returned,
            Ok(_) => Situation::Linked,
            Err(_) => Situation::Unlinked,
        };
        let linked = by.err().map(|field| Action::Link {
            by: field.to_owned(),
            fields: self.shared(person, learner),
        });
        let (changes, kept) = self.changes(person, learner, by.ok(), situation);
        let back = (situation == Situation::Returned).then_some(Action::Return);
        Decision {
            of: self.step(person, Some(learner), situation),
            actions: linked.into_iter().chain(changes).chain(back).collect(),
            reason: kept.join("; "),
        }
    }

    /// Nothing is done about a person.
    fn nothing(&self, person: &Person, situation: Situation, reason: String) -> Decision {
        Decision {
            of: self.step(person, None, situation),
            actions: Vec::new(),
            reason,
        }
    }

    /// A step of a person, without its action.
    fn step(&self, person: &Person, learner: Option<&Learner>, situation: Situation) -> Step {
        let (line, row) = (person.line, person.texts.clone());
        let of = Step::of_row(0, line, self.name(person), Action::Leave, row);
        Step {
            key: self.key(person).to_owned(),
            situation,
            ..of.about(learner.map(|learner| learner.id.clone()))
        }
    }

    fn decide_new(&self, person: &Person) -> Decision {
        let Some(create) = self.mapping.create else {
            let reason = "there is no learner, and the mapping has no [create]".to_owned();
            return self.nothing(person, Situation::Unmatched, reason);
        };
        let mut required = ["firstname", "surname", "email"].into_iter();
        if let Some(field) = required.find(|field| self.field(person, field).is_empty()) {
            let reason = format!("{} is empty", self.mapping.fields[field]);
            return self.nothing(person, Situation::Invalid, reason);
        }
        let Wanted { tags, courses } = self.wanted(person);
        let fields = self.mapping.fields.keys();
        let fields = fields.map(|field| (field.clone(), self.field(person, field).to_owned()));
        let create = Action::Create {
            fields: fields.filter(|(_, text)| !text.is_empty()).collect(),
            tags: tags.into_iter().collect(),
            send_email: create.send_email,
        };
        let enrol = |(course, name): (String, String)| Action::Enrol(Course::new(&course, &name));
        let courses = courses.into_iter().map(enrol);
        Decision {
            of: self.step(person, None, Situation::Unmatched),
            actions: [create].into_iter().chain(courses).collect(),
            reason: String::new(),
        }
    }

    /// Linked people who are not in the file.
    fn decide_absent(&self, others: &HashSet<&str>, decided: &mut Decided) {
        let rows = || self.people.rows.iter();
        let keys: HashSet<&str> = rows().map(|person| self.key(person)).collect();
        let is_unread = |person: &&Person| person.problem.is_some() && self.key(person).is_empty();
        let unread = rows().find(is_unread).map(|person| person.line);
        let mut absent: Vec<_> = self
            .links
            .iter()
            .filter(|(key, link)| !link.has_left && !keys.contains(key.as_str()))
            .collect();
        absent.sort_by_key(|(key, _)| *key);
        for (key, link) in absent {
            // Their rows, with another key or without one, are noted.
            if others.contains(link.learner.as_str()) {
                decided.observe(self, key, BTreeMap::new(), false);
                continue;
            }
            if unread.is_none() {
                decided.observe(self, key, BTreeMap::new(), true);
            }
            let (situation, reason) = self.absence(link, unread);
            let of = Step::of_row(0, 0, link.name.clone(), Action::Leave, Vec::new());
            decided.add(Decision {
                of: Step {
                    key: key.clone(),
                    situation,
                    ..of.about(Some(link.learner.clone()))
                },
                actions: match situation {
                    Situation::Gone => self.leaving(link),
                    _ => Vec::new(),
                },
                reason,
            });
        }
    }

    /// The situation of a linked person who is not in the file, and the reason if nothing is done. `unread` is the line of a
    /// row that may be the person's.
    fn absence(&self, link: &Link, unread: Option<u64>) -> (Situation, String) {
        let learner = self.tenant.learners.get(&link.learner);
        let since = link.absent_since.unwrap_or(self.now);
        let waiting = match (unread, &self.mapping.leavers) {
            (Some(line), _) => {
                format!("not in the file, or in line {line}, which cannot be read")
            }
            (None, None) => "not in the file, and the mapping has no [leavers]".to_owned(),
            (None, Some(leavers))
                if self.now.duration_since(since).unsigned_abs() < leavers.gone_after =>
            {
                let after = humantime::format_duration(leavers.gone_after);
                format!("not in the file since {since:.0}; leaves after {after}")
            }
            _ if learner.is_some_and(|learner| learner.is_admin) => {
                let reason = "the learner is an administrator, and is not in the file";
                return (Situation::Disputed, reason.to_owned());
            }
            _ => return (Situation::Gone, String::new()),
        };
        (Situation::Waiting, waiting)
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
                    seen: changes::seen(learner),
                    ..Edit::default()
                })));
            }
        }
        actions.push(Action::Leave);
        actions
    }
}
