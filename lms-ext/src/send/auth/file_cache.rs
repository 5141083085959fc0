//! A token cache in a file that only its owner can read.
//!
//! The file outlives the process, and any user who can read it can act as the integration. It is therefore never
//! accessible to others, not even while it is written: a new file with mode 0600 replaces it in one step. A file that
//! other users own or can access is not trusted; one that is invalid or too large is ignored. Expiry is stored as
//! wall-clock time, the only clock that two processes share.
//!
//! The functions that read and write are `#[inline]`, so that programs without a file cache do not contain them.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

use super::{Token, TokenCache, TokenCacheFuture, TokenKey};

/// Size above which the file is not read. Far more than the tokens of any program need.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// Caches tokens in a file, for programs that run often and briefly.
///
/// One file serves any number of base URLs and client ids. It is created when the first token is stored. Its folder must
/// exist, and only its owner should be able to write to it: use `$XDG_RUNTIME_DIR`, or a folder of your program in the
/// home folder.
///
/// On Unix the file has mode 0600. A file that another user owns, that other users can read or write, that is a device or
/// a pipe, or that is not valid, is ignored with a warning and replaced when the next token is stored. On other
/// platforms the file has the permissions of its folder. When the file cannot be written, the client logs a warning and
/// fetches tokens as it would without a cache. When two processes write at once, one of the two tokens is lost, and is
/// fetched again later.
///
/// Reading and writing block the current thread: it is a few hundred bytes, once in the life of a token. For a network
/// file system that may hang, implement [`TokenCache`] yourself.
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

#[derive(Default, Deserialize, Serialize)]
struct Content {
    tokens: Vec<Entry>,
}

#[derive(Deserialize, Serialize)]
struct Entry {
    base_url: String,
    client_id: String,
    access_token: String,
    /// Seconds since 1970; absent when the lifetime is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<u64>,
}

impl FileTokenCache {
    /// Creates a cache in the file at `path`, without reading or writing it yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    #[inline]
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

    #[inline]
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
    #[inline]
    fn temporary_path(&self) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{:016x}.new", fastrand::u64(..)));
        self.path.with_file_name(name)
    }

    #[inline]
    fn warn(&self, error: &io::Error, message: &str) {
        tracing::warn!(target: "lms_ext", path = %self.path.display(), %error, "{message}");
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
                    // A shorter one counts as unknown: see `Token::expires_in`.
                    .filter(|lifetime| *lifetime >= Duration::from_secs(1))
                    .map(|lifetime| now.saturating_add(lifetime.as_secs())),
            });
            self.write(&content);
        })
    }
}

impl Entry {
    #[inline]
    fn is_of(&self, key: &TokenKey) -> bool {
        self.base_url == key.base_url() && self.client_id == key.client_id()
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
#[inline]
fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Opens the file for reading. Without `O_NONBLOCK`, a named pipe would block until another process writes to it.
#[inline]
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
#[inline]
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
#[inline]
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
