//! The tables of several tenants: those of a mirror, with the name of the tenant in `_tenant`.

use super::{
    Statements,
    database::{Database, Failure, missing_columns},
};
use crate::collection::Collection;

/// The column with the name of the tenant.
pub(crate) const TENANT: &str = "_tenant";

/// Creates the table of a collection for several tenants, and the columns that an older version did not have.
pub(crate) fn create_shared(
    database: &mut dyn Database,
    collection: &'static Collection,
) -> Result<(), Failure> {
    let statements = Statements::new(database.dialect(), collection);
    database.execute(&statements.create_shared(TENANT), &[])?;
    add_missing_columns(database, collection)
}

/// Adds the columns to the table of a collection that an older version did not have.
pub(crate) fn add_missing_columns(
    database: &mut dyn Database,
    collection: &'static Collection,
) -> Result<(), Failure> {
    let statements = Statements::new(database.dialect(), collection);
    for column in missing_columns(database, collection)? {
        database.execute(&statements.add_column(column), &[])?;
    }
    Ok(())
}
