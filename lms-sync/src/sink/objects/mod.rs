//! Object storage: Parquet, or another format, in Amazon S3 and what is compatible with it, Google Cloud Storage and Azure.
//!
//! ```text
//! s3://bucket/prefix/
//!   manifest.json                                         the files, with hashes and completeness records
//!   learners/run=20261122T083000.123Z/part-00001.parquet   the parts of the last complete run
//!   _lms-sync/                                            the lock, and the state of an unfinished run
//! ```
//!
//! Everything that a run needs to go on is in the storage, so it can go on from another machine. Rows are stored with each
//! checkpoint, as one object; when a part is full, it is encoded and stored, and its rows are removed.
//!
//! A part never changes. When a collection is whole, its parts are copied to the folder of the run, the manifest is replaced
//! in one step, and the parts of the previous run are removed. A reader of the manifest always sees one whole run. A reader of
//! `learners/*/*.parquet` sees both runs in the moment between; it reads one of them with the column `run` of the path.
//!
//! Object storage has no locks of an operating system. A run holds `_lms-sync/lock` for a minute at a time, so a run that was
//! killed on another machine can be continued a minute later. All other objects of a run are created and replaced under the
//! condition that no other program has done so, if the storage supports that, as S3, Google Cloud Storage and Azure do. So two
//! runs cannot mix even if the lock fails. Without conditions (`AWS_CONDITIONAL_PUT=disabled`), only the lock separates runs.

mod entries;
mod lease;
mod location;
mod stage;
mod store;
mod verify;

use std::sync::Arc;

use jiff::{Timestamp, ToSpan as _};
use object_store::{ObjectStore, path::Path};
use serde::{Deserialize, Serialize};

pub use location::open_url;
pub use object_store;
pub use verify::verify;

use lease::Lease;
use stage::Stage;
use store::Store;

use super::{
    files::{FilesOptions, Manifest, manifest},
    find_stage, give_up,
};
use crate::{
    collection::{Collection, known},
    error::{Error, ErrorKind},
    extract::{Batch, Checkpoint},
    plan::Plan,
    protocol::{Sink, Standing},
    record::CompletenessRecord,
};

/// The folder with the state of a run. Readers of data skip names that start with `_`.
const STATE: &str = "_lms-sync";

/// Writes files into an object storage.
///
/// ```no_run
/// # async fn example(lms: lms_ext::Lms) -> Result<(), lms_sync::Error> {
/// use lms_sync::{Export, sink::{files::{FilesOptions, Format}, objects::ObjectsSink}};
///
/// // Credentials come from the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, …
/// let sink = ObjectsSink::open("s3://bucket/acme", FilesOptions::new(Format::Parquet))?;
/// let summary = Export::new(&lms).collections(["enrolments"])?.run(sink).await?;
/// assert!(summary.is_complete());
/// # Ok(())
/// # }
/// ```
pub struct ObjectsSink {
    inner: Arc<dyn ObjectStore>,
    prefix: Path,
    options: FilesOptions,
    run: Option<Run>,
}

/// A run that has begun.
struct Run {
    // Released before the runtime of the store ends.
    lease: Lease,
    store: Arc<Store>,
    stages: Vec<Stage>,
    manifest: Manifest,
    committed: Vec<&'static str>,
}

/// The plan of an unfinished run, and the name of its folders.
#[derive(Debug, Serialize, Deserialize)]
struct Unfinished {
    run: String,
    plan: Plan,
}

impl std::fmt::Debug for ObjectsSink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ObjectsSink")
            .field("store", &self.inner.to_string())
            .field("prefix", &self.prefix)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl ObjectsSink {
    /// Writes into a store, below a prefix, which may be empty. Parts have at most a million rows unless the options say how
    /// many.
    pub fn new(
        store: Arc<dyn ObjectStore>,
        prefix: impl Into<Path>,
        options: FilesOptions,
    ) -> Self {
        Self {
            inner: store,
            prefix: prefix.into(),
            options: stage::in_parts(options),
            run: None,
        }
    }

    /// Writes below a URL: `s3://bucket/prefix` (feature `aws`), `gs://bucket/prefix` (feature `gcp`) or
    /// `az://container/prefix` (feature `azure`).
    ///
    /// # Errors
    ///
    /// As [`open_url`].
    pub fn open(url: &str, options: FilesOptions) -> Result<Self, Error> {
        let (store, prefix) = open_url(url)?;
        Ok(Self::new(store, prefix, options))
    }

    fn run(&mut self) -> Result<&mut Run, Error> {
        let run = self
            .run
            .as_mut()
            .ok_or_else(|| Error::usage("the sink has not begun a run; call begin first"))?;
        run.lease.check()?;
        Ok(run)
    }

    fn stage(&mut self, collection: &Collection) -> Result<&mut Stage, Error> {
        find_stage(&mut self.run()?.stages, collection, |stage| {
            stage.collection
        })
    }
}

fn plan_path() -> String {
    format!("{STATE}/plan.json")
}

/// The name of a new run: when it began, and different from that of any run in the manifest.
fn new_run(manifest: &Manifest) -> String {
    let mut now = Timestamp::now();
    loop {
        let name = now.strftime("%Y%m%dT%H%M%S.%3fZ").to_string();
        let folder = format!("/run={name}/");
        let mut files = manifest.collections.values().flat_map(|entry| &entry.files);
        if !files.any(|file| file.path.contains(&folder)) {
            return name;
        }
        now += 1.millisecond();
    }
}

/// Refuses to write beside objects that no export wrote.
fn check_objects(store: &Store, collection: &Collection, manifest: &Manifest) -> Result<(), Error> {
    let folder = collection.name;
    let known = manifest
        .collections
        .get(folder)
        .is_some_and(|entry| entry.record.is_some());
    let ours = |path: &&String| known && path.starts_with(&format!("{folder}/run="));
    match store.list(folder)?.iter().find(|path| !ours(path)) {
        None => Ok(()),
        Some(path) => Err(Error::new(
            ErrorKind::Foreign,
            format!(
                "{} exists and is not in {}, so another program wrote it; move it away or choose another prefix",
                store.place(path),
                manifest::NAME
            ),
        )),
    }
}

impl Sink for ObjectsSink {
    fn begin(&mut self, plan: &Plan) -> Result<Vec<Standing>, Error> {
        let store = Arc::new(Store::connect(&self.inner, &self.prefix)?);
        let lease = Lease::acquire(&store)?;
        let stored = store.read_json_for_update(manifest::NAME)?;
        let mut manifest = Manifest::known(stored, store.place(manifest::NAME))?;
        let mut collections = Vec::new();
        for collection in &plan.collections {
            collections.push(known(&collection.name)?);
        }
        let mut plan = plan.clone();
        plan.options.extend(self.options.names());
        let unfinished: Option<Unfinished> = store.read_json(&plan_path())?;
        let fresh = unfinished.is_none();
        let run = match unfinished {
            Some(unfinished) => {
                let advice = give_up(store.place(STATE));
                plan.check(&unfinished.plan, store.place(""), advice)?;
                unfinished.run
            }
            None => {
                for collection in &collections {
                    check_objects(&store, collection, &manifest)?;
                }
                new_run(&manifest)
            }
        };
        let mut stages: Vec<Stage> = collections
            .into_iter()
            .map(|collection| Stage::new(collection, &store, &run, &self.options))
            .collect();
        if fresh {
            // A run that was complete may have been killed while it cleaned up.
            for stage in &mut stages {
                stage.restart()?;
            }
            store.replace_json(&plan_path(), &Unfinished { run, plan })?;
        }
        let mut committed = Vec::new();
        let mut standings = Vec::new();
        for stage in &mut stages {
            standings.push(match stage.finish_commit(&mut manifest)? {
                Some(record) => {
                    committed.push(stage.collection.name);
                    Standing::Done(Box::new(record))
                }
                None => match stage.checkpoint_of_before()? {
                    Some(checkpoint) => Standing::Resume(Box::new(checkpoint)),
                    None => Standing::Fresh,
                },
            });
        }
        self.run = Some(Run {
            lease,
            store,
            stages,
            manifest,
            committed,
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
        let run = self.run()?;
        run.manifest.abort(collection, record);
        run.store.update_json(manifest::NAME, &run.manifest)
    }

    fn end(&mut self) -> Result<(), Error> {
        let ended = match self.run.as_ref() {
            Some(run) if run.committed.len() == run.stages.len() => {
                // Without the plan, what is left is not taken for a run.
                run.store.remove(&[plan_path()]).and_then(|()| {
                    let mut stages = run.stages.iter();
                    stages.try_for_each(Stage::forget)
                })
            }
            _ => Ok(()),
        };
        self.run = None;
        ended
    }
}
