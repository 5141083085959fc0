//! The page of a dossier, for people.

use lms_sync::Column;

use super::{
    html::{self, escaped},
    part::{Part, Table},
};
use crate::{output::cell, wording::count};

/// The page, with a table for each collection. Columns without a value are left out.
pub(super) fn of(parts: &[Part]) -> String {
    let mut page = String::new();
    for part in parts {
        let listed = part.listed();
        let rows = count(listed.rows.unwrap_or_default(), "row");
        let state = match (&listed.mirrored_at, listed.complete) {
            (None, _) => "Not read: this page does not say whether there are rows.".to_owned(),
            (Some(time), true) => format!("{rows}, read until {time}."),
            (Some(time), false) => format!("{rows}, read until {time}. Rows may be missing."),
        };
        page.push_str(&format!(
            "<h2>{}</h2>\n<p>{}</p>\n",
            escaped(&part.collection.name.replace('_', " ")),
            escaped(&state)
        ));
        page.push_str(&table(&part.table));
    }
    html::page("Data about a person", &page)
}

fn table(table: &Table) -> String {
    let rows = table.members();
    let filled = |name: &&String| rows.iter().any(|row| !cell::text(row.get(name)).is_empty());
    let names: Vec<&String> = table.names.iter().filter(filled).collect();
    if names.is_empty() {
        return String::new();
    }
    let headings: Vec<String> = names.iter().map(|name| heading(name)).collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let cells = |row: &crate::output::json::Members<'_>| {
        names.iter().map(|name| cell::text(row.get(name))).collect()
    };
    let cells: Vec<Vec<String>> = rows.iter().map(cells).collect();
    html::table("", &headings, &cells)
}

fn heading(name: &str) -> String {
    match name {
        Column::EXTRA_NAME => "other fields".to_owned(),
        name => name.replace('_', " "),
    }
}
