//! Files: CSV, NDJSON or Parquet, with a manifest.
//!
//! ```text
//! out/
//!   manifest.json       the files, with hashes and completeness records
//!   learners.csv        one file for each collection, or a folder of parts
//!   .lms-sync/          the lock, and the state of an unfinished run
//! ```
//!
//! A file gets its name only when it is whole: until then, it grows in the state folder, and the files of the last complete
//! run stay in place. A run that was killed goes on when it is started again with the same arguments, and on a tenant that
//! has not changed, its files are identical to those of an undisturbed run.

pub(super) mod atomic;
mod decode;
mod durability;
pub(super) mod encode;
mod format;
mod journal;
pub(super) mod manifest;
mod stage;
pub(super) mod verify;

use std::{
    fs,
    path::{Path, PathBuf},
};

pub use encode::FileInfo;
pub use format::{Compression, FilesOptions, Format};
pub use manifest::{Manifest, ManifestEntry};
pub use verify::verify;

use atomic::{read_json, remove, write_json};
use stage::Stage;

use super::{find_stage, give_up, lock::DestinationLock};
use crate::{
    collection::{Collection, known},
    error::{Error, ErrorKind},
    extract::{Batch, Checkpoint},
    plan::Plan,
    protocol::{Sink, Standing},
    record::CompletenessRecord,
};

/// The folder with the state of a run.
const STATE: &str = ".lms-sync";
const PLAN: &str = "plan.json";
const LOCK: &str = "lock";

/// Writes files into a folder.
pub struct FilesSink {
    destination: PathBuf,
    state: PathBuf,
    options: FilesOptions,
    run: Option<Run>,
}

/// A run that has begun.
struct Run {
    stages: Vec<Stage>,
    manifest: Manifest,
    committed: Vec<&'static str>,
    _lock: DestinationLock,
}

impl std::fmt::Debug for FilesSink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FilesSink")
            .field("destination", &self.destination)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl FilesSink {
    /// Writes into a folder, which is created if it does not exist.
    pub fn new(destination: impl Into<PathBuf>, options: FilesOptions) -> Self {
        let destination = destination.into();
        Self {
            state: destination.join(STATE),
            destination,
            options,
            run: None,
        }
    }

    /// The folder.
    #[must_use]
    pub fn destination(&self) -> &Path {
        &self.destination
    }

    /// Refuses a run whose arguments differ from those of the unfinished one.
    fn check_plan(&self, plan: &Plan) -> Result<(), Error> {
        let path = self.state.join(PLAN);
        match read_json::<Plan>(&path)? {
            None => write_json(&path, plan),
            Some(unfinished) => plan.check(
                &unfinished,
                self.destination.display(),
                give_up(self.state.display()),
            ),
        }
    }

    /// Refuses a folder in which the files cannot get their names later.
    fn check_writable(&self, stages: &[Stage]) -> Result<(), Error> {
        let parts = stages.iter().map(Stage::published);
        let folders = parts.chain([self.destination.clone()]);
        for folder in folders.filter(|folder| folder.is_dir()) {
            tempfile::tempfile_in(&folder)
                .map_err(|error| Error::file("create files in", &folder, error))?;
        }
        Ok(())
    }

    /// Refuses to replace files that no export wrote.
    fn check_files(&self, stages: &[Stage], manifest: &Manifest) -> Result<(), Error> {
        for stage in stages {
            let name = stage.name(0);
            let path = self.destination.join(&name);
            if path.exists() && !manifest.has(&name) {
                return Err(Error::new(
                    ErrorKind::Foreign,
                    format!(
                        "{} exists and is not in {}, so another program wrote it; move it away or choose another folder",
                        path.display(),
                        manifest::NAME
                    ),
                ));
            }
        }
        Ok(())
    }

    fn run(&mut self) -> Result<&mut Run, Error> {
        self.run
            .as_mut()
            .ok_or_else(|| Error::usage("the sink has not begun a run; call begin first"))
    }

    fn stage(&mut self, collection: &Collection) -> Result<&mut Stage, Error> {
        find_stage(&mut self.run()?.stages, collection, |stage| {
            stage.collection
        })
    }
}

impl Sink for FilesSink {
    fn begin(&mut self, plan: &Plan) -> Result<Vec<Standing>, Error> {
        fs::create_dir_all(&self.state)
            .map_err(|error| Error::file("create the folder", &self.state, error))?;
        let lock = DestinationLock::acquire(&self.state.join(LOCK))?;
        let mut manifest = Manifest::read(&self.destination)?;
        let mut stages = Vec::new();
        for collection in &plan.collections {
            stages.push(Stage::new(
                known(&collection.name)?,
                &self.destination,
                &self.state,
                &self.options,
            ));
        }
        self.check_writable(&stages)?;
        let mut plan = plan.clone();
        plan.options.extend(self.options.names());
        if !self.state.join(PLAN).exists() {
            self.check_files(&stages, &manifest)?;
            // A run that was complete may have been killed while it cleaned up.
            for stage in &mut stages {
                stage.restart()?;
            }
        }
        self.check_plan(&plan)?;
        let mut committed = Vec::new();
        let mut standings = Vec::new();
        for stage in &stages {
            standings.push(match stage.finish_commit(&mut manifest)? {
                Some(record) => {
                    committed.push(stage.collection.name);
                    Standing::Done(Box::new(record))
                }
                None => match stage.stored()?.checkpoint {
                    Some(checkpoint) => Standing::Resume(Box::new(checkpoint)),
                    None => Standing::Fresh,
                },
            });
        }
        self.run = Some(Run {
            stages,
            manifest,
            committed,
            _lock: lock,
        });
        Ok(standings)
    }

    fn visit_keys(
        &mut self,
        collection: &'static Collection,
        visit: &mut dyn FnMut(u128),
    ) -> Result<bool, Error> {
        self.stage(collection)?.visit_keys(visit)?;
        Ok(true)
    }

    fn write(&mut self, batch: Batch) -> Result<(), Error> {
        self.stage(batch.collection)?.write(&batch.rows)
    }

    fn checkpoint(
        &mut self,
        collection: &'static Collection,
        checkpoint: &Checkpoint,
    ) -> Result<(), Error> {
        self.stage(collection)?.checkpoint(checkpoint)
    }

    fn restart(&mut self, collection: &'static Collection) -> Result<(), Error> {
        self.stage(collection)?.restart()
    }

    fn commit(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
    ) -> Result<(), Error> {
        let run = self.run()?;
        let stage = find_stage(&mut run.stages, collection, |stage| stage.collection)?;
        stage.commit(record, &mut run.manifest)?;
        run.committed.push(collection.name);
        Ok(())
    }

    fn abort(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
    ) -> Result<(), Error> {
        self.stage(collection)?.close();
        let destination = self.destination.clone();
        let manifest = &mut self.run()?.manifest;
        manifest.abort(collection, record);
        manifest.write(&destination)
    }

    fn end(&mut self) -> Result<(), Error> {
        let Some(run) = self.run.take() else {
            return Ok(());
        };
        if run.committed.len() == run.stages.len() {
            // Without the plan, what is left is not taken for a run.
            remove(&self.state.join(PLAN))?;
            for stage in &run.stages {
                remove(&self.state.join(stage.collection.name))?;
            }
        }
        Ok(())
    }
}
