//! The configuration file: TOML with a table for each profile. Comments are kept when it is edited.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Read as _, Write},
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy;
use toml_edit::{Array, DocumentMut, Item, Table, value};

use crate::{
    failure::Failure,
    limits::{self, Limits},
};

/// A tenant with credentials.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    pub(crate) base_url: String,
    pub(crate) client_id: String,
    pub(crate) secret: SecretSource,
    /// The zone of the tenant's times that have none.
    pub(crate) time_zone: Option<String>,
    pub(crate) limits: Limits,
    /// Words to choose several profiles by.
    pub(crate) tags: Vec<String>,
}

/// The place of the client secret of a profile.
#[derive(Clone, Debug)]
pub(crate) enum SecretSource {
    /// The output of a shell command.
    Command(String),
    File(PathBuf),
    /// The keyring of the system, under the name of the profile.
    Keyring(String),
}

impl SecretSource {
    /// The key of a profile.
    pub(crate) fn key(&self) -> &'static str {
        match self {
            Self::Command(_) => COMMAND,
            Self::File(_) => FILE,
            Self::Keyring(_) => KEYRING,
        }
    }
}

/// The keys of a profile, of which it has one.
const COMMAND: &str = "credential_command";
const FILE: &str = "secret_file";
const KEYRING: &str = "keyring";

const TIME_ZONE: &str = "time_zone";
const TAGS: &str = "tags";

/// The configuration file.
#[derive(Debug)]
pub(crate) struct Config {
    path: PathBuf,
    document: DocumentMut,
}

impl Config {
    /// Reads the file; empty if there is none.
    pub(crate) fn load() -> Result<Self, Failure> {
        let strategy = etcetera::choose_base_strategy()
            .map_err(|error| Failure::credentials(format!("there is no home folder: {error}")))?;
        let path = strategy.config_dir().join("lms").join("config.toml");
        let invalid = |reason: &dyn std::fmt::Display| {
            let text = format!("could not read {}: {reason}", path.display());
            Failure::credentials(text.trim_end())
        };
        let text = match read_own(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(invalid(&error)),
        };
        let document = text
            .parse()
            .map_err(|error: toml_edit::TomlError| invalid(&place(&text, &error)))?;
        Ok(Self { path, document })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The profile that is used when none is named.
    pub(crate) fn default_profile(&self) -> Option<String> {
        let name = self.document.get("default")?.as_str()?;
        Some(name.to_owned())
    }

    /// The names of all profiles, in the order of the file.
    pub(crate) fn names(&self) -> Vec<String> {
        let profiles = self.document.get("profiles").and_then(Item::as_table_like);
        let names =
            profiles.map(|profiles| profiles.iter().map(|(name, _)| name.to_owned()).collect());
        names.unwrap_or_default()
    }

    /// The tags of a profile.
    pub(crate) fn tags(&self, name: &str) -> Vec<String> {
        let profiles = self.document.get("profiles");
        let profile = profiles.and_then(|profiles| profiles.get(name));
        let tags = profile.and_then(|profile| profile.get(TAGS)?.as_array());
        let tags = tags.into_iter().flatten().filter_map(|tag| tag.as_str());
        tags.map(str::to_owned).collect()
    }

    /// A profile by its name.
    ///
    /// # Errors
    ///
    /// Credentials, if there is none or if it is not complete.
    pub(crate) fn profile(&self, name: &str) -> Result<Profile, Failure> {
        let profiles = self.document.get("profiles");
        let Some(profile) = profiles.and_then(|profiles| profiles.get(name)) else {
            let known = self.names().join(", ");
            let advice = if known.is_empty() {
                "there are no profiles; add one with `lms profile add`".to_owned()
            } else {
                format!("the profiles are {known}")
            };
            return Err(Failure::credentials(format!("there is no profile {name}")).advice(advice));
        };
        let field = |field: &str| profile.get(field).and_then(Item::as_str).map(str::to_owned);
        let incomplete = |what: &str| {
            let file = self.path.display();
            Failure::credentials(format!("the profile {name} in {file} has no {what}"))
        };
        let in_keyring = profile.get(KEYRING).and_then(Item::as_bool);
        let secret = match (field(COMMAND), field(FILE), in_keyring) {
            (Some(command), ..) => SecretSource::Command(command),
            (None, Some(file), _) => SecretSource::File(file.into()),
            (None, None, Some(true)) => SecretSource::Keyring(name.to_owned()),
            (None, None, _) => {
                return Err(incomplete("credential_command, secret_file or keyring"));
            }
        };
        Ok(Profile {
            base_url: field("base_url").ok_or_else(|| incomplete("base_url"))?,
            client_id: field("client_id").ok_or_else(|| incomplete("client_id"))?,
            secret,
            time_zone: field(TIME_ZONE),
            limits: match profile.as_table_like().map(Limits::of_profile) {
                Some(read) => read.map_err(|setting| limits::mistake(name, setting))?,
                None => Limits::default(),
            },
            tags: self.tags(name),
        })
    }

    /// Adds or replaces a profile. The first one becomes the default.
    pub(crate) fn set(&mut self, name: &str, profile: &Profile) {
        let first = self.names().is_empty();
        let profiles = self.document.entry("profiles").or_insert_with(|| {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        let table = &mut profiles[name];
        if table.is_none() {
            *table = Item::Table(Table::new());
        }
        table["base_url"] = value(&profile.base_url);
        table["client_id"] = value(&profile.client_id);
        if let Some(zone) = &profile.time_zone {
            table[TIME_ZONE] = value(zone);
        }
        profile.limits.store(table);
        if !profile.tags.is_empty() {
            table[TAGS] = value(profile.tags.iter().collect::<Array>());
        }
        let kept = profile.secret.key();
        let source = match &profile.secret {
            SecretSource::Command(command) => value(command),
            SecretSource::File(file) => value(file.display().to_string()),
            SecretSource::Keyring(_) => value(true),
        };
        if let Some(table) = table.as_table_like_mut() {
            // A source that stays keeps its place and its comments.
            let others = [COMMAND, FILE, KEYRING].into_iter();
            others
                .filter(|other| *other != kept)
                .for_each(|other| _ = table.remove(other));
        }
        table[kept] = source;
        if first {
            self.document["default"] = value(name);
        }
    }

    /// Makes a profile the default.
    pub(crate) fn set_default(&mut self, name: &str) {
        self.document["default"] = value(name);
    }

    /// Removes a profile, and the default if it was that.
    pub(crate) fn remove(&mut self, name: &str) {
        if let Some(profiles) = self
            .document
            .get_mut("profiles")
            .and_then(Item::as_table_like_mut)
        {
            profiles.remove(name);
        }
        if self.default_profile().as_deref() == Some(name) {
            self.document.remove("default");
        }
    }

    /// Writes the file.
    pub(crate) fn save(&self) -> Result<(), Failure> {
        write_private(&self.path, &self.document.to_string())
    }

    /// The file for the secret of a profile, next to the configuration.
    pub(crate) fn secret_file(&self, name: &str) -> PathBuf {
        self.path.with_file_name(format!("{name}.secret"))
    }
}

/// Returns `true` for a name that can be a part of a path and of a URL.
pub(crate) fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !name.is_empty() && name.chars().all(plain)
}

/// The place and the description of a mistake, without the line, which may have a secret.
fn place(text: &str, error: &toml_edit::TomlError) -> String {
    let start = error.span().map_or(0, |span| span.start);
    let before = text.get(..start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!("line {line}, column {column}: {}", error.message())
}

/// Largest number of bytes of a configuration.
const LARGEST: u64 = 1 << 24;

/// Reads a file that no other user can write: a writer could choose the commands that this program runs.
fn read_own(path: &Path) -> io::Result<String> {
    // Opening a pipe would wait for someone who writes into it.
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(io::Error::other(
            "it is a folder, a pipe or a device, and not a file",
        ));
    }
    if found.len() > LARGEST {
        return Err(io::Error::other("it is larger than 16 MiB"));
    }
    let mut file = File::open(path)?;
    #[cfg(unix)]
    {
        check_writers(path, &file.metadata()?)?;
        if let Some(folder) = path.parent() {
            check_writers(folder, &fs::metadata(folder)?)?;
        }
    }
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(unix)]
fn check_writers(path: &Path, metadata: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;

    let refused = |reason: String| Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
    let path = path.display();
    if metadata.uid() != 0 && metadata.uid() != rustix::process::geteuid().as_raw() {
        return refused(format!("another user owns {path}"));
    }
    if metadata.mode() & 0o022 != 0 {
        return refused(format!(
            "other users can write {path}; run `chmod go-w {path}`"
        ));
    }
    Ok(())
}

/// Replaces a file in one step, with mode 0600.
pub(crate) fn write_private(path: &Path, content: &impl AsRef<[u8]>) -> Result<(), Failure> {
    write_private_by(path, |file| file.write_all(content.as_ref()))
}

/// Replaces a file in one step, with mode 0600, by what a function writes.
pub(crate) fn write_private_by(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Failure> {
    let temporary = path.with_extension(format!("{}.new", std::process::id()));
    let written = || -> io::Result<()> {
        if let Some(folder) = path.parent() {
            create_private_folder(folder)?;
        }
        let opened = private().write(true).create_new(true).open(&temporary);
        let mut file = BufWriter::new(opened?);
        write(&mut file)?;
        file.into_inner()?.sync_all()?;
        fs::rename(&temporary, path)
    };
    written().map_err(|error| {
        // The remaining file has mode 0600.
        let _ = fs::remove_file(&temporary);
        Failure::destination(path, &error)
    })
}

/// Creates an empty file that only its owner can read, unless there is a file.
pub(crate) fn create_private_file(path: &Path) -> io::Result<()> {
    private().append(true).create(true).open(path).map(drop)
}

/// Options to open a file that only its owner can read once it is created.
pub(crate) fn private() -> OpenOptions {
    #[cfg_attr(
        not(unix),
        expect(unused_mut, reason = "the mode of a file is one of Unix")
    )]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Creates a folder that only its owner can read.
pub(crate) fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
