//! The page of a dossier, for people.

use lms_sync::Column;

use super::part::{Part, Table};
use crate::{output::cell, wording::count};

const STYLE: &str = "body{font:16px/1.4 sans-serif;margin:2em}table{border-collapse:collapse;margin:0 0 2em}\
    th,td{border:1px solid #bbb;padding:.2em .5em;text-align:left;vertical-align:top}th{background:#eee}";

/// The page, with a table for each collection. Columns without a value are left out.
pub(super) fn of(parts: &[Part]) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Data about a person</title>\
         <style>{STYLE}</style></head><body>\n<h1>Data about a person</h1>\n"
    );
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
        table(&mut page, &part.table);
    }
    page.push_str("</body></html>\n");
    page
}

fn table(page: &mut String, table: &Table) {
    let rows = table.members();
    let filled = |name: &&String| rows.iter().any(|row| !cell::text(row.get(name)).is_empty());
    let names: Vec<&String> = table.names.iter().filter(filled).collect();
    if names.is_empty() {
        return;
    }
    page.push_str("<table>\n");
    let mut line = |tag: &str, cells: &mut dyn Iterator<Item = String>| {
        let cells = cells.map(|text| format!("<{tag}>{}</{tag}>", escaped(&text)));
        page.push_str(&format!("<tr>{}</tr>\n", cells.collect::<String>()));
    };
    line("th", &mut names.iter().map(|name| heading(name)));
    for row in &rows {
        line(
            "td",
            &mut names.iter().map(|name| cell::text(row.get(name))),
        );
    }
    page.push_str("</table>\n");
}

fn heading(name: &str) -> String {
    match name {
        Column::EXTRA_NAME => "other fields".to_owned(),
        name => name.replace('_', " "),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
