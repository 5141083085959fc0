//! A token in a file that only its owner can read.
//!
//! A file outlives the process, and everybody who can read it can act as the integration. So the file is
//! never, not even for a moment, open to others: it is written beside its place with the owner's rights
//! alone and then moved there, whole. A file that others could have read or changed is not believed, and
//! neither is one that is broken or too large. The time at which a token ends is kept by the wall clock,
//! the only one that two processes share.
//!
//! What reads and writes is `inline`, so that programs that keep no file have no code for it.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

use super::{Token, TokenCache, TokenCacheFuture, TokenKey};
use crate::values::Secret;

/// More than a few tenants' tokens is not our file.
const LARGEST: u64 = 1024 * 1024;

/// Keeps tokens in a file, for programs that run shortly and often.
///
/// One file serves several tenants and client ids, each with its own entry. It is made when the first token
/// is kept; its folder must be there, and should be one that only its owner can write to, such as
/// `$XDG_RUNTIME_DIR` or a folder of the program's own in the home folder.
///
/// On Unix the file has mode 0600. A file that anybody else may read or write is ignored, with a warning,
/// and replaced when the next token is kept; so is what cannot be read as such a file. Elsewhere the rights
/// are those of its folder. When the file cannot be written, there is a warning and tokens are fetched as
/// if there was no cache. Two processes that write at once lose one of the two tokens, which is then
/// fetched again.
///
/// The file is read and written on the task that needs the token, without a thread of its own: it is a few
/// hundred bytes, once in the life of a token. On a network file system that hangs, write a [`TokenCache`]
/// of your own.
///
/// ```
/// use lms_ext::{FileTokenCache, prelude::*};
///
/// # fn main() -> Result<(), Error> {
/// let lms = Lms::builder("https://acme.example")
///     .client_credentials("client id", "client secret")
///     .token_cache(FileTokenCache::new("/run/user/1000/hr-sync.tokens"))
///     .build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct FileTokenCache {
    path: PathBuf,
}

/// What the file holds.
#[derive(Default, Deserialize, Serialize)]
struct Content {
    tokens: Vec<Entry>,
}

#[derive(Deserialize, Serialize)]
struct Entry {
    base_url: String,
    client_id: String,
    access_token: String,
    /// Seconds since 1970; absent when nobody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<u64>,
}

impl FileTokenCache {
    /// A cache in the file at `path`; nothing is read or written yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    #[inline]
    fn read(&self) -> Content {
        let content = File::open(&self.path).and_then(|file| {
            check(&file)?;
            let mut text = Vec::new();
            file.take(LARGEST + 1).read_to_end(&mut text)?;
            serde_json::from_slice(&text)
                // The error of the parser may show a piece of the text.
                .map_err(|_| invalid("it is no file of tokens"))
        });
        content.unwrap_or_else(|error| {
            if error.kind() != io::ErrorKind::NotFound {
                self.warn(&error, "the kept tokens are not used");
            }
            Content::default()
        })
    }

    /// Replaces the file by one with this content.
    #[inline]
    fn write(&self, content: &Content) {
        let beside = self.beside();
        let written = serde_json::to_vec(content)
            .map_err(io::Error::from)
            .and_then(|text| private(&beside)?.write_all(&text))
            .and_then(|()| fs::rename(&beside, &self.path));
        if let Err(error) = written {
            // What was begun is of no use to anybody; if it cannot be removed either, it is still private.
            let _ = fs::remove_file(&beside);
            self.warn(&error, "the token is not kept");
        }
    }

    /// A name in the same folder that nobody else uses, so that moving it is one step.
    #[inline]
    fn beside(&self) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{:016x}.new", fastrand::u64(..)));
        self.path.with_file_name(name)
    }

    #[inline]
    fn warn(&self, error: &io::Error, consequence: &str) {
        tracing::warn!(target: "lms_ext", path = %self.path.display(), %error, "{consequence}");
    }
}

impl TokenCache for FileTokenCache {
    #[inline]
    fn load<'a>(&'a self, key: &'a TokenKey) -> TokenCacheFuture<'a, Option<Token>> {
        Box::pin(async move {
            let now = now();
            let content = self.read();
            let entry = content.tokens.into_iter().find(|entry| entry.is_of(key))?;
            let token = Token::new(entry.access_token);
            Some(match entry.expires_at {
                Some(expires_at) => {
                    token.expires_in(Duration::from_secs(expires_at.checked_sub(now)?))
                }
                None => token,
            })
        })
    }

    #[inline]
    fn store<'a>(&'a self, key: &'a TokenKey, token: &'a Token) -> TokenCacheFuture<'a, ()> {
        Box::pin(async move {
            let now = now();
            let mut content = self.read();
            content
                .tokens
                .retain(|entry| !entry.is_of(key) && entry.expires_at.is_none_or(|at| at > now));
            content.tokens.push(Entry {
                base_url: key.base_url().to_owned(),
                client_id: key.client_id().to_owned(),
                access_token: token.secret().expose().to_owned(),
                expires_at: token
                    .lifetime()
                    // As little as this means that it is not known: see `Token::valid_for`.
                    .filter(|lifetime| *lifetime >= Duration::from_secs(1))
                    .map(|lifetime| now.saturating_add(lifetime.as_secs())),
            });
            self.write(&content);
        })
    }

    #[inline]
    fn remove<'a>(&'a self, key: &'a TokenKey, refused: &'a Secret) -> TokenCacheFuture<'a, ()> {
        Box::pin(async move {
            let mut content = self.read();
            let before = content.tokens.len();
            content
                .tokens
                .retain(|entry| !(entry.is_of(key) && entry.access_token == refused.expose()));
            if content.tokens.len() < before {
                self.write(&content);
            }
        })
    }
}

impl Entry {
    #[inline]
    fn is_of(&self, key: &TokenKey) -> bool {
        self.base_url == key.base_url() && self.client_id == key.client_id()
    }
}

/// Seconds since 1970; 0 on a clock that stands before, where every token seems to live on.
fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
}

/// Makes a file that only its owner can open, from its first moment on.
#[inline]
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Whether an open file can be believed: the rights are those of the file that is read, not of one that
/// takes its place meanwhile.
#[inline]
fn check(file: &File) -> io::Result<()> {
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(invalid("it is no plain file"));
    }
    if found.len() > LARGEST {
        return Err(invalid("it is too large to be a file of tokens"));
    }
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o077 != 0 {
        return Err(invalid("others than its owner may open it"));
    }
    Ok(())
}

fn invalid(reason: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}
