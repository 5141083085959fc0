//! The checks of this machine: the program, the configuration, modes of files, folders and the disk.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use super::finding::{Finding, State};
use crate::{
    profile::{
        self,
        config::{Config, SecretSource, write_private},
    },
    session::Session,
    wording::{count, quoted},
};

/// Free bytes below which a mirror or an export may fail.
const LITTLE: u64 = 1 << 30;

/// Free bytes below which hardly anything can be written.
const NONE: u64 = 16 << 20;

pub(super) fn version() -> Finding {
    let version = env!("CARGO_PKG_VERSION");
    let (system, machine) = (env::consts::OS, env::consts::ARCH);
    Finding::ok("version", format!("lms {version} on {system}, {machine}"))
        .word("version", version)
        .word("system", system)
        .word("machine", machine)
}

/// Reads the configuration and all of its profiles.
pub(super) fn config() -> Finding {
    let config = match Config::load() {
        Ok(config) => config,
        Err(failure) => return Finding::failed("config", failure),
    };
    let path = config.path().display();
    let names = config.names();
    let mistakes = names.iter().filter_map(|name| config.profile(name).err());
    let mistakes: Vec<String> = mistakes
        .map(|failure| failure.message().to_owned())
        .collect();
    let shown = match (config.path().exists(), mistakes.is_empty()) {
        (false, _) => format!("there is no {path}"),
        (true, true) => format!("{} in {path}", count(names.len(), "profile")),
        (true, false) => mistakes.join("; "),
    };
    let remedy =
        "correct it: `lms profile add NAME --base-url URL --client-id ID` replaces a profile";
    Finding::ok("config", shown)
        .warn_if(!mistakes.is_empty(), remedy)
        .number("profiles", names.len())
        .number("mistakes", mistakes.len())
}

/// Checks that no other user can read files with secrets or personal data.
pub(super) fn files() -> Finding {
    let mut files = ledgers();
    files.extend(profile::token_file());
    if let Ok(config) = Config::load() {
        let secret = |name: &String| Some(config.profile(name).ok()?.secret);
        let secrets = config.names();
        files.extend(secrets.iter().filter_map(secret).filter_map(|secret| {
            let SecretSource::File(file) = secret else {
                return None;
            };
            Some(file)
        }));
    }
    files.retain(|file| file.exists());
    let open = files.iter().filter(|file| others_can_read(file));
    let open: Vec<_> = open
        .map(|file| quoted(&file.display().to_string()))
        .collect();
    let shown = match open.is_empty() {
        true => "only you can read the files of lms".to_owned(),
        false => format!("other users can read {}", open.join(", ")),
    };
    Finding::ok("files", shown)
        .warn_if(!open.is_empty(), format!("chmod 600 {}", open.join(" ")))
        .number("files", files.len())
        .number("open", open.len())
}

/// The ledgers of all tenants.
pub(super) fn ledgers() -> Vec<PathBuf> {
    profile::state_folder().map_or_else(Vec::new, |folder| files_of(folder, "ledger"))
}

/// The files of a folder with this extension.
pub(super) fn files_of(folder: PathBuf, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|known| known == extension) && path.is_file());
    let mut files: Vec<_> = files.collect();
    files.sort();
    files
}

/// Returns `true` if another user can read a file of this user.
#[cfg(unix)]
fn others_can_read(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    let own = rustix::process::geteuid().as_raw();
    fs::metadata(path).is_ok_and(|file| file.uid() == own && file.mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn others_can_read(_: &Path) -> bool {
    false
}

/// Checks that the folders of `lms` can be written.
pub(super) fn home() -> Finding {
    let folders = [profile::cache_folder(), profile::state_folder()];
    let unwritable = || {
        for folder in folders {
            let folder = folder.ok_or("the folders for tokens and ledgers cannot be made")?;
            let file = folder.join(format!(".doctor-{}", std::process::id()));
            // A full disk takes an empty file.
            let written = write_private(&file, &[0_u8; 512]);
            let removed = fs::remove_file(&file);
            written.map_err(|failure| failure.message().to_owned())?;
            removed.map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        Ok::<(), String>(())
    };
    let (is_wrong, shown) = match unwritable() {
        Ok(()) => (false, "tokens and ledgers can be written".to_owned()),
        Err(reason) => (
            true,
            format!("{reason}; each command requests a new token, and imports need --state"),
        ),
    };
    let remedy = "export XDG_CACHE_HOME=/tmp/lms XDG_STATE_HOME=FOLDER, or make the home writable";
    Finding::ok("home", shown).warn_if(is_wrong, remedy)
}

/// The free space where the working folder and the files of `lms` are.
pub(super) fn disk() -> Finding {
    let folders = [env::current_dir().ok(), profile::state_folder()];
    let free = folders.iter().flatten().filter_map(|folder| free(folder));
    let Some(free) = free.min() else {
        return Finding::skipped("disk", "the system does not say what is free");
    };
    let shown = format!("{} are free", bytes(free));
    let finding = Finding::ok("disk", shown).number("free_mib", free >> 20);
    let mut finding = finding.warn_if(free < LITTLE, "df -h . ~");
    if free < NONE {
        finding.state = State::Error;
    }
    finding
}

#[cfg(unix)]
fn free(folder: &Path) -> Option<u64> {
    let system = rustix::fs::statvfs(folder).ok()?;
    // File systems without blocks do not say.
    (system.f_blocks > 0).then(|| system.f_bavail.saturating_mul(system.f_frsize))
}

#[cfg(not(unix))]
fn free(_: &Path) -> Option<u64> {
    None
}

/// A size for people.
pub(super) fn bytes(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{} KiB", bytes.div_ceil(1024)),
        mib @ 1..10_240 => format!("{mib} MiB"),
        mib => format!("{} GiB", mib >> 10),
    }
}

/// Where each value of the connection came from.
pub(super) fn settings(session: &Session) -> Finding {
    let Some(sources) = &session.sources else {
        return Finding::ok("settings", "the embedded sandbox").word("secret", "sandbox");
    };
    let profile = session.profile.as_deref();
    let profile = profile.map_or(String::new(), |name| format!("; the profile is {name}"));
    let result = format!(
        "base URL {} ({}), client id ({}), secret ({}){profile}",
        session.lms.base_url(),
        sources.base_url,
        sources.client_id,
        sources.secret
    );
    Finding::ok("settings", result)
        .word("base_url", sources.base_url)
        .word("client_id", sources.client_id)
        .word("secret", sources.secret)
}
