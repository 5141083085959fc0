//! The sink of files, in a folder or in an object storage.
//!
//! Rows are stored in unfinished files until their collection is complete. Then a [`Commit`] is stored, the files get
//! their names, the manifest lists them, and the files of the previous run are removed. The next run finishes a commit
//! that was interrupted.

use std::fmt;

use super::{
    encode::FileInfo,
    format::FilesOptions,
    manifest::{Commit, Manifest},
};
use crate::{
    collection::{Collection, Row, known},
    error::Error,
    extract::{Batch, ExtractCheckpoint},
    plan::Plan,
    protocol::{CollectionState, Sink},
    record::CompletenessRecord,
};

/// Writes files and a manifest that lists them: a [`FilesSink`](super::FilesSink) into a folder, an `ObjectsSink` into object
/// storage.
///
/// A file gets its name only when its collection is complete. Until then, the files of the last complete run stay in place.
pub struct ManifestSink<P> {
    pub(in crate::sink) place: P,
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

/// The place of the files: a folder or an object storage.
pub(in crate::sink) trait Place: Send {
    /// Takes the place for a run. Refuses a place that another run uses, that has an unfinished run of another plan, or that
    /// has files which no export wrote.
    fn open(
        &self,
        plan: &Plan,
        collections: &[&'static Collection],
        options: &FilesOptions,
    ) -> Result<Opened, Error>;

    /// Removes the state of an unfinished run.
    fn discard(&self, options: &FilesOptions) -> Result<(), Error>;
}

/// A place that was taken for a run.
pub(in crate::sink) struct Opened {
    // Dropped first.
    pub(in crate::sink) taken: Box<dyn Taken>,
    /// One for each collection.
    pub(in crate::sink) partials: Vec<Box<dyn Partial>>,
    pub(in crate::sink) manifest: Manifest,
}

/// Releases the place when it is dropped.
pub(in crate::sink) trait Taken: Send {
    /// Fails if another run has taken the place since.
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Replaces the manifest in one step.
    fn write_manifest(&self, manifest: &Manifest) -> Result<(), Error>;

    /// Removes published files.
    fn remove_files(&self, paths: &[String]) -> Result<(), Error>;

    /// Removes the plan, so that the remaining files are not taken for a run.
    fn remove_plan(&self) -> Result<(), Error>;
}

/// The rows of one collection until it is complete.
pub(in crate::sink) trait Partial: Send {
    fn collection(&self) -> &'static Collection;

    /// The position that an earlier process stored.
    fn stored_checkpoint(&self) -> Result<Option<ExtractCheckpoint>, Error>;

    fn visit_keys(&mut self, visit: &mut dyn FnMut(u128)) -> Result<(), Error>;

    fn write(&mut self, rows: &[Row]) -> Result<(), Error>;

    fn checkpoint(&mut self, checkpoint: &ExtractCheckpoint) -> Result<(), Error>;

    /// Completes the last file. Returns all files with the paths that they get when they are published.
    fn finish(&mut self) -> Result<Vec<FileInfo>, Error>;

    fn store_commit(&self, commit: &Commit) -> Result<(), Error>;

    /// The commit that was stored, also after its files were published.
    fn read_commit(&self) -> Result<Option<Commit>, Error>;

    /// Gives the files of a commit their names. Can be repeated after a crash.
    fn publish(&self, commit: &Commit, manifest: &Manifest) -> Result<(), Error>;

    /// Drops the rows in memory, so that the next call continues after the last checkpoint.
    fn close(&mut self);

    /// Removes everything that is stored except the commit.
    fn remove_rows(&self) -> Result<(), Error>;

    /// Removes everything that is stored.
    fn remove(&self) -> Result<(), Error>;

    /// Starts again without the stored state.
    fn restart(&mut self) -> Result<(), Error> {
        self.close();
        self.remove()
    }
}

/// A run that has begun.
struct Run {
    place: Opened,
    options: FilesOptions,
    tenant: String,
}

impl<P: fmt::Debug> fmt::Debug for ManifestSink<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ManifestSink")
            .field("place", &self.place)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl<P> ManifestSink<P> {
    pub(in crate::sink) fn at(place: P, options: FilesOptions) -> Self {
        Self {
            place,
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
        run.place.taken.check()?;
        Ok(run)
    }

    fn partial(&mut self, collection: &Collection) -> Result<&mut dyn Partial, Error> {
        let run = self.run()?;
        let index = run.index(collection)?;
        Ok(&mut *run.place.partials[index])
    }
}

impl Run {
    fn index(&self, collection: &Collection) -> Result<usize, Error> {
        let mut partials = self.place.partials.iter();
        partials
            .position(|partial| partial.collection().name == collection.name)
            .ok_or_else(|| Error::usage(format!("{} is not in the plan", collection.name)))
    }

    /// The state of a collection. Finishes a commit that was interrupted.
    fn state(&mut self, index: usize) -> Result<CollectionState, Error> {
        let partial = &self.place.partials[index];
        if let Some(commit) = partial.read_commit()? {
            let record = Box::new(commit.record.clone());
            self.publish(index, commit)?;
            return Ok(CollectionState::Done(record));
        }
        let checkpoint = partial.stored_checkpoint()?.map(Box::new);
        Ok(checkpoint.map_or(CollectionState::Fresh, CollectionState::Resume))
    }

    fn publish(&mut self, index: usize, commit: Commit) -> Result<(), Error> {
        let Opened {
            taken,
            partials,
            manifest,
        } = &mut self.place;
        let partial = &partials[index];
        partial.publish(&commit, manifest)?;
        let replaced = manifest.commit(partial.collection(), commit, &self.options);
        taken.write_manifest(manifest)?;
        taken.remove_files(&replaced)?;
        partial.remove_rows()
    }
}

impl<P: Place> Sink for ManifestSink<P> {
    fn begin(&mut self, plan: &Plan) -> Result<Vec<CollectionState>, Error> {
        let collections = plan.collections.iter();
        let collections: Vec<_> = collections
            .map(|collection| known(&collection.name))
            .collect::<Result<_, _>>()?;
        let mut plan = plan.clone();
        plan.options.extend(self.options.names());
        if self.unfinished == Unfinished::Discard {
            self.place.discard(&self.options)?;
        }
        let mut run = Run {
            place: self.place.open(&plan, &collections, &self.options)?,
            options: self.options.clone(),
            tenant: plan.tenant,
        };
        let states = (0..collections.len()).map(|index| run.state(index));
        let states = states.collect::<Result<_, _>>()?;
        self.run = Some(run);
        Ok(states)
    }

    fn visit_keys(
        &mut self,
        collection: &'static Collection,
        visit: &mut dyn FnMut(u128),
    ) -> Result<(), Error> {
        self.partial(collection)?.visit_keys(visit)
    }

    fn previous(
        &mut self,
        collection: &'static Collection,
    ) -> Result<Option<CompletenessRecord>, Error> {
        let entries = &self.run()?.place.manifest.collections;
        Ok(entries
            .get(collection.name)
            .and_then(|entry| entry.record.clone()))
    }

    fn write(&mut self, batch: Batch) -> Result<(), Error> {
        self.partial(batch.collection)?.write(&batch.rows)
    }

    fn checkpoint(
        &mut self,
        collection: &'static Collection,
        checkpoint: &ExtractCheckpoint,
    ) -> Result<(), Error> {
        self.partial(collection)?.checkpoint(checkpoint)
    }

    fn restart(&mut self, collection: &'static Collection) -> Result<(), Error> {
        self.partial(collection)?.restart()
    }

    fn commit(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
    ) -> Result<(), Error> {
        let run = self.run()?;
        let index = run.index(collection)?;
        let partial = &mut run.place.partials[index];
        let files = partial.finish()?;
        let commit = run
            .place
            .manifest
            .prepare(collection, files, record, &run.tenant)?;
        partial.store_commit(&commit)?;
        run.publish(index, commit)
    }

    fn abort(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
    ) -> Result<(), Error> {
        self.partial(collection)?.close();
        let Opened {
            taken, manifest, ..
        } = &mut self.run()?.place;
        manifest.abort(collection, record);
        taken.write_manifest(manifest)
    }

    fn end(&mut self) -> Result<(), Error> {
        let Some(run) = self.run.take() else {
            return Ok(());
        };
        let mut whole = true;
        for partial in &run.place.partials {
            whole = whole && partial.read_commit()?.is_some();
        }
        if whole {
            run.place.taken.remove_plan()?;
            for partial in &run.place.partials {
                partial.remove()?;
            }
        }
        Ok(())
    }
}
