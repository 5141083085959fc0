//! One schema for several tenants: each table has the rows of all, with the name of the tenant in `_tenant`.
//!
//! Each tenant is mirrored into a schema of its own, with its own lock, state and deletions. Its tables are the partitions of the
//! tables of the shared schema, by `_tenant`. Nothing that is done for one tenant can thus change the rows of another, and a
//! query with `_tenant = 'acme'` reads one partition.

use super::{PostgresSchema, connect, postgres_dialect::LOCK_LIMIT};
use crate::{
    collection::{Collection, Value},
    error::Error,
    mirror::with_connection,
    sql::{
        database::{
            Database, Failure, Transaction, failed, in_transaction, is_true, query_value,
            text_value,
        },
        literal, quoted,
        shared_tables::{TENANT, create_shared},
    },
};

/// Returns `true` if `$1`.`$2` is a partition of `$3`.`$2`.
const IS_PARTITION: &str = "SELECT EXISTS (SELECT 1 FROM pg_inherits i \
    JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
    JOIN pg_class p ON p.oid = i.inhparent JOIN pg_namespace m ON m.oid = p.relnamespace \
    WHERE n.nspname = $1 AND c.relname = $2 AND m.nspname = $3 AND p.relname = $2)";

const TABLE_EXISTS: &str = "SELECT EXISTS (SELECT 1 FROM pg_class c \
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2)";

/// Creates the tables of a shared schema, and the columns that an older version did not have. Before the runs of its tenants.
/// Blocks.
///
/// # Errors
///
/// [`Destination`](crate::ErrorKind::Destination) when the database refuses it.
pub fn prepare_shared(
    shared: &PostgresSchema,
    collections: &[&'static Collection],
) -> Result<(), Error> {
    alone(shared, |database| {
        let doing = format!("create the shared {shared}");
        create_shared_schema(database, shared).map_err(failed(&doing))?;
        for collection in collections {
            let doing = format!(
                "prepare the table {} of the shared {shared}",
                collection.name
            );
            prepare_table(database, shared, collection).map_err(failed(&doing))?;
        }
        Ok(())
    })
}

/// Creates a shared schema, which its readers may use.
pub(super) fn create_shared_schema(
    database: &mut dyn Database,
    shared: &PostgresSchema,
) -> Result<(), Failure> {
    connect::create_schema(database, &shared.schema)?;
    grant(database, shared, "USAGE ON SCHEMA", &quoted(&shared.schema))
}

/// Gives the readers of a schema a privilege.
pub(super) fn grant(
    database: &mut dyn Database,
    shared: &PostgresSchema,
    privilege: &str,
    of: &str,
) -> Result<(), Failure> {
    let mut readers = shared.readers.iter();
    readers.try_for_each(|role| {
        let sql = format!("GRANT {privilege} {of} TO {}", quoted(role));
        database.execute(&sql, &[])
    })
}

fn prepare_table(
    database: &mut dyn Database,
    shared: &PostgresSchema,
    collection: &'static Collection,
) -> Result<(), Failure> {
    create_shared(database, collection)?;
    let [name, table] = [&shared.schema, collection.name].map(quoted);
    grant(database, shared, "SELECT ON", &format!("{name}.{table}"))
}

/// Makes the tables of a tenant partitions of those of the shared schema, unless they are. After a run of the tenant. Blocks.
///
/// # Errors
///
/// [`Destination`](crate::ErrorKind::Destination) when the database refuses it.
pub fn share(
    shared: &PostgresSchema,
    own: &PostgresSchema,
    tenant: &str,
    collections: &[&'static Collection],
) -> Result<(), Error> {
    let literal = literal(tenant);
    alone(shared, |database| {
        for collection in collections {
            let doing = format!(
                "add {} of the {own} to the shared {shared}",
                collection.name
            );
            attach(database, shared, own, &literal, collection).map_err(failed(&doing))?;
        }
        Ok(())
    })
}

/// Makes the table of a tenant, whose name is `literal`, a partition of the shared table, unless it is one or does not exist.
fn attach(
    database: &mut dyn Database,
    shared: &PostgresSchema,
    own: &PostgresSchema,
    literal: &str,
    collection: &Collection,
) -> Result<(), Failure> {
    let names = [&own.schema, collection.name, &shared.schema].map(text_value);
    if is_true(&query_value(database, IS_PARTITION, &names)?)
        || !is_true(&query_value(database, TABLE_EXISTS, &names[..2])?)
    {
        return Ok(());
    }
    let [of_all, of_tenant, table] = [&shared.schema, &own.schema, collection.name].map(quoted);
    let sql = format!(
        "ALTER TABLE {of_tenant}.{table} ADD COLUMN IF NOT EXISTS \"{TENANT}\" TEXT NOT NULL DEFAULT {literal}; \
         ALTER TABLE {of_all}.{table} ATTACH PARTITION {of_tenant}.{table} FOR VALUES IN ({literal})"
    );
    database.execute(&sql, &[])
}

/// Changes a shared schema in a transaction, while no other process does.
pub(super) fn alone(
    shared: &PostgresSchema,
    work: impl FnOnce(&mut dyn Database) -> Result<(), Failure> + Send,
) -> Result<(), Error> {
    let doing = format!("lock the shared {shared}");
    with_connection(shared, |database| {
        in_transaction(database, Transaction::Write, &doing, |database| {
            let key = [Value::Integer(connect::lock_key(
                "shared schema",
                &shared.schema,
            ))];
            // The tenants take turns, however long each of them takes.
            database.execute("SET LOCAL lock_timeout TO 0", &[])?;
            database.execute("SELECT pg_advisory_xact_lock($1)", &key)?;
            database.execute("SET LOCAL lock_timeout TO DEFAULT", &[])?;
            database.execute(LOCK_LIMIT, &[])?;
            work(database)
        })
    })
}
