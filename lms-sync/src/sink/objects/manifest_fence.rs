//! Keeps a run from writing after another one has begun.
//!
//! A lock that expires is not enough: a run that was suspended does not know that it has lost the lock. One object,
//! `manifest.json`, therefore has the published parts and the state of the unfinished run. A run begins by replacing
//! this object, and can replace it again only if no other run has done so since. All other objects have random names,
//! and have no effect until `manifest.json` names them. A run whose lock was taken over can therefore neither publish
//! nor overwrite anything.
//!
//! The removal of objects cannot be conditional. After each change of `manifest.json`, a run removes only objects that
//! it knew before that change and that are no longer needed.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use object_store::{PutMode, UpdateVersion};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::store::Store;
use crate::{
    error::{Error, ErrorKind},
    plan::Plan,
    record::hex,
    sink::files::{
        Manifest,
        atomic::parse_json,
        manifest::{Commit, NAME, RESTORE},
    },
};

/// The content of `manifest.json`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Document {
    #[serde(flatten)]
    pub(super) manifest: Manifest,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unfinished: Option<RunState>,
}

/// The state of a run that has not ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RunState {
    /// The fencing token: random, and another one each time that the run is started. A run recognises its own writes by it.
    pub(super) token: String,
    /// The name of the folders with its parts.
    pub(super) run: String,
    pub(super) plan: Plan,
    /// The journal of each collection.
    pub(super) journals: BTreeMap<String, String>,
    /// The commits that wait for the others, or are published.
    #[serde(default)]
    pub(super) commits: BTreeMap<String, Commit>,
}

/// `manifest.json`, as a run has read or written it.
pub(super) struct StoredDocument {
    pub(super) document: Document,
    version: Option<UpdateVersion>,
    /// Time of the last write, and whether the document has changed since.
    written: Instant,
    is_changed: bool,
}

/// The right to replace `manifest.json`.
pub(super) struct ManifestFence {
    pub(super) store: Arc<Store>,
    state: Mutex<StoredDocument>,
}

/// A fencing token, or the name of a journal: 16 random hexadecimal digits.
pub(super) fn random() -> Result<String, Error> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::destination("cannot get random numbers", error))?;
    Ok(hex(&bytes))
}

/// Returns `true` if a text can be the name of a journal.
pub(super) fn is_journal(name: &str) -> bool {
    name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl RunState {
    /// Refuses names that no run gives, because paths are made from them.
    fn check(&self, store: &Store) -> Result<(), Error> {
        let of_a_run = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.';
        let known = self.run.bytes().all(of_a_run)
            && self.journals.values().all(|journal| is_journal(journal));
        if known {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Foreign,
            format!(
                "{} has names that no run gives; restore the object, or discard the unfinished run with \
                 `discard_unfinished()`",
                store.place(NAME)
            ),
        ))
    }
}

impl StoredDocument {
    /// The stored manifest, with the state of the unfinished run; an empty one if there is none.
    pub(super) fn read(store: &Store) -> Result<Self, Error> {
        let (mut found, state) = Self::read_published(store)?;
        if let Some(state) = state {
            let unfinished = RunState::deserialize(state).map_err(|error| {
                let place = store.place(NAME);
                let message = format!(
                    "{place}: the state of the unfinished run is damaged; discard it with `discard_unfinished()`"
                );
                Error::new(ErrorKind::Damaged, message).with_source(error)
            })?;
            unfinished.check(store)?;
            found.document.unfinished = Some(unfinished);
        }
        Ok(found)
    }

    /// The stored manifest without the state of the unfinished run, and that state, which may be damaged.
    pub(super) fn read_published(store: &Store) -> Result<(Self, Option<Value>), Error> {
        #[derive(Deserialize)]
        struct Stored {
            #[serde(flatten)]
            manifest: Manifest,
            #[serde(default)]
            unfinished: Option<Value>,
        }
        let (stored, version) = store.read(NAME)?.unzip();
        let place = store.place(NAME);
        let stored: Option<Stored> = stored
            .map(|json| parse_json(&json, &place, RESTORE))
            .transpose()?;
        let (manifest, unfinished) = match stored {
            Some(stored) => (Some(stored.manifest), stored.unfinished),
            None => (None, None),
        };
        let found = Self {
            document: Document {
                manifest: Manifest::known(manifest, place)?,
                unfinished: None,
            },
            version,
            written: Instant::now(),
            is_changed: false,
        };
        Ok((found, unfinished))
    }
}

impl ManifestFence {
    /// Writes the changes of a run into `manifest.json`. Runs that began before cannot write from now on.
    pub(super) fn new(store: &Arc<Store>, found: StoredDocument) -> Result<Self, Error> {
        let fence = Self {
            store: store.clone(),
            state: Mutex::new(found),
        };
        fence.update(|_| {})?;
        Ok(fence)
    }

    fn state(&self) -> MutexGuard<'_, StoredDocument> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces `manifest.json`.
    ///
    /// # Errors
    ///
    /// [`Locked`](ErrorKind::Locked) if another run has begun; nothing is written then.
    pub(super) fn update(&self, change: impl FnOnce(&mut Document)) -> Result<(), Error> {
        let mut state = self.state();
        let mut document = state.document.clone();
        change(&mut document);
        let mut json = serde_json::to_vec_pretty(&document)
            .map_err(|error| Error::destination("cannot write JSON", error))?;
        json.push(b'\n');
        let mode = match &state.version {
            Some(version) => PutMode::Update(version.clone()),
            None => PutMode::Create,
        };
        let Some(version) = self.store.put(NAME, json.into(), mode)? else {
            return Err(Error::new(
                ErrorKind::Locked,
                format!(
                    "another program has written {} during this run; wait for it to end, and start this run again",
                    self.store.place(NAME)
                ),
            ));
        };
        *state = StoredDocument {
            document,
            version: Some(version),
            written: Instant::now(),
            is_changed: false,
        };
        Ok(())
    }

    /// Changes `manifest.json` with its next write, at the latest with the end of the run, or now if the last write was at
    /// least `interval` ago. A crash before then costs the reading of the collections that were committed in the meantime,
    /// and no row.
    pub(super) fn update_later(
        &self,
        interval: Duration,
        change: impl FnOnce(&mut Document),
    ) -> Result<(), Error> {
        let mut state = self.state();
        change(&mut state.document);
        state.is_changed = true;
        if state.written.elapsed() < interval {
            return Ok(());
        }
        drop(state);
        self.flush()
    }

    /// Writes the changes that are left.
    pub(super) fn flush(&self) -> Result<(), Error> {
        if self.state().is_changed {
            self.update(|_| {})?;
        }
        Ok(())
    }

    /// The commit of a collection that the run has stored.
    pub(super) fn commit(&self, collection: &str) -> Option<Commit> {
        let state = self.state();
        let unfinished = state.document.unfinished.as_ref()?;
        unfinished.commits.get(collection).cloned()
    }
}
