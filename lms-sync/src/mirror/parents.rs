//! The objects that are gone and that rows refer to: the learner and the course of an enrolment.
//!
//! If a complete list lacks a row whose learner is gone, the row is gone. Without this, tables would disagree until a
//! second list lacks the row. The feed of changes says which objects are gone.

use std::collections::{BTreeMap, HashSet};

use crate::{
    collection::{Collection, Value, known},
    sql::{
        database::{Database, Failure, query_all, text, text_value},
        event, quoted,
    },
};

/// The columns of a collection that refer to objects, with the ids of those that are gone since its last commit.
#[derive(Debug)]
pub(super) struct Parents(Vec<(&'static str, HashSet<String>)>);

impl Parents {
    pub(super) fn of(
        database: &mut dyn Database,
        collection: &'static Collection,
    ) -> Result<Self, Failure> {
        let mut parents = Vec::new();
        for (column, parent) in collection.references {
            let parent = known(parent).map_err(Failure::damaged)?;
            let gone = gone(database, collection, parent)?;
            if !gone.is_empty() {
                parents.push((*column, gone));
            }
        }
        Ok(Self(parents))
    }

    /// Adds ids of objects that are gone, and that a column refers to.
    pub(super) fn add(&mut self, column: &'static str, gone: HashSet<String>) {
        let mut known = self.0.iter_mut();
        match known.find(|(known, _)| *known == column) {
            Some((_, known)) => known.extend(gone),
            None if gone.is_empty() => {}
            None => self.0.push((column, gone)),
        }
    }

    /// The columns for [`is_gone`](Self::is_gone), each after a comma.
    pub(super) fn columns(&self) -> String {
        let columns = self.0.iter();
        columns
            .map(|(column, _)| format!(", {}", quoted(column)))
            .collect()
    }

    /// Returns `true` if one of the objects that a row refers to is gone.
    pub(super) fn is_gone(&self, references: &[Value]) -> bool {
        let mut pairs = self.0.iter().zip(references);
        pairs.any(|((_, gone), id)| text(id).is_some_and(|id| gone.contains(&id)))
    }
}

/// The ids of the objects of `parent` that were removed, and not added again, since the last commit of a collection.
fn gone(
    database: &mut dyn Database,
    collection: &Collection,
    parent: &'static Collection,
) -> Result<HashSet<String>, Failure> {
    let sql = "SELECT event, key FROM _lms_changes WHERE event IN ($1, $2) \
               AND run >= coalesce((SELECT committed_run FROM _lms_collections WHERE name = $3), 0) ORDER BY sequence";
    let [removed, added] = ["removed", "added"].map(|what| event(parent, what));
    let values = [&removed, &added, collection.name].map(text_value);
    let mut gone = HashSet::new();
    let ended = query_all(database, sql, &values, |mut row| {
        let (event, key) = (row.text(), row.json::<BTreeMap<String, String>>()?);
        for id in key.into_iter().flat_map(BTreeMap::into_values) {
            if event == removed {
                gone.insert(id);
            } else {
                gone.remove(&id);
            }
        }
        Ok(())
    });
    ended.map(|_| gone)
}
