//! Text that is never printed.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A password, a client secret or a token. `Debug` does not show it, and there is no `Display`.
///
/// It is sent and received as plain text: serializing it writes the secret.
///
/// ```
/// use lms_client::wire::Secret;
///
/// let secret = Secret::from("s3cr3t");
/// assert_eq!(format!("{secret:?}"), "<hidden>");
/// assert_eq!(secret.expose(), "s3cr3t");
/// ```
#[derive(Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The text. Review each use of this method.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns `true` if the text is empty.
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

impl From<&String> for Secret {
    fn from(text: &String) -> Self {
        Self(text.clone())
    }
}
