//! The rows of a file: the valid ones, and their ends.

use std::collections::{BTreeMap, btree_map::Entry};

use lms_ext::Lms;
use lms_plan::{Status, StepState};

use super::{file::Row, results::Results};
use crate::{
    calls::{Call, input::Place},
    commands::{
        ending::{id, may_be_processed},
        references::{self, Known},
    },
    failure::Failure,
    resolve, verbs,
    wording::count,
};

/// Number of invalid rows after which further ones are only counted.
const LISTED: usize = 20;

/// The rows of a file.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) rows: Vec<Row>,
    /// The objects that the rows name, as far as they were looked up.
    pub(super) known: Known,
    pub(super) results: Option<Results>,
}

impl Row {
    /// Returns `true` if the row ended well in an earlier run.
    pub(super) fn is_done(&self) -> bool {
        let ending = self.ending.as_ref();
        ending.is_some_and(|ending| ending.status.is_well())
    }

    fn is_ambiguous(&self) -> bool {
        let ending = self.ending.as_ref();
        ending.is_some_and(|ending| ending.status == Status::Sent)
    }
}

impl Batch {
    /// The calls that can be sent, with their rows.
    pub(super) fn calls(&self) -> impl Iterator<Item = (&Row, &Call)> {
        let rows = self.rows.iter();
        rows.filter_map(|row| Some((row, row.call.as_ref().ok()?)))
    }

    /// The calls of the rows to send.
    pub(super) fn unsent(&self) -> impl Iterator<Item = &Call> {
        let unsent = self.calls().filter(|(row, _)| !row.is_done());
        unsent.map(|(_, call)| call)
    }

    /// Number of rows that ended well in earlier runs.
    pub(super) fn earlier(&self) -> usize {
        self.rows.iter().filter(|row| row.is_done()).count()
    }

    /// The numbers of rows with each result, as a sentence.
    pub(super) fn counted(&self, counts: &[(&str, usize)]) -> String {
        let counts = counts.iter().map(|(name, count)| format!("{name} {count}"));
        let counts = counts.collect::<Vec<_>>().join(", ");
        match self.earlier() {
            0 if counts.is_empty() => "no rows".to_owned(),
            0 => counts,
            earlier => format!("{counts}; {earlier} of them in an earlier run"),
        }
    }

    /// Fails if rows are not valid, unless they are skipped.
    pub(super) fn refuse_invalid(&self, skip: bool) -> Result<(), Failure> {
        let rows = self.rows.iter();
        let invalid = rows.filter_map(|row| Some((&row.place, row.call.as_ref().err()?)));
        let invalid: Vec<_> = invalid.collect();
        if skip || invalid.is_empty() {
            return Ok(());
        }
        let listed = invalid.iter().take(LISTED);
        let mut problems: String = listed
            .map(|(place, problem)| format!("\n  {place}, {problem}"))
            .collect();
        let invalid = invalid.len();
        if let more @ 1.. = invalid.saturating_sub(LISTED) {
            problems += &format!("\n  and {more} more");
        }
        Err(Failure::usage(format!(
            "{invalid} of {} {} not valid; nothing was sent:{}",
            count(self.rows.len(), "row"),
            if invalid == 1 { "is" } else { "are" },
            problems,
        ))
        .advice(match invalid < self.rows.len() {
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
        // The objects of other rows were found in an earlier run.
        let is_unknown = |(row, _): &(&Row, &Call)| match &row.ending {
            Some(of) => !may_be_processed(of) || (row.is_ambiguous() && id(of).is_empty()),
            None => true,
        };
        let unknown = || self.calls().filter(is_unknown).map(|(_, call)| call);
        let texts = unknown().flat_map(references::of).collect();
        let resolved = resolve::tenant::all(lms, texts, true, concurrency);
        let resolved = resolved.await.map_err(|error| {
            Failure::from(error).while_doing("could not look up what the rows name")
        })?;
        let shown = references::shown(unknown(), &resolved);
        for row in &mut self.rows {
            let Ok(call) = &mut row.call else { continue };
            let checked = references::replace(call, &resolved);
            // An id that cannot be a part of a path.
            if let Err(failure) = checked.and_then(|()| call.request(lms).map(drop)) {
                row.call = Err(failure.message().to_owned());
            }
        }
        self.refuse_repeated();
        self.known = references::known(resolved);
        Ok(shown)
    }

    /// Makes rows invalid that change the object of an earlier row: they are sent concurrently, so either could be the last.
    pub(super) fn refuse_repeated(&mut self) {
        let mut lines = BTreeMap::new();
        for row in &mut self.rows {
            let Ok(call) = &row.call else { continue };
            // Additions that look up their object may be repeated, as with other courses.
            let target = verbs::of(call.command).target(call);
            let Some(target) = target.filter(|_| !call.if_not_exists) else {
                continue;
            };
            match lines.entry(target) {
                Entry::Vacant(first) => _ = first.insert(row.place.clone()),
                Entry::Occupied(first) => {
                    let noun = verbs::plain::noun(call);
                    row.call = Err(format!("the same {noun} as in {}", first.get()));
                }
            }
        }
    }

    /// Sets the endings of an earlier run. Rows that have not ended well are sent again. Ambiguous additions look up their
    /// object first, and other ambiguous rows have the id that was noted, because the name may not lead to the object any more.
    pub(super) fn set_earlier(&mut self, earlier: Vec<Option<StepState>>) {
        for (row, ending) in self.rows.iter_mut().zip(earlier) {
            row.ending = ending;
            if let (true, Ok(call), Some(ending)) = (row.is_ambiguous(), &mut row.call, &row.ending)
            {
                call.if_not_exists |= verbs::of(call.command).if_not_exists().is_some();
                let id = id(ending);
                if let ([field], false) = (call.command.path, id.is_empty()) {
                    let set = call.input.set(Place::Path, field, vec![id.to_owned()]);
                    debug_assert!(set.is_ok());
                }
            }
        }
    }
}
