//! The configuration file: TOML with a table for each profile. Comments are kept when it is edited.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Read as _, Write},
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize, de::IntoDeserializer as _};
use toml_edit::{DocumentMut, Item, Table, value};

use crate::{failure::Failure, limits::Limits};

/// A tenant with credentials.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Profile {
    pub(crate) base_url: String,
    pub(crate) client_id: String,
    #[serde(flatten)]
    pub(crate) secret: SecretSource,
    /// The zone of the tenant's times that have none.
    pub(crate) time_zone: Option<String>,
    #[serde(flatten, skip_deserializing)]
    pub(crate) limits: Limits,
    /// Words to choose several profiles by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tags: Vec<String>,
}

/// The place of the client secret of a profile.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum SecretSource {
    /// The output of a shell command.
    #[serde(rename = "credential_command")]
    Command(String),
    #[serde(rename = "secret_file")]
    File(PathBuf),
    /// The keyring of the system, under the name of the profile.
    #[serde(rename = "keyring")]
    Keyring(bool),
}

/// The settings of a profile that name the place of its secret.
const SOURCES: [&str; 3] = ["credential_command", "secret_file", "keyring"];

impl SecretSource {
    /// The setting of a profile.
    pub(crate) fn key(&self) -> &'static str {
        match self {
            Self::Command(_) => SOURCES[0],
            Self::File(_) => SOURCES[1],
            Self::Keyring(_) => SOURCES[2],
        }
    }
}

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
        let profiles = profiles.into_iter().flat_map(|profiles| profiles.iter());
        profiles.map(|(name, _)| name.to_owned()).collect()
    }

    fn item(&self, name: &str) -> Option<&Item> {
        self.document.get("profiles")?.get(name)
    }

    /// The tags of a profile, also of one that is not complete.
    pub(crate) fn tags(&self, name: &str) -> Vec<String> {
        let tags = self
            .item(name)
            .and_then(|item| item.get("tags")?.as_array());
        let tags = tags.into_iter().flatten().filter_map(|tag| tag.as_str());
        tags.map(str::to_owned).collect()
    }

    /// A profile by its name.
    ///
    /// # Errors
    ///
    /// Credentials, if there is none or if it is not valid.
    pub(crate) fn profile(&self, name: &str) -> Result<Profile, Failure> {
        let Some(item) = self.item(name) else {
            let advice = match self.names().join(", ").as_str() {
                "" => "there are no profiles; add one with `lms profile add`".to_owned(),
                known => format!("the profiles are {known}"),
            };
            return Err(Failure::credentials(format!("there is no profile {name}")).advice(advice));
        };
        let read = || {
            if SOURCES.iter().all(|source| item.get(source).is_none()) {
                return Err(format!("it has no {}", SOURCES.join(", ")));
            }
            let value = item.clone().into_value().map_err(|_| "it is no table")?;
            let profile = Profile::deserialize(value.into_deserializer());
            Ok(Profile {
                limits: Limits::of_profile(item)?,
                ..profile.map_err(|error| error.message().to_owned())?
            })
        };
        read().map_err(|reason: String| {
            let file = self.path.display();
            Failure::credentials(format!("the profile {name} in {file}: {reason}"))
        })
    }

    /// Adds or replaces a profile, and keeps its settings that the new one does not have. The first one becomes the default.
    pub(crate) fn set(&mut self, name: &str, profile: &Profile) -> Result<(), Failure> {
        if self.names().is_empty() {
            self.set_default(name);
        }
        let settings = toml_edit::ser::to_document(profile);
        let settings = settings.map_err(|error| Failure::fault(error.to_string()))?;
        let profiles = self.document.entry("profiles").or_insert_with(|| {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        let item = &mut profiles[name];
        if item.is_none() {
            *item = Item::Table(Table::new());
        }
        if let Some(table) = item.as_table_like_mut() {
            // A source that stays keeps its place and its comments.
            let others = SOURCES.iter().filter(|key| **key != profile.secret.key());
            others.for_each(|other| _ = table.remove(other));
        }
        for (key, setting) in settings.iter() {
            item[key] = setting.clone();
        }
        Ok(())
    }

    /// Makes a profile the default.
    pub(crate) fn set_default(&mut self, name: &str) {
        self.document["default"] = value(name);
    }

    /// Removes a profile, and the default if it was that.
    pub(crate) fn remove(&mut self, name: &str) {
        let profiles = self.document.get_mut("profiles");
        if let Some(profiles) = profiles.and_then(Item::as_table_like_mut) {
            profiles.remove(name);
        }
        if self.default_profile().as_deref() == Some(name) {
            self.document.remove("default");
        }
    }

    /// Changes the file as it is by now. Other commands wait, so that none of their changes is lost.
    pub(crate) fn change(
        change: impl FnOnce(&mut Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let path = Self::load()?.path.with_extension("toml-lock");
        let lock = || -> io::Result<File> {
            if let Some(folder) = path.parent() {
                create_private_folder(folder)?;
            }
            let file = private().append(true).create(true).open(&path)?;
            file.lock()?;
            Ok(file)
        };
        let _lock = lock().map_err(|error| Failure::destination(&path, &error))?;
        let mut config = Self::load()?;
        change(&mut config)?;
        // A link is kept.
        let path = config.path.canonicalize().unwrap_or(config.path);
        write_private(&path, &config.document.to_string())
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

/// Refuses to replace a file that does not begin as a command would write it, such as a mirror.
pub(crate) fn check_replaced(path: &Path, start: &str) -> Result<(), Failure> {
    let mut first = vec![0; start.len()];
    let is_other = |mut file: File| {
        let read = file.read(&mut first);
        read.is_ok_and(|bytes| bytes > 0 && first != start.as_bytes())
    };
    // Opening a pipe would wait for someone who writes into it.
    match path.is_file() && File::open(path).is_ok_and(is_other) {
        false => Ok(()),
        true => Err(Failure::usage(format!(
            "{} exists, and is not of the kind that this command writes",
            path.display()
        ))
        .advice("name another file, or remove it")),
    }
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
