//! Tables for people. The widths come from the first rows, so that a list of any length is printed as it arrives.

use std::{
    fs,
    io::{self, Write},
};

use serde_json::value::RawValue;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{cell::text, json::Members};
use crate::{
    console::{Stdout, stdout_is_terminal, visible},
    profile::{cache_folder, config::write_private},
};

/// Number of columns after which a cell is truncated.
const MAX_CELL: usize = 40;

/// Smallest width to which a cell is truncated because of the width of the terminal.
const MIN_CELL: usize = 10;

const GAP: &str = "  ";

/// The column that is never truncated: a part of an address is of no use.
const EMAIL: &str = "email";

/// The columns of a table, with their widths.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<(String, usize)>,
    /// Fields that stand below their row.
    below: Vec<String>,
    /// Columns that are left out, and the reason.
    pub(crate) left_out: Option<String>,
}

impl Table {
    /// A table of these columns, with the fields of `below` below each row if the command chooses the fields: then, empty columns
    /// are not mentioned. Without `all`, columns that are empty in these rows are left out, and those at the end that are beyond
    /// the width of the terminal.
    pub(crate) fn new(
        mut names: Vec<String>,
        below: Option<Vec<String>>,
        rows: &[Members<'_>],
        all: bool,
    ) -> Self {
        let widest = |name: &String| {
            let cells = rows.iter().map(|row| cell(row, name).width());
            cells.max().unwrap_or_default()
        };
        // Where a narrow terminal has room for it.
        if !all && let Some(at @ 4..) = names.iter().position(|name| name == EMAIL) {
            let email = names.remove(at);
            names.insert(1, email);
        }
        let (shown, empty): (Vec<_>, Vec<_>) = names
            .into_iter()
            .partition(|name| all || widest(name) > 0 || rows.is_empty());
        let mut columns: Vec<(String, usize)> = shown
            .into_iter()
            .map(|name| {
                let most = if name == EMAIL { usize::MAX } else { MAX_CELL };
                let width = widest(&name).min(most).max(heading(&name).width());
                (name, width)
            })
            .collect();
        let mut too_wide = Vec::new();
        let available = terminal_width();
        if !all && let Some(available) = available {
            let mut rest = available;
            let fitting = columns.iter().take_while(|(name, width)| {
                // The first one that does not fit has the rest of the line, if that is wide enough to read it.
                let fits = *width <= rest || rest >= heading(name).width().max(MIN_CELL);
                rest = rest.saturating_sub(width + GAP.len());
                fits
            });
            too_wide = columns.split_off(fitting.count());
        }
        // The last column has the rest of the line: nothing is to the right of it.
        if let Some(((name, width), others)) = columns.split_last_mut() {
            let used: usize = others.iter().map(|(_, width)| width + GAP.len()).sum();
            let rest = available.map_or(usize::MAX, |available| available.saturating_sub(used));
            *width = widest(name).min(rest).max(heading(name).width());
        }
        let too_wide: Vec<String> = too_wide.into_iter().map(|(name, _)| name).collect();
        let reasons = [
            (empty, "empty in the first rows", below.is_none()),
            (too_wide, "beyond the width of the terminal", true),
        ];
        let reasons = reasons
            .iter()
            .filter(|(names, _, said)| *said && !names.is_empty());
        let reasons = reasons.map(|(names, why, _)| format!("{} ({why})", names.join(", ")));
        let reasons = reasons.collect::<Vec<_>>().join("; ");
        let left_out = format!("columns left out: {reasons}; --columns shows them");
        Self {
            columns,
            below: below.unwrap_or_default(),
            left_out: Some(left_out).filter(|_| !reasons.is_empty()),
        }
    }

    pub(crate) fn header(&self, out: &mut Stdout, color: bool) -> io::Result<()> {
        let names = self
            .columns
            .iter()
            .map(|(name, _)| heading(name).to_uppercase());
        out.heading(&self.line(names), color)?;
        writeln!(out)
    }

    pub(crate) fn row(&self, out: &mut Stdout, row: &Members<'_>) -> io::Result<()> {
        let cells = self.columns.iter().map(|(name, _)| cell(row, name));
        writeln!(out, "{}", self.line(cells))?;
        for name in &self.below {
            let json = row.get(name).map_or("null", RawValue::get);
            let texts: Vec<String> = match serde_json::from_str(json) {
                Ok(sentences) => sentences,
                Err(_) => vec![text(row.get(name))],
            };
            for text in texts.iter().filter(|text| !text.is_empty()) {
                writeln!(out, "{GAP}{name}: {}", on_one_line(text))?;
            }
        }
        Ok(())
    }

    fn line(&self, cells: impl Iterator<Item = String>) -> String {
        let mut line = String::new();
        for (cell, (_, width)) in cells.zip(&self.columns) {
            let cell = shortened(&cell, *width);
            line.push_str(&cell);
            line.extend(std::iter::repeat_n(
                ' ',
                width.saturating_sub(cell.width()) + GAP.len(),
            ));
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// One object, a line for each field that has a value. In two columns, unless it is `plain`: a screen reader would have to skip
/// the spaces.
pub(crate) fn object(
    out: &mut Stdout,
    members: &Members<'_>,
    plain: bool,
    color: bool,
) -> io::Result<()> {
    let widest = members.names().map(UnicodeWidthStr::width).max();
    let widest = widest.filter(|_| !plain);
    for name in members.names() {
        let value = visible(&text(members.get(name)));
        if value.is_empty() {
            continue;
        }
        let (gap, indent) = match widest {
            Some(widest) => (
                " ".repeat(widest - name.width()) + GAP,
                " ".repeat(widest + GAP.len()),
            ),
            None => (": ".to_owned(), String::new()),
        };
        let value = value.trim_end().replace('\n', &format!("\n{indent}"));
        out.heading(&visible(name), color)?;
        writeln!(out, "{gap}{value}")?;
    }
    Ok(())
}

/// The heading of a column. The service calls the id of a learner `user`, and its commands call the object a learner.
fn heading(name: &str) -> &str {
    match name {
        "user" => "learner",
        name => name,
    }
}

/// The text of a cell, on one line.
fn cell(row: &Members<'_>, name: &str) -> String {
    on_one_line(&text(row.get(name)))
}

fn on_one_line(text: &str) -> String {
    visible(text).replace(['\n', '\t'], " ")
}

/// The text, truncated with an ellipsis where it is wider.
fn shortened(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or_default();
        if used > width {
            break;
        }
        short.push(c);
    }
    short.push('…');
    short
}

fn terminal_width() -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok();
    columns.and_then(|text| text.parse().ok()).or_else(|| {
        let (terminal_size::Width(width), _) = terminal_size::terminal_size()?;
        Some(usize::from(width)).filter(|width| stdout_is_terminal() && *width > 0)
    })
}

/// Returns `true` the first time that this shell, the parent process, runs `lms`: hints about all tables are given once. Without
/// a terminal, where the parent is outside the container, and on Windows, each time is the first.
pub(super) fn is_first_in_shell() -> bool {
    #[cfg(unix)]
    let shell = std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    let shell = 0;
    let file = cache_folder().map(|folder| folder.join("shell"));
    let (true, 1.., Some(file)) = (stdout_is_terminal(), shell, file) else {
        return true;
    };
    let shell = shell.to_string();
    let is_first = fs::read_to_string(&file).ok().as_ref() != Some(&shell);
    if is_first {
        // Otherwise, it is said again.
        let _ = write_private(&file, &shell);
    }
    is_first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_cell_is_cut_off_at_its_width_on_the_screen() {
        for (text, width, expected) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("日本語", 5, "日本…"),
            ("日本語", 6, "日本語"),
        ] {
            assert_eq!(shortened(text, width), expected);
        }
    }
}
