//! The sink of files, in a folder or in an object storage.
//!
//! Rows are stored in unfinished files until their collection is complete. Then a [`Commit`] is stored, the files get
//! their names, the manifest lists them, and the files of the previous run are removed. The next run finishes a commit
//! that was interrupted.

use std::{collections::BTreeMap, fmt};

use super::{
    encode::FileInfo,
    format::FilesOptions,
    manifest::{Commit, Manifest},
    staging::{Journal, Staging},
};
use crate::{
    collection::{Collection, known},
    error::Error,
    extract::{Batch, ExtractCheckpoint},
    plan::Plan,
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

/// The treatment of the state of an unfinished run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unfinished {
    Resume,
    Discard,
}

/// A folder or a prefix of an object storage, where files and their manifest are published.
pub(in crate::sink) trait FilesDestination: Send {
    /// Takes the destination for a run. Refuses one that another run uses, that has an unfinished run of another plan, or
    /// that has files which no export wrote.
    fn open(
        &self,
        plan: &Plan,
        collections: &[&'static Collection],
        options: &FilesOptions,
    ) -> Result<Opened, Error>;

    /// Removes the state of an unfinished run.
    fn discard(&self, options: &FilesOptions) -> Result<(), Error>;
}

/// A destination that was taken for a run.
pub(in crate::sink) struct Opened {
    pub(in crate::sink) held: Box<dyn HeldDestination>,
    /// One for each collection.
    pub(in crate::sink) journals: Vec<Box<dyn Journal>>,
    pub(in crate::sink) manifest: Manifest,
}

/// What readers see, and the commits that change it. Releases the destination when it is dropped.
pub(in crate::sink) trait HeldDestination: Send {
    /// Fails if another run has taken the destination since.
    fn check(&self) -> Result<(), Error>;

    /// Stores a commit. From here on, it is finished, by this run or the next one.
    fn store_commit(&self, collection: &'static Collection, commit: &Commit) -> Result<(), Error>;

    /// The commit that was stored, also after its files were published.
    fn read_commit(&self, collection: &'static Collection) -> Result<Option<Commit>, Error>;

    /// Returns `true` if a collection with the rows of the previous run keeps its files, and these are still there.
    fn keeps(&self, _files: &[FileInfo]) -> Result<bool, Error> {
        Ok(false)
    }

    /// Returns `true` if one change of the manifest publishes all collections of a run. In a folder, a file has the name of the one
    /// that it replaces.
    fn publishes_together(&self) -> bool {
        false
    }

    /// Replaces the manifest in one step.
    fn write_manifest(&self, manifest: &Manifest) -> Result<(), Error>;

    /// Removes published files.
    fn remove_files(&self, paths: &[String]) -> Result<(), Error>;

    /// Ends the run. Removes its state if all collections are committed.
    fn end(&self, all_committed: bool) -> Result<(), Error>;
}

/// A run that has begun.
struct Run {
    collections: Vec<&'static Collection>,
    // Dropped first.
    held: Box<dyn HeldDestination>,
    /// One for each collection.
    staging: Vec<Staging>,
    manifest: Manifest,
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
        run.held.check()?;
        Ok(run)
    }

    fn staging(&mut self, collection: &Collection) -> Result<&mut Staging, Error> {
        let run = self.run()?;
        let index = run.index(collection)?;
        Ok(&mut run.staging[index])
    }
}

impl Run {
    fn index(&self, collection: &Collection) -> Result<usize, Error> {
        let mut collections = self.collections.iter();
        collections
            .position(|planned| planned.name == collection.name)
            .ok_or_else(|| Error::usage(format!("{} is not in the plan", collection.name)))
    }

    /// The state of a collection. Finishes a publication that was interrupted.
    fn state(&mut self, index: usize) -> Result<CollectionState, Error> {
        let collection = self.collections[index];
        if let Some(commit) = self.held.read_commit(collection)? {
            let record = Box::new(commit.record.clone());
            if self.held.publishes_together() && !self.manifest.has_commit(collection, &commit) {
                self.committed.insert(index, commit);
            } else {
                self.publish([(index, commit)])?;
            }
            return Ok(CollectionState::Done(record));
        }
        let checkpoint = self.staging[index]
            .journal
            .stored_checkpoint()?
            .map(Box::new);
        Ok(checkpoint.map_or(CollectionState::Fresh, CollectionState::Resume))
    }

    /// Publishes commits with one change of the manifest.
    fn publish(&mut self, commits: impl IntoIterator<Item = (usize, Commit)>) -> Result<(), Error> {
        let (mut published, mut replaced) = (Vec::new(), Vec::new());
        for (index, commit) in commits {
            let journal = &self.staging[index].journal;
            journal.publish(&commit, &self.manifest)?;
            let collection = self.collections[index];
            replaced.extend(self.manifest.commit(collection, commit, &self.options));
            published.push(journal);
        }
        self.held.write_manifest(&self.manifest)?;
        self.held.remove_files(&replaced)?;
        published
            .into_iter()
            .try_for_each(|journal| journal.remove())
    }
}

impl<D: FilesDestination> SinkCalls for ManifestSink<D> {
    fn begin(&mut self, plan: &Plan) -> Result<Vec<CollectionState>, Error> {
        let collections = plan.collections.iter();
        let collections: Vec<_> = collections
            .map(|collection| known(&collection.name))
            .collect::<Result<_, _>>()?;
        let mut plan = plan.clone();
        plan.options.extend(self.options.names());
        if self.unfinished == Unfinished::Discard {
            self.destination.discard(&self.options)?;
        }
        let opened = self.destination.open(&plan, &collections, &self.options)?;
        let staging = collections.iter().zip(opened.journals);
        let staging = staging.map(|(of, journal)| Staging::new(of, &self.options, journal));
        let mut run = Run {
            staging: staging.collect(),
            held: opened.held,
            manifest: opened.manifest,
            collections,
            options: self.options.clone(),
            tenant: plan.tenant,
            committed: BTreeMap::new(),
        };
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
        let entries = &self.run()?.manifest.collections;
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
        run.committed.remove(&index);
        run.staging[index].restart()
    }

    fn commit(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
    ) -> Result<(), Error> {
        let run = self.run()?;
        let index = run.index(collection)?;
        let (manifest, options, tenant) = (&run.manifest, &run.options, &run.tenant);
        let files = match manifest.files_with(collection, record, options, tenant) {
            Some(files) if run.held.keeps(files)? => files.to_vec(),
            _ => run.staging[index].finish()?,
        };
        let commit = manifest.prepare(collection, files, record, tenant)?;
        run.held.store_commit(collection, &commit)?;
        if run.held.publishes_together() {
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
        let Run { held, manifest, .. } = self.run()?;
        manifest.abort(collection, record);
        held.write_manifest(manifest)
    }

    fn end(&mut self) -> Result<(), Error> {
        let Some(run) = self.run.take() else {
            return Ok(());
        };
        let held = &run.held;
        let mut all_committed = run.committed.is_empty();
        for collection in &run.collections {
            all_committed = all_committed && held.read_commit(collection)?.is_some();
        }
        held.end(all_committed)
    }
}
