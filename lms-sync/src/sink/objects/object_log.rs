//! The rows of a journal in object storage: each segment is an object, compressed.

use std::{ops::Range, sync::Arc};

use super::store::{CONCURRENT, Store};
use crate::{error::Error, sink::files::files_store::SegmentLog};

/// The segments in a folder.
pub(super) struct ObjectLog {
    store: Arc<Store>,
    /// The start of the paths of segments. Their number follows.
    start: String,
}

impl ObjectLog {
    pub(super) fn new(store: &Arc<Store>, folder: &str) -> Self {
        Self {
            store: store.clone(),
            start: format!("{folder}/rows-"),
        }
    }

    fn path(&self, number: u64) -> String {
        format!("{}{number:010}", self.start)
    }

    fn decompress(&self, path: &str, content: &[u8]) -> Result<String, Error> {
        let text = zstd::decode_all(content)
            .and_then(|text| String::from_utf8(text).map_err(std::io::Error::other));
        text.map_err(|error| {
            let message = format!(
                "{} is damaged; discard the unfinished run with `discard_unfinished()`",
                self.store.place(path)
            );
            Error::destination(message, error)
        })
    }
}

impl SegmentLog for ObjectLog {
    fn last(&mut self) -> Result<Option<(u64, String)>, Error> {
        let folder = self.start.rsplit_once('/').map_or("", |(folder, _)| folder);
        let paths = self.store.list(folder)?;
        let mut numbers = paths
            .iter()
            .rev()
            .filter_map(|path| path.strip_prefix(&self.start)?.parse().ok());
        let Some(number) = numbers.next() else {
            return Ok(None);
        };
        let path = self.path(number);
        let found = self.store.read(&path)?;
        let segment = found.map(|(content, _)| self.decompress(&path, &content));
        Ok(segment.transpose()?.map(|segment| (number, segment)))
    }

    fn visit(
        &mut self,
        numbers: Range<u64>,
        visit: &mut dyn FnMut(&str) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for paths in self.paths(numbers).chunks(CONCURRENT) {
            for (path, content) in paths.iter().zip(self.store.read_all(paths)?) {
                visit(&self.decompress(path, &content)?)?;
            }
        }
        Ok(())
    }

    fn append(&mut self, number: u64, _: u64, segment: &str) -> Result<(), Error> {
        // Level 0 is zstd's default.
        let content = zstd::encode_all(segment.as_bytes(), 0)
            .map_err(|error| Error::destination("cannot compress rows", error))?;
        self.store.replace(&self.path(number), content.into())
    }

    fn paths(&self, numbers: Range<u64>) -> Vec<String> {
        numbers.map(|number| self.path(number)).collect()
    }
}
