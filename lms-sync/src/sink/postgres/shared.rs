//! One schema for several tenants: each table has the rows of all, with the name of the tenant in `_tenant`.
//!
//! Each tenant is mirrored into a schema of its own, with its own lock, state and deletions. Its tables are the partitions of the
//! tables of the shared schema, by `_tenant`. Nothing that is done for one tenant can thus change the rows of another, and a
//! query with `_tenant = 'acme'` reads one partition.

use sha2::{Digest as _, Sha256};

use super::{PostgresSchema, connect, database::identifier};
use crate::{
    collection::{Collection, Value},
    error::Error,
    sql::{
        database::{
            Database, Failure, Transaction, failed, in_transaction, is_true, query_value,
            text_value,
        },
        shared::{TENANT, create_shared},
    },
};

/// Whether `$1`.`$2` is a partition of `$3`.`$2`.
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
    let name = identifier(&shared.schema);
    alone(shared, |database| {
        let sql = "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1)";
        if !is_true(&query_value(database, sql, &[text_value(&shared.schema)])?) {
            database.execute(&format!("CREATE SCHEMA {name}"), &[])?;
        }
        for collection in collections {
            create_shared(database, collection)?;
        }
        for role in &shared.readers {
            let role = identifier(role);
            let sql = format!("GRANT USAGE ON SCHEMA {name} TO {role}");
            database.execute(&sql, &[])?;
            for collection in collections {
                let table = identifier(collection.name);
                let sql = format!("GRANT SELECT ON {name}.{table} TO {role}");
                database.execute(&sql, &[])?;
            }
        }
        Ok(())
    })
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
    let literal = format!("'{}'", tenant.replace('\'', "''"));
    let (of_all, of_tenant) = (identifier(&shared.schema), identifier(&own.schema));
    alone(shared, |database| {
        for collection in collections {
            let names = [&own.schema, collection.name, &shared.schema].map(text_value);
            if is_true(&query_value(database, IS_PARTITION, &names)?)
                || !is_true(&query_value(database, TABLE_EXISTS, &names[..2])?)
            {
                continue;
            }
            let table = identifier(collection.name);
            let sql = format!(
                "ALTER TABLE {of_tenant}.{table} ADD COLUMN IF NOT EXISTS \"{TENANT}\" TEXT NOT NULL DEFAULT {literal}; \
                 ALTER TABLE {of_all}.{table} ATTACH PARTITION {of_tenant}.{table} FOR VALUES IN ({literal})"
            );
            database.execute(&sql, &[])?;
        }
        Ok(())
    })
}

/// Changes a shared schema in a transaction, while no other process does.
fn alone(
    shared: &PostgresSchema,
    work: impl FnOnce(&mut dyn Database) -> Result<(), Failure> + Send,
) -> Result<(), Error> {
    let doing = format!("prepare the shared {shared}");
    connect::with_connection(shared, |database| {
        in_transaction(database, Transaction::Write, &doing, |database| {
            let key = [Value::Integer(lock_key(&shared.schema))];
            let sql = "SELECT pg_advisory_xact_lock($1)";
            database
                .execute(sql, &key)
                .and_then(|()| work(database))
                .map_err(failed(&doing))
        })
    })
}

/// Another one than that of a mirror in the schema.
fn lock_key(schema: &str) -> i64 {
    let hash = Sha256::digest(format!("lms-sync shared schema {schema}"));
    hash.first_chunk()
        .map_or(0, |head| i64::from_be_bytes(*head))
}
