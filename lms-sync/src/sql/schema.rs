//! The tables of a collection.
//!
//! | table | contains |
//! |---|---|
//! | `learners` | the rows of the last complete list, under the primary key of the collection |
//! | `_lms_staging_learners` | rows of the current run, in the order of the list |

use super::{Dialect, views::INDEXES};
use crate::collection::{Collection, Column};

/// Columns that have the id of a row of another collection. They are indexed, because queries join them.
const REFERENCES: [&str; 5] = ["user", "course", "topic", "user_field", "signup_page"];

/// The column with the name of the tenant, where a table or a view has the rows of several.
pub(crate) const TENANT: &str = "_tenant";

/// An identifier in quotes: some columns, such as `default`, are keywords.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Text as a literal.
pub(crate) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The columns of the key, in quotes.
pub(crate) fn quoted_keys(collection: &Collection) -> Vec<String> {
    let keys = collection.key.iter();
    keys.map(|name| quoted(name)).collect()
}

/// All columns, in quotes.
pub(crate) fn quoted_columns(collection: &Collection) -> Vec<String> {
    let columns = collection.columns.iter();
    columns.map(|column| quoted(column.name)).collect()
}

/// The names of the tables of a collection, in quotes.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) live: String,
    pub(crate) staging: String,
}

impl Names {
    pub(crate) fn new(collection: &Collection) -> Self {
        Self {
            live: quoted(collection.name),
            staging: format!("\"_lms_staging_{}\"", collection.name),
        }
    }
}

/// The statements for the tables of a collection.
#[derive(Debug)]
pub(crate) struct Statements {
    pub(super) dialect: &'static Dialect,
    pub(super) collection: &'static Collection,
    pub(crate) names: Names,
}

impl Statements {
    pub(crate) fn new(dialect: &'static Dialect, collection: &'static Collection) -> Self {
        Self {
            dialect,
            collection,
            names: Names::new(collection),
        }
    }

    /// The table that people read.
    ///
    /// Besides the columns of the collection it has [those of the mirror](Self::own_columns).
    pub(crate) fn create_live(&self) -> String {
        self.create(self.live_columns(), &quoted_keys(self.collection))
    }

    /// The table of several tenants, whose rows are told apart by the name of the tenant and the key.
    #[cfg(feature = "sqlite")]
    pub(crate) fn create_shared(&self) -> String {
        let mut columns = self.live_columns();
        columns.push(format!("\"{TENANT}\" {} NOT NULL", self.dialect.text));
        let mut key = quoted_keys(self.collection);
        key.insert(0, quoted(TENANT));
        self.create(columns, &key)
    }

    fn create(&self, mut columns: Vec<String>, key: &[String]) -> String {
        columns.push(format!("PRIMARY KEY ({})", key.join(", ")));
        format!(
            "CREATE TABLE IF NOT EXISTS {} ({}){}",
            self.names.live,
            columns.join(", "),
            self.dialect.clustered_options
        )
    }

    /// The columns of the mirror but `_row`, the number of a row: `_hash`; the times at which the row was marked as deleted, and
    /// at which a list first lacked it; the run of the first complete list that did.
    fn own_columns(&self, hash_constraint: &str) -> [String; 4] {
        let Dialect { integer, utc, .. } = self.dialect;
        [
            format!("\"_hash\" {integer}{hash_constraint}"),
            format!("\"_deleted_at\" {utc}"),
            format!("\"_missing_since\" {utc}"),
            format!("\"_missing_run\" {integer}"),
        ]
    }

    /// Adds a column that an older version of this crate did not have.
    pub(crate) fn add_column(&self, column: &Column) -> String {
        let column = self.nullable(column);
        format!("ALTER TABLE {} ADD COLUMN {column}", self.names.live)
    }

    /// The table for the rows of the current run, numbered in the order of the list.
    pub(crate) fn create_staging(&self) -> String {
        let columns = self.collection.columns.iter();
        let mut columns: Vec<String> = columns.map(|column| self.nullable(column)).collect();
        // As in the live table, which may be made of this one.
        columns.extend(self.own_columns(""));
        columns.push(format!("\"_row\" {}", self.dialect.staging_counter));
        format!(
            "CREATE TABLE {} ({}){}",
            self.names.staging,
            columns.join(", "),
            self.dialect.table_options
        )
    }

    /// The statements that turn the staging table into the live table.
    pub(crate) fn adopt_staging(&self) -> Vec<String> {
        let key = quoted_keys(self.collection).join(", ");
        let primary_key = quoted(&format!("{}_pkey", self.collection.name));
        let statements = self.dialect.adopt_staging.iter();
        let statements = statements.map(|sql| sql.replace("{primary_key}", &primary_key));
        statements
            .map(|sql| self.fill(&sql.replace("{key}", &key)))
            .collect()
    }

    /// The indexes of the live table, each as its name and the statement that creates it.
    pub(crate) fn indexes(&self) -> Vec<(String, String)> {
        let live = &self.names.live;
        let columns = self.collection.columns.iter().map(|column| column.name);
        let joined = columns
            .filter(|name| REFERENCES.contains(name) && self.collection.key.first() != Some(name));
        joined
            .map(|column| {
                let (name, suffix) = (self.collection.name, format!("by_{column}"));
                let of_view = INDEXES
                    .iter()
                    .find(|(collection, index, _)| *collection == name && *index == suffix);
                let columns =
                    of_view.map_or_else(|| quoted(column), |(.., columns)| (*columns).to_owned());
                let index = quoted(&format!("{name}_{suffix}"));
                let create = format!("CREATE INDEX IF NOT EXISTS {index} ON {live} ({columns})");
                (index, create)
            })
            .collect()
    }

    fn live_columns(&self) -> Vec<String> {
        let columns = self.collection.columns.iter();
        let columns = columns.map(|column| {
            let is_key = self.collection.key.contains(&column.name);
            self.nullable(column) + if is_key { " NOT NULL" } else { "" }
        });
        let row = format!("\"_row\" {} NOT NULL", self.dialect.integer);
        let own = self.own_columns(" NOT NULL");
        columns.chain(own).chain([row]).collect()
    }

    fn nullable(&self, column: &Column) -> String {
        let kind = self.dialect.column_type(column.kind);
        format!("{} {kind}", quoted(column.name))
    }
}
