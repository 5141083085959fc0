//! The page of a dossier, for people.

use super::{part::Part, rows::text};
use crate::wording::count;

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
        let rows = count(part.rows.len(), "row");
        let state = match (&listed.mirrored_at, listed.complete) {
            (None, _) => "Not read: this page does not say whether there are rows.".to_owned(),
            (Some(time), true) => format!("{rows}, read until {time}."),
            (Some(time), false) => format!("{rows}, read until {time}. Rows may be missing."),
        };
        page.push_str(&format!(
            "<h2>{}</h2>\n<p>{}</p>\n<p>{}</p>\n",
            escaped(&part.collection.name.replace('_', " ")),
            escaped(part.collection.description),
            escaped(&state)
        ));
        table(&mut page, part);
    }
    page.push_str("</body></html>\n");
    page
}

fn table(page: &mut String, part: &Part) {
    let filled = |index: &usize| {
        part.rows
            .iter()
            .any(|row| row.get(*index).is_some_and(|value| !text(value).is_empty()))
    };
    let columns: Vec<usize> = (0..part.columns.len()).filter(filled).collect();
    if columns.is_empty() {
        return;
    }
    let cell = |tag: &str, text: &str| format!("<{tag}>{}</{tag}>", escaped(text));
    let names = columns
        .iter()
        .map(|index| cell("th", &part.columns[*index].0));
    page.push_str(&format!(
        "<table>\n<tr>{}</tr>\n",
        names.collect::<String>()
    ));
    for row in &part.rows {
        let cells = columns.iter().map(|index| cell("td", &text(&row[*index])));
        page.push_str(&format!("<tr>{}</tr>\n", cells.collect::<String>()));
    }
    page.push_str("</table>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
