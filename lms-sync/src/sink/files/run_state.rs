//! The document of a destination, `manifest.json`: the manifest, and the state of the run that has not ended.
//!
//! Nothing that a run has stored counts until the document names it: the journals with rows and checkpoints, and the commits
//! of collections that are complete. A run begins by replacing the document.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    files_store::FilesStore,
    manifest::{Commit, Manifest, NAME},
    staging::{is_of_journal, is_segment, journal_folder},
};
use crate::{
    collection::Collection,
    error::{Error, ErrorKind},
    plan::{Plan, random_token},
};

/// The manifest, and the state of the unfinished run, which may be damaged.
#[derive(Default, Serialize, Deserialize)]
pub(in crate::sink) struct Document<M = Manifest, S = Value> {
    #[serde(flatten)]
    pub(in crate::sink) manifest: M,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unfinished: Option<S>,
}

/// The state of a run that has not ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::sink) struct RunState {
    /// The fencing token: random, and another one each time that the run is started. A run recognises its own writes by it.
    token: String,
    /// The name of the folders with its parts.
    pub(super) run: String,
    pub(super) plan: Plan,
    /// The name of the journal of each collection.
    pub(super) journals: BTreeMap<String, String>,
    /// The commits that wait for the others, or are published.
    #[serde(default)]
    pub(super) commits: BTreeMap<String, Commit>,
}

impl Document {
    /// The document of a place; an empty one if there is none.
    pub(in crate::sink) fn read(store: &dyn FilesStore) -> Result<Self, Error> {
        let Some(json) = store.read_document()? else {
            return Ok(Self::default());
        };
        let place = store.place(NAME);
        let document: Self = serde_json::from_slice(&json).map_err(|error| {
            let (kind, reason) = match error.is_data() {
                true => (
                    ErrorKind::Foreign,
                    "it was not written by this program, or by a newer version",
                ),
                false => (ErrorKind::Damaged, "it was truncated or changed"),
            };
            let message = format!(
                "cannot read {place}: {reason}; restore it, or move it and the files of the export away, and export them again"
            );
            kind.error(message).with_source(error)
        })?;
        let manifest = document.manifest.known(place)?;
        Ok(Self {
            manifest,
            ..document
        })
    }
}

/// Replaces the document of a place.
pub(super) fn write(
    store: &dyn FilesStore,
    manifest: &Manifest,
    unfinished: Option<&RunState>,
) -> Result<(), Error> {
    let document = Document {
        manifest,
        unfinished,
    };
    let mut json = serde_json::to_vec_pretty(&document)
        .map_err(|error| Error::destination("cannot write JSON", error))?;
    json.push(b'\n');
    store.write_document(json)
}

impl RunState {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            token: String::new(),
            run: Timestamp::now().strftime("%Y%m%dT%H%M%S.%3fZ").to_string(),
            plan: plan.clone(),
            journals: BTreeMap::new(),
            commits: BTreeMap::new(),
        }
    }

    /// The state in the document of a place. Refuses names that no run gives, because paths are made from them.
    pub(super) fn read(state: Value, store: &dyn FilesStore) -> Result<Self, Error> {
        let place = store.place(NAME);
        let refuse = |kind: ErrorKind, problem: &str| {
            kind.error(format!(
                "the state of the unfinished run in {place} {problem}; discard it with `discard_unfinished()`"
            ))
        };
        let state: Self = serde_json::from_value(state)
            .map_err(|error| refuse(ErrorKind::Damaged, "is damaged").with_source(error))?;
        let of_a_run = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.';
        let is_journal =
            |name: &String| name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !state.run.bytes().all(of_a_run) || !state.journals.values().all(is_journal) {
            return Err(refuse(ErrorKind::Foreign, "has names that no run gives"));
        }
        let mut commits = state.commits.iter();
        commits.try_for_each(|(name, commit)| commit.check(name, &place))?;
        Ok(state)
    }

    /// Gives the run a new token, and a journal to each collection that has none. Where another run may have begun meanwhile,
    /// each collection that is not committed gets a new one, with what was stored in the last one.
    pub(super) fn begin(
        &mut self,
        store: &dyn FilesStore,
        collections: &[&'static Collection],
    ) -> Result<(), Error> {
        self.token = random_token();
        for Collection { name: of, .. } in collections {
            let last = self.journals.get(*of);
            if last.is_some() && (!store.is_remote() || self.commits.contains_key(*of)) {
                continue;
            }
            let name = random_token();
            if let Some(last) = last {
                let [from, to] = [last, &name].map(|name| journal_folder(store, of, name));
                let stored = store.list(&from)?.into_keys();
                let copies = stored
                    .filter(|path| is_segment(path))
                    .map(|path| (path.clone(), path.replacen(&from, &to, 1)));
                store.transfer(&copies.collect::<Vec<_>>())?;
            }
            self.journals.insert((*of).to_owned(), name);
        }
        Ok(())
    }
}

/// The files of journals that the unfinished run does not have.
pub(super) fn leftovers(
    store: &dyn FilesStore,
    unfinished: Option<&RunState>,
) -> Result<Vec<String>, Error> {
    let journals = unfinished.into_iter().flat_map(|run| &run.journals);
    let known: BTreeSet<String> = journals
        .map(|(collection, name)| journal_folder(store, collection, name))
        .collect();
    let paths = store.list(store.state())?.into_keys();
    let unknown = paths.filter(|path| {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        is_of_journal(store, path) && !known.contains(folder)
    });
    Ok(unknown.collect())
}

/// Removes the state of an unfinished run, also if it is damaged.
pub(super) fn discard(store: &dyn FilesStore) -> Result<(), Error> {
    let Document {
        manifest,
        unfinished: Some(mut state),
    } = Document::read(store)?
    else {
        return Ok(());
    };
    let mut paths = leftovers(store, None)?;
    // Files that have their names, and that the manifest does not list yet.
    let commits = state.get_mut("commits").map(Value::take);
    let commits = serde_json::from_value(commits.unwrap_or_default());
    let commits: BTreeMap<String, Value> = commits.unwrap_or_default();
    for (name, commit) in commits {
        if let Ok(commit) = serde_json::from_value::<Commit>(commit)
            && commit.check(&name, "the unfinished run").is_ok()
        {
            paths.extend(commit.entry.files.into_iter().map(|file| file.path));
        }
    }
    paths.retain(|path| !manifest.has(path));
    write(store, &manifest, None)?;
    store.remove(&paths)
}
