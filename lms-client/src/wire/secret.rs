//! Text that is never printed.

use std::{cell::Cell, fmt, future::poll_fn, pin::pin};

use serde::{Deserialize, Serialize, Serializer, ser};

const HIDDEN: &str = "<hidden>";

thread_local! {
    static EXPOSED: Cell<bool> = const { Cell::new(false) };
}

/// A password, a client secret or a token. `Debug` does not show it, and there is no `Display`.
///
/// Serializing it writes `<hidden>`, except in a request of a builder, in [`expose_secrets`] and in [`expose_secrets_in`]. A
/// secret with the text `<hidden>` is not sent.
///
/// ```
/// use lms_client::wire::Secret;
///
/// let secret = Secret::from("s3cr3t");
/// assert_eq!(format!("{secret:?}"), "<hidden>");
/// assert_eq!(secret.expose(), "s3cr3t");
/// let written = serde_json::to_value(&secret)?;
/// assert_eq!(written, "<hidden>");
/// // The placeholder is not sent instead of the secret.
/// let read: Secret = serde_json::from_value(written)?;
/// assert!(lms_client::wire::expose_secrets(|| serde_json::to_value(&read)).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Deserialize)]
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
        f.write_str(HIDDEN)
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !EXPOSED.get() {
            return serializer.serialize_str(HIDDEN);
        }
        if self.0 == HIDDEN {
            return Err(ser::Error::custom(
                "a secret was hidden when it was written; set it again before it is sent",
            ));
        }
        serializer.serialize_str(&self.0)
    }
}

/// Runs a closure in which serializing a [`Secret`] writes its text. Review each use of this function.
///
/// ```
/// use lms_client::wire::{Secret, expose_secrets};
///
/// let secret = Secret::from("s3cr3t");
/// assert_eq!(expose_secrets(|| serde_json::to_string(&secret))?, r#""s3cr3t""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn expose_secrets<R>(serialize: impl FnOnce() -> R) -> R {
    /// Restores the flag of the caller, also after a panic.
    struct Restore(bool);

    impl Drop for Restore {
        fn drop(&mut self) {
            EXPOSED.set(self.0);
        }
    }

    let _restore = Restore(EXPOSED.replace(true));
    serialize()
}

/// Awaits a call of the raw client in which serializing a [`Secret`] writes its text. Review each use of this function.
///
/// ```no_run
/// # async fn example(client: lms_client::Client, credentials: lms_client::types::TokenRequest) -> Result<(), lms_client::Error> {
/// use lms_client::wire::expose_secrets_in;
///
/// let token = expose_secrets_in(client.get_token(&credentials)).await?;
/// # Ok(())
/// # }
/// ```
pub async fn expose_secrets_in<F: Future>(call: F) -> F::Output {
    let mut call = pin!(call);
    poll_fn(|context| expose_secrets(|| call.as_mut().poll(context))).await
}

/// Returns `true` if a hidden secret is in a text of JSON.
pub(crate) fn has_hidden_secret(json: &[u8]) -> bool {
    let hidden = format!("\"{HIDDEN}\"");
    json.windows(hidden.len())
        .any(|part| part == hidden.as_bytes())
}

macro_rules! from {
    ($($text:ty),*) => {$(
        impl From<$text> for Secret {
            fn from(text: $text) -> Self {
                Self(text.into())
            }
        }
    )*};
}

from!(String, &str, &String);
