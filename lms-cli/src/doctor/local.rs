//! The checks of this machine: the program, the configuration, files, folders, the disk, and what runs have stored.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use indicatif::BinaryBytes;
use lms_plan::{Ledger, Status};
use lms_sync::mirror::{Mirror, Overview};

use super::finding::Finding;
use crate::{
    failure::Failure,
    jobs,
    profile::{
        self,
        config::{Config, SecretSource, write_private},
    },
    session::Session,
    wording::{count, quoted},
};

/// Free bytes below which a mirror or an export may fail.
const LITTLE: u64 = 1 << 30;

pub(super) fn version() -> Finding {
    let version = env!("CARGO_PKG_VERSION");
    let (system, machine) = (env::consts::OS, env::consts::ARCH);
    let result = format!("lms {version} on {system}, {machine}");
    let words = [version, system, machine];
    Finding::ok("version", result).words(["version", "system", "machine"], words)
}

/// Reads the configuration and all of its profiles.
pub(super) fn config() -> Finding {
    let config = match Config::load() {
        Ok(config) => config,
        Err(failure) => return Finding::failed("config", failure),
    };
    let path = config.path().display();
    let names = config.names();
    let mistake = |name: &String| Some(config.profile(name).err()?.message().to_owned());
    let mistakes: Vec<String> = names.iter().filter_map(mistake).collect();
    let shown = match (config.path().exists(), mistakes.is_empty()) {
        (false, _) => format!("there is no {path}"),
        (true, true) => format!("{} in {path}", count(names.len(), "profile")),
        (true, false) => mistakes.join("; "),
    };
    let numbers = [("profiles", names.len()), ("mistakes", mistakes.len())];
    Finding::of("config", !mistakes.is_empty(), shown).numbers(numbers)
}

/// Checks that no other user can read files with secrets or personal data.
pub(super) fn files() -> Finding {
    let mut files = ledgers();
    files.extend(profile::token_file());
    if let Ok(config) = Config::load() {
        let names = config.names().into_iter();
        files.extend(
            names.filter_map(|name| match config.profile(&name).ok()?.secret {
                SecretSource::File(file) => Some(file),
                _ => None,
            }),
        );
    }
    files.retain(|file| file.exists());
    let open = files.iter().filter(|file| others_can_read(file));
    let open = open.map(|file| quoted(&file.display().to_string()));
    let open: Vec<String> = open.collect();
    let shown = match open.is_empty() {
        true => "only you can read the files of lms".to_owned(),
        false => format!("other users can read {}", open.join(", ")),
    };
    Finding::of("files", !open.is_empty(), shown)
        .remedy(format!("chmod 600 {}", open.join(" ")))
        .numbers([("files", files.len()), ("open", open.len())])
}

/// The ledgers of all tenants.
fn ledgers() -> Vec<PathBuf> {
    profile::state_folder().map_or_else(Vec::new, |folder| files_of(folder, "ledger"))
}

/// The files of a folder with this extension.
fn files_of(folder: PathBuf, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_one = |path: &PathBuf| path.extension().is_some_and(|of| of == extension);
    let files = entries.map(|entry| entry.path()).filter(is_one);
    let mut files: Vec<_> = files.filter(|path| path.is_file()).collect();
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
    match unwritable() {
        Ok(()) => Finding::ok("home", "tokens and ledgers can be written"),
        Err(reason) => {
            let effect = "each command requests a new token, and imports need --state";
            Finding::of("home", true, format!("{reason}; {effect}"))
        }
    }
}

/// The free space where the working folder and the files of `lms` are.
pub(super) fn disk() -> Finding {
    let folders = [env::current_dir().ok(), profile::state_folder()];
    let free = folders.iter().flatten().filter_map(|folder| free(folder));
    let Some(free) = free.min() else {
        return Finding::skipped("disk", "the system does not say what is free");
    };
    let shown = format!("{} are free", BinaryBytes(free));
    Finding::of("disk", free < LITTLE, shown).numbers([("free_mib", free >> 20)])
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

/// The origin of each value of the connection.
pub(super) fn settings(session: &Session) -> Finding {
    let Some(sources) = &session.sources else {
        return Finding::ok("settings", "the embedded sandbox").words(["secret"], ["sandbox"]);
    };
    let profile = session.profile.as_deref();
    let profile = profile.map_or(String::new(), |name| format!("; the profile is {name}"));
    let (url, words) = (
        session.lms.base_url(),
        [sources.base_url, sources.client_id, sources.secret],
    );
    let [base_url, client_id, secret] = words;
    let result =
        format!("base URL {url} ({base_url}), client id ({client_id}), secret ({secret}){profile}");
    Finding::ok("settings", result).words(["base_url", "client_id", "secret"], words)
}

/// A finding about the runs in the ledgers.
pub(super) fn runs() -> Option<Finding> {
    let (mut all, mut unfinished) = (0, Vec::new());
    for path in ledgers() {
        let runs = match Ledger::open_existing(&path).and_then(|ledger| ledger.runs()) {
            Ok(runs) => runs,
            Err(error) => {
                let finding = Finding::of("runs", true, format!("{}: {error}", path.display()));
                return Some(finding.remedied("runs locked"));
            }
        };
        all += runs.len();
        for run in runs.iter().filter(|run| run.ended.is_none()) {
            // A run with failed steps alone is at its end: the same command sends those that were corrected.
            let left = [Status::Planned, Status::Sent].map(|of| run.steps.get(&of).copied());
            let left: usize = left.into_iter().flatten().sum();
            if left > 0 {
                let (name, began, left) = (&run.run, &run.began, count(left, "step"));
                unfinished.push(format!("run {name} of {began} stopped before {left}"));
            }
        }
    }
    let shown = match unfinished.is_empty() {
        true => format!("{} ended", count(all, "run")),
        false => unfinished.join("; "),
    };
    let finding = Finding::of("runs", !unfinished.is_empty(), shown);
    (all > 0).then(|| finding.numbers([("runs", all), ("unfinished", unfinished.len())]))
}

/// Findings about the mirror that was named, or those in the working folder.
pub(super) fn mirrors(named: Option<Result<Mirror, Failure>>) -> Vec<Finding> {
    let overview = |mirror: Mirror| mirror.overview().map_err(Failure::from);
    if let Some(named) = named {
        return vec![match named.and_then(overview) {
            Ok(found) => mirror("the mirror", "DATABASE", &found),
            Err(failure) => Finding::failed("mirror", failure),
        }];
    }
    let found = files_of(".".into(), "db").into_iter().filter_map(|path| {
        // A database of another program is none of ours.
        let found = Mirror::sqlite(&path).overview().ok();
        let found = found.filter(|found| !found.collections.is_empty())?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let size = BinaryBytes(fs::metadata(&path).map_or(0, |file| file.len()));
        let argument = quoted(&format!("sqlite:{name}"));
        Some(mirror(&format!("{name} ({size})"), &argument, &found))
    });
    found.collect()
}

fn mirror(name: &str, argument: &str, found: &Overview) -> Finding {
    let problems = jobs::problems_of(found);
    let ended = found.collections.iter().filter_map(|of| of.ended());
    let hours = ended.min().and_then(jobs::age_of);
    let hours = hours.map_or(0, |age| age.as_secs() / 3600);
    let shown = match problems.is_empty() {
        true => count(found.collections.len(), "collection"),
        false => format!("not complete: {}", problems.join(", ")),
    };
    let is_stopped = found.unfinished_since.is_some() && !found.is_running;
    let remedy = match is_stopped {
        true => format!("lms mirror --to {argument}"),
        false => format!("lms status --mirror {argument}"),
    };
    let is_wrong = is_stopped || !problems.is_empty();
    let result = format!("{name}: {shown}, oldest list {hours} h old");
    let numbers = [
        ("collections", found.collections.len()),
        ("incomplete", problems.len()),
    ];
    let finding = Finding::of("mirror", is_wrong, result).remedy(remedy);
    finding.numbers(numbers).numbers([("hours", hours)])
}
