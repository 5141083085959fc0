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
    Failure::new(kind(database.code()), advice(database.code()), message)
}

fn kind(code: &SqlState) -> ErrorKind {
    match *code {
        SqlState::INVALID_PASSWORD
        | SqlState::INVALID_AUTHORIZATION_SPECIFICATION
        | SqlState::INSUFFICIENT_PRIVILEGE
        | SqlState::INVALID_SCHEMA_NAME
        | SqlState::INVALID_CATALOG_NAME
        | SqlState::UNDEFINED_OBJECT => ErrorKind::Permission,
        _ => ErrorKind::Destination,
    }
}

fn advice(code: &SqlState) -> &'static str {
    match *code {
        SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
            "; check the user and the password"
        }
        SqlState::INVALID_CATALOG_NAME => "; create the database, or choose another one",
        // PostgreSQL reports a schema that the user may not use as missing.
        SqlState::INSUFFICIENT_PRIVILEGE | SqlState::INVALID_SCHEMA_NAME => {
            "; give the user the privileges CREATE and USAGE on the schema, and let it own the tables of the mirror"
        }
        SqlState::DISK_FULL | SqlState::OUT_OF_MEMORY => {
            "; free some space on the server and start the run again"
        }
        SqlState::TOO_MANY_CONNECTIONS => "; end other connections and start the run again",
        SqlState::READ_ONLY_SQL_TRANSACTION => "; connect to the primary server, not to a replica",
        SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN | SqlState::CANNOT_CONNECT_NOW => {
            "; the server is stopping or starting, start the run again to resume"
        }
        SqlState::LOCK_NOT_AVAILABLE => {
            "; another session has locked it, for example a reader that is idle in a transaction: end that session, which \
             pg_stat_activity lists, and start the run again to resume"
        }
        SqlState::DEPENDENT_OBJECTS_STILL_EXIST => {
            "; other objects of the database depend on it, drop them first"
        }
        _ => "",
    }
}
