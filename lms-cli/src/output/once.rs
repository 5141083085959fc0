//! Hints about all tables are given once in a session of a terminal.

#[cfg(unix)]
use std::fs;

#[cfg(unix)]
use crate::{
    console::stdout_is_terminal,
    profile::{cache_folder, config::write_private},
};

/// Returns `true` the first time in the session. Without a terminal, each time is the first.
#[cfg(unix)]
pub(super) fn is_first_in_session() -> bool {
    let session = rustix::process::getsid(None);
    let file = cache_folder().map(|folder| folder.join("session"));
    let (true, Ok(session), Some(file)) = (stdout_is_terminal(), session, file) else {
        return true;
    };
    let session = session.as_raw_nonzero().to_string();
    let is_first = fs::read_to_string(&file).ok().as_ref() != Some(&session);
    if is_first {
        // Otherwise, it is said again.
        let _ = write_private(&file, &session);
    }
    is_first
}

#[cfg(not(unix))]
pub(super) fn is_first_in_session() -> bool {
    true
}
