//! Finds the learner of a person: by the link, or by an identifier that only one learner has.

use std::collections::{BTreeMap, HashMap};

use crate::{
    ledger::Link,
    mapping::IDENTIFIERS,
    plan::Situation,
    tenant::{Learner, Tenant},
};

/// The learner of a person, by the link or by a field; `None` if there is none.
pub(super) type Found<'a> =
    Result<Option<(&'a Learner, Result<&'a Link, &'static str>)>, Undecided>;

/// The reason why nothing is done about a person.
pub(super) struct Undecided {
    pub(super) situation: Situation,
    pub(super) reason: String,
    /// `true` if the learner is linked to another key.
    pub(super) is_of_other_key: bool,
}

impl Undecided {
    pub(super) fn new(situation: Situation, reason: String) -> Self {
        Self {
            situation,
            reason,
            is_of_other_key: false,
        }
    }
}

/// Learners by their identifiers.
pub(super) struct Index<'a> {
    by: HashMap<(&'static str, String), Vec<&'a Learner>>,
    tenant: &'a Tenant,
    links: &'a HashMap<String, Link>,
    /// The key of each linked learner.
    keys: HashMap<&'a str, &'a str>,
}

impl<'a> Index<'a> {
    pub(super) fn new(tenant: &'a Tenant, links: &'a HashMap<String, Link>) -> Self {
        let mut by: HashMap<_, Vec<_>> = HashMap::new();
        for learner in tenant.learners.values() {
            for field in IDENTIFIERS {
                let text = learner.field(field);
                if !text.is_empty() {
                    let learners = by.entry((field, text.to_lowercase())).or_default();
                    learners.push(learner);
                }
            }
        }
        let keys = links.iter();
        let keys = keys.map(|(key, link)| (link.learner.as_str(), key.as_str()));
        Self {
            by,
            tenant,
            links,
            keys: keys.collect(),
        }
    }

    /// The learners with one of these identifiers, each with its field.
    pub(super) fn matches(
        &self,
        identifiers: [(&'static str, &str); 3],
    ) -> Vec<(&'a Learner, &'static str)> {
        let mut matches = Vec::new();
        for (field, text) in identifiers {
            let learners = self.by.get(&(field, text.to_lowercase()));
            matches.extend(
                learners
                    .into_iter()
                    .flatten()
                    .map(|learner| (*learner, field)),
            );
        }
        matches
    }

    pub(super) fn find(&self, key: &str, identifiers: [(&'static str, &str); 3]) -> Found<'a> {
        let disputed = |reason: String| Undecided::new(Situation::Disputed, reason);
        let matches = self.matches(identifiers);
        if let Some(link) = self.links.get(key) {
            let learner = self.tenant.learners.get(&link.learner).ok_or_else(|| disputed(format!(
                "the linked learner {} does not exist any more; `relink = [{key:?}]` in the mapping finds or adds the person again",
                link.learner
            )))?;
            check(learner).map_err(disputed)?;
            return match matches.iter().find(|(other, _)| other.id != learner.id) {
                Some((other, field)) => {
                    let other = &other.id;
                    Err(disputed(format!(
                        "another learner, {other}, has the {field} of the person"
                    )))
                }
                None => Ok(Some((learner, Ok(link)))),
            };
        }
        let Some((learner, field)) = matches.first().copied() else {
            return Ok(None);
        };
        let all: BTreeMap<&str, &str> = matches
            .iter()
            .rev()
            .map(|(it, field)| (&*it.id, *field))
            .collect();
        if all.len() > 1 {
            let all: Vec<String> = all
                .iter()
                .map(|(id, field)| format!("{id} by {field}"))
                .collect();
            return Err(disputed(format!(
                "several learners match: {}",
                all.join(", ")
            )));
        }
        let id = &learner.id;
        if let Some(other) = self.keys.get(id.as_str()) {
            let reason =
                format!("{field} leads to the learner {id}, who is linked to the key {other}");
            return Err(Undecided {
                is_of_other_key: true,
                ..disputed(reason)
            });
        }
        check(learner).map_err(disputed)?;
        Ok(Some((learner, Err(field))))
    }
}

/// Fails, with the reason, for a learner who is never changed.
fn check(learner: &Learner) -> Result<(), String> {
    let id = &learner.id;
    match (learner.is_admin, learner.is_closed) {
        (true, _) => Err(format!("the learner {id} is an administrator")),
        (_, true) => Err(format!("the learner {id} is archived or deleted")),
        _ => Ok(()),
    }
}
