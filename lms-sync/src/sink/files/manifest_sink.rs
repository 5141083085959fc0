//! The sink of files, in a folder or in an object storage.
//!
//! Rows are stored in unfinished files until their collection is complete. Then a [`Commit`] is stored, the files get
//! their names, the manifest lists them, and the files of the previous run are removed. The next run finishes a commit
//! that was interrupted.

use std::{collections::BTreeMap, fmt, sync::Arc, time::Instant};

use super::{
    files_store::FilesStore,
    format::FilesOptions,
    manifest::Commit,
    run_state::{Document, RunState, discard, leftovers},
    staging::Staging,
};
use crate::{
    collection::{Collection, known},
    error::Error,
    extract::{Batch, ExtractCheckpoint},
    plan::{Plan, Unfinished, random_token},
    protocol::{CollectionState, SinkCalls},
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
    fn take(&self) -> Result<Arc<dyn FilesStore>, Error>;
}

/// A run that has begun.
struct Run {
    collections: Vec<&'static Collection>,
    store: Arc<dyn FilesStore>,
    /// One for each collection.
    staging: Vec<Staging>,
    document: Document,
    /// Time of the last write of the document, and whether it has changed since.
    written: Instant,
    is_changed: bool,
    options: FilesOptions,
    tenant: String,
    /// The commits that are not published yet, by the number of the collection.
    committed: BTreeMap<usize, Commit>,
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
        run.store.check()?;
        Ok(run)
    }

    fn staging(&mut self, collection: &Collection) -> Result<&mut Staging, Error> {
        let run = self.run()?;
        let index = run.index(collection)?;
        Ok(&mut run.staging[index])
    }
}

impl Run {
    /// Begins a run, or continues the unfinished one. Runs that began before cannot write from now on.
    fn begin(
        store: Arc<dyn FilesStore>,
        plan: Plan,
        options: &FilesOptions,
    ) -> Result<Self, Error> {
        let collections = plan.collections.iter().map(|plan| known(&plan.name));
        let collections = collections.collect::<Result<Vec<_>, _>>()?;
        let place = store.place("");
        let mut document = Document::read(&*store)?;
        document.manifest.check_tenant(&plan, &place)?;
        let unfinished = document.unfinished.take();
        let is_new = unfinished.is_none();
        store.check_names(&collections, options, &document.manifest, is_new)?;
        let mut state = unfinished.unwrap_or_else(|| RunState::new(&plan));
        plan.check(&state.plan, &place)?;
        state.begin(&*store, &collections)?;
        let leftovers = leftovers(&*store, Some(&state))?;
        let staging = collections.iter();
        let staging = staging.map(|of| Staging::new(&store, of, options, &state));
        let mut run = Self {
            staging: staging.collect(),
            collections,
            document: Document {
                unfinished: Some(state),
                ..document
            },
            written: Instant::now(),
            is_changed: false,
            options: options.clone(),
            tenant: plan.tenant,
            committed: BTreeMap::new(),
            store,
        };
        run.write()?;
        run.store.remove(&leftovers)?;
        Ok(run)
    }

    fn index(&self, collection: &Collection) -> Result<usize, Error> {
        let mut collections = self.collections.iter();
        collections
            .position(|planned| planned.name == collection.name)
            .ok_or_else(|| Error::usage(format!("{} is not in the plan", collection.name)))
    }

    /// Replaces the document.
    fn write(&mut self) -> Result<(), Error> {
        self.document.write(&*self.store)?;
        (self.written, self.is_changed) = (Instant::now(), false);
        Ok(())
    }

    /// The commit of a collection, also after its files were published.
    fn commit(&self, index: usize) -> Option<&Commit> {
        let state = self.document.unfinished.as_ref()?;
        state.commits.get(self.collections[index].name)
    }

    /// The state of a collection. Finishes a publication that was interrupted.
    fn state(&mut self, index: usize) -> Result<CollectionState, Error> {
        let commit = self.commit(index);
        let commit = commit.and_then(|commit| Some((commit.clone(), commit.entry.record.clone()?)));
        let Some((commit, record)) = commit else {
            let checkpoint = self.staging[index].stored_checkpoint()?.map(Box::new);
            return Ok(checkpoint.map_or(CollectionState::Fresh, CollectionState::Resume));
        };
        let (manifest, collection) = (&self.document.manifest, self.collections[index]);
        if self.store.is_remote() && !manifest.has_commit(collection, &commit) {
            self.committed.insert(index, commit);
        } else {
            self.publish([(index, commit)])?;
        }
        Ok(CollectionState::Done(Box::new(record)))
    }

    /// Stores a commit, at the latest with the end of the run. A crash before then costs the reading of the collections that
    /// were committed in the meantime, and no row. Once it is stored, it is finished, by this run or the next one.
    fn store_commit(&mut self, index: usize, commit: &Commit) -> Result<(), Error> {
        if let Some(state) = &mut self.document.unfinished {
            let name = self.collections[index].name.to_owned();
            state.commits.insert(name, commit.clone());
        }
        self.is_changed = true;
        if self.written.elapsed() < self.store.checkpoints().interval {
            return Ok(());
        }
        self.write()
    }

    /// Publishes commits with one change of the manifest.
    fn publish(&mut self, commits: impl IntoIterator<Item = (usize, Commit)>) -> Result<(), Error> {
        let (mut published, mut replaced) = (Vec::new(), Vec::new());
        for (index, commit) in commits {
            let (collection, manifest) = (self.collections[index], &mut self.document.manifest);
            let before = manifest.collections.get(collection.name);
            let is_kept = before.is_some_and(|entry| entry.files == commit.entry.files);
            if !(is_kept && self.store.is_remote()) {
                self.store.transfer(&self.staging[index].names(&commit))?;
            }
            replaced.extend(manifest.commit(collection, commit));
            published.push(index);
        }
        self.write()?;
        self.store.retire(&replaced)?;
        let mut published = published.into_iter();
        published.try_for_each(|index| self.staging[index].remove())
    }

    /// Gives a collection a new journal, and forgets its commit.
    fn restart(&mut self, index: usize) -> Result<(), Error> {
        let (collection, manifest) = (self.collections[index], &self.document.manifest);
        let Some(state) = &mut self.document.unfinished else {
            return Ok(());
        };
        state
            .journals
            .insert(collection.name.to_owned(), random_token());
        let commit = state.commits.remove(collection.name);
        let files = commit.into_iter().flat_map(|commit| commit.entry.files);
        let paths = files.map(|file| file.path);
        let unpublished: Vec<String> = paths.filter(|path| !manifest.has(path)).collect();
        let staging = Staging::new(&self.store, collection, &self.options, state);
        let before = std::mem::replace(&mut self.staging[index], staging);
        self.committed.remove(&index);
        self.write()?;
        before.remove()?;
        // Now nothing can be copied there any more.
        self.store.remove(&unpublished)
    }
}

impl<D: FilesDestination> SinkCalls for ManifestSink<D> {
    fn begin(&mut self, plan: &Plan) -> Result<Vec<CollectionState>, Error> {
        let mut plan = plan.clone();
        plan.options.extend(self.options.names());
        let store = self.destination.take()?;
        if self.unfinished == Unfinished::Discard {
            discard(&*store)?;
        }
        let mut run = Run::begin(store, plan, &self.options)?;
        let states = (0..run.collections.len()).map(|index| run.state(index));
        let states = states.collect::<Result<_, _>>()?;
        self.run = Some(run);
        Ok(states)
    }

    fn visit_keys(
        &mut self,
        collection: &'static Collection,
        visit: &mut dyn FnMut(u128),
    ) -> Result<(), Error> {
        self.staging(collection)?.visit_keys(visit)
    }

    fn previous(
        &mut self,
        collection: &'static Collection,
    ) -> Result<Option<CompletenessRecord>, Error> {
        let entries = &self.run()?.document.manifest.collections;
        Ok(entries
            .get(collection.name)
            .and_then(|entry| entry.record.clone()))
    }

    fn write(&mut self, batch: Batch) -> Result<(), Error> {
        self.staging(batch.collection)?.write(&batch.rows)
    }

    fn checkpoint(
        &mut self,
        collection: &'static Collection,
        checkpoint: &ExtractCheckpoint,
    ) -> Result<(), Error> {
        self.staging(collection)?.checkpoint(checkpoint)
    }

    fn restart(&mut self, collection: &'static Collection) -> Result<(), Error> {
        let run = self.run()?;
        let index = run.index(collection)?;
        run.restart(index)
    }

    fn commit(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
    ) -> Result<(), Error> {
        let run = self.run()?;
        let index = run.index(collection)?;
        let (manifest, options, tenant) = (&run.document.manifest, &run.options, &run.tenant);
        let files = match manifest.files_with(collection, record, options, tenant) {
            Some(files) if run.store.have_sizes(files)? => files.to_vec(),
            _ => run.staging[index].finish()?,
        };
        let commit = manifest.prepare(collection, files, record, options, tenant)?;
        run.store_commit(index, &commit)?;
        if run.store.is_remote() {
            run.committed.insert(index, commit);
            return Ok(());
        }
        run.publish([(index, commit)])
    }

    fn publish(&mut self) -> Result<Vec<(&'static Collection, Error)>, Error> {
        let run = self.run()?;
        let committed = std::mem::take(&mut run.committed);
        if !committed.is_empty() {
            run.publish(committed)?;
        }
        Ok(Vec::new())
    }

    fn abort(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
    ) -> Result<(), Error> {
        self.staging(collection)?.flush()?;
        let run = self.run()?;
        run.document.manifest.abort(collection, record);
        run.write()
    }

    fn end(&mut self) -> Result<(), Error> {
        let Some(mut run) = self.run.take() else {
            return Ok(());
        };
        let mut all = 0..run.collections.len();
        if run.committed.is_empty() && all.all(|index| run.commit(index).is_some()) {
            run.document.unfinished = None;
            return run.write();
        }
        match run.is_changed {
            true => run.write(),
            false => Ok(()),
        }
    }
}
