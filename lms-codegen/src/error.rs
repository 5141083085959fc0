use std::fmt;

/// The error of a document from which no code can be generated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    location: String,
    reason: String,
}

impl Error {
    pub(crate) fn at(location: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            location: location.into(),
            reason: reason.into(),
        }
    }

    /// An error of the whole document, or of the generator itself.
    pub(crate) fn new(reason: impl fmt::Display) -> Self {
        Self::at("", reason.to_string())
    }

    /// The keys that lead to the fault in the document, joined by dots, for example
    /// `components.schemas.Course.properties.name` or `paths./courses/{id}.get.operationId`.
    ///
    /// Empty when the error is not about one place in the document, for example when the text is not YAML.
    pub fn location(&self) -> &str {
        &self.location
    }

    /// The mistake there, and its correction.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.location.is_empty() {
            write!(f, "{}: ", self.location)?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Error {}
