//! Objects below a prefix: blocking calls, and which of them are conditional.

use std::{
    fs::File,
    future::Future,
    io::{Read as _, Write as _},
    path::Path as FilePath,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use futures_util::TryStreamExt as _;
use object_store::{
    Error as StoreError, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, PutPayload,
    UpdateVersion, buffered::BufWriter, path::Path,
};
use tokio::{
    io::AsyncWriteExt as _,
    runtime::{Builder, Runtime},
    sync::oneshot,
    task::JoinHandle,
};

use crate::{
    error::{Error, ErrorKind},
    sink::files::files_store::{Checkpoints, FilesStore as _},
};

/// The folder with the state of a run. Readers of data skip names that start with `_`.
pub(super) const STATE: &str = "_lms-sync";

/// The name of a part in messages, until it is stored.
pub(super) const TEMPORARY: &str = "a temporary file";

/// Number of bytes after which a large object is sent in several requests. S3 requires at least 5 MiB.
const CHUNK: usize = 8 << 20;

/// Time after which a lock expires that its run has not extended.
pub(super) const HELD: Duration = Duration::from_secs(60);

/// The default intervals of checkpoints.
pub(super) const CHECKPOINTS: Checkpoints = Checkpoints {
    bytes: 16 << 20,
    interval: Duration::from_secs(30),
};

/// Holds the prefix until it ends.
pub(super) struct Lease {
    /// Set when another run has taken the lock, or it has expired.
    pub(super) lost: Arc<AtomicBool>,
    pub(super) extending: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Lease {
    /// Fails if the lock is not held any more.
    pub(super) fn check(&self, place: &str) -> Result<(), Error> {
        if self.lost.load(Ordering::Relaxed) {
            return Err(ErrorKind::Locked.error(format!(
                    "another run took {place} because this one could not extend its lock for {} s; wait for it to end",
                    HELD.as_secs()
                )));
        }
        Ok(())
    }

    /// Lets the lock expire.
    async fn end(self) {
        if let Some((stop, task)) = self.extending {
            drop(stop);
            let _ = task.await;
        }
    }
}

/// The objects below a prefix, with a runtime for calls.
pub(super) struct Store {
    pub(super) inner: Arc<dyn ObjectStore>,
    pub(super) prefix: Path,
    /// Ends when the store is dropped.
    runtime: Option<Runtime>,
    /// Held by a run.
    pub(super) lease: Option<Lease>,
    /// The version of `manifest.json` that was read or written last.
    pub(super) version: Mutex<Option<UpdateVersion>>,
    pub(super) checkpoints: Checkpoints,
    pub(super) kept_runs: usize,
}

impl Store {
    pub(super) fn connect(inner: &Arc<dyn ObjectStore>, prefix: &Path) -> Result<Self, Error> {
        // A thread of its own extends the lease while the sink waits for rows.
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| Error::destination("cannot start a thread", error))?;
        Ok(Self {
            inner: inner.clone(),
            prefix: prefix.clone(),
            runtime: Some(runtime),
            lease: None,
            version: Mutex::default(),
            checkpoints: CHECKPOINTS,
            kept_runs: 0,
        })
    }

    /// The path of an object in the store.
    pub(super) fn path(&self, path: &str) -> Result<Path, Error> {
        let whole = format!("{}/{path}", self.prefix);
        Path::parse(whole.trim_matches('/')).map_err(|error| {
            Error::usage(format!("{whole:?} cannot be the path of an object")).with_source(error)
        })
    }

    pub(super) fn block<T>(&self, future: impl Future<Output = T>) -> Result<T, Error> {
        let runtime = self.runtime.as_ref();
        let runtime = runtime.ok_or_else(|| Error::usage("the store is closed"))?;
        Ok(runtime.block_on(future))
    }

    pub(super) fn spawn(
        &self,
        task: impl Future<Output = ()> + Send + 'static,
    ) -> Option<JoinHandle<()>> {
        self.runtime.as_ref().map(|runtime| runtime.spawn(task))
    }

    pub(super) fn call<T>(
        &self,
        doing: &str,
        path: &str,
        future: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, Error> {
        self.block(future)?
            .map_err(|error| self.failed(doing, path, error))
    }

    pub(super) fn failed(&self, doing: &str, path: &str, error: StoreError) -> Error {
        let refusal = Refusal::of(&error);
        let (kind, advice) = match error {
            StoreError::Unauthenticated { .. } | StoreError::PermissionDenied { .. } => (
                ErrorKind::Permission,
                "; check the credentials, and their permission to read, write, list and delete there",
            ),
            _ if refusal.as_ref().is_some_and(Refusal::is_of_bucket) => (
                ErrorKind::Destination,
                "; create the bucket, or check its name, the region and the endpoint",
            ),
            _ => (ErrorKind::Destination, ""),
        };
        let failure = Error::new(kind, format!("cannot {doing} {}{advice}", self.place(path)));
        match refusal {
            Some(Refusal { code, reason }) => failure.with_source(format!("{code}: {reason}")),
            None => failure.with_source(error),
        }
    }

    /// The content of an object, and its version; `None` if it does not exist.
    pub(super) fn read(&self, path: &str) -> Result<Option<(Bytes, UpdateVersion)>, Error> {
        let location = self.path(path)?;
        let read = async {
            let object = self.inner.get(&location).await?;
            let version = version(&object.meta);
            Ok((object.bytes().await?, version))
        };
        self.call("read", path, async { if_exists(read.await) })
    }

    /// Creates or replaces an object.
    pub(super) fn replace(&self, path: &str, content: Bytes) -> Result<(), Error> {
        self.put(path, content, PutMode::Overwrite)?;
        Ok(())
    }

    /// Writes an object under a condition; `None` if the condition does not hold. Where the store has no conditions, the version
    /// is compared before the object is written, which another program can do in between.
    pub(super) fn put(
        &self,
        path: &str,
        content: Bytes,
        mode: PutMode,
    ) -> Result<Option<UpdateVersion>, Error> {
        let location = self.path(path)?;
        self.block(put(&*self.inner, &location, content, mode))?
            .map_err(|error| self.failed("write", path, error))
    }

    /// Fails if the store ignores the conditions of writes. An object that this run has just written is written again, with the
    /// same content, as if it did not exist.
    pub(super) fn check_conditions(&self, path: &str, content: Bytes) -> Result<(), Error> {
        let location = self.path(path)?;
        let write = self
            .inner
            .put_opts(&location, content.into(), PutMode::Create.into());
        match self.block(write)? {
            Ok(_) => Err(ErrorKind::Destination.error(format!(
                    "{} ignores the condition that an object must not exist, so a run that was overtaken could overwrite the \
                     rows of another one; choose a storage with conditional writes, or set AWS_CONDITIONAL_PUT=disabled and \
                     start no two runs at the same time",
                    self.inner
                ))),
            Err(
                StoreError::AlreadyExists { .. }
                | StoreError::Precondition { .. }
                | StoreError::NotImplemented { .. }
                | StoreError::NotSupported { .. },
            ) => Ok(()),
            Err(error) => Err(self.failed("write", path, error)),
        }
    }

    /// Writes a file, in place of an object that exists.
    pub(super) fn upload(&self, path: &str, mut file: File) -> Result<(), Error> {
        let to = BufWriter::with_capacity(self.inner.clone(), self.path(path)?, CHUNK);
        let mut to = to.with_max_concurrency(2);
        let written = self.block(async {
            loop {
                let mut chunk = Vec::with_capacity(CHUNK);
                let mut next = (&mut file).take(CHUNK as u64);
                if next.read_to_end(&mut chunk)? == 0 {
                    return to.shutdown().await;
                }
                to.put(chunk.into()).await?;
            }
        })?;
        written.map_err(|error| match error.downcast::<StoreError>() {
            Ok(error) => self.failed("write", path, error),
            Err(error) => Error::file("read back", FilePath::new(TEMPORARY), error),
        })
    }

    /// Writes an object to a file; false if it does not exist.
    pub(super) fn download(&self, path: &str, file: &mut File) -> Result<bool, Error> {
        let location = self.path(path)?;
        let object = self.call("read", path, async {
            if_exists(self.inner.get(&location).await)
        })?;
        let Some(object) = object else {
            return Ok(false);
        };
        let mut chunks = object.into_stream();
        while let Some(chunk) = self.call("read", path, chunks.try_next())? {
            file.write_all(&chunk)
                .map_err(|error| Error::file("write", FilePath::new(TEMPORARY), error))?;
        }
        Ok(true)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let (runtime, lease) = (self.runtime.take(), self.lease.take());
        // A thread, because a sink may be dropped where waiting is not allowed.
        let released = std::thread::spawn(move || {
            if let Some(runtime) = runtime {
                if let Some(lease) = lease {
                    runtime.block_on(lease.end());
                }
                runtime.shutdown_background();
            }
        });
        let _ = released.join();
    }
}

fn version(object: &ObjectMeta) -> UpdateVersion {
    UpdateVersion {
        e_tag: object.e_tag.clone(),
        version: object.version.clone(),
    }
}

/// The result of reading; `None` if the object does not exist, although its bucket does.
pub(super) fn if_exists<T>(read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error @ StoreError::NotFound { .. }) => {
            let refusal = Refusal::of(&error).filter(Refusal::is_of_bucket);
            refusal.map_or(Ok(None), |_| Err(error))
        }
        Err(error) => Err(error),
    }
}

/// The reason for which a service refused a request. Each error in the chain of causes repeats the XML that contains it.
#[derive(Debug, PartialEq)]
struct Refusal {
    code: String,
    reason: String,
}

impl Refusal {
    fn of(error: &StoreError) -> Option<Self> {
        let text = error.to_string();
        let element = |name: &str| {
            let (_, rest) = text.split_once(&format!("<{name}>"))?;
            let (content, _) = rest.split_once(&format!("</{name}>"))?;
            Some(content.trim().to_owned())
        };
        Some(Self {
            code: element("Code")?,
            reason: element("Message").unwrap_or_default(),
        })
    }

    fn is_of_bucket(&self) -> bool {
        ["NoSuchBucket", "ContainerNotFound"].contains(&&*self.code)
    }
}

/// Writes an object under a condition; `None` if the condition does not hold.
pub(super) async fn put(
    store: &dyn ObjectStore,
    path: &Path,
    content: Bytes,
    mode: PutMode,
) -> Result<Option<UpdateVersion>, StoreError> {
    let payload = || PutPayload::from(content.clone());
    let mut written = store.put_opts(path, payload(), mode.clone().into()).await;
    if let Err(StoreError::NotImplemented { .. } | StoreError::NotSupported { .. }) = written {
        let found = if_exists(store.head(path).await)?;
        let found = found.map(|object| version(&object).e_tag);
        let expected = match mode {
            PutMode::Update(version) => Some(version.e_tag),
            PutMode::Create | PutMode::Overwrite => None,
        };
        if found != expected {
            return Ok(None);
        }
        written = store.put(path, payload()).await;
    }
    match written {
        Ok(written) => Ok(Some(written.into())),
        Err(StoreError::AlreadyExists { .. } | StoreError::Precondition { .. }) => {
            // It may be the object of an attempt whose response was lost.
            let Some(object) = if_exists(store.get(path).await)? else {
                return Ok(None);
            };
            let version = version(&object.meta);
            Ok((object.bytes().await? == content).then_some(version))
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    #[test]
    fn a_missing_bucket_is_named_with_the_next_step_and_without_xml() {
        let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let store = Store::connect(&store, &Path::from("acme")).unwrap();
        let response = "Server returned non-2xx status code: 404 Not StoredDocument: <?xml version=\"1.0\"?><Error>\
             <Code>NoSuchBucket</Code><Message>The bucket does not exist</Message><Key>x</Key></Error>";
        let error = || StoreError::NotFound {
            path: "acme/x".to_owned(),
            source: response.into(),
        };
        assert_eq!(
            store.failed("write", "x", error()).to_string(),
            "cannot write \"x\" below \"acme\" in InMemory; create the bucket, or check its name, the region and the \
             endpoint: NoSuchBucket: The bucket does not exist"
        );
        // A reader does not take it for an empty destination.
        assert!(if_exists::<()>(Err(error())).is_err());
    }
}
