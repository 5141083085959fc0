//! The sink of files, in a folder or in an object storage.
//!
//! Rows are stored in unfinished files until their collection is complete. Then a [`Commit`] is stored, the files get
//! their names, the manifest lists them, and the files of the previous run are removed. The next run finishes a commit
//! that was interrupted.

use std::{fmt, sync::Arc, time::Instant};

use super::{
    encode::FileInfo,
    files_store::{FilesStore, Place},
    format::FilesOptions,
    manifest::{Commit, Manifest, ManifestEntry},
    run_state::{Document, RunState, discard, leftovers, write},
    staging::Staging,
};
use crate::{
    collection::{Collection, known},
    error::Error,
    extract::Batch,
    plan::{Plan, Unfinished, random_token},
    protocol::{CollectionState, Lookups, SinkCalls},
    record::CompletenessRecord,
};

/// Writes files and a manifest that lists them: a [`FilesSink`](super::FilesSink) into a folder, an `ObjectsSink` into object
/// storage.
///
/// A file gets its name only when its collection is complete. Until then, the files of the last complete run stay in place.
pub struct ManifestSink<D> {
    pub(in crate::sink) destination: D,
    options: FilesOptions,
    unfinished: Unfinished,
    run: Option<Run>,
}

/// A folder or a prefix of an object storage, where files and their manifest are published.
pub(in crate::sink) trait FilesDestination: Send {
    /// Takes the destination for a run. Refuses one that another run uses.
    fn take(&self) -> Result<Box<dyn FilesStore>, Error>;

    /// The destination for reading, also while a run uses it.
    fn open(&self) -> Result<Box<dyn FilesStore>, Error>;
}

/// A run that has begun.
struct Run {
    place: Arc<Place>,
    /// One for each collection.
    staging: Vec<Staging>,
    manifest: Manifest,
    state: RunState,
    /// Time of the last write of the document, and whether it has changed since.
    written: Instant,
    is_changed: bool,
}

impl<D: fmt::Debug> fmt::Debug for ManifestSink<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ManifestSink")
            .field("destination", &self.destination)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl<D> ManifestSink<D> {
    pub(in crate::sink) fn at(destination: D, options: FilesOptions) -> Self {
        Self {
            destination,
            options,
            unfinished: Unfinished::Resume,
            run: None,
        }
    }

    /// Drops the state of an unfinished run. Without this, a run with the same arguments continues it, and a run with other
    /// arguments fails. The files of the last complete run stay.
    #[must_use]
    pub fn discard_unfinished(mut self) -> Self {
        self.unfinished = Unfinished::Discard;
        self
    }

    fn run(&mut self) -> Result<&mut Run, Error> {
        let run = self
            .run
            .as_mut()
            .ok_or_else(|| Error::usage("the sink has not begun a run; call begin first"))?;
        run.place.store.check()?;
        Ok(run)
    }

    /// The run, and the position of a collection in it.
    fn at_collection(&mut self, collection: &Collection) -> Result<(&mut Run, usize), Error> {
        let run = self.run()?;
        let mut staging = run.staging.iter();
        let index = staging.position(|planned| planned.collection.name == collection.name);
        let missing = || Error::usage(format!("{} is not in the plan", collection.name));
        index.ok_or_else(missing).map(|index| (run, index))
    }
}

impl Run {
    /// Begins a run, or continues the unfinished one. Runs that began before cannot write from now on.
    fn begin(
        store: Box<dyn FilesStore>,
        plan: &Plan,
        options: &FilesOptions,
    ) -> Result<Self, Error> {
        let collections = plan.collections.iter().map(|plan| known(&plan.name));
        let collections = collections.collect::<Result<Vec<_>, _>>()?;
        let address = store.place("");
        let Document {
            manifest,
            unfinished,
        } = Document::read(&*store)?;
        let unfinished = unfinished.map(|state| RunState::read(state, &*store));
        let unfinished = unfinished.transpose()?;
        manifest.check_tenant(plan, &address)?;
        store.check_names(&collections, options, &manifest, unfinished.is_none())?;
        let mut state = unfinished.unwrap_or_else(|| RunState::new(plan));
        plan.check(&state.plan, &address)?;
        state.begin(&*store, &collections)?;
        let leftovers = leftovers(&*store, Some(&state))?;
        let place = Arc::new(Place {
            store,
            options: options.clone(),
            run: state.run.clone(),
        });
        let staging = collections
            .into_iter()
            .map(|of| Staging::new(&place, of, &state.journals[of.name]));
        let mut run = Self {
            staging: staging.collect(),
            place,
            manifest,
            state,
            written: Instant::now(),
            is_changed: false,
        };
        run.write()?;
        run.place.store.remove(&leftovers)?;
        Ok(run)
    }

    /// Replaces the document.
    fn write(&mut self) -> Result<(), Error> {
        write(&*self.place.store, &self.manifest, Some(&self.state))?;
        (self.written, self.is_changed) = (Instant::now(), false);
        Ok(())
    }

    /// The commit of a collection, and whether it is published.
    fn commit(&self, index: usize) -> Option<(&Commit, bool)> {
        let name = self.staging[index].collection.name;
        let commit = self.state.commits.get(name)?;
        let is_published = self.manifest.collections.get(name) == Some(&commit.entry);
        Some((commit, is_published))
    }

    /// The state of a collection. Finishes a publication that was interrupted.
    fn state(&mut self, index: usize) -> Result<CollectionState, Error> {
        let commit = self.commit(index);
        let record = commit
            .and_then(|(commit, is_published)| Some((commit.entry.record.clone()?, is_published)));
        let Some((record, is_published)) = record else {
            let checkpoint = self.staging[index].stored_checkpoint()?.map(Box::new);
            return Ok(checkpoint.map_or(CollectionState::Fresh, CollectionState::Resume));
        };
        if is_published || !self.place.store.is_remote() {
            self.publish(&[index])?;
        }
        Ok(CollectionState::Done(Box::new(record)))
    }

    /// Stores a commit, at the latest with the end of the run. A crash before then costs the reading of the collections that
    /// were committed in the meantime, and no row. Once it is stored, it is finished, by this run or the next one.
    fn store_commit(&mut self, index: usize, record: &CompletenessRecord) -> Result<(), Error> {
        let (manifest, collection) = (&self.manifest, self.staging[index].collection);
        let store = &self.place.store;
        let (options, tenant) = (&self.place.options, &self.state.plan.tenant);
        let entry = ManifestEntry::new(collection, record, options, tenant);
        let before = manifest.collections.get(collection.name);
        let kept = before.filter(|before| before.has_rows_of(&entry));
        let files = match kept {
            // A folder replaces its files.
            Some(kept) if store.is_remote() && has(&**store, collection.name, &kept.files)? => {
                kept.files.clone()
            }
            _ => self.staging[index].finish()?,
        };
        let commit = Commit::new(collection, entry, files, before)?;
        self.state
            .commits
            .insert(collection.name.to_owned(), commit);
        self.is_changed = true;
        if self.written.elapsed() < self.place.store.checkpoints().interval {
            return Ok(());
        }
        self.write()
    }

    /// Publishes the commits of collections with one change of the manifest.
    fn publish(&mut self, indexes: &[usize]) -> Result<(), Error> {
        let mut replaced = Vec::new();
        for index in indexes {
            let Some((commit, _)) = self.commit(*index) else {
                continue;
            };
            let (commit, staging) = (commit.clone(), &self.staging[*index]);
            let before = self.manifest.collections.get(staging.collection.name);
            let is_kept = before.is_some_and(|entry| entry.files == commit.entry.files);
            if !(is_kept && self.place.store.is_remote()) {
                staging.publish(&commit)?;
            }
            replaced.extend(self.manifest.commit(staging.collection, commit));
        }
        self.write()?;
        self.place.store.retire(&replaced)?;
        let mut indexes = indexes.iter();
        indexes.try_for_each(|index| self.staging[*index].remove())
    }

    /// Gives a collection a new journal, and forgets its commit.
    fn restart(&mut self, index: usize) -> Result<(), Error> {
        let collection = self.staging[index].collection;
        let name = random_token();
        let staging = Staging::new(&self.place, collection, &name);
        let before = std::mem::replace(&mut self.staging[index], staging);
        self.state.journals.insert(collection.name.to_owned(), name);
        let commit = self.state.commits.remove(collection.name);
        let files = commit.into_iter().flat_map(|commit| commit.entry.files);
        let paths = files.map(|file| file.path);
        let unpublished: Vec<_> = paths.filter(|path| !self.manifest.has(path)).collect();
        self.write()?;
        before.remove()?;
        // Now nothing can be copied there any more.
        self.place.store.remove(&unpublished)
    }
}

/// Returns `true` if all files of a collection exist with their sizes.
fn has(store: &dyn FilesStore, collection: &str, files: &[FileInfo]) -> Result<bool, Error> {
    let stored = store.list(collection)?;
    for file in files {
        let size = match stored.get(&file.path) {
            // A file of its own, in no folder.
            None if !store.is_remote() => {
                let open = store.open(&file.path)?;
                open.and_then(|open| Some(open.metadata().ok()?.len()))
            }
            listed => listed.copied(),
        };
        if size != Some(file.bytes) {
            return Ok(false);
        }
    }
    Ok(true)
}

impl<D: FilesDestination> SinkCalls for ManifestSink<D> {
    fn stored(&self) -> Result<Vec<CompletenessRecord>, Error> {
        let store = self.destination.open()?;
        let mut records = Vec::new();
        for (name, entry) in Document::read(&*store)?.manifest.collections {
            if entry.options.as_ref() == Some(&self.options) && has(&*store, &name, &entry.files)? {
                records.extend(entry.record);
            }
        }
        Ok(records)
    }

    fn begin(&mut self, plan: &Plan) -> Result<Vec<CollectionState>, Error> {
        let mut plan = plan.clone();
        plan.options.extend(self.options.names());
        let store = self.destination.take()?;
        if self.unfinished == Unfinished::Discard {
            discard(&*store)?;
        }
        let mut run = Run::begin(store, &plan, &self.options)?;
        let states = (0..run.staging.len()).map(|index| run.state(index));
        let states = states.collect::<Result<_, _>>()?;
        self.run = Some(run);
        Ok(states)
    }

    fn visit_keys(
        &mut self,
        collection: &'static Collection,
        visit: &mut dyn FnMut(u128),
    ) -> Result<(), Error> {
        let (run, index) = self.at_collection(collection)?;
        run.staging[index].visit_keys(visit)
    }

    fn previous(
        &mut self,
        collection: &'static Collection,
    ) -> Result<Option<CompletenessRecord>, Error> {
        let entry = self.run()?.manifest.collections.get(collection.name);
        Ok(entry.and_then(|entry| entry.record.clone()))
    }

    fn store(&mut self, batch: Batch) -> Result<(), Error> {
        let (run, index) = self.at_collection(batch.collection)?;
        run.staging[index].store(batch)
    }

    fn restart(&mut self, collection: &'static Collection) -> Result<(), Error> {
        let (run, index) = self.at_collection(collection)?;
        run.restart(index)
    }

    fn commit(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
        _: Lookups,
    ) -> Result<(), Error> {
        let (run, index) = self.at_collection(collection)?;
        run.store_commit(index, record)?;
        match run.place.store.is_remote() {
            true => Ok(()),
            false => run.publish(&[index]),
        }
    }

    fn publish(&mut self) -> Result<Vec<(&'static Collection, Error)>, Error> {
        let run = self.run()?;
        let mut waiting: Vec<usize> = (0..run.staging.len()).collect();
        waiting.retain(|index| matches!(run.commit(*index), Some((_, false))));
        if !waiting.is_empty() {
            run.publish(&waiting)?;
        }
        Ok(Vec::new())
    }

    fn abort(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
    ) -> Result<(), Error> {
        let (run, index) = self.at_collection(collection)?;
        run.staging[index].flush()?;
        run.manifest.abort(collection, record);
        run.write()
    }

    fn end(&mut self) -> Result<(), Error> {
        let Some(mut run) = self.run.take() else {
            return Ok(());
        };
        let mut all = 0..run.staging.len();
        if all.all(|index| matches!(run.commit(index), Some((_, true)))) {
            return write(&*run.place.store, &run.manifest, None);
        }
        match run.is_changed {
            true => run.write(),
            false => Ok(()),
        }
    }
}
