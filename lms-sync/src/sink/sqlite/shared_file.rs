//! One file for several tenants: each table has the rows of all, with the name of the tenant in `_tenant`.
//!
//! Each tenant is mirrored into its own file, with its own lock, state and deletions. After a run, the rows that differ
//! are copied into the shared file in one transaction, which only changes rows of this tenant. SQLite has one writer at
//! a time, so these transactions wait for each other, but the runs of tenants do not.

use std::{path::Path, time::Duration};

use super::{
    check_path, connect,
    sqlite_database::{SqliteDatabase, refused},
};
use crate::{
    collection::Collection,
    error::Error,
    mirror::tables::add_missing_columns,
    sql::{
        Statements, TENANT,
        database::{
            Database, Failure, Transaction, failed, in_transaction, query_texts, text_value,
        },
        quoted_columns,
    },
};

/// Time for the transactions of all other tenants, which may have to copy every row.
const SHARED_BUSY_TIMEOUT: Duration = Duration::from_secs(3600);

/// The columns of a mirror in addition to those of the collection.
const OWN: [&str; 5] = [
    "\"_hash\"",
    "\"_deleted_at\"",
    "\"_missing_since\"",
    "\"_missing_run\"",
    "\"_row\"",
];

/// Copies the rows of a tenant's mirror that differ into a file of several tenants, and deletes those that the mirror lacks. The
/// first call creates the file. Blocks.
///
/// # Errors
///
/// [`Destination`](crate::ErrorKind::Destination) when a file cannot be read or written.
pub fn share(
    shared: impl AsRef<Path>,
    own: impl AsRef<Path>,
    tenant: &str,
    collections: &[&'static Collection],
) -> Result<(), Error> {
    let (shared, own) = (shared.as_ref(), own.as_ref());
    check_path(shared)?;
    let doing = format!("copy {} into {}", own.display(), shared.display());
    let path = own.to_str().ok_or_else(|| {
        Error::usage(format!(
            "{} is not UTF-8, choose another path",
            own.display()
        ))
    })?;
    let connection = connect(shared).and_then(|connection| {
        connection.busy_timeout(SHARED_BUSY_TIMEOUT)?;
        connection.execute("ATTACH DATABASE ?1 AS own", [path])?;
        Ok(connection)
    });
    let connection = connection.map_err(refused).map_err(failed(&doing))?;
    let mut database = SqliteDatabase::new(connection, None);
    in_transaction(&mut database, Transaction::Write, &doing, |database| {
        let present = "SELECT name FROM own.sqlite_schema WHERE type = 'table'";
        let present = query_texts(database, present, &[])?;
        let copied = collections
            .iter()
            .filter(|of| present.contains(&of.name.to_owned()));
        for collection in copied {
            copy(database, collection, tenant)?;
        }
        Ok(())
    })
}

/// Brings the rows of a tenant to the state of its own mirror.
fn copy(
    database: &mut dyn Database,
    collection: &'static Collection,
    tenant: &str,
) -> Result<(), Failure> {
    let statements = Statements::new(database.dialect(), collection);
    database.execute(&statements.create_shared(), &[])?;
    add_missing_columns(database, collection)?;
    let tenant = [text_value(tenant)];
    let of_tenant = format!("s.\"{TENANT}\" = $1");
    let gone = format!(
        "DELETE FROM main.{{live}} AS s WHERE {of_tenant} AND NOT EXISTS (SELECT 1 FROM own.{{live}} t WHERE {{same_key}})"
    );
    database.execute(&statements.fill(&gone), &tenant)?;
    let same = OWN.map(|name| format!("t.{name} IS s.{name}"));
    let mut columns = quoted_columns(collection);
    columns.extend(OWN.map(str::to_owned));
    let (columns, same) = (columns.join(", "), same.join(" AND "));
    let different = format!(
        "INSERT OR REPLACE INTO main.{{live}} (\"{TENANT}\", {columns}) SELECT $1, {columns} FROM own.{{live}} t WHERE NOT EXISTS \
         (SELECT 1 FROM main.{{live}} s WHERE {of_tenant} AND {{same_key}} AND {same})"
    );
    database.execute(&statements.fill(&different), &tenant)
}
