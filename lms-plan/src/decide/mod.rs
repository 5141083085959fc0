//! Decides what an import changes: the situation of each person, and the steps that follow from it.
//!
//! A person is found by the link table first, and otherwise by `sso_id`, username and email address. Only a learner who is
//! linked, or becomes linked by the plan, is touched.

mod changes;
mod find;
mod guards;
mod leavers;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use jiff::Timestamp;

use self::find::{Found, Index, Undecided};
use crate::{
    error::Error,
    ledger::{Ledger, Link},
    mapping::{IDENTIFIERS, Mapping, REQUIRED},
    people::{People, Person, Places},
    plan::{Action, Course, Input, Note, Plan, Purpose, Situation, Step},
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
    let index = Index::new(tenant, &context.links);
    context.decide_rows(&index, &mut decided);
    context.decide_absent(&index, &mut decided);
    let input = Input {
        rows: people.rows.len(),
        mapping_sha256: mapping.sha256.clone(),
        ..people.input.clone()
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
    plan.held = context.broken(&plan, decided.other_keys, ledger.last_rows()?);
    ledger.observe(&decided.links)?;
    plan.sealed()
}

fn courses(mapping: &Mapping, tenant: &Tenant) -> Result<Vec<Vec<(String, String)>>, Error> {
    let of_rule = |names: &Vec<String>| names.iter().map(|name| tenant.course(name)).collect();
    let rules = mapping.rules.iter();
    rules.map(|rule| of_rule(&rule.courses)).collect()
}

/// Texts in their order, each once.
type Texts = BTreeSet<String>;

/// The data that decisions are made from.
struct Context<'a> {
    mapping: &'a Mapping,
    people: &'a People,
    places: Places,
    tenant: &'a Tenant,
    links: HashMap<String, Link>,
    /// The ids and names of the courses of each rule.
    courses: Vec<Vec<(String, String)>>,
    now: Timestamp,
}

/// The situation of a person, the changes, and the reason why something is left as it is; empty if nothing is.
type Decision = (Situation, Vec<Action>, String);

/// A plan that grows.
#[derive(Default)]
struct Decided {
    steps: Vec<Step>,
    notes: Vec<Note>,
    situations: BTreeMap<Situation, usize>,
    /// Number of people who have another key than the one that their learner is linked to.
    other_keys: usize,
    /// The links that have changed because of what was seen.
    links: Vec<(String, Link)>,
}

impl Decided {
    /// Adds the decision about a person, as whose step `of` is, without its action.
    fn add(&mut self, mut of: Step, (situation, actions, reason): Decision) {
        of.situation = situation;
        *self.situations.entry(situation).or_default() += 1;
        if !reason.is_empty() {
            self.notes.push(of.noted(reason));
        }
        let row = std::mem::take(&mut of.row);
        let first = self.steps.len();
        let of_action = |action| Step {
            action,
            ..of.clone()
        };
        self.steps.extend(actions.into_iter().map(of_action));
        // Without a request, the row is not needed again.
        let new = &mut self.steps[first..];
        if new.iter().any(|step| !step.action.is_silent()) {
            new[0].row = row;
        }
    }

    /// Keeps what was seen of a linked person: the values that the file and the tenant share, and since when the person is
    /// absent.
    fn observe(
        &mut self,
        (key, old): (&str, &Link),
        fields: BTreeMap<String, String>,
        absent_since: Option<Timestamp>,
    ) {
        let mut new = old.clone();
        new.fields.extend(fields);
        new.absent_since = absent_since.map(|now| old.absent_since.unwrap_or(now));
        if new != *old {
            self.links.push((key.to_owned(), new));
        }
    }
}

impl Context<'_> {
    fn text<'a>(&self, person: &'a Person, column: &str) -> &'a str {
        self.places.text(person, column)
    }

    fn holds(&self, person: &Person, condition: &Condition) -> bool {
        condition.holds(|column| self.text(person, column))
    }

    /// The text of a field; empty if the file does not have it.
    fn field<'a>(&self, person: &'a Person, field: &str) -> &'a str {
        let column = self.mapping.fields.get(field);
        column.map_or("", |column| self.text(person, column))
    }

    fn key<'a>(&self, person: &'a Person) -> &'a str {
        self.text(person, &self.mapping.key)
    }

    /// The texts by which a learner who is not linked is found.
    fn identifiers<'a>(&self, person: &'a Person) -> [(&'static str, &'a str); 3] {
        IDENTIFIERS.map(|field| (field, self.field(person, field)))
    }

    fn decide_rows(&self, index: &Index<'_>, decided: &mut Decided) {
        let repeated = self.repeated();
        let rows = self.people.rows.iter();
        let found: Vec<Found<'_>> = rows
            .map(|person| self.find(person, index, &repeated))
            .collect();
        // A learner whom two rows lead to belongs to neither.
        let mut number: HashMap<&str, usize> = HashMap::new();
        for (learner, _) in found.iter().flatten().flatten() {
            *number.entry(&learner.id).or_default() += 1;
        }
        for (person, found) in self.people.rows.iter().zip(found) {
            let learner = found.as_ref().ok().copied().flatten();
            let learner = learner.map(|(learner, _)| learner);
            let decision = match found {
                Err(undecided) => {
                    decided.other_keys += usize::from(undecided.is_of_other_key);
                    (undecided.situation, Vec::new(), undecided.reason)
                }
                Ok(Some((learner, _))) if number[learner.id.as_str()] > 1 => {
                    let reason = format!("several rows lead to the learner {}", learner.id);
                    (Situation::Disputed, Vec::new(), reason)
                }
                Ok(Some((learner, by))) => self.decide_known(person, learner, by),
                Ok(None) => self.decide_new(person),
            };
            let learner = learner.filter(|_| decision.0 != Situation::Disputed);
            let shared = learner.map(|learner| self.shared(person, learner));
            let key = self.key(person);
            if let Some(link) = self.links.get(key) {
                decided.observe((key, link), shared.unwrap_or_default(), None);
            }
            let names = ["firstname", "surname"].map(|field| self.field(person, field));
            let name = match names.join(" ").trim() {
                "" => key.to_owned(),
                name => name.to_owned(),
            };
            let of = Step {
                key: key.to_owned(),
                line: person.line,
                name,
                learner: learner.map(|learner| learner.id.clone()),
                row: person.texts.clone(),
                ..Step::default()
            };
            decided.add(of, decision);
        }
    }

    /// The keys, and the texts of identifiers, that several rows have.
    fn repeated(&self) -> HashSet<(&str, String)> {
        let (mut seen, mut repeated) = (HashSet::new(), HashSet::new());
        for person in &self.people.rows {
            for column in self.mapping.identifying() {
                let entry = (column.as_str(), self.text(person, column).to_lowercase());
                if !entry.1.is_empty() && !seen.insert(entry.clone()) {
                    repeated.insert(entry);
                }
            }
        }
        repeated
    }

    fn find<'a>(
        &self,
        person: &Person,
        index: &Index<'a>,
        repeated: &HashSet<(&str, String)>,
    ) -> Found<'a> {
        let undecided = |situation, reason: String| Err(Undecided::new(situation, reason));
        if let Some(problem) = &person.problem {
            return undecided(Situation::Invalid, problem.clone());
        }
        let key = self.key(person);
        if key.is_empty() {
            return undecided(Situation::Invalid, format!("{} is empty", self.mapping.key));
        }
        for column in self.mapping.identifying() {
            let text = self.text(person, column);
            if repeated.contains(&(column.as_str(), text.to_lowercase())) {
                let reason = format!("several rows have the {column} {text}");
                return undecided(Situation::Disputed, reason);
            }
        }
        let Mapping { scope, away, .. } = self.mapping;
        if scope.as_ref().is_some_and(|it| !self.holds(person, it)) {
            return undecided(Situation::OutOfScope, String::new());
        }
        if away.as_ref().is_some_and(|it| self.holds(person, it)) {
            let reason = "on leave, so nothing is changed".to_owned();
            return undecided(Situation::Away, reason);
        }
        index.find(key, self.identifiers(person))
    }

    fn decide_known(
        &self,
        person: &Person,
        learner: &Learner,
        by: Result<&Link, &'static str>,
    ) -> Decision {
        let situation = match by {
            Ok(link) if link.has_left => Situation::Returned,
            Ok(_) => Situation::Linked,
            Err(_) => Situation::Unlinked,
        };
        let linked = by.err().map(|field| Action::Link {
            by: field.to_owned(),
            fields: self.shared(person, learner),
        });
        let (changes, kept) = self.changes(person, learner, by.ok());
        let back = (situation == Situation::Returned).then_some(Action::Return);
        let actions = linked.into_iter().chain(changes).chain(back).collect();
        (situation, actions, kept.join("; "))
    }

    fn decide_new(&self, person: &Person) -> Decision {
        let Some(create) = self.mapping.create else {
            let reason = "there is no learner, and the mapping has no [create]".to_owned();
            return (Situation::Unmatched, Vec::new(), reason);
        };
        let mut required = REQUIRED.iter();
        if let Some(field) = required.find(|field| self.field(person, field).is_empty()) {
            let reason = format!("{} is empty", self.mapping.fields[*field]);
            return (Situation::Invalid, Vec::new(), reason);
        }
        let (tags, courses) = self.wanted(person);
        let fields = self.mapping.fields.keys();
        let fields = fields.map(|field| (field.clone(), self.field(person, field).to_owned()));
        let create = Action::Create {
            fields: fields.filter(|(_, text)| !text.is_empty()).collect(),
            tags: tags.into_iter().collect(),
            send_email: create.send_email,
        };
        let enrol = |(course, name): (String, String)| Action::Enrol(Course::new(&course, &name));
        let courses = courses.into_iter().map(enrol);
        let actions = [create].into_iter().chain(courses).collect();
        (Situation::Unmatched, actions, String::new())
    }
}
