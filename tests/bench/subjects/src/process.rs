//! What the kernel says about processes: this one and the tenant's.

use std::{fs, io};

/// How many seconds all threads of this process that still run have been on a processor.
///
/// # Errors
///
/// When the kernel does not say.
pub fn run_time() -> io::Result<f64> {
    // The kernel adds up when a thread makes way for others; without this it would be late by up to a tick.
    std::thread::yield_now();
    let mut seconds = 0.0;
    for task in fs::read_dir("/proc/self/task")? {
        let text = fs::read_to_string(task?.path().join("schedstat"))?;
        let first = text.split(' ').next().and_then(|text| text.parse().ok());
        let nanoseconds: f64 = first.ok_or_else(|| unread("schedstat"))?;
        seconds += nanoseconds / 1e9;
    }
    Ok(seconds)
}

/// The most memory that this process ever had, in bytes.
///
/// # Errors
///
/// When the kernel does not say.
pub fn peak_memory() -> io::Result<u64> {
    let text = fs::read_to_string("/proc/self/status")?;
    let kib: Option<u64> = text
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    Ok(kib.ok_or_else(|| unread("status"))? * 1024)
}

/// How many seconds another process has been on a processor, its threads that have ended included; to a hundredth.
///
/// # Errors
///
/// When there is no such process.
pub fn run_time_of(pid: u32) -> io::Result<f64> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name of the program stands in brackets and may hold anything; user and system time are the 12th and 13th
    // behind it, in ticks of a hundredth of a second.
    let (_, behind) = text.rsplit_once(')').ok_or_else(|| unread("stat"))?;
    let ticks: Vec<f64> = behind
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|text| text.parse().ok())
        .collect();
    match *ticks {
        [user, system] => Ok((user + system) / 100.0),
        _ => Err(unread("stat")),
    }
}

fn unread(file: &str) -> io::Error {
    io::Error::other(format!("/proc has no {file} that could be read"))
}
