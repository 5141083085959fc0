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
        secret::others_can_access,
        without_path,
    },
    session::Session,
    wording::{count, quoted},
};

/// Free bytes below which a mirror or an export may fail.
const LITTLE: u64 = 1 << 30;

/// The checks that need no tenant.
pub(super) fn machine() -> Vec<Finding> {
    let mut private = ledgers();
    private.extend(profile::token_file());
    let config = match Config::load() {
        Ok(config) => of_config(&config, &mut private),
        Err(failure) => Finding::failed("config", failure),
    };
    vec![version(), config, files(private), home(), disk()]
}

fn version() -> Finding {
    let (version, system) = (env!("CARGO_PKG_VERSION"), env::consts::OS);
    let machine = env::consts::ARCH;
    Finding::ok("version", format!("lms {version} on {system}, {machine}"))
        .word("version", version)
        .word("system", system)
        .word("machine", machine)
}

/// Reads all profiles, and adds the files of their secrets to those that are private.
fn of_config(config: &Config, private: &mut Vec<PathBuf>) -> Finding {
    let (path, names, mut mistakes) = (config.path().display(), config.names(), Vec::new());
    for name in &names {
        match config.profile(name).map(|profile| profile.secret) {
            Ok(SecretSource::File(file)) => private.push(file),
            Ok(_) => {}
            Err(failure) => mistakes.push(failure.message().to_owned()),
        }
    }
    let shown = match config.path().exists() {
        true => format!("{} in {path}", count(names.len(), "profile")),
        false => format!("there is no {path}"),
    };
    Finding::unless("config", &mistakes, &shown).number("profiles", names.len())
}

/// Checks that no other user can read files with secrets or personal data.
fn files(mut private: Vec<PathBuf>) -> Finding {
    private.retain(|file| file.exists());
    let is_open = |file: &&PathBuf| fs::metadata(file).is_ok_and(|found| others_can_access(&found));
    let open = private.iter().filter(is_open);
    let open: Vec<String> = open.map(|file| quoted(&file.to_string_lossy())).collect();
    let problem = |file: &String| format!("other users can read {file}");
    let problems: Vec<String> = open.iter().map(problem).collect();
    Finding::unless("files", &problems, "only you can read the files of lms")
        .remedy(format!("chmod 600 {}", open.join(" ")))
        .number("files", private.len())
}

/// The ledgers of all tenants.
fn ledgers() -> Vec<PathBuf> {
    profile::state_folder().map_or_else(Vec::new, |folder| files_of(&folder, "ledger"))
}

/// The files of a folder with this extension.
fn files_of(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_one = |path: &PathBuf| path.extension() == Some(extension.as_ref()) && path.is_file();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).filter(is_one).collect();
    files.sort();
    files
}

/// Checks that the folders of `lms` can be written.
fn home() -> Finding {
    let folders = [profile::cache_folder(), profile::state_folder()];
    let written = folders.map(write_into).into_iter();
    let problems: Vec<String> = written.filter_map(Result::err).collect();
    Finding::unless("home", &problems, "tokens and ledgers can be written")
}

/// Writes a file. A full disk takes an empty one.
fn write_into(folder: Option<PathBuf>) -> Result<(), String> {
    let folder = folder.ok_or("a folder for tokens or ledgers cannot be made")?;
    let file = folder.join(format!(".doctor-{}", std::process::id()));
    let written = write_private(&file, &[0_u8; 512]);
    let removed = fs::remove_file(&file);
    written.map_err(|failure| failure.message().to_owned())?;
    removed.map_err(|error| format!("{}: {error}", folder.display()))
}

/// The free space where the working folder and the files of `lms` are.
fn disk() -> Finding {
    let folders = [env::current_dir().ok(), profile::state_folder()];
    let free = folders.iter().flatten().filter_map(|folder| free(folder));
    let Some(free) = free.min() else {
        return Finding::skipped("disk", "the system does not say what is free");
    };
    let shown = format!("{} are free", BinaryBytes(free));
    Finding::of("disk", free < LITTLE, shown).number("free_mib", free >> 20)
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
        return Finding::ok("settings", "the embedded sandbox").word("secret", "sandbox");
    };
    let origins = sources.map(|(value, origin)| format!("{value} ({origin})"));
    let profile = session.profile.as_deref();
    let profile = profile.map_or(String::new(), |name| format!("; the profile is {name}"));
    let (url, origins) = (session.lms.base_url(), origins.join(", "));
    let mut finding = Finding::ok("settings", format!("{url}: {origins}{profile}"));
    for (value, origin) in sources {
        finding = finding.word(value, origin);
    }
    finding
}

/// A finding about the runs in the ledgers.
pub(super) fn runs() -> Option<Finding> {
    let (mut all, mut problems) = (0, Vec::new());
    for path in ledgers() {
        let runs = Ledger::open_existing(&path).and_then(|ledger| ledger.runs());
        let runs = runs.map_err(|error| problems.push(format!("{}: {error}", path.display())));
        for run in runs.unwrap_or_default() {
            all += 1;
            // A run with failed steps alone is at its end: the same command sends those that were corrected.
            let left = [Status::Planned, Status::Sent];
            let left: usize = left.iter().filter_map(|of| run.steps.get(of)).sum();
            if run.ended.is_none() && left > 0 {
                let (name, began, left) = (&run.run, &run.began, count(left, "step"));
                problems.push(format!("run {name} of {began} stopped before {left}"));
            }
        }
    }
    let finding = Finding::unless("runs", &problems, &format!("{} ended", count(all, "run")));
    (all + problems.len() > 0).then(|| finding.number("runs", all))
}

/// Findings about the mirror that was named, or those in the working folder. Of those, only the ones of this tenant are judged.
pub(super) fn mirrors(
    named: Option<Result<Mirror, Failure>>,
    base_url: Option<&str>,
) -> Vec<Finding> {
    if let Some(named) = named {
        let overview = named.and_then(|mirror| Ok(mirror.overview()?));
        let found = overview.map(|found| mirror("the mirror", "DATABASE", &found));
        return vec![found.unwrap_or_else(|failure| Finding::failed("mirror", failure))];
    }
    let (mut findings, mut others) = (Vec::new(), Vec::new());
    for path in files_of(".".as_ref(), "db") {
        // A database of another program is none of ours.
        let found = Mirror::sqlite(&path).overview().ok();
        let Some(found) = found.filter(|found| !found.collections.is_empty()) else {
            continue;
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut records = found
            .collections
            .iter()
            .filter_map(|of| of.committed.as_ref());
        let is_other = |url| records.any(|of| without_path(&of.tenant) != without_path(url));
        if base_url.is_some_and(is_other) {
            others.push(name.into_owned());
            continue;
        }
        let size = BinaryBytes(fs::metadata(&path).map_or(0, |file| file.len()));
        let argument = quoted(&format!("sqlite:{name}"));
        findings.push(mirror(&format!("{name} ({size})"), &argument, &found));
    }
    if !others.is_empty() {
        let shown = format!("of other tenants, and not checked: {}", others.join(", "));
        findings.push(Finding::skipped("mirror", shown));
    }
    findings
}

fn mirror(name: &str, argument: &str, found: &Overview) -> Finding {
    let problems = jobs::problems_of(found);
    let ended = found.collections.iter().filter_map(|of| of.ended());
    let age = ended.min().and_then(lms_sync::age_of);
    let (hours, collections) = (
        age.unwrap_or_default().as_secs() / 3600,
        found.collections.len(),
    );
    let mut shown = format!("{name}: {}, oldest list ", count(collections, "collection"));
    shown += &age.map_or("of an unknown age".to_owned(), |_| format!("{hours} h old"));
    if !problems.is_empty() {
        shown += &format!("; not complete: {}", problems.join(", "));
    }
    let is_stopped = found.unfinished_since.is_some() && !found.is_running;
    let names = Vec::from_iter(found.collections.iter().map(|of| &*of.collection));
    Finding::of("mirror", is_stopped || !problems.is_empty(), shown)
        .remedy(match is_stopped {
            true => format!("lms mirror {} --to {argument}", names.join(",")),
            false => format!("lms status --mirror {argument}"),
        })
        .number("collections", collections)
        .number("incomplete", problems.len())
        .number("hours", hours)
}
