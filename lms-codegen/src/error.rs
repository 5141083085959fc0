use std::fmt;

/// Why nothing could be made of a document, and where in it the fault is.
///
/// The place is written as the keys that lead to it, e.g.
/// `components.schemas.Course.properties.name` or `paths./courses/{id}.get.operationId`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    place: String,
    reason: String,
}

impl Error {
    pub(crate) fn at(place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            reason: reason.into(),
        }
    }

    /// The keys that lead to the fault, joined by dots; empty when the document is not even YAML.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What is wrong there.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() {
            f.write_str(&self.reason)
        } else {
            write!(f, "{}: {}", self.place, self.reason)
        }
    }
}

impl std::error::Error for Error {}
