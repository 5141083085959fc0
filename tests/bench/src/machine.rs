//! The machine and the versions that were measured.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) processor: String,
    pub(crate) cores: usize,
    pub(crate) memory_gib: u64,
    pub(crate) kernel: String,
    pub(crate) rustc: String,
    /// Of the libraries that affect the figures most.
    pub(crate) versions: BTreeMap<String, String>,
}

impl Machine {
    pub(crate) fn this(root: &Path) -> anyhow::Result<Self> {
        let lock = fs::read_to_string(root.join("Cargo.lock"))?;
        let versions = [
            "aws-lc-rs",
            "hyper",
            "progenitor-client",
            "reqwest",
            "rustls",
            "serde_json",
            "tokio",
        ]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), locked(&lock, name)?)))
        .collect();
        Ok(Self {
            processor: field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".to_owned()),
            cores: std::thread::available_parallelism()?.get(),
            memory_gib: memory_gib(),
            kernel: fs::read_to_string("/proc/sys/kernel/osrelease")
                .map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned()),
            rustc: first_line("rustc", "--version"),
            versions,
        })
    }
}

/// Returns the version of a package in Cargo.lock.
fn locked(lock: &str, name: &str) -> Option<String> {
    let (_, rest) = lock.split_once(&format!("name = \"{name}\"\nversion = \""))?;
    Some(rest.split_once('"')?.0.to_owned())
}

/// Returns the value of a field in a file of /proc.
fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let (_, value) = text
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(found, _)| found.trim() == name)?;
    Some(value.trim().to_owned())
}

fn memory_gib() -> u64 {
    let kib = field("/proc/meminfo", "MemTotal")
        .and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok())
        .unwrap_or_default();
    // Rounded up, since the kernel reserves a part.
    kib.div_ceil(1 << 20)
}

fn first_line(program: &str, argument: &str) -> String {
    Command::new(program)
        .arg(argument)
        .output()
        .ok()
        .and_then(|output| {
            Some(
                String::from_utf8(output.stdout)
                    .ok()?
                    .lines()
                    .next()?
                    .to_owned(),
            )
        })
        .unwrap_or_else(|| format!("{program} unknown"))
}
