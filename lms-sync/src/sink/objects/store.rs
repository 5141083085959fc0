//! Objects below a prefix: blocking calls, and which of them are conditional.

use std::{
    fs::File,
    future::Future,
    io::{Read as _, Write as _},
    path::Path as FilePath,
    sync::Arc,
};

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, future::ready, stream};
use object_store::{
    Error as StoreError, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, PutPayload,
    UpdateVersion, WriteMultipart, path::Path,
};
use tokio::runtime::{Builder, Runtime};

use crate::{
    error::{Error, ErrorKind},
    sink::files::FileInfo,
};

/// The folder with the state of a run. Readers of data skip names that start with `_`.
pub(super) const STATE: &str = "_lms-sync";

/// Number of bytes after which a large object is sent in several requests. S3 requires at least 5 MiB.
const CHUNK: usize = 8 << 20;

/// Number of objects that are read or copied concurrently.
pub(super) const CONCURRENT: usize = 16;

/// A store, with a runtime for its calls.
pub(super) struct Store {
    inner: Arc<dyn ObjectStore>,
    prefix: Path,
    /// Ends when the store is dropped.
    runtime: Option<Runtime>,
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
        })
    }

    /// The address of an object, for messages.
    pub(super) fn place(&self, path: &str) -> String {
        format!(
            "{path:?} below {:?} in {}",
            self.prefix.as_ref(),
            self.inner
        )
    }

    pub(super) fn inner(&self) -> &Arc<dyn ObjectStore> {
        &self.inner
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
    ) -> Option<tokio::task::JoinHandle<()>> {
        self.runtime.as_ref().map(|runtime| runtime.spawn(task))
    }

    fn call<T>(
        &self,
        doing: &str,
        path: &str,
        future: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, Error> {
        self.block(future)?
            .map_err(|error| self.failed(doing, path, error))
    }

    fn failed(&self, doing: &str, path: &str, error: StoreError) -> Error {
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

    /// The contents of objects, in order.
    pub(super) fn read_all(&self, paths: &[String]) -> Result<Vec<Bytes>, Error> {
        let locations: Vec<Path> = paths
            .iter()
            .map(|path| self.path(path))
            .collect::<Result<_, _>>()?;
        let reads = stream::iter(&locations)
            .map(|location| async move { self.inner.get(location).await?.bytes().await })
            .buffered(CONCURRENT)
            .try_collect();
        self.call("read", paths.first().map_or("", String::as_str), reads)
    }

    /// Returns `true` if all objects exist with these sizes.
    pub(super) fn have_sizes(&self, files: &[FileInfo]) -> Result<bool, Error> {
        let objects: Vec<(Path, u64)> = files
            .iter()
            .map(|file| Ok((self.path(&file.path)?, file.bytes)))
            .collect::<Result<_, Error>>()?;
        let checks = stream::iter(&objects)
            .map(|(path, bytes)| async move {
                let found = if_exists(self.inner.head(path).await)?;
                Ok(found.is_some_and(|found| found.size == *bytes))
            })
            .buffered(CONCURRENT)
            .try_all(ready);
        let first = files.first().map_or("", |file| &file.path);
        self.call("read", first, checks)
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
        let location = self.path(path)?;
        let failed = |error| Error::file("read back", FilePath::new("a temporary file"), error);
        let mut next = || -> Result<Bytes, Error> {
            let mut chunk = Vec::with_capacity(CHUNK);
            let limit = u64::try_from(CHUNK).unwrap_or(u64::MAX);
            (&mut file)
                .take(limit)
                .read_to_end(&mut chunk)
                .map_err(failed)?;
            Ok(chunk.into())
        };
        let first = next()?;
        if first.len() < CHUNK {
            return self.replace(path, first);
        }
        let upload = self.call("write", path, self.inner.put_multipart(&location))?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, CHUNK);
        let mut chunk = first;
        while !chunk.is_empty() {
            self.call("write", path, upload.wait_for_capacity(2))?;
            // Sends from a task.
            self.block(async { upload.put(chunk) })?;
            chunk = next()?;
        }
        self.call("write", path, upload.finish())?;
        Ok(())
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
                .map_err(|error| Error::file("write", FilePath::new("a temporary file"), error))?;
        }
        Ok(true)
    }

    /// Copies objects, as [`copy_all`](Self::copy_all) does, and leaves out those that do not exist.
    pub(super) fn copy_existing(&self, copies: &[(String, String)]) -> Result<(), Error> {
        for copy in copies {
            let exists = self.block(self.inner.head(&self.path(&copy.0)?))?;
            let exists = if_exists(exists).map_err(|error| self.failed("read", &copy.0, error))?;
            if exists.is_some() {
                self.copy_all(std::slice::from_ref(copy))?;
            }
        }
        Ok(())
    }

    /// Copies objects, from the first of each pair to the second.
    pub(super) fn copy_all(&self, copies: &[(String, String)]) -> Result<(), Error> {
        let paths: Vec<(Path, Path)> = copies
            .iter()
            .map(|(from, to)| Ok((self.path(from)?, self.path(to)?)))
            .collect::<Result<_, Error>>()?;
        let copied = stream::iter(&paths)
            .map(|(from, to)| self.inner.copy(from, to))
            .buffered(CONCURRENT)
            .try_collect::<()>();
        let first = copies.first().map_or("", |(from, _)| from);
        self.call("copy", first, copied)
    }

    /// The paths of all objects in a folder, in order.
    pub(super) fn list(&self, folder: &str) -> Result<Vec<String>, Error> {
        let location = self.path(folder)?;
        let listed = self.inner.list(Some(&location)).try_collect::<Vec<_>>();
        let objects = self.call("list", folder, listed)?;
        let prefix = self.prefix.as_ref();
        let mut paths: Vec<String> = objects
            .iter()
            .filter_map(|object| {
                let path = object.location.as_ref().strip_prefix(prefix)?;
                Some(path.trim_start_matches('/').to_owned())
            })
            .collect();
        paths.sort_unstable();
        Ok(paths)
    }

    /// Removes objects, if they exist.
    pub(super) fn remove(&self, paths: &[String]) -> Result<(), Error> {
        let first = paths.first().cloned().unwrap_or_default();
        let locations: Vec<_> = paths
            .iter()
            .map(|path| self.path(path))
            .collect::<Result<_, _>>()?;
        let removed = self
            .inner
            .delete_stream(stream::iter(locations.into_iter().map(Ok)).boxed());
        // Some stores report objects that were removed before.
        let failures = removed.filter(|removed| {
            ready(matches!(removed, Err(error) if !matches!(error, StoreError::NotFound { .. })))
        });
        self.call("remove", &first, failures.try_for_each(|_| ready(Ok(()))))
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // Also where waiting is not allowed.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn version(object: &ObjectMeta) -> UpdateVersion {
    UpdateVersion {
        e_tag: object.e_tag.clone(),
        version: object.version.clone(),
    }
}

/// The result of reading; `None` if the object does not exist, although its bucket does.
fn if_exists<T>(read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
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
