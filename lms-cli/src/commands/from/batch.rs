//! The rows of a file as calls: the valid ones, and their results.

use std::collections::{BTreeMap, btree_map::Entry};

use lms_ext::Lms;

use super::{
    file::{Cell, Row},
    results::Results,
};
use crate::{
    calls::{
        Call,
        input::{CLEAR, Place},
        value::checked,
    },
    commands::{
        ending::{Ending, INVALID},
        references::{self, Known},
        write,
    },
    failure::Failure,
    resolve::{
        self,
        kind::{ObjectKind, Reference},
    },
    verbs,
    wording::count,
};

/// Number of invalid rows after which further ones are only counted.
const LISTED: usize = 20;

/// The rows of a file.
#[derive(Debug)]
pub(super) struct Batch {
    rows: Vec<Row>,
    calls: Vec<Result<Call, String>>,
    pub(super) endings: Vec<Option<Ending>>,
    /// Number of rows that ended well in earlier runs.
    pub(super) earlier: usize,
    /// The objects that the rows name, as far as they were looked up.
    pub(super) known: Known,
    pub(super) results: Option<Results>,
}

impl Batch {
    /// A call for each row, with the values of `base` where the row has none.
    pub(super) fn of(rows: Vec<Row>, base: &Call, empty_clears: bool) -> Self {
        let calls: Vec<_> = rows
            .iter()
            .map(|row| call(row, base, empty_clears))
            .collect();
        Self {
            endings: vec![None; rows.len()],
            rows,
            calls,
            earlier: 0,
            known: Known::new(),
            results: None,
        }
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(super) fn row(&self, index: usize) -> &Row {
        &self.rows[index]
    }

    /// The call of a row that can be sent.
    pub(super) fn call(&self, index: usize) -> Option<&Call> {
        self.calls[index].as_ref().ok()
    }

    /// The calls that can be sent, with the index of their row.
    pub(super) fn calls(&self) -> impl Iterator<Item = (usize, &Call)> {
        let calls = self.calls.iter().enumerate();
        calls.filter_map(|(index, call)| Some((index, call.as_ref().ok()?)))
    }

    /// The calls of the rows to send.
    pub(super) fn unsent(&self) -> impl Iterator<Item = &Call> {
        let unsent = self.calls().filter(|(index, _)| !self.is_done(*index));
        unsent.map(|(_, call)| call)
    }

    /// The number of rows to send.
    pub(super) fn pending(&self) -> usize {
        self.unsent().count()
    }

    /// Returns `true` if rows that were sent before can be sent again.
    pub(super) fn is_idempotent(&self) -> bool {
        self.calls().all(|(_, call)| write::is_idempotent(call))
    }

    /// The numbers of rows with each result, as a sentence.
    pub(super) fn counted(&self, counts: &[(&str, usize)]) -> String {
        let counts = counts.iter().map(|(name, count)| format!("{name} {count}"));
        let counts = counts.collect::<Vec<_>>().join(", ");
        match self.earlier {
            0 if counts.is_empty() => "no rows".to_owned(),
            0 => counts,
            earlier => format!("{counts}; {earlier} of them in an earlier run"),
        }
    }

    /// Returns `true` if the row ended well in an earlier run.
    pub(super) fn is_done(&self, index: usize) -> bool {
        self.endings[index].as_ref().is_some_and(Ending::is_well)
    }

    /// Returns `true` if the row ended well or is ambiguous.
    pub(super) fn is_settled(&self, index: usize) -> bool {
        let ending = self.endings[index].as_ref();
        ending.is_some_and(Ending::may_be_processed)
    }

    /// The rows that are not valid, with the reason.
    pub(super) fn invalid(&self) -> impl Iterator<Item = (&Row, &str)> {
        let rows = self.rows.iter().zip(&self.calls);
        rows.filter_map(|(row, call)| Some((row, call.as_ref().err()?.as_str())))
    }

    /// Fails if neither a column nor the command names the objects of the rows.
    pub(super) fn require_path(&self, base: &Call) -> Result<(), Failure> {
        let cells = || self.rows.iter().flat_map(|row| &row.cells);
        let missing = base.command.path.iter().find(|field| {
            let is_it = |cell: &Cell| {
                cell.target.place == Place::Path && cell.target.field.name == field.name
            };
            !base.input.has(Place::Path, field) && !cells().any(is_it)
        });
        let (Some(missing), Some(_)) = (missing, cells().next()) else {
            return Ok(());
        };
        // Other columns may name the objects too.
        let kind = Reference::of_path(base.command, missing).map(|reference| reference.kind);
        let name =
            cells().find(|cell| kind.is_some_and(|kind| kind.is_named_by(cell.target.field.name)));
        let (id, command) = (missing.flag, base.command.name());
        let advice = match name {
            Some(Cell { column, .. }) => {
                let noun = kind.map_or_else(String::new, ObjectKind::noun);
                format!("if {column} says which {noun} it is, pass --map '{column}={id}'")
            }
            None => format!("add a column {id}, or name one with --map COLUMN={id}"),
        };
        let message = format!("{command}: the file has no column {id}; nothing was sent");
        Err(Failure::usage(message).advice(advice))
    }

    /// Fails if rows are not valid, unless they are skipped.
    pub(super) fn refuse_invalid(&self, skip: bool) -> Result<(), Failure> {
        if skip {
            return Ok(());
        }
        let problems = self.invalid();
        let problems = problems.map(|(row, problem)| format!("\n  line {}, {problem}", row.line));
        let problems: Vec<_> = problems.collect();
        if problems.is_empty() {
            return Ok(());
        }
        let more = match problems.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!("\n  and {more} more"),
        };
        Err(Failure::usage(format!(
            "{} of {} {} not valid; nothing was sent:{}{more}",
            problems.len(),
            count(self.rows.len(), "row"),
            if problems.len() == 1 { "is" } else { "are" },
            problems
                .iter()
                .take(LISTED)
                .map(String::as_str)
                .collect::<String>(),
        ))
        .advice(match problems.len() < self.rows.len() {
            true => "correct them, or pass --skip-invalid to send the others",
            false => "correct them",
        }))
    }

    /// Finds the objects that the rows name, each once, which makes rows with others invalid. Returns lines that say which
    /// names were taken for which objects.
    pub(super) async fn look_up(
        &mut self,
        lms: &Lms,
        concurrency: usize,
    ) -> Result<Vec<String>, Failure> {
        let unknown = || self.calls().filter(|(index, _)| !self.is_known(*index));
        let texts = unknown().flat_map(|(_, call)| references::of(call));
        let resolved = resolve::tenant::all(lms, texts.collect(), true, concurrency);
        let resolved = resolved.await.map_err(|error| {
            Failure::from(error).while_doing("could not look up what the rows name")
        })?;
        let shown = references::shown(unknown().map(|(_, call)| call), &resolved);
        for call in &mut self.calls {
            let Ok(found) = call else { continue };
            let checked = references::replace(found, &resolved);
            // An id that cannot be a part of a path.
            let checked = checked.and_then(|()| found.request(lms).map(drop));
            if let Err(failure) = checked {
                *call = Err(failure.message().to_owned());
            }
        }
        self.refuse_repeated();
        self.known = references::known(resolved);
        Ok(shown)
    }

    /// Makes rows invalid that change the object of an earlier row: they are sent concurrently, so either could be the last.
    pub(super) fn refuse_repeated(&mut self) {
        let mut lines = BTreeMap::new();
        for (row, call) in self.rows.iter().zip(&mut self.calls) {
            let Ok(valid) = call else { continue };
            let Some(target) = verbs::of(valid.command).target(valid) else {
                continue;
            };
            match lines.entry(target) {
                Entry::Vacant(first) => _ = first.insert(row.line),
                Entry::Occupied(first) => {
                    let noun = verbs::plain::noun(valid);
                    *call = Err(format!("the same {noun} as in line {}", first.get()));
                }
            }
        }
    }

    /// Sets the endings of an earlier run. Rows that have not ended well are sent again: ambiguous ones with the id that was
    /// noted, because the name may not lead to the object any more.
    pub(super) fn set_earlier(&mut self, earlier: Vec<Option<Ending>>) {
        let endings = earlier.iter().flatten();
        self.earlier = endings.filter(|ending| ending.is_well()).count();
        for (call, ending) in self.calls.iter_mut().zip(&earlier) {
            if let (Ok(call), Some(ending)) = (call, ending)
                && ending.is_ambiguous()
                && !ending.id.is_empty()
                && let [field] = call.command.path
            {
                let set = call.input.set(Place::Path, field, vec![ending.id.clone()]);
                debug_assert!(set.is_ok());
            }
        }
        self.endings = earlier;
    }

    /// Returns `true` if the object of a row was found in an earlier run.
    fn is_known(&self, index: usize) -> bool {
        let ending = self.endings[index].as_ref();
        ending.is_some_and(|ending| {
            ending.is_well() || (ending.is_ambiguous() && !ending.id.is_empty())
        })
    }

    /// Lets ambiguous additions look up their object first.
    pub(super) fn look_up_ambiguous(&mut self) {
        for (call, ending) in self.calls.iter_mut().zip(&self.endings) {
            if let (Ok(call), Some(ending)) = (call, ending)
                && ending.is_ambiguous()
            {
                call.if_not_exists |= verbs::of(call.command).if_not_exists().is_some();
            }
        }
    }

    /// Ends the rows that are not valid.
    pub(super) fn end_invalid(&mut self) {
        let rows = self.rows.iter().zip(&self.calls);
        for ((row, call), ending) in rows.zip(&mut self.endings) {
            let Err(problem) = call else { continue };
            match ending {
                Some(earlier) if earlier.may_be_processed() => {}
                _ => {
                    // The results have nothing else of a row that cannot be read.
                    let line = row.problem.as_ref().map(|_| format!("line {}: ", row.line));
                    let error = format!("{}{problem}", line.unwrap_or_default());
                    *ending = Some(Ending::error(INVALID, error));
                }
            }
        }
    }
}

/// The call of a row, or the mistake in the row.
fn call(row: &Row, base: &Call, empty_clears: bool) -> Result<Call, String> {
    if let Some(problem) = &row.problem {
        return Err(problem.clone());
    }
    let mut call = base.clone();
    for cell in &row.cells {
        set(&mut call, cell, empty_clears)?;
    }
    if verbs::of(base.command).is_edit() {
        let joined = call.input.join_lists();
        joined.map_err(|failure| failure.message().to_owned())?;
    }
    let column = |flag: &str| {
        let mut cells = row.cells.iter();
        let cell = cells.find(|cell| cell.target.field.flag == flag);
        cell.map_or(flag.to_owned(), |cell| cell.column.clone())
    };
    write::check(&call).map_err(|invalid| invalid.of_columns(column))?;
    Ok(call)
}

fn set(call: &mut Call, cell: &Cell, empty_clears: bool) -> Result<(), String> {
    let (place, field, column) = (cell.target.place, cell.target.field, &cell.column);
    let texts = cell.texts.as_ref();
    let texts = texts.map_err(|reason| format!("{column}: {reason}"))?;
    if texts.is_empty() {
        // A removal with fewer filters would remove more.
        if place == Place::Query && !call.input.has(place, field) {
            return Err(format!("{column}: the cell is empty"));
        }
        if place == Place::Body && empty_clears {
            let mut cleared = call.input.texts(Place::Clear, CLEAR.name).to_vec();
            cleared.push(field.name.to_owned());
            return call
                .input
                .set(Place::Clear, &CLEAR, cleared)
                .map_err(|invalid| invalid.of_columns(str::to_owned));
        }
        call.input.keeps |= !matches!(place, Place::Path | Place::Query);
        return Ok(());
    }
    let texts = texts.iter().map(|text| checked(field, text));
    let texts: Vec<_> = texts
        .collect::<Result<_, _>>()
        .map_err(|reason| match field.secret {
            true => format!("{column}: the value is not valid"),
            false => format!("{column}: {reason}"),
        })?;
    let set = call.input.extend(place, field, texts);
    set.map_err(|invalid| invalid.of_columns(|_| column.clone()))
}
