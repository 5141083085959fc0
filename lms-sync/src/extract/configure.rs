//! The settings of an extract, and the position at which it continues.

use lms_ext::Lms;

use super::{Extract, ExtractCheckpoint, reading::Reading, seen_keys::SeenKeys};
use crate::{collection::Collection, error::Error, record::CompletenessRecord};

impl Extract {
    /// All rows of a collection. [`Export::extracts`](crate::Export::extracts) has the settings for fewer rows and other ways
    /// to read them.
    pub fn new(lms: &Lms, collection: &'static Collection) -> Self {
        Self::with(lms, collection, Reading::default())
    }

    pub(crate) fn with(lms: &Lms, collection: &'static Collection, mut reading: Reading) -> Self {
        // Those of a clone count together.
        reading.requests = Default::default();
        Self {
            lms: lms.clone(),
            collection,
            reading,
            pager: None,
            checkpoint: ExtractCheckpoint::new(collection),
            seen: SeenKeys::default(),
            tenant: None,
        }
    }

    /// Uses the observations of an earlier run: a list that had a count and has none now is not complete.
    pub fn after(mut self, record: &CompletenessRecord) -> Self {
        self.reading.was_counted = record.number_found_last.is_some();
        self
    }

    /// Continues after a checkpoint of the same collection with the same filters. `keys` are the
    /// [fingerprints](crate::Row::key_fingerprint) of the keys of all rows before the checkpoint, so that duplicates of these
    /// rows are dropped, and show that the list changed.
    ///
    /// # Errors
    ///
    /// [`Usage`](crate::ErrorKind::Usage) if the checkpoint belongs to another collection or to rows with other columns, or has a
    /// format that this release does not read; [`Destination`](crate::ErrorKind::Destination) when there are many keys and the
    /// temporary file for them cannot be written. A checkpoint of another tenant ([`OtherRun`](crate::ErrorKind::OtherRun)) or of
    /// other filters is refused by the first [`next_batch`](Self::next_batch).
    pub fn resume(
        self,
        checkpoint: &ExtractCheckpoint,
        keys: impl IntoIterator<Item = u128>,
    ) -> Result<Self, Error> {
        let mut seen = SeenKeys::default();
        for key in keys {
            seen.insert(key)?;
        }
        self.resume_with(checkpoint, seen)
    }

    pub(crate) fn resume_with(
        mut self,
        checkpoint: &ExtractCheckpoint,
        seen: SeenKeys,
    ) -> Result<Self, Error> {
        checkpoint.check(self.collection)?;
        self.checkpoint = checkpoint.clone();
        self.checkpoint.progress.record.resumes += 1;
        self.seen = seen;
        self.pager = None;
        self.note_page_again();
        Ok(self)
    }
}
