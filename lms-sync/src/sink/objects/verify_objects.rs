//! Checks objects against their manifest and their completeness records.

use std::{io::Seek as _, path::Path as FilePath, sync::Arc};

use object_store::{ObjectStore, path::Path};

use super::{
    manifest_fence::{Document, StoredDocument},
    store::Store,
};
use crate::{
    error::Error,
    sink::files::{
        Manifest, unlisted,
        verify_files::{check, note_unfinished},
    },
    verify::VerifiedCollection,
};

/// Reads the manifest of an export below a prefix; an empty one if there is none.
///
/// This blocks, so it must not be called from asynchronous code.
///
/// # Errors
///
/// [`Foreign`](crate::ErrorKind::Foreign) if the manifest is not valid, or of a newer version;
/// [`Destination`](crate::ErrorKind::Destination) if it cannot be read.
pub fn read_manifest(
    store: &Arc<dyn ObjectStore>,
    prefix: impl Into<Path>,
) -> Result<Manifest, Error> {
    let store = Store::connect(store, &prefix.into())?;
    Ok(StoredDocument::read(&store)?.document.manifest)
}

/// Checks the objects of an export below a prefix, as [`verify_files`](crate::verify_files) checks files. Downloads every
/// object into a temporary file.
///
/// This blocks, so it must not be called from asynchronous code.
///
/// # Errors
///
/// [`Foreign`](crate::ErrorKind::Foreign) when the manifest is not valid or of a newer version;
/// [`Destination`](crate::ErrorKind::Destination) when the manifest or an object cannot be read.
pub fn verify(
    store: &Arc<dyn ObjectStore>,
    prefix: impl Into<Path>,
) -> Result<Vec<VerifiedCollection>, Error> {
    let store = Store::connect(store, &prefix.into())?;
    let Document {
        manifest,
        unfinished,
    } = StoredDocument::read(&store)?.document;
    let mut verified = check(&manifest, |info| {
        let failed = |error| Error::file("write", FilePath::new("a temporary file"), error);
        let mut file = tempfile::tempfile().map_err(failed)?;
        if !store.download(&info.path, &mut file)? {
            return Ok(None);
        }
        file.rewind().map_err(failed)?;
        Ok(Some(file))
    })?;
    if !verified.is_empty() {
        for name in unlisted::names(&manifest) {
            unlisted::note(&store.list(name)?, &manifest, &mut verified);
        }
    }
    note_unfinished(
        &mut verified,
        unfinished.as_ref().map(|unfinished| &unfinished.plan),
    );
    Ok(verified)
}
