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
pub(super) struct Parents(pub(super) BTreeMap<&'static str, HashSet<String>>);

impl Parents {
    pub(super) fn of(
        database: &mut dyn Database,
        collection: &'static Collection,
    ) -> Result<Self, Failure> {
        let references = collection.references.iter();
        let gone = references.map(|(column, parent)| {
            let parent = known(parent).map_err(Failure::damaged)?;
            Ok((*column, gone(database, collection, parent)?))
        });
        gone.collect::<Result<_, _>>().map(Self)
    }

    /// The columns for [`is_gone`](Self::is_gone), each after a comma.
    pub(super) fn columns(&self) -> String {
        let columns = self.0.keys();
        columns
            .map(|column| format!(", {}", quoted(column)))
            .collect()
    }

    /// Returns `true` if one of the objects that a row refers to is gone.
    pub(super) fn is_gone(&self, references: &[Value]) -> bool {
        let mut pairs = self.0.values().zip(references);
        pairs.any(|(gone, id)| !gone.is_empty() && text(id).is_some_and(|id| gone.contains(&id)))
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
