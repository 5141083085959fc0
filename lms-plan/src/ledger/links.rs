//! The links from the keys of people to learners, with the values that the last run left there.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params, types::Type};
use serde::{Serialize, de::DeserializeOwned};

use super::Ledger;
use crate::{
    error::Error,
    plan::{Action, Course, Situation, Step},
};

/// The learner of a person.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Link {
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
            let mut statement = database.prepare(&format!("{SELECT} 1"))?;
            let links = statement.query_map([], |row| Ok((row.get(0)?, link(row)?)))?;
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

const SELECT: &str = "SELECT key, learner, name, fields, tags, courses, ended, has_left, absent_since FROM links WHERE";

fn find(database: &Connection, key: &str) -> rusqlite::Result<Option<Link>> {
    let mut statement = database.prepare_cached(&format!("{SELECT} key = ?1"))?;
    statement.query_row([key], link).optional()
}

fn link(row: &Row<'_>) -> rusqlite::Result<Link> {
    let absent: Option<String> = row.get(8)?;
    Ok(Link {
        learner: row.get(1)?,
        name: row.get(2)?,
        fields: json_at(row, 3)?,
        tags: json_at(row, 4)?,
        courses: json_at(row, 5)?,
        ended: json_at(row, 6)?,
        has_left: row.get(7)?,
        absent_since: absent.and_then(|text| text.parse().ok()),
    })
}

fn store(database: &Connection, key: &str, link: &Link) -> rusqlite::Result<()> {
    let sql = "INSERT INTO links (key, learner, name, fields, tags, courses, ended, has_left, absent_since)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT (key) DO UPDATE SET learner = ?2, name = ?3, fields = ?4, tags = ?5, courses = ?6, ended = ?7, has_left = ?8, absent_since = ?9";
    let absent = link.absent_since.map(|time| time.to_string());
    database.prepare_cached(sql)?.execute(params![
        key,
        link.learner,
        link.name,
        to_json(&link.fields),
        to_json(&link.tags),
        to_json(&link.courses),
        to_json(&link.ended),
        link.has_left,
        absent,
    ])?;
    Ok(())
}

/// The value of a column with JSON. An error if it is damaged: nothing is not what a link had.
pub(super) fn json_at<T: DeserializeOwned>(row: &Row<'_>, at: usize) -> rusqlite::Result<T> {
    serde_json::from_str(&row.get::<_, String>(at)?)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(at, Type::Text, error.into()))
}

/// Sets and maps of texts always serialize.
fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
