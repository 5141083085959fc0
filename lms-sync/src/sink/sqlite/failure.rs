//! The meaning of an error of SQLite for a run.

use rusqlite::ErrorCode;

use crate::{error::ErrorKind, sql::database::Failure};

/// An error of SQLite as a failure, with advice.
pub(super) fn refused(error: rusqlite::Error) -> Failure {
    let mut kind = ErrorKind::Destination;
    let advice = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "; free some space and start the run again",
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "; another program is writing into the file, end it and start the run again"
        }
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            "; give this user the permission to write the file and its folder, or choose another path"
        }
        Some(ErrorCode::NotADatabase) => {
            kind = ErrorKind::Foreign;
            "; the file is not an SQLite database, choose another path"
        }
        _ => "",
    };
    Failure::new(kind, advice, error)
}
