//! What every check is given.

use super::{document::Document, tenant::Programs, workshop::Workshop};

pub(crate) struct Shop<'a> {
    pub(crate) workshop: &'a Workshop,
    pub(crate) programs: &'a Programs,
    /// The document as it is checked in, or a mutant of it.
    pub(crate) document: Document,
}
