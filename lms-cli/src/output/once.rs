//! Hints about all tables are given once in a shell.

use std::fs;

use crate::{
    console::stdout_is_terminal,
    profile::{cache_folder, config::write_private},
};

/// Returns `true` the first time that this shell, the parent process, runs `lms`. Without a terminal, where the parent is
/// outside the container, and on Windows, each time is the first.
pub(super) fn is_first_in_shell() -> bool {
    #[cfg(unix)]
    let shell = std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    let shell = 0;
    let file = cache_folder().map(|folder| folder.join("shell"));
    let (true, 1.., Some(file)) = (stdout_is_terminal(), shell, file) else {
        return true;
    };
    let shell = shell.to_string();
    let is_first = fs::read_to_string(&file).ok().as_ref() != Some(&shell);
    if is_first {
        // Otherwise, it is said again.
        let _ = write_private(&file, &shell);
    }
    is_first
}
