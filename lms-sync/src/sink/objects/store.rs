//! Objects below a prefix: blocking calls, and which of them are conditional.

use std::{
    collections::HashMap,
    fs::File,
    future::Future,
    io::{Read as _, Write as _},
    path::Path as FilePath,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, future::ready, stream};
use object_store::{
    Error as StoreError, ObjectStore, ObjectStoreExt as _, PutMode, PutPayload, UpdateVersion,
    WriteMultipart, path::Path,
};
use serde::{Serialize, de::DeserializeOwned};
use tokio::runtime::{Builder, Runtime};

use crate::{
    error::{Error, ErrorKind},
    sink::files::atomic::parse_json,
};

/// The folder with the state of a run. Readers of data skip names that start with `_`.
pub(super) const STATE: &str = "_lms-sync";

/// The size of what is sent at a time of a large object; S3 takes at least 5 MiB.
const CHUNK: usize = 8 << 20;

/// Number of objects that are read concurrently.
const READS: usize = 16;

/// A store, with a runtime for its calls.
pub(super) struct Store {
    inner: Arc<dyn ObjectStore>,
    prefix: Path,
    /// Taken when the store is dropped.
    runtime: Option<Runtime>,
    /// The version of each object that only this run may replace.
    versions: Mutex<HashMap<String, Option<UpdateVersion>>>,
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
            versions: Mutex::default(),
        })
    }

    /// Where an object is, for messages.
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
            Error::usage(format!("{whole:?} cannot be the path of an object")).caused_by(error)
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
        let advice = match error {
            StoreError::Unauthenticated { .. } | StoreError::PermissionDenied { .. } => {
                "; check the credentials, and their permission to read, write, list and delete there"
            }
            _ => "",
        };
        Error::destination(
            format!("cannot {doing} {}{advice}", self.place(path)),
            error,
        )
    }

    /// The content of an object, and its version; `None` if it does not exist.
    pub(super) fn read(&self, path: &str) -> Result<Option<(Bytes, UpdateVersion)>, Error> {
        let location = self.path(path)?;
        let read = async {
            let object = self.inner.get(&location).await?;
            let version = UpdateVersion {
                e_tag: object.meta.e_tag.clone(),
                version: object.meta.version.clone(),
            };
            Ok((object.bytes().await?, version))
        };
        match self.block(read)? {
            Ok(read) => Ok(Some(read)),
            Err(StoreError::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failed("read", path, error)),
        }
    }

    /// The contents of objects, in order.
    pub(super) fn read_all(&self, paths: &[String]) -> Result<Vec<Bytes>, Error> {
        let locations: Vec<Path> = paths
            .iter()
            .map(|path| self.path(path))
            .collect::<Result<_, _>>()?;
        let reads = stream::iter(&locations)
            .map(|location| async move { self.inner.get(location).await?.bytes().await })
            .buffered(READS)
            .try_collect();
        self.call("read", paths.first().map_or("", String::as_str), reads)
    }

    pub(super) fn read_json<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, Error> {
        let object = self.read(path)?;
        object
            .map(|(json, _)| parse_json(&json, self.place(path)))
            .transpose()
    }

    /// Reads an object that [`update_json`](Self::update_json) replaces only if no other program has.
    pub(super) fn read_json_for_update<T: DeserializeOwned>(
        &self,
        path: &str,
    ) -> Result<Option<T>, Error> {
        let object = self.read(path)?;
        let version = object.as_ref().map(|(_, version)| version.clone());
        self.remember(path, version);
        object
            .map(|(json, _)| parse_json(&json, self.place(path)))
            .transpose()
    }

    fn remember(&self, path: &str, version: Option<UpdateVersion>) {
        let mut versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        versions.insert(path.to_owned(), version);
    }

    /// Replaces an object by the JSON of a value.
    pub(super) fn replace_json(&self, path: &str, value: &impl Serialize) -> Result<(), Error> {
        self.replace(path, json(value)?.into())
    }

    /// Creates or replaces an object.
    pub(super) fn replace(&self, path: &str, content: Bytes) -> Result<(), Error> {
        self.put(path, content, PutMode::Overwrite)?;
        Ok(())
    }

    /// Replaces an object that was [read for that](Self::read_json_for_update), or creates it.
    pub(super) fn update_json(&self, path: &str, value: &impl Serialize) -> Result<(), Error> {
        let version = {
            let versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
            versions.get(path).cloned().flatten()
        };
        let mode = version.map_or(PutMode::Create, PutMode::Update);
        match self.put(path, json(value)?.into(), mode)? {
            Some(version) => {
                self.remember(path, Some(version));
                Ok(())
            }
            None => Err(self.conflict(path)),
        }
    }

    /// Creates an object that no other program may have created.
    pub(super) fn create(&self, path: &str, content: Bytes) -> Result<(), Error> {
        match self.put(path, content, PutMode::Create)? {
            Some(_) => Ok(()),
            None => Err(self.conflict(path)),
        }
    }

    fn conflict(&self, path: &str) -> Error {
        Error::new(
            ErrorKind::Locked,
            format!(
                "another program has written {} during this run; wait for it to end, and start this run again",
                self.place(path)
            ),
        )
    }

    /// Writes an object under a condition; `None` if the condition does not hold. Where the store has no conditions, writes
    /// anyway.
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
        let object = match self.block(self.inner.get(&location))? {
            Err(StoreError::NotFound { .. }) => return Ok(false),
            object => object.map_err(|error| self.failed("read", path, error))?,
        };
        let mut chunks = object.into_stream();
        while let Some(chunk) = self.call("read", path, chunks.try_next())? {
            file.write_all(&chunk)
                .map_err(|error| Error::file("write", FilePath::new("a temporary file"), error))?;
        }
        Ok(true)
    }

    /// Copies an object; false if it does not exist.
    pub(super) fn copy(&self, from: &str, to: &str) -> Result<bool, Error> {
        let (source, target) = (self.path(from)?, self.path(to)?);
        match self.block(self.inner.copy(&source, &target))? {
            Ok(()) => Ok(true),
            Err(StoreError::NotFound { .. }) => Ok(false),
            Err(error) => Err(self.failed("copy an object to", to, error)),
        }
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
        // Some stores report what was removed before.
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

fn json(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    let mut text = serde_json::to_vec_pretty(value)
        .map_err(|error| Error::destination("cannot write JSON", error))?;
    text.push(b'\n');
    Ok(text)
}

/// As [`Store::put`].
pub(super) async fn put(
    store: &dyn ObjectStore,
    path: &Path,
    content: Bytes,
    mode: PutMode,
) -> Result<Option<UpdateVersion>, StoreError> {
    let payload = || PutPayload::from(content.clone());
    let mut written = store.put_opts(path, payload(), mode.into()).await;
    if let Err(StoreError::NotImplemented { .. } | StoreError::NotSupported { .. }) = written {
        written = store.put(path, payload()).await;
    }
    match written {
        Ok(written) => Ok(Some(written.into())),
        Err(StoreError::AlreadyExists { .. } | StoreError::Precondition { .. }) => {
            // It may be the object of an attempt whose response was lost.
            let object = match store.get(path).await {
                Err(StoreError::NotFound { .. }) => return Ok(None),
                object => object?,
            };
            let version = UpdateVersion {
                e_tag: object.meta.e_tag.clone(),
                version: object.meta.version.clone(),
            };
            Ok((object.bytes().await? == content).then_some(version))
        }
        Err(error) => Err(error),
    }
}
