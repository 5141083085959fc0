//! Finds the learner of a person: by the link, or by an identifier that only one learner has.

use std::collections::HashMap;

use crate::{
    ledger::Link,
    mapping::IDENTIFIERS,
    plan::Situation,
    tenant::{Learner, Tenant},
};

/// The learner of a person.
pub(super) enum Found<'a> {
    /// By the link, or by a field.
    Learner(&'a Learner, Result<&'a Link, &'static str>),
    /// There is none.
    None,
    /// The learner is linked to another key.
    OtherKey(String),
    /// Nothing is done about the person.
    Nobody(Situation, String),
}

impl Found<'_> {
    /// The learner who would be changed.
    pub(super) fn learner(&self) -> Option<&Learner> {
        match self {
            Self::Learner(learner, _) => Some(learner),
            _ => None,
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
                    by.entry((field, text.to_lowercase()))
                        .or_default()
                        .push(learner);
                }
            }
        }
        let keys = links
            .iter()
            .map(|(key, link)| (link.learner.as_str(), key.as_str()));
        Self {
            by,
            tenant,
            links,
            keys: keys.collect(),
        }
    }

    pub(super) fn find(&self, key: &str, identifiers: &[(&'static str, &str); 3]) -> Found<'a> {
        let disputed = |reason: String| Found::Nobody(Situation::Disputed, reason);
        if let Some(link) = self.links.get(key) {
            let Some(learner) = self.tenant.learners.get(&link.learner) else {
                return disputed(format!(
                    "the linked learner {} does not exist any more; `relink = [{key:?}]` in the mapping finds or adds the person again",
                    link.learner
                ));
            };
            let problem = problem(learner).or_else(|| self.other(learner, identifiers));
            return problem.map_or(Found::Learner(learner, Ok(link)), disputed);
        }
        let (learner, field) = match self.by_identifier(identifiers) {
            Ok(Some(found)) => found,
            Ok(None) => return Found::None,
            Err(reason) => return disputed(reason),
        };
        match self.keys.get(learner.id.as_str()) {
            Some(other) => Found::OtherKey(format!(
                "{field} leads to the learner {}, who is linked to the key {other}",
                learner.id
            )),
            None => problem(learner).map_or(Found::Learner(learner, Err(field)), disputed),
        }
    }

    /// The ids of the linked learners who have one of the identifiers.
    pub(super) fn led_to(
        &self,
        identifiers: [(&'static str, &str); 3],
    ) -> impl Iterator<Item = &'a str> {
        let learners = identifiers.map(|(field, text)| self.by.get(&(field, text.to_lowercase())));
        let learners = learners.into_iter().flatten().flatten();
        let ids: Vec<_> = learners.map(|learner| learner.id.as_str()).collect();
        ids.into_iter().filter(|id| self.keys.contains_key(id))
    }

    /// The only learner whom the identifiers lead to, and the first of them; or why there are several.
    fn by_identifier(
        &self,
        identifiers: &[(&'static str, &str); 3],
    ) -> Result<Option<(&'a Learner, &'static str)>, String> {
        let mut found: Option<(&'a Learner, &'static str)> = None;
        for (field, text) in identifiers.iter().filter(|(_, text)| !text.is_empty()) {
            let learners = self.by.get(&(*field, text.to_lowercase()));
            match (learners.map_or(&[][..], Vec::as_slice), found) {
                ([], _) => {}
                ([one], None) => found = Some((one, field)),
                ([one], Some((known, _))) if known.id == one.id => {}
                ([one], Some((known, by))) => {
                    return Err(format!(
                        "{by} leads to the learner {}, and {field} to {}",
                        known.id, one.id
                    ));
                }
                (several, _) => {
                    let mut ids: Vec<_> =
                        several.iter().map(|learner| learner.id.as_str()).collect();
                    ids.sort_unstable();
                    let ids = ids.join(", ");
                    return Err(format!("several learners have the {field} {text}: {ids}"));
                }
            }
        }
        Ok(found)
    }

    /// The reason why a linked learner cannot get the identifiers of the file: another learner has one.
    fn other(&self, learner: &Learner, identifiers: &[(&'static str, &str); 3]) -> Option<String> {
        identifiers.iter().find_map(|(field, text)| {
            let others = self.by.get(&(*field, text.to_lowercase()))?;
            let other = others.iter().find(|other| other.id != learner.id)?;
            Some(format!(
                "another learner, {}, has the {field} {text}",
                other.id
            ))
        })
    }
}

/// The reason why a learner is never changed.
fn problem(learner: &Learner) -> Option<String> {
    let id = &learner.id;
    match learner {
        Learner { is_admin: true, .. } => Some(format!("the learner {id} is an administrator")),
        Learner {
            is_closed: true, ..
        } => Some(format!("the learner {id} is archived or deleted")),
        _ => None,
    }
}
