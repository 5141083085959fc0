//! Output of commands to stdout: objects and lists, as a table, JSON, NDJSON, CSV or a workbook.
//!
//! Data alone goes to stdout. A list is printed page by page. If it fails before its end, the JSON array is not closed, so
//! that no reader mistakes a part for the complete list.

pub(crate) mod cell;
pub(crate) mod csv;
mod jq;
pub(crate) mod json;
mod table;
#[cfg(feature = "xlsx")]
mod xlsx;

use std::{cell::RefCell, io::Write, path::PathBuf, rc::Rc};

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use self::{
    jq::Jq,
    json::{Members, Style},
    table::{Table, is_first_in_shell},
};
use crate::{
    console::{self, Reader, Stdout, visible},
    context::Context,
    failure::Failure,
    format::Format,
    operations::table::Schema,
    profile::config::write_private,
    pseudonyms,
    wording::count,
};

/// Lines about the sources of a list, of which all are known at its end.
pub(crate) type About = Rc<RefCell<Vec<String>>>;

/// The field with the name of the tenant, if there are several.
pub(crate) const TENANT: &str = "_tenant";

/// The fields of a table for people.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableFields<'a> {
    pub(crate) columns: &'a [&'a str],
    /// Long texts, each on a line below its row, where nothing truncates them.
    pub(crate) below: &'a [&'a str],
}

impl<'a, const N: usize> From<&'a [&'a str; N]> for TableFields<'a> {
    fn from(columns: &'a [&'a str; N]) -> Self {
        Self {
            columns,
            below: &[],
        }
    }
}

/// Prints one object, or one list.
pub(crate) struct Printer {
    /// The options; `columns` are those of this output.
    context: Box<Context>,
    /// JSON, if there is a filter.
    format: Format,
    /// The columns of a table, and the fields that stand below its rows, unless columns were chosen.
    in_tables: Option<[Vec<String>; 2]>,
    /// The text before and after a list in JSON.
    around: [String; 2],
    /// The fields that the document has, or else those of the first object.
    known: Vec<String>,
    jq: Option<Jq>,
    out: Stdout,
    table: Option<Table>,
    #[cfg(feature = "xlsx")]
    sheet: xlsx::Sheet,
    rows: u64,
    /// The file that is written at the end in place of stdout.
    file: Option<PathBuf>,
    about: About,
}

/// Fails if a chosen column is not a field.
pub(crate) fn check_columns(chosen: &[String], known: &[String]) -> Result<(), Failure> {
    match chosen.iter().find(|name| !known.contains(name)) {
        None => Ok(()),
        Some(unknown) => Err(
            Failure::usage(format!("--columns: there is no field {unknown}"))
                .advice(format!("the fields are {}", known.join(", "))),
        ),
    }
}

impl Printer {
    /// A printer of objects with the fields of `schema`, or with any fields.
    ///
    /// # Errors
    ///
    /// Usage, if a chosen column is not a field, or the filter is not valid.
    pub(crate) fn new(context: &Context, schema: Option<&Schema>) -> Result<Self, Failure> {
        let fields = schema.map_or(&[][..], |schema| schema.fields).iter();
        let known = fields.filter(|field| !field.secret);
        let known = known.map(|field| field.name.to_owned()).collect();
        let printer = Self {
            context: Box::new(context.clone()),
            format: context.format(),
            in_tables: None,
            around: Default::default(),
            known: Vec::new(),
            jq: context.jq.as_deref().map(Jq::new).transpose()?,
            out: Stdout::new(Reader::MayLeave),
            table: None,
            #[cfg(feature = "xlsx")]
            sheet: xlsx::Sheet::new(),
            rows: 0,
            file: None,
            about: About::default(),
        };
        printer.of_fields(known)
    }

    /// Prints objects with these fields; without any, objects with any fields.
    ///
    /// # Errors
    ///
    /// Usage, if a chosen column is not a field.
    pub(crate) fn of_fields(mut self, known: Vec<String>) -> Result<Self, Failure> {
        if !known.is_empty() {
            check_columns(self.context.columns.as_deref().unwrap_or_default(), &known)?;
        }
        self.known = known;
        Ok(self)
    }

    /// Prints a list in JSON as the member `rows` of an object, after these members. The other formats have the list alone.
    pub(crate) fn in_object(&mut self, members: &impl Serialize) -> Result<(), Failure> {
        let object = pseudonyms::hidden(&serde_json::to_string(members)?);
        let members = object.strip_suffix('}').unwrap_or_default();
        self.around = [format!("{members},\"rows\":"), "}".to_owned()];
        Ok(())
    }

    /// Prints all fields of objects of another kind than those that `--columns` chose from.
    pub(crate) fn of_any(mut self) -> Self {
        self.context.columns = None;
        self.known.clear();
        self
    }

    /// Prints objects of several tenants, with their names first.
    pub(crate) fn of_tenants(mut self) -> Self {
        let fields = self.context.columns.iter_mut().chain([&mut self.known]);
        let named = fields.filter(|names| !names.is_empty());
        named.for_each(|names| names.insert(0, TENANT.to_owned()));
        self
    }

    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Prints text for people, which is all of the output.
    pub(crate) fn text(mut self, text: &str) -> Result<(), Failure> {
        writeln!(self.out, "{}", visible(&pseudonyms::hidden(text)))?;
        self.out.flush()?;
        Ok(())
    }

    /// Prints a line for people, or an object for programs and the line on stderr.
    pub(crate) fn summary(
        self,
        context: &Context,
        line: &str,
        object: &impl Serialize,
    ) -> Result<(), Failure> {
        if self.format == Format::Table {
            return self.text(line);
        }
        context.note(line);
        self.object(&to_raw_value(object)?)
    }

    /// Prints in another format than the one of the context.
    pub(crate) fn in_format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Writes a list to a file that only the user can read, and that is there when the list is complete. A workbook has the
    /// lines of `about` on a second sheet.
    pub(crate) fn into_file(mut self, path: &str, format: Format, about: &About) -> Self {
        self.file = Some(path.into());
        self.about = about.clone();
        self.out = Stdout::in_memory();
        self.in_format(format)
    }

    /// Shows a long table page by page on a terminal.
    pub(crate) fn in_pager(mut self) -> Self {
        let is_wanted = !self.context.no_pager && !self.context.accessible;
        if is_wanted && self.format == Format::Table {
            self.out = self.out.in_pager();
        }
        self
    }

    /// Sets the fields of a table for people; the other formats have all fields.
    pub(crate) fn in_tables(mut self, fields: TableFields<'_>) -> Self {
        if self.format == Format::Table && self.context.columns.is_none() {
            let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            self.in_tables = Some([fields.columns, fields.below].map(owned));
        }
        self
    }

    /// Returns `true` if the reader of the output has left.
    pub(crate) fn has_no_reader(&self) -> bool {
        self.out.has_left()
    }

    /// Returns `true` for a table without chosen columns. With pseudonyms, no person has a name.
    pub(crate) fn is_for_people(&self) -> bool {
        let is_chosen = self.context.columns.is_some();
        self.format == Format::Table && !is_chosen && !self.context.pseudonyms
    }

    /// Prints one value, which is all of the output.
    pub(crate) fn object(mut self, given: &RawValue) -> Result<(), Failure> {
        if self.format.has_cells() && given.get().starts_with('{') {
            self.page([given])?;
            return self.finish();
        }
        let replaced = pseudonyms::of_values(&[given])?;
        let value = replaced.as_ref().and_then(|values| values.first());
        let value = value.map_or(given, |value| &**value);
        match Members::of(value) {
            Some(members) if self.format == Format::Table => self.labelled(members)?,
            _ => {
                let style = match self.format {
                    Format::Ndjson => Style::Line,
                    _ => Style::Indented,
                };
                self.json(value, style, "\n")?;
            }
        }
        Ok(self.out.flush()?)
    }

    /// Prints the byte order mark, once.
    fn mark(&mut self) -> Result<(), Failure> {
        if std::mem::take(&mut self.context.csv.bom) {
            write!(self.out, "{}", csv::BYTE_ORDER_MARK)?;
        }
        Ok(())
    }

    /// Prints comments before a list in CSV.
    pub(crate) fn comment(&mut self, lines: &[String]) -> Result<(), Failure> {
        self.mark()?;
        for line in lines {
            let line = pseudonyms::hidden(line);
            writeln!(self.out, "# {}", line.replace(['\r', '\n'], " "))?;
        }
        Ok(())
    }

    /// Prints an object of another kind before a list in NDJSON.
    pub(crate) fn line(&mut self, value: &RawValue) -> Result<(), Failure> {
        let line = json::text(value, Style::Line);
        writeln!(self.out, "{}", pseudonyms::hidden(&line))?;
        Ok(())
    }

    /// Prints a part of a list.
    pub(crate) fn page<'a>(
        &mut self,
        values: impl IntoIterator<Item = &'a RawValue>,
    ) -> Result<(), Failure> {
        let values: Vec<_> = values.into_iter().collect();
        let replaced = pseudonyms::of_values(&values)?;
        let values = match &replaced {
            Some(replaced) => replaced.iter().map(|value| &**value).collect(),
            None => values,
        };
        match self.format {
            Format::Json if self.jq.is_none() => {
                for (value, index) in values.iter().zip(self.rows..) {
                    let separator = if index == 0 { "[\n" } else { ",\n" };
                    let before = std::mem::take(&mut self.around[0]);
                    write!(self.out, "{before}{separator}")?;
                    self.json(value, Style::Line, "")?;
                }
            }
            Format::Json | Format::Ndjson => {
                for value in &values {
                    self.json(value, Style::Line, "\n")?;
                }
            }
            _ if values.is_empty() => {}
            _ => {
                let objects = values.iter().filter_map(|value| Members::of(value));
                self.cells(objects.collect())?;
            }
        }
        self.rows += values.len() as u64;
        self.out.flush()?;
        Ok(())
    }

    /// Prints a list that is completely in memory, so that a table is as wide as its widest row.
    pub(crate) fn rows_of(mut self, rows: &[impl Serialize]) -> Result<(), Failure> {
        self.page_of(rows)?;
        self.finish()
    }

    /// Prints a part of a list of values.
    pub(crate) fn page_of(&mut self, rows: &[impl Serialize]) -> Result<(), Failure> {
        let raw: Vec<_> = rows.iter().map(to_raw_value).collect::<Result<_, _>>()?;
        self.page(raw.iter().map(|row| &**row))
    }

    /// Ends a list that is complete. For a table, a line on stderr names the columns that it leaves out, or says that it has no
    /// rows.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        match self.format {
            Format::Json if self.jq.is_none() => {
                let [before, after] = &self.around;
                let end = if self.rows == 0 { "[]" } else { "\n]" };
                writeln!(self.out, "{before}{end}{after}")?;
            }
            // The header alone.
            format if format.has_cells() && self.rows == 0 => self.cells(Vec::new())?,
            _ => {}
        }
        #[cfg(feature = "xlsx")]
        if self.format == Format::Xlsx {
            let bytes = self.sheet.bytes(&self.about.borrow())?;
            self.out.write_all(&bytes)?;
        }
        self.out.flush()?;
        if let Some(path) = self.file {
            write_private(&path, &self.out.into_bytes()?)?;
            if !self.context.quiet {
                let rows = count(self.rows, "row");
                console::line(&format!("wrote {rows} to {}", path.display()));
            }
            return Ok(());
        }
        drop(self.out);
        if self.format == Format::Table && !self.context.quiet {
            let left_out = self.table.take().and_then(|table| table.left_out);
            let left_out = left_out.filter(|_| is_first_in_shell());
            let none = (self.rows == 0).then(|| "no rows".to_owned());
            left_out
                .or(none)
                .iter()
                .for_each(|line| console::line(line));
        }
        Ok(())
    }

    /// Prints a value as JSON with this end, or the lines of the filter.
    fn json(&mut self, value: &RawValue, style: Style, end: &str) -> Result<(), Failure> {
        let text = match (&self.context.columns, Members::of(value)) {
            (Some(columns), Some(members)) => members.select(columns).text(style),
            _ => json::text(value, style),
        };
        match &self.jq {
            None => write!(self.out, "{text}{end}")?,
            Some(jq) => {
                for line in jq.lines(&text)? {
                    writeln!(self.out, "{line}")?;
                }
            }
        }
        Ok(())
    }

    /// The fields that were chosen, or those of a table with the ones below its rows.
    fn chosen(&self) -> Option<Vec<String>> {
        let columns = self.context.columns.clone();
        columns.or_else(|| Some(self.in_tables.as_ref()?.concat()))
    }

    /// Prints an object, a line for each field.
    fn labelled(&mut self, object: Members<'_>) -> Result<(), Failure> {
        let object = match self.chosen() {
            Some(names) => object.select(&names),
            None => object,
        };
        let (plain, color) = (self.context.accessible, self.context.wants_color());
        Ok(table::object(&mut self.out, &object, plain, color)?)
    }

    /// Prints rows of a table, of CSV or of a workbook, after the names of the columns if they are the first.
    fn cells(&mut self, rows: Vec<Members<'_>>) -> Result<(), Failure> {
        if self.format == Format::Table && self.context.accessible {
            for row in rows {
                self.labelled(row)?;
                writeln!(self.out)?;
            }
            return Ok(());
        }
        if let (true, Some(first)) = (self.known.is_empty(), rows.first()) {
            self.known = first.names().map(str::to_owned).collect();
        }
        let in_tables = self.in_tables.as_ref();
        let names = self.context.columns.as_ref();
        let names = names.or(in_tables.map(|[columns, _]| columns));
        let names = names.unwrap_or(&self.known);
        match self.format {
            Format::Table => {
                if rows.is_empty() {
                    return Ok(());
                }
                let table = match &mut self.table {
                    Some(table) => table,
                    none => {
                        let all = self.context.columns.is_some();
                        let below = in_tables.map(|[_, below]| below.clone());
                        let table = none.insert(Table::new(names.clone(), below, &rows, all));
                        table.header(&mut self.out, self.context.wants_color())?;
                        table
                    }
                };
                Ok(rows
                    .iter()
                    .try_for_each(|row| table.row(&mut self.out, row))?)
            }
            _ if names.is_empty() => Ok(()),
            #[cfg(feature = "xlsx")]
            Format::Xlsx => Ok(self.sheet.write(names, &rows)?),
            _ => {
                let names = names.clone();
                self.mark()?;
                csv::write(
                    &mut self.out,
                    &names,
                    self.rows == 0,
                    &rows,
                    self.context.csv,
                )
            }
        }
    }
}
