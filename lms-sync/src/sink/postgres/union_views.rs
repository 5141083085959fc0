//! Views over the mirrors of several tenants in one database: each has the rows of all, with the name of the tenant in `_tenant`.
//!
//! Each tenant is mirrored into a schema of its own, with its own lock, state and deletions. Nothing that is done for one tenant can
//! thus change the rows of another, and a query with `_tenant = 'acme'` reads the tables of one tenant.

use super::{PostgresSchema, connect, postgres_dialect::LOCK_LIMIT};
use crate::{
    collection::{Value, collections},
    error::{Error, ErrorKind},
    mirror::with_connection,
    sql::{
        TENANT, VIEWS,
        database::{
            Database, Failure, Transaction, failed, in_transaction, query_all, query_value, text,
            text_value,
        },
        literal, quoted,
    },
};

/// The table of the tenants that the views have rows of. A run that mirrors some of them leaves the others in the views.
const TENANTS: &str = "_lms_tenants (tenant TEXT PRIMARY KEY, schema TEXT NOT NULL)";

/// The comment of a view that this module has made.
const OURS: &str = "the rows of all tenants, by lms mirror --union-views";

/// The columns of the table or view `$2` in the schema `$1`, with their types, without that of the tenant.
const COLUMNS: &str = "SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a \
    JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
    WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> '_tenant' ORDER BY a.attnum";

/// `table`, or the comment of the view `$2` in the schema `$1`; null if there is neither.
const FOUND: &str = "SELECT CASE WHEN c.relkind = 'v' THEN coalesce(obj_description(c.oid), '') ELSE 'table' END \
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2";

/// A column and its type.
type Column = (String, String);

/// Creates or updates a view in a schema for each table and view of the mirrors of these tenants and of those of earlier calls,
/// whose schemas still exist. Blocks.
///
/// # Errors
///
/// [`Foreign`](ErrorKind::Foreign) if the schema has a table or view of this name that another program has made;
/// [`Destination`](ErrorKind::Destination) when the database refuses it.
pub fn union_views(
    shared: &PostgresSchema,
    tenants: &[(String, PostgresSchema)],
) -> Result<(), Error> {
    let names = collections().iter().map(|of| of.name);
    let names: Vec<&str> = names.chain(VIEWS.iter().map(|view| view.name)).collect();
    alone(shared, |database| {
        let doing = format!("prepare the {shared} of all tenants");
        let tenants = register(database, shared, tenants).map_err(failed(&doing))?;
        for name in &names {
            let doing = format!("create the view {name} of all tenants in the {shared}");
            let place = [&*shared.schema, *name].map(text_value);
            let found = query_value(database, FOUND, &place)?;
            if text(&found).is_some_and(|found| found != OURS) {
                let message = format!(
                    "the {shared} has a table or view {name:?} that is not from `union_views`; rename it, or choose another schema"
                );
                return Err(ErrorKind::Foreign.error(message).into());
            }
            unite(database, shared, &tenants, name).map_err(failed(&doing))?;
        }
        Ok(())
    })
}

/// Changes a shared schema in a transaction, while no other process does.
fn alone(
    shared: &PostgresSchema,
    work: impl FnOnce(&mut dyn Database) -> Result<(), Failure> + Send,
) -> Result<(), Error> {
    let doing = format!("lock the shared {shared}");
    with_connection(shared, |database| {
        in_transaction(database, Transaction::Write, &doing, |database| {
            let key = connect::lock_key("shared schema", &shared.schema);
            // The tenants take turns, however long each of them takes.
            database.execute("SET LOCAL lock_timeout TO 0", &[])?;
            database.execute("SELECT pg_advisory_xact_lock($1)", &[Value::Integer(key)])?;
            database.execute("SET LOCAL lock_timeout TO DEFAULT", &[])?;
            database.execute(LOCK_LIMIT, &[])?;
            work(database)
        })
    })
}

/// Creates the schema, and adds tenants to its table. Returns all of them, each with its schema.
fn register(
    database: &mut dyn Database,
    shared: &PostgresSchema,
    tenants: &[(String, PostgresSchema)],
) -> Result<Vec<(String, String)>, Failure> {
    connect::create_schema(database, &shared.schema)?;
    let schema = quoted(&shared.schema);
    grant(database, shared, "USAGE ON SCHEMA", &schema)?;
    let create = format!("CREATE TABLE IF NOT EXISTS {schema}.{TENANTS}");
    database.execute(&create, &[])?;
    let add = format!(
        "INSERT INTO {schema}._lms_tenants VALUES ($1, $2) ON CONFLICT (tenant) DO UPDATE SET schema = excluded.schema"
    );
    for (tenant, own) in tenants {
        database.execute(&add, &[tenant, &own.schema].map(text_value))?;
    }
    let all = format!("SELECT tenant, schema FROM {schema}._lms_tenants ORDER BY tenant");
    query_all(database, &all, &[], |mut row| Ok((row.text(), row.text())))
}

/// Gives the readers of a schema a privilege.
fn grant(
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

fn unite(
    database: &mut dyn Database,
    shared: &PostgresSchema,
    tenants: &[(String, String)],
    name: &str,
) -> Result<(), Failure> {
    // A view that exists can only get columns at its end.
    let mut all = columns(database, &shared.schema, name)?;
    let mut parts = Vec::new();
    for (tenant, own) in tenants {
        let of_tenant = columns(database, own, name)?;
        if !of_tenant.is_empty() {
            let is_new = |column: &&Column| !all.iter().any(|(known, _)| *known == column.0);
            let new: Vec<Column> = of_tenant.iter().filter(is_new).cloned().collect();
            all.extend(new);
            parts.push((tenant, own, of_tenant));
        }
    }
    if parts.is_empty() {
        return Ok(());
    }
    let selects = parts.iter().map(|(tenant, schema, of_tenant)| {
        let mut selected = vec![format!("CAST({} AS TEXT) AS \"{TENANT}\"", literal(tenant))];
        selected.extend(all.iter().map(|(column, kind)| {
            let column = quoted(column);
            match of_tenant.iter().any(|(known, _)| quoted(known) == column) {
                true => column,
                false => format!("CAST(NULL AS {kind}) AS {column}"),
            }
        }));
        let [schema, table] = [schema.as_str(), name].map(quoted);
        format!("SELECT {} FROM {schema}.{table}", selected.join(", "))
    });
    let selects: Vec<String> = selects.collect();
    let [schema, view] = [shared.schema.as_str(), name].map(quoted);
    let sql = format!(
        "CREATE OR REPLACE VIEW {schema}.{view} AS {}; COMMENT ON VIEW {schema}.{view} IS {}",
        selects.join(" UNION ALL "),
        literal(OURS)
    );
    database.execute(&sql, &[])?;
    grant(database, shared, "SELECT ON", &format!("{schema}.{view}"))
}

fn columns(database: &mut dyn Database, schema: &str, name: &str) -> Result<Vec<Column>, Failure> {
    let place = [schema, name].map(text_value);
    query_all(database, COLUMNS, &place, |mut row| {
        Ok((row.text(), row.text()))
    })
}
