//! A store in memory that tells of each write before it is made.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use futures_util::{StreamExt as _, stream::BoxStream};
use lms_sync::sink::objects::object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result, memory::InMemory, path::Path,
};

pub enum Write<'a> {
    Put(&'a Path, &'a mut PutOptions),
    Other,
    Delete,
}

/// Is told of each write.
#[async_trait]
pub trait Watch: Clone + fmt::Debug + Send + Sync + 'static {
    async fn before(&self, write: Write<'_>);
}

#[derive(Clone, Debug)]
pub struct Watched<W> {
    pub store: Arc<InMemory>,
    pub watch: W,
}

impl<W> fmt::Display for Watched<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a store")
    }
}

#[async_trait]
impl<W: Watch> ObjectStore for Watched<W> {
    async fn put_opts(
        &self,
        path: &Path,
        content: PutPayload,
        mut options: PutOptions,
    ) -> Result<PutResult> {
        self.watch.before(Write::Put(path, &mut options)).await;
        self.store.put_opts(path, content, options).await
    }

    async fn put_multipart_opts(
        &self,
        path: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.watch.before(Write::Other).await;
        self.store.put_multipart_opts(path, options).await
    }

    async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        self.store.get_opts(path, options).await
    }

    fn delete_stream(
        &self,
        paths: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        let watch = self.watch.clone();
        let paths = paths.then(move |path| {
            let watch = watch.clone();
            async move {
                watch.before(Write::Delete).await;
                path
            }
        });
        self.store.delete_stream(paths.boxed())
    }

    fn list(&self, folder: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.store.list(folder)
    }

    async fn list_with_delimiter(&self, folder: Option<&Path>) -> Result<ListResult> {
        self.store.list_with_delimiter(folder).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.watch.before(Write::Other).await;
        self.store.copy_opts(from, to, options).await
    }
}
