//! What an error of SQLite means for a run.

use crate::error::{Error, ErrorKind};

/// Turns an error of SQLite into that of a sink, with what was being done.
pub(super) fn failed(doing: &str) -> impl Fn(rusqlite::Error) -> Error {
    move |error| {
        let advice = match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => "; free some space and start the run again",
            Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => {
                "; another program is writing into the file, end it and start the run again"
            }
            Some(
                rusqlite::ErrorCode::ReadOnly
                | rusqlite::ErrorCode::PermissionDenied
                | rusqlite::ErrorCode::CannotOpen,
            ) => {
                "; give this user the permission to write the file and its folder, or choose another path"
            }
            Some(rusqlite::ErrorCode::NotADatabase) => {
                let message = format!(
                    "cannot {doing}; the file is not an SQLite database, choose another path"
                );
                return Error::new(ErrorKind::Foreign, message).caused_by(error);
            }
            _ => "",
        };
        Error::destination(format!("cannot {doing}{advice}"), error)
    }
}
