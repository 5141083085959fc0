//! The meaning of an error of PostgreSQL for a run.

use std::error::Error as _;

use tokio_postgres::{Error as PgError, error::SqlState};

use crate::{error::ErrorKind, sql::database::Failure};

/// An error of PostgreSQL as a failure, with advice.
pub(super) fn refused(error: PgError) -> Failure {
    let Some(database) = error.as_db_error() else {
        let cause = error.source().map(ToString::to_string);
        let advice = if cause.is_some_and(|cause| cause.contains("password missing")) {
            "; the server asks for a password, give one"
        } else if error.is_closed() {
            "; the connection was lost, start the run again to resume"
        } else {
            "; check the host, the port and `sslmode`, and that the server can be reached"
        };
        return Failure::new(ErrorKind::Destination, advice, error);
    };
    let mut message = database.message().to_owned();
    for more in [database.detail(), database.hint()].into_iter().flatten() {
        message.push_str("; ");
        message.push_str(more);
    }
    let (kind, advice) = meaning(database.code());
    Failure::new(kind, advice, message)
}

fn meaning(code: &SqlState) -> (ErrorKind, &'static str) {
    use ErrorKind::{Destination, Permission};
    match *code {
        SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
            (Permission, "; check the user and the password")
        }
        SqlState::INVALID_CATALOG_NAME => {
            (Permission, "; create the database, or choose another one")
        }
        // PostgreSQL reports a schema that the user may not use as missing.
        SqlState::INSUFFICIENT_PRIVILEGE | SqlState::INVALID_SCHEMA_NAME => (
            Permission,
            "; give the user the privileges CREATE and USAGE on the schema, and let it own the tables of the mirror",
        ),
        SqlState::UNDEFINED_OBJECT => (Permission, ""),
        SqlState::DISK_FULL | SqlState::OUT_OF_MEMORY => (
            Destination,
            "; free some space on the server and start the run again",
        ),
        SqlState::TOO_MANY_CONNECTIONS
        | SqlState::ADMIN_SHUTDOWN
        | SqlState::CRASH_SHUTDOWN
        | SqlState::CANNOT_CONNECT_NOW => (Destination, "; start the run again later to resume"),
        SqlState::LOCK_NOT_AVAILABLE => (
            Destination,
            "; another session has locked it, for example a reader that is idle in a transaction: end that session, which \
             pg_stat_activity lists, and start the run again to resume",
        ),
        _ => (Destination, ""),
    }
}
