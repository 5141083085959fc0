//! Keeps tokens in a file for the next process.
//!
//! A command that runs for a second, a hundred times an hour, would request a token each time. The file outlives the
//! process, and any user who can read it can act as the integration. It is therefore never accessible to others, not even
//! while it is written: a new file with mode 0600 replaces it in one step. A file that other users own or can access is
//! not trusted; one that is invalid or too large is ignored. Expiry is stored as wall-clock time, the only clock that two
//! processes share.
//!
//! A file never fails a call: a token that cannot be loaded is requested, and one that cannot be stored is not stored.

use std::{
    fs::{self, File, OpenOptions},
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

use super::Token;
use crate::values::Secret;

/// Size above which the file is not read. Far more than the tokens of any program need.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// Remaining seconds below which a token is not loaded: it might expire before it is used.
const MIN_REMAINING: u64 = 5;

/// A file of tokens, and which of them belongs to this client.
#[derive(Debug)]
pub(crate) struct TokenFile {
    path: PathBuf,
    base_url: String,
    client_id: String,
    secret: Secret,
}

#[derive(Default, Deserialize, Serialize)]
struct Content {
    tokens: Vec<Entry>,
}

#[derive(Deserialize, Serialize)]
struct Entry {
    base_url: String,
    client_id: String,
    access_token: String,
    /// A fingerprint of the client secret: a token is not loaded with another secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secret: Option<u32>,
    /// Seconds since 1970; absent when the lifetime is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<u64>,
}

impl TokenFile {
    pub(crate) fn new(path: PathBuf, base_url: &str, client_id: &str, secret: &Secret) -> Self {
        Self {
            path,
            base_url: base_url.to_owned(),
            client_id: client_id.to_owned(),
            secret: secret.clone(),
        }
    }

    /// 32 bits, too few to find the secret by them.
    fn fingerprint(&self) -> u32 {
        let mut hasher = DefaultHasher::new();
        (&self.base_url, &self.client_id, self.secret.expose()).hash(&mut hasher);
        let hash = hasher.finish();
        u32::try_from(hash >> 32).unwrap_or_default()
    }

    /// The token of this client, with its remaining lifetime.
    pub(super) fn load(&self) -> Option<Token> {
        let mut tokens = self.read().tokens.into_iter();
        let secret = self.fingerprint();
        let entry =
            tokens.find(|entry| self.owns(entry) && entry.secret.is_none_or(|of| of == secret))?;
        let token = Token::new(entry.access_token);
        let Some(expires_at) = entry.expires_at else {
            return Some(token);
        };
        let left = expires_at.checked_sub(now())?;
        (left >= MIN_REMAINING).then(|| token.expires_in(Duration::from_secs(left)))
    }

    /// Replaces the token of this client, and removes those that have expired.
    pub(super) fn store(&self, token: &Token) {
        let now = now();
        let mut content = self.read();
        content
            .tokens
            .retain(|entry| !self.owns(entry) && entry.expires_at.is_none_or(|at| at > now));
        content.tokens.push(Entry {
            base_url: self.base_url.clone(),
            client_id: self.client_id.clone(),
            secret: Some(self.fingerprint()),
            access_token: token.secret().expose().to_owned(),
            expires_at: token
                .lifetime()
                // A shorter one counts as unknown: see `Token::expires_in`.
                .filter(|lifetime| *lifetime >= Duration::from_secs(1))
                .map(|lifetime| now.saturating_add(lifetime.as_secs())),
        });
        self.write(&content);
    }

    fn owns(&self, entry: &Entry) -> bool {
        entry.base_url == self.base_url && entry.client_id == self.client_id
    }

    fn read(&self) -> Content {
        let content = open(&self.path).and_then(|file| {
            check(&file)?;
            let mut text = Vec::new();
            file.take(MAX_FILE_BYTES + 1).read_to_end(&mut text)?;
            // Without the parser's error, which may quote the file.
            serde_json::from_slice(&text).map_err(|_| invalid("it is not a file of tokens"))
        });
        content.unwrap_or_else(|error| {
            if error.kind() != io::ErrorKind::NotFound {
                self.warn(&error, "ignoring the token file");
            }
            Content::default()
        })
    }

    fn write(&self, content: &Content) {
        let temporary = self.temporary_path();
        let written = serde_json::to_vec(content)
            .map_err(io::Error::from)
            .and_then(|text| create_private(&temporary)?.write_all(&text))
            .and_then(|()| fs::rename(&temporary, &self.path));
        if let Err(error) = written {
            // If this also fails, the file that is left has mode 0600.
            let _ = fs::remove_file(&temporary);
            self.warn(
                &error,
                "could not write the token file; the token is not stored",
            );
        }
    }

    /// A unique name in the same folder, where a rename is atomic.
    fn temporary_path(&self) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{:016x}.new", fastrand::u64(..)));
        self.path.with_file_name(name)
    }

    fn warn(&self, error: &io::Error, message: &str) {
        tracing::warn!(target: "lms_ext", path = %self.path.display(), %error, "{message}");
    }
}

/// Seconds since 1970; 0 on a clock before that, where no token seems expired.
fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
}

/// Creates a file with mode 0600, so that other users can never open it.
fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Opens the file for reading. Without `O_NONBLOCK`, a named pipe would block until another process writes to it.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options.open(path)
}

/// Refuses a file that cannot be trusted. Checked on the open file, which nothing can replace meanwhile.
fn check(file: &File) -> io::Result<()> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(invalid("it is not a regular file"));
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(invalid("it is too large for a file of tokens"));
    }
    #[cfg(unix)]
    check_access(&metadata, rustix::process::geteuid().as_raw())?;
    Ok(())
}

/// A file of another user would let that user choose the token.
#[cfg(unix)]
fn check_access(metadata: &fs::Metadata, user: u32) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;

    if metadata.uid() != user {
        return Err(invalid("another user owns it; remove it"));
    }
    if metadata.mode() & 0o077 != 0 {
        return Err(invalid("other users can access it; run `chmod 600` on it"));
    }
    Ok(())
}

fn invalid(reason: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_user_is_refused() {
        let path = std::env::temp_dir().join(format!("lms-ext-{:016x}", fastrand::u64(..)));
        let metadata = create_private(&path).and_then(|file| file.metadata());
        fs::remove_file(&path).unwrap();
        let (metadata, user) = (metadata.unwrap(), rustix::process::geteuid().as_raw());
        assert!(check_access(&metadata, user).is_ok());
        let error = check_access(&metadata, user + 1).unwrap_err();
        assert!(
            error.to_string().contains("another user owns it"),
            "{error}"
        );
    }
}
