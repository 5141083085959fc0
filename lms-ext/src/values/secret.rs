//! Text that is never printed.

use std::fmt;

use reqwest::header::HeaderValue;

/// A password, a client secret or a token. `Debug` does not show it.
///
/// ```
/// use lms_ext::Secret;
///
/// let secret = Secret::from("s3cr3t");
/// assert_eq!(format!("{secret:?}"), "<hidden>");
/// assert_eq!(secret.expose(), "s3cr3t");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The text. Review each use of this method.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<hidden>")
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// The token in an `Authorization: Bearer …` header.
pub(crate) fn bearer_token(header: &HeaderValue) -> &str {
    let text = header.to_str().unwrap_or_default();
    text.strip_prefix("Bearer ").unwrap_or_default()
}
