//! Resource usage of processes, as `/proc` reports it.

use std::{fs, io, path::Path};

/// Returns the CPU time of this process in seconds, without threads that have ended.
///
/// # Errors
///
/// Fails if `/proc` cannot be read.
pub fn cpu_time() -> io::Result<f64> {
    // The kernel updates the time when a thread yields; otherwise it may be late by a tick.
    std::thread::yield_now();
    let mut seconds = 0.0;
    for task in fs::read_dir("/proc/self/task")? {
        let file = task?.path().join("schedstat");
        let nanoseconds: f64 = parsed(&file, |text| text.split(' ').next()?.parse().ok())?;
        seconds += nanoseconds / 1e9;
    }
    Ok(seconds)
}

/// Returns the peak memory of this process in bytes.
///
/// # Errors
///
/// Fails if `/proc` cannot be read.
pub fn peak_memory() -> io::Result<u64> {
    let kib: u64 = parsed("/proc/self/status", |text| {
        let value = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        value.split_whitespace().next()?.parse().ok()
    })?;
    Ok(kib * 1024)
}

fn parsed<T>(file: impl AsRef<Path>, parse: impl FnOnce(&str) -> Option<T>) -> io::Result<T> {
    let file = file.as_ref();
    let text = fs::read_to_string(file)?;
    parse(&text).ok_or_else(|| io::Error::other(format!("cannot parse {}", file.display())))
}
