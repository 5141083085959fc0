//! Pages that need nothing but the file: no network, and no script but their own.

use std::fmt::Write as _;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest as _, Sha256};

/// For a screen in light and dark, and for paper.
const STYLE: &str = include_str!("page.css");

/// Sorts a table by a column when its heading is clicked.
const SCRIPT: &str = include_str!("page.js");

/// A page. Its policy forbids everything that is not in the file.
pub(super) fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    let (style, script) = (policy(STYLE), policy(SCRIPT));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{style}'; script-src '{script}'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>{STYLE}</style></head><body><main>\n<h1>{title}</h1>\n{body}</main>\n<script>{SCRIPT}</script></body></html>\n"
    )
}

/// The hash by which a policy allows a text in the page.
fn policy(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// A table. A column of numbers is aligned to the right.
pub(super) fn table(caption: &str, names: &[&str], rows: &[Vec<String>]) -> String {
    let class = |column: usize| {
        let mut cells = rows.iter().filter_map(|row| row.get(column)).peekable();
        match cells.peek().is_some() && cells.all(|cell| cell.parse::<f64>().is_ok()) {
            true => " class=\"n\"",
            false => "",
        }
    };
    let classes: Vec<&str> = (0..names.len()).map(class).collect();
    let mut text = String::from("<div class=\"scroll\" tabindex=\"0\"><table>");
    if !caption.is_empty() {
        let _ = write!(text, "<caption>{}</caption>", escaped(caption));
    }
    text.push_str("<thead><tr>");
    for (name, class) in names.iter().zip(&classes) {
        let _ = write!(text, "<th scope=\"col\"{class}>{}</th>", escaped(name));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        text.push_str("<tr>");
        for (cell, class) in row.iter().zip(&classes) {
            let _ = write!(text, "<td{class}>{}</td>", escaped(cell));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table></div>\n");
    text
}

/// A bar for each row, of parts that each have a class and a number. The table next to it has the numbers.
pub(super) fn bars(title: &str, rows: &[(String, Vec<(&str, i64)>)]) -> String {
    const LABEL: usize = 260;
    const BAR: usize = 460;
    const LINE: usize = 26;
    let total = |parts: &[(&str, i64)]| parts.iter().map(|(_, number)| number).sum::<i64>();
    let longest = rows
        .iter()
        .map(|(_, parts)| total(parts))
        .max()
        .unwrap_or(0)
        .max(1);
    let (width, height) = (LABEL + BAR + 60, rows.len() * LINE + 4);
    let mut text = format!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">",
        escaped(title)
    );
    for ((label, parts), line) in rows.iter().zip(0..) {
        let y = line * LINE + 4;
        let label: String = label.chars().take(38).collect();
        let _ = write!(
            text,
            "<text x=\"{}\" y=\"{}\" class=\"label\">{}</text>",
            LABEL - 8,
            y + 15,
            escaped(&label)
        );
        #[expect(clippy::cast_precision_loss, reason = "pixels")]
        let pixels = |number: i64| BAR as f64 * number as f64 / longest as f64;
        let mut before = 0;
        for (class, number) in parts.iter().filter(|(_, number)| *number > 0) {
            let _ = write!(
                text,
                "<rect x=\"{:.1}\" y=\"{y}\" width=\"{:.1}\" height=\"20\" class=\"{class}\"/>",
                LABEL as f64 + pixels(before),
                pixels(*number).max(0.5)
            );
            before += number;
        }
        let x = LABEL as f64 + pixels(before) + 6.0;
        let _ = write!(text, "<text x=\"{x:.1}\" y=\"{}\">{before}</text>", y + 15);
    }
    text.push_str("</svg>\n");
    text
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
