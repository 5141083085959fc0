//! The tables of several tenants: those of a mirror, with the name of the tenant in `_tenant`.

use super::{
    Schema,
    database::{Database, Failure, column_names},
};
use crate::collection::Collection;

/// The column with the name of the tenant.
pub(crate) const TENANT: &str = "_tenant";

/// Creates the table of a collection for several tenants, and the columns that an older version did not have.
pub(crate) fn create_shared(
    database: &mut dyn Database,
    collection: &'static Collection,
) -> Result<(), Failure> {
    let dialect = database.dialect();
    let schema = Schema::new(dialect, collection);
    database.execute(&schema.create_shared(TENANT), &[])?;
    let present = column_names(database, collection)?;
    let columns = collection.columns.iter();
    for column in columns.filter(|column| !present.iter().any(|name| name == column.name)) {
        database.execute(&schema.add_column(column), &[])?;
    }
    Ok(())
}
