//! A connection to a PostgreSQL server.

use std::{collections::HashMap, fmt, pin::pin};

use futures_util::StreamExt as _;
use tokio::runtime::Runtime;
use tokio_postgres::{
    Client, Error as PgError, Statement, binary_copy::BinaryCopyInWriter, types::Type,
};

use super::{
    failure::refused,
    postgres_dialect::POSTGRES,
    value::{Bound, Received, column_type},
};
use crate::{
    collection::{Collection, Row, Value},
    sql::{
        Dialect, Names,
        database::{Database, Failure, is_true, query_texts, query_value, text_value},
        quoted, quoted_columns,
    },
};

/// Received rows of a query that are passed on together.
const READY_ROWS: usize = 64;

/// Tables that a reader of the mirror may read: all except the staging tables and the deliveries.
const READABLE: &str = "SELECT quote_ident(relname) FROM pg_class WHERE relnamespace = quote_ident(current_schema())::regnamespace \
    AND NOT has_table_privilege(CAST($1 AS NAME), oid, 'SELECT') AND (relname IN (SELECT name FROM _lms_collections) \
    OR 'view ' || relname IN (SELECT name FROM _lms_meta) OR relname IN ('_lms_meta', '_lms_collections', '_lms_runs', '_lms_records', \
    '_lms_changes'))";

/// An open connection.
///
/// It has a runtime of its own, which works while a call blocks.
pub(super) struct PostgresDatabase {
    client: Client,
    runtime: Option<Runtime>,
    /// Statements with parameters, and those that copy rows, by their text.
    statements: HashMap<String, Statement>,
    readers: Vec<String>,
}

impl fmt::Debug for PostgresDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresDatabase").finish_non_exhaustive()
    }
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        // Closes the connection. To drop a runtime in another way is not allowed on a thread of a runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl PostgresDatabase {
    pub(super) fn new(client: Client, runtime: Runtime, readers: Vec<String>) -> Self {
        Self {
            client,
            runtime: Some(runtime),
            statements: HashMap::new(),
            readers,
        }
    }

    /// Waits for the result of `work` on the connection.
    fn block_on<T>(
        &mut self,
        work: impl AsyncFnOnce(&Client, &mut Statements) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let Some(runtime) = &self.runtime else {
            return Err(closed());
        };
        runtime.block_on(work(&self.client, &mut self.statements))
    }
}

type Statements = HashMap<String, Statement>;

fn closed() -> Failure {
    Failure::new(
        crate::error::ErrorKind::Destination,
        "",
        "the connection is closed",
    )
}

/// The prepared statement of a text.
async fn prepared(
    client: &Client,
    statements: &mut Statements,
    sql: &str,
) -> Result<Statement, PgError> {
    if let Some(known) = statements.get(sql) {
        return Ok(known.clone());
    }
    let statement = client.prepare(sql).await?;
    statements.insert(sql.to_owned(), statement.clone());
    Ok(statement)
}

/// Adds the names of the tables that a plan reads.
fn add_relations(plan: &serde_json::Value, tables: &mut Vec<String>) {
    match plan {
        serde_json::Value::Array(parts) => {
            parts.iter().for_each(|part| add_relations(part, tables));
        }
        serde_json::Value::Object(parts) => {
            let name = parts.get("Relation Name").and_then(|name| name.as_str());
            tables.extend(name.map(str::to_owned));
            parts.values().for_each(|part| add_relations(part, tables));
        }
        _ => {}
    }
}

/// The advisory lock of the endpoint `$1`, as `key`.
const DELIVERIES: &str = "(SELECT hashtextextended('lms-sync deliveries ' || current_schema() || ' ' || $1, 0) AS key) AS k";

/// The condition that this connection has the lock `key`, which the server would let it take again.
const IS_LOCKED: &str = "EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND pid = pg_backend_pid() \
    AND (classid::bigint << 32 | objid::bigint) = key)";

impl Database for PostgresDatabase {
    fn dialect(&self) -> &'static Dialect {
        &POSTGRES
    }

    fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<(), Failure> {
        self.block_on(async |client, statements| {
            if parameters.is_empty() {
                return client.batch_execute(sql).await.map_err(refused);
            }
            let statement = prepared(client, statements, sql).await.map_err(refused)?;
            let executed = client.execute_raw(&statement, parameters.iter().map(Bound));
            executed.await.map(|_| ()).map_err(refused)
        })
    }

    fn query(
        &mut self,
        sql: &str,
        parameters: &[Value],
        row: &mut dyn FnMut(Vec<Value>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut found = self.block_on(async |client, statements| {
            let statement = prepared(client, statements, sql).await.map_err(refused)?;
            let found = client.query_raw(&statement, parameters.iter().map(Bound));
            let found = found.await.map_err(refused)?;
            Ok(Box::pin(found.ready_chunks(READY_ROWS)))
        })?;
        // `row` is called outside of the runtime, because it may block.
        while let Some(ready) = self.block_on(async |_, _| Ok(found.next().await))? {
            for next in ready {
                let next = next.map_err(refused)?;
                let values = (0..next.len()).map(|index| next.try_get(index));
                let values = values.map(|value| value.map(|Received(value)| value));
                row(values.collect::<Result<_, _>>().map_err(refused)?)?;
            }
        }
        Ok(())
    }

    fn tables_of(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<String>, Failure> {
        let mut tables = Vec::new();
        let explain = format!("EXPLAIN (FORMAT JSON) {sql}");
        self.query(&explain, parameters, &mut |row| {
            for value in row {
                if let Value::Text(plan) | Value::Json(plan) = value {
                    let plan = serde_json::from_str(&plan).map_err(Failure::damaged)?;
                    add_relations(&plan, &mut tables);
                }
            }
            Ok(())
        })?;
        Ok(tables)
    }

    fn append_staging(
        &mut self,
        collection: &'static Collection,
        rows: &[(Row, i64)],
    ) -> Result<(), Failure> {
        let columns = collection.columns.iter();
        let mut types: Vec<Type> = columns.map(|column| column_type(column.kind)).collect();
        types.push(Type::INT8);
        let sql = format!(
            "COPY {} ({}, \"_hash\") FROM STDIN (FORMAT binary)",
            Names::new(collection).staging,
            quoted_columns(collection).join(", ")
        );
        self.block_on(async |client, statements| {
            let statement = prepared(client, statements, &sql).await.map_err(refused)?;
            let sink = client.copy_in(&statement).await.map_err(refused)?;
            let mut writer = pin!(BinaryCopyInWriter::new(sink, &types));
            for (row, hash) in rows {
                let hash = Value::Integer(*hash);
                let values: Vec<_> = row.values().iter().chain([&hash]).map(Bound).collect();
                writer.as_mut().write_raw(values).await.map_err(refused)?;
            }
            writer.as_mut().finish().await.map(|_| ()).map_err(refused)
        })
    }

    fn lock_deliveries(&mut self, endpoint: &str) -> Result<bool, Failure> {
        let sql = format!(
            "SELECT CASE WHEN {IS_LOCKED} THEN FALSE ELSE pg_try_advisory_lock(key) END FROM {DELIVERIES}"
        );
        Ok(is_true(&query_value(self, &sql, &[text_value(endpoint)])?))
    }

    fn unlock_deliveries(&mut self, endpoint: &str) -> Result<(), Failure> {
        let sql = format!("SELECT pg_advisory_unlock(key) FROM {DELIVERIES}");
        query_value(self, &sql, &[text_value(endpoint)]).map(drop)
    }

    fn share(&mut self) -> Result<(), Failure> {
        for role in self.readers.clone() {
            let readable = query_texts(self, READABLE, &[Value::Text(role.clone())])?;
            if readable.is_empty() {
                continue;
            }
            let role = quoted(&role);
            let schema = query_texts(self, "SELECT quote_ident(current_schema())", &[])?.concat();
            self.execute(&format!("GRANT USAGE ON SCHEMA {schema} TO {role}"), &[])?;
            let grant = format!("GRANT SELECT ON {} TO {role}", readable.join(", "));
            self.execute(&grant, &[])?;
        }
        Ok(())
    }
}
