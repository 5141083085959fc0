//! The links from the keys of people to learners, with the values that the last run left there.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};

use super::{Ledger, json_at};
use crate::{
    error::Error,
    plan::{Action, Course, Situation, Step},
};

/// The learner of a person.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Link {
    #[serde(skip)]
    pub(crate) learner: String,
    pub(crate) name: String,
    /// The values that the file and the tenant last shared. A value that the tenant has changed since was changed by a person.
    pub(crate) fields: BTreeMap<String, String>,
    /// The tags that rules gave.
    pub(crate) tags: BTreeSet<String>,
    /// The courses that rules gave.
    pub(crate) courses: BTreeSet<String>,
    /// The courses that ended when the person left.
    pub(crate) ended: BTreeSet<String>,
    pub(crate) has_left: bool,
    pub(crate) absent_since: Option<Timestamp>,
}

impl Ledger {
    /// All links, by key.
    pub(crate) fn links(&self) -> Result<HashMap<String, Link>, Error> {
        self.read(|database| {
            let mut select = database.prepare("SELECT learner, link, key FROM links")?;
            let links = select.query_map([], |row| Ok((row.get(2)?, link(row)?)))?;
            links.collect()
        })
    }

    /// Keeps links that have changed because of what a plan saw.
    pub(crate) fn observe(&self, links: &[(String, Link)]) -> Result<(), Error> {
        if links.is_empty() {
            return Ok(());
        }
        self.write(|database| {
            let mut links = links.iter();
            links.try_for_each(|(key, link)| store(database, key, link))
        })
    }
}

/// Changes the link of a person as a step that was done says.
pub(super) fn apply(database: &Connection, step: &Step, learner: &str) -> rusqlite::Result<()> {
    if step.key.is_empty() {
        return Ok(());
    }
    let links = matches!(step.action, Action::Create { .. } | Action::Link { .. });
    let mut link = match find(database, &step.key)? {
        Some(link) if link.learner == learner => link,
        // The step is about an earlier learner of the person, who was deleted.
        Some(_) if !links => return Ok(()),
        _ => Link {
            learner: learner.to_owned(),
            ..Link::default()
        },
    };
    step.name.clone_into(&mut link.name);
    match &step.action {
        Action::Unlink => {
            database.execute("DELETE FROM links WHERE key = ?1", [&step.key])?;
            return Ok(());
        }
        Action::Create { fields, tags, .. } => {
            link.fields.clone_from(fields);
            link.tags = tags.iter().cloned().collect();
        }
        Action::Link { fields, .. } => link.fields.clone_from(fields),
        Action::Edit(edit) => {
            let fields = edit.fields.iter();
            let new = fields.map(|change| (change.field.clone(), change.to.clone()));
            link.fields.extend(new);
            link.tags.extend(edit.add_tags.iter().cloned());
            link.tags.retain(|tag| !edit.remove_tags.contains(tag));
        }
        Action::Enrol(Course { course, .. }) => {
            link.courses.insert(course.clone());
        }
        Action::Unenrol(Course { course, .. }) => {
            link.courses.remove(course);
            if step.situation == Situation::Gone {
                link.ended.insert(course.clone());
            }
        }
        Action::Leave => link.has_left = true,
        Action::Return => {
            link.has_left = false;
            link.ended.clear();
        }
        Action::Command { .. } => {}
    }
    store(database, &step.key, &link)
}

fn find(database: &Connection, key: &str) -> rusqlite::Result<Option<Link>> {
    let select = "SELECT learner, link FROM links WHERE key = ?1";
    let mut select = database.prepare_cached(select)?;
    select.query_row([key], link).optional()
}

fn link(row: &Row<'_>) -> rusqlite::Result<Link> {
    let link: Link = json_at(row, 1)?;
    Ok(Link {
        learner: row.get(0)?,
        ..link
    })
}

fn store(database: &Connection, key: &str, link: &Link) -> rusqlite::Result<()> {
    let insert = "INSERT INTO links (key, learner, link) VALUES (?1, ?2, ?3)
        ON CONFLICT (key) DO UPDATE SET learner = ?2, link = ?3";
    // Sets and maps of texts always serialize.
    let json = serde_json::to_string(link).unwrap_or_default();
    let mut insert = database.prepare_cached(insert)?;
    insert.execute(params![key, link.learner, json]).map(drop)
}
