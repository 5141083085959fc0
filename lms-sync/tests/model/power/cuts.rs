//! Many power cuts of one program: it runs once under strace, and its operations are replayed up to each cut.

use std::{env, ffi::OsStr, fs, path::Path, process::Command};

use super::{
    disk::{Disk, Kept},
    trace::{self, Operation},
};

/// Runs the test `child` of this program under strace, with these variables. Returns its operations.
pub fn traced(child: &str, variables: &[(&str, &OsStr)]) -> Vec<Operation> {
    let trace = tempfile::NamedTempFile::new().unwrap();
    let status = Command::new("strace")
        .args(["-f", "-xx", "-s", "10000000", "-e", trace::CALLS, "-o"])
        .arg(trace.path())
        .arg(env::current_exe().unwrap())
        .args(["--ignored", "--exact", child, "--nocapture"])
        .envs(variables.iter().copied())
        .status();
    assert!(status.unwrap().success());
    trace::read(&fs::read_to_string(trace.path()).unwrap())
}

/// Calls `check` with the remains of a folder after each power cut, with the lines that were said before, and with a text
/// for messages. Returns all lines.
pub fn check_after_cuts<'a>(
    root: &Path,
    operations: &'a [Operation],
    cuts: u64,
    check: impl Fn(&Path, &[&str], &str),
) -> Vec<&'a str> {
    let count = operations.len() as u64;
    let (mut disk, mut applied, mut said) = (Disk::new(root), 0, Vec::new());
    for index in 0..cuts {
        let kept = match index % 6 {
            0 => Kept::Nothing,
            1 => Kept::Everything,
            2 => Kept::Names,
            3 => Kept::Bytes,
            _ => Kept::Some(index),
        };
        while applied < count * (index + 1) / cuts {
            let operation = &operations[usize::try_from(applied).unwrap()];
            disk.apply(operation);
            if let Operation::Said(line) = operation {
                said.push(line.as_str());
            }
            applied += 1;
        }
        let left = tempfile::tempdir().unwrap();
        disk.cut(kept, left.path());
        let case = format!("after {applied} of {count} operations, {kept:?} was kept");
        check(left.path(), &said, &case);
    }
    said
}
