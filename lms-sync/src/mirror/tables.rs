//! The tables and views of a mirror, and their creation.

use crate::{
    collection::Collection,
    error::{Error, ErrorKind},
    sql::{
        Names, Statements, VIEWS, View,
        database::{
            Database, Failure, failed, is_true, missing_columns, query_texts, query_value,
            text_value,
        },
        literal, meta, quoted, set_meta,
    },
};

/// Fails if something has the name of a collection that this crate has not made.
pub(super) fn check_name(database: &mut dyn Database, name: &str) -> Result<(), Failure> {
    let registered = "SELECT EXISTS (SELECT 1 FROM _lms_collections WHERE name = $1)";
    let ours = query_value(database, registered, &[text_value(name)])?;
    if !is_true(&ours) && exists(database, name)? {
        return Err(taken(database, name).into());
    }
    Ok(())
}

fn taken(database: &mut dyn Database, name: &str) -> Error {
    let dialect = database.dialect();
    ErrorKind::Foreign.error(format!(
            "the {} has a table or view {name:?} that is not from a mirror; rename it, or choose another {}",
            dialect.place, dialect.place
        ))
}

/// `true` if the staging table of the first run becomes the table of a collection.
pub(super) fn is_made_of_staging(
    database: &mut dyn Database,
    collection: &'static Collection,
) -> Result<bool, Failure> {
    if database.dialect().adopt_staging.is_empty() || exists(database, collection.name)? {
        return Ok(false);
    }
    // A table that was dropped since is filled again from the difference.
    let sql = "SELECT EXISTS (SELECT 1 FROM _lms_collections WHERE name = $1 AND committed_run IS NOT NULL)";
    let committed = query_value(database, sql, &[text_value(collection.name)])?;
    Ok(!is_true(&committed))
}

/// Creates the table of a collection with its indexes, and the columns that an older version did not have.
pub(super) fn create_table(
    database: &mut dyn Database,
    collection: &'static Collection,
) -> Result<(), Failure> {
    let dialect = database.dialect();
    let statements = Statements::new(dialect, collection);
    if !exists(database, collection.name)? {
        let comments = text_value(comments_of(collection));
        database.execute("DELETE FROM _lms_meta WHERE name = $1", &[comments])?;
    }
    database.execute(&statements.create_live(), &[])?;
    add_missing_columns(database, collection)?;
    for (_, create) in statements.indexes() {
        database.execute(&create, &[])?;
    }
    Ok(())
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

/// The name of the comments that a table has.
fn comments_of(collection: &Collection) -> String {
    format!("comments {}", collection.name)
}

/// Describes the columns of a table by the document, unless they are described so already.
pub(super) fn describe(
    database: &mut dyn Database,
    collection: &'static Collection,
) -> Result<(), Failure> {
    let Some(comment) = database.dialect().comment else {
        return Ok(());
    };
    let table = Names::new(collection).live;
    let columns = collection.columns.iter();
    let statements = columns.map(|column| {
        let text = literal(column.description);
        let comment = comment.replace("{table}", &table);
        let comment = comment.replace("{column}", &quoted(column.name));
        comment.replace("{text}", &text)
    });
    let (key, all) = (
        comments_of(collection),
        statements.collect::<Vec<_>>().join(";"),
    );
    if meta(database, &key)?.as_ref() == Some(&all) {
        return Ok(());
    }
    database.execute(&all, &[])?;
    set_meta(database, &key, &all)
}

/// Creates the views that depend on other tables than before, and those that were dropped.
pub(super) fn create_views(database: &mut dyn Database) -> Result<(), Failure> {
    let sql = "SELECT name FROM _lms_collections";
    let mut tables = Vec::new();
    for name in query_texts(database, sql, &[])? {
        if exists(database, &name)? {
            tables.push(name);
        }
    }
    for view in VIEWS.iter().filter(|view| view.is_possible(&tables)) {
        let key = format!("view {}", view.name);
        let before = meta(database, &key)?;
        let is_present = exists(database, view.name)?;
        if before.is_none() && is_present {
            return Err(taken(database, view.name).into());
        }
        let query = view.query(database.dialect(), &tables);
        if before.as_ref() != Some(&query) || !is_present {
            let doing = format!("create the view {}", view.name);
            create_view(database, view, &query)
                .and_then(|()| set_meta(database, &key, &query))
                .map_err(failed(&doing))?;
        }
    }
    Ok(())
}

fn create_view(database: &mut dyn Database, view: &View, query: &str) -> Result<(), Failure> {
    let statements = database.dialect().create_view.iter();
    for statement in statements {
        let sql = statement
            .replace("{name}", view.name)
            .replace("{query}", query);
        database.execute(&sql, &[])?;
    }
    Ok(())
}

pub(super) fn exists(database: &mut dyn Database, name: &str) -> Result<bool, Failure> {
    let sql = database.dialect().exists;
    Ok(is_true(&query_value(database, sql, &[text_value(name)])?))
}
