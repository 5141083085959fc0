//! Object storage: Parquet, or another format, in Amazon S3 and what is compatible with it, Google Cloud Storage and Azure.
//!
//! ```text
//! s3://bucket/prefix/
//!   manifest.json                                         the files, with hashes and completeness records
//!   learners/run=20261122T083000.123Z/part-00001.parquet   the parts of the last complete run
//!   _lms-sync/                                            the lock, and the state of an unfinished run
//! ```
//!
//! Everything that a run needs to continue is in the storage, so another machine can continue it. The rows before each
//! checkpoint are stored as one object. When a part is full, it is stored, and its rows are removed.
//!
//! A part never changes. When a collection is whole, its parts are copied to the folder of the run, the manifest is replaced
//! in one step, and the parts of the previous run are removed. A reader of the manifest always sees one whole run. A reader of
//! `learners/*/*.parquet` can see the parts of both runs before the old ones are removed. To read only one of them, select it
//! by `run`, a column of the path.
//!
//! A run holds `_lms-sync/lock` for a minute at a time, so a run that was killed on another machine can be continued a minute
//! later. All other objects of a run are created and replaced only if no other program has done so. S3, Google Cloud Storage
//! and Azure support this condition, so two runs cannot mix even if the lock fails. Without conditions
//! (`AWS_CONDITIONAL_PUT=disabled`), only the lock separates runs.

mod entries;
mod lease;
mod location;
mod stage;
mod store;
mod verify;

use std::{fmt, sync::Arc};

use jiff::{Timestamp, ToSpan as _};
use object_store::{ObjectStore, path::Path};
use serde::{Deserialize, Serialize};

pub use location::open_url;
pub use object_store;
pub use verify::verify;

use lease::Lease;
use stage::ObjectStage;
use store::{STATE, Store};

use super::files::{
    FilesOptions, Manifest, ManifestSink, manifest,
    sink::{Opened, Place, Stage as _, Taken},
};
use crate::{
    collection::Collection,
    error::{Error, ErrorKind},
    plan::Plan,
};

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
pub type ObjectsSink = ManifestSink<Prefix>;

/// The storage and the prefix of an [`ObjectsSink`].
pub struct Prefix {
    store: Arc<dyn ObjectStore>,
    path: Path,
}

/// A prefix that was taken for a run.
struct TakenPrefix {
    // Released before the runtime of the store ends.
    lease: Lease,
    store: Arc<Store>,
}

/// The plan of an unfinished run, and the name of its folders.
#[derive(Debug, Serialize, Deserialize)]
struct Unfinished {
    run: String,
    plan: Plan,
}

impl fmt::Debug for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prefix")
            .field("store", &self.store.to_string())
            .field("path", &self.path)
            .finish()
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
        let path = prefix.into();
        Self::at(Prefix { store, path }, stage::in_parts(options))
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

/// Refuses to write next to objects that no export wrote.
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

impl Place for Prefix {
    fn discard(&self, options: &FilesOptions) -> Result<(), Error> {
        let store = Arc::new(Store::connect(&self.store, &self.path)?);
        let _lease = Lease::acquire(&store)?;
        let Some(Unfinished { run, plan }) = store.read_json(&plan_path())? else {
            return Ok(());
        };
        for plan in &plan.collections {
            if let Some(collection) = plan.collection() {
                ObjectStage::new(collection, &store, &run, options).remove()?;
            }
        }
        store.remove(&[plan_path()])
    }

    fn open(
        &self,
        plan: &Plan,
        collections: &[&'static Collection],
        options: &FilesOptions,
    ) -> Result<Opened, Error> {
        let store = Arc::new(Store::connect(&self.store, &self.path)?);
        let lease = Lease::acquire(&store)?;
        let stored = store.read_json_for_update(manifest::NAME)?;
        let manifest = Manifest::known(stored, store.place(manifest::NAME))?;
        manifest.check_tenant(plan, store.place(""))?;
        let unfinished: Option<Unfinished> = store.read_json(&plan_path())?;
        let fresh = unfinished.is_none();
        let run = match unfinished {
            Some(unfinished) => {
                let discard = "discard it (`--discard-unfinished`)";
                plan.check(&unfinished.plan, store.place(""), discard)?;
                unfinished.run
            }
            None => {
                for collection in collections {
                    check_objects(&store, collection, &manifest)?;
                }
                new_run(&manifest)
            }
        };
        let stages = collections.iter();
        let stages: Vec<ObjectStage> = stages
            .map(|collection| ObjectStage::new(collection, &store, &run, options))
            .collect();
        if fresh {
            // A run that was complete may have been killed while it cleaned up.
            for stage in &stages {
                stage.remove()?;
            }
            let plan = plan.clone();
            store.replace_json(&plan_path(), &Unfinished { run, plan })?;
        }
        Ok(Opened {
            taken: Box::new(TakenPrefix { lease, store }),
            stages: stages
                .into_iter()
                .map(|stage| Box::new(stage) as _)
                .collect(),
            manifest,
        })
    }
}

impl Taken for TakenPrefix {
    fn check(&self) -> Result<(), Error> {
        self.lease.check()
    }

    fn write_manifest(&self, manifest: &Manifest) -> Result<(), Error> {
        self.store.update_json(manifest::NAME, manifest)
    }

    fn remove_files(&self, paths: &[String]) -> Result<(), Error> {
        self.store.remove(paths)
    }

    fn remove_plan(&self) -> Result<(), Error> {
        self.store.remove(&[plan_path()])
    }
}
