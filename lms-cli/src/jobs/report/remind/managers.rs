//! The address of each learner's manager: in a custom field, or in a column of a file such as HR's.

use std::collections::HashMap;

use lms_sync::mirror::MirrorReader;
use serde_json::{Map, Value};

use super::super::{
    asked::Asked,
    key::{By, Key},
    names::{FIELDS, LEARNER, objects},
    people::{KEYS, table, texts},
    print::ending,
};
use crate::{
    failure::Failure,
    resolve::object::{Object, Objects, Unresolved},
};

/// The columns with the manager; an address before a name.
const MANAGER: [&str; 2] = ["manager_email", "manager"];

/// The origin of the addresses: a file with these people, or else the custom field of this name.
pub(super) struct Managers {
    pub(super) name: String,
    entries: Option<Vec<Entry>>,
}

/// The row of a person in a file, who has a manager.
pub(super) struct Entry {
    line: u64,
    texts: Map<String, Value>,
    manager: String,
}

/// Addresses by learner.
pub(super) type Addresses = HashMap<String, String>;

impl Managers {
    pub(super) fn of(name: &str) -> Result<Self, Failure> {
        let is_file = matches!(ending(name), Some("csv" | "ndjson" | "json" | "xlsx"));
        let entries = is_file.then(|| entries(name)).transpose();
        Ok(Self {
            name: name.to_owned(),
            entries: entries.map_err(|failure| failure.of(name))?,
        })
    }

    /// Lets a report have the custom field, if the addresses are not in a file.
    pub(super) fn ask(&self, asked: &mut Asked) {
        if self.entries.is_none() {
            asked.report.also_needs(&FIELDS);
            asked.groups.push(Key::by(By::Field, &self.name));
        }
    }

    /// The addresses in a file, and its lines that give none.
    ///
    /// # Errors
    ///
    /// Usage, if the manager of a person cannot be told.
    pub(super) fn of_file(
        &self,
        mirror: &mut MirrorReader<'_>,
    ) -> Result<(Addresses, Vec<String>), Failure> {
        let learners = objects(mirror, &LEARNER)?.map(|(_, known)| known);
        let entries = self.entries.as_deref().unwrap_or_default();
        let found = of_file(entries, &learners.unwrap_or_default());
        found.map_err(|failure| failure.of(&self.name))
    }
}

/// The people of a file who have a manager.
fn entries(file: &str) -> Result<Vec<Entry>, Failure> {
    let (table, known) = table(file, &[&KEYS[..], &MANAGER].concat())?;
    let has = |wanted: &[&str]| known.iter().flatten().any(|key| wanted.contains(key));
    if !has(&KEYS) || !has(&MANAGER) {
        return Err(Failure::usage(format!(
            "the file needs a column {}, and one of {}",
            MANAGER.join(" or "),
            KEYS.join(", ")
        )));
    }
    let mut entries = Vec::new();
    for record in &table.records {
        let mut texts = texts(record, &known)?;
        let managers = MANAGER.map(|key| texts.remove(key));
        let manager = managers.iter().flatten().find_map(Value::as_str);
        entries.extend(manager.map(|manager| Entry {
            line: record.line,
            texts,
            manager: manager.to_owned(),
        }));
    }
    Ok(entries)
}

fn of_file(entries: &[Entry], learners: &Objects) -> Result<(Addresses, Vec<String>), Failure> {
    let (mut found, mut without) = (Addresses::new(), Vec::new());
    for entry in entries {
        let line = entry.line;
        let refused = |reason: String| Failure::usage(format!("line {line}: {reason}"));
        let learner = learner(&entry.texts, learners).map_err(refused)?;
        let address = address(&entry.manager, learners).map_err(refused)?;
        let (Some(learner), Some(address)) = (learner, &address) else {
            let what = match learner {
                Some(_) => "the manager has no address",
                None => "no learner has these values",
            };
            without.push(format!("line {line}: {what}"));
            continue;
        };
        let known = found.insert(learner.id.clone(), address.clone());
        if known.is_some_and(|known| known != *address) {
            let reason = format!(
                "another line has another manager of the learner {}",
                learner.id
            );
            return Err(refused(reason));
        }
    }
    Ok((found, without))
}

/// The one learner with these texts. Other texts may be in the file only.
fn learner<'a>(
    texts: &Map<String, Value>,
    learners: &'a Objects,
) -> Result<Option<&'a Object>, String> {
    let mut found: Option<&Object> = None;
    for text in texts.values().filter_map(Value::as_str) {
        let Some(one) = named(text, learners)? else {
            continue;
        };
        if let Some(other) = found.filter(|other| other.id != one.id) {
            return Err(format!("it names the learners {} and {}", other.id, one.id));
        }
        found = Some(one);
    }
    Ok(found)
}

/// An address, or that of the learner with this name, in lower case.
fn address(manager: &str, learners: &Objects) -> Result<Option<String>, String> {
    if manager.contains('@') {
        return Ok(Some(manager.to_lowercase()));
    }
    let learner = named(manager, learners)?;
    Ok(learner.and_then(|one| one.text("email").map(str::to_lowercase)))
}

fn named<'a>(text: &str, learners: &'a Objects) -> Result<Option<&'a Object>, String> {
    match learners.find(text) {
        Ok(learner) => Ok(Some(learner)),
        Err(Unresolved::None(_)) => Ok(None),
        Err(several) => Err(several.message("learner", text)),
    }
}
