//! The runs, and the steps of each.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, OptionalExtension as _, Params, Row, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Ledger, links, now, who};
use crate::{
    error::{Error, ErrorKind},
    names::folded,
    plan::{Plan, Step},
};

/// The status of a step.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Status {
    /// Not sent yet.
    Planned,
    /// It may have been sent. Looked up before it is sent again.
    Sent,
    /// Done.
    Done,
    /// There was nothing to do any more.
    Unneeded,
    /// The object is not as the plan saw it, so nothing was sent.
    Conflict,
    /// Not processed. Sent again by the same command.
    Failed,
}

impl Status {
    /// The name, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Sent => "sent",
            Self::Done => "done",
            Self::Unneeded => "unneeded",
            Self::Conflict => "conflict",
            Self::Failed => "failed",
        }
    }

    fn of(name: &str) -> Self {
        // A step that is not known may have been sent.
        serde_json::from_value(name.into()).unwrap_or(Self::Sent)
    }

    /// Returns `true` if the object is as the plan wants it.
    #[must_use]
    pub fn is_well(self) -> bool {
        matches!(self, Self::Done | Self::Unneeded)
    }

    /// Returns `true` if the step is not sent again.
    #[must_use]
    pub fn is_final(self) -> bool {
        self.is_well() || self == Self::Conflict
    }
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Run {
    /// The number of the run.
    pub run: i64,
    /// `import`, `undo` or `command`.
    pub purpose: String,
    /// The file, the run that was undone, or the command with its options.
    pub input: String,
    /// The SHA-256 of the file.
    pub sha256: String,
    /// The number of rows of the file.
    pub rows: usize,
    /// The user and the machine.
    pub who: String,
    /// The time at which the run began.
    pub began: String,
    /// The time at which every step had ended, or a run for other rows began; null before that.
    pub ended: Option<String>,
    /// The hash of the plan.
    pub hash: String,
    /// The file with the results of a command; empty if there is none.
    pub results: String,
    /// The number of steps with each status.
    pub steps: BTreeMap<Status, usize>,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct RecordedStep {
    /// The number of the run.
    pub run: i64,
    /// The step.
    #[serde(flatten)]
    pub step: Step,
    /// Its state.
    #[serde(flatten)]
    pub state: StepState,
    /// The time of the last change of the state.
    pub at: Option<String>,
}

/// The state of a step in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct StepState {
    /// The status.
    pub status: Status,
    /// The reason why it is not done; empty if it is.
    pub reason: String,
    /// The result of a command, in the words of the program that ran it.
    #[serde(skip)]
    pub result: String,
    /// The learner that the step is about.
    #[serde(skip)]
    pub learner: Option<String>,
}

/// The reason of a step with nothing to do after an attempt that may have done it.
pub(crate) const MAYBE_DONE: &str = "an interrupted attempt may have done it";

impl Default for StepState {
    fn default() -> Self {
        Self::new(Status::Planned, "", "")
    }
}

impl StepState {
    /// A state with its reason and result.
    pub fn new(status: Status, reason: impl Into<String>, result: impl Into<String>) -> Self {
        Self {
            status,
            reason: reason.into(),
            result: result.into(),
            learner: None,
        }
    }

    /// Returns `true` if there was nothing to do after an attempt whose end is not known, and which may have done it.
    #[must_use]
    pub fn may_be_done(&self) -> bool {
        self.status == Status::Unneeded && self.reason == MAYBE_DONE
    }
}

impl Ledger {
    /// Begins the run of a plan, or continues it, and returns its number and the state of each step. A run of a command that
    /// has ended is not continued, and neither is one of the same command for other rows after this, or one in which a step
    /// was done that has to be done again. `known` is the state of a step that the caller knows better.
    pub(crate) fn begin(
        &self,
        plan: &Plan,
        known: impl Fn(&Step) -> Option<StepState>,
    ) -> Result<(i64, Vec<StepState>), Error> {
        self.write(|database| {
            let select = "SELECT run FROM runs WHERE hash = ?1 AND (purpose <> 'command' OR ended IS NULL)";
            let continued = database.query_row(select, [&plan.hash], |row| row.get(0));
            let run = match continued.optional()? {
                Some(run) if !is_again(database, run, plan, &known)? => run,
                _ => {
                    close(database, plan)?;
                    insert(database, plan)?
                }
            };
            let update = "UPDATE steps SET status = ?3, reason = ?4, result = ?5 WHERE run = ?1 AND number = ?2 AND status NOT IN ('done', 'unneeded')";
            let mut update = database.prepare(update)?;
            for step in &plan.steps {
                let Some(known) = known(step) else { continue };
                let status = known.status.name();
                update.execute(params![run, step.number, status, known.reason, known.result])?;
            }
            let mut select = database.prepare(
                "SELECT status, reason, result, learner FROM steps WHERE run = ?1 ORDER BY number",
            )?;
            let states = select.query_map([run], |row| state(row, 0))?;
            Ok((run, states.collect::<rusqlite::Result<_>>()?))
        })
    }

    /// The steps of the last run with these rows or these results, if it has not ended. `command` is the command without
    /// its file.
    ///
    /// # Errors
    ///
    /// [`Usage`](ErrorKind::Usage) if another command has sent rows of that run, and [`Ledger`](ErrorKind::Ledger) if it
    /// cannot be read.
    pub fn unfinished(&self, plan: &Plan, command: &str) -> Result<Vec<RecordedStep>, Error> {
        let select = "SELECT run, input FROM runs WHERE purpose = 'command' AND ended IS NULL AND (hash = ?1 OR results = ?2 AND ?2 <> '') ORDER BY run DESC";
        let results = &plan.input.results;
        let run = self.read(|database| {
            let run = database.query_row(select, [&plan.hash, results], |row| {
                Ok((row.get(0)?, row.get::<_, String>(1)?))
            });
            run.optional()
        })?;
        let Some((run, input)) = run else {
            return Ok(Vec::new());
        };
        let steps = self.steps(Some(run), None)?;
        if input.starts_with(&format!("{command} --from ")) {
            return Ok(steps);
        }
        let is_unsent = |status| matches!(status, Status::Planned | Status::Failed);
        match steps.iter().all(|step| is_unsent(step.state.status)) {
            true => Ok(Vec::new()),
            false => Err(Error::usage(format!(
                "{results} is for the results of another command, which has not ended: {input}; run that command again, or name another file for the results"
            ))),
        }
    }

    /// The runs of a command for these rows or with these results, the newest first.
    ///
    /// # Errors
    ///
    /// [`Ledger`](ErrorKind::Ledger) if they cannot be read.
    pub fn runs_of(&self, plan: &Plan) -> Result<Vec<i64>, Error> {
        self.read(|database| {
            let mut select = database.prepare("SELECT run FROM runs WHERE purpose = 'command' AND (hash = ?1 OR results = ?2 AND ?2 <> '') ORDER BY run DESC")?;
            let runs = select.query_map([&plan.hash, &plan.input.results], |row| row.get(0))?;
            runs.collect()
        })
    }

    /// The steps that were done after a run, about one of these learners or about none, the newest run first.
    ///
    /// # Errors
    ///
    /// [`Ledger`](ErrorKind::Ledger) if they cannot be read.
    pub fn steps_after(&self, run: i64, learners: &[&str]) -> Result<Vec<RecordedStep>, Error> {
        let learners = serde_json::to_string(learners).unwrap_or_default();
        let condition = "run > ?1 AND status = 'done' AND (learner IS NULL OR learner IN (SELECT value FROM json_each(?2)))";
        self.read(|database| recorded(database, condition, params![run, learners]))
    }

    /// Notes the state of a step, with the values that are known by now. A step that is done changes the link of its person.
    pub(crate) fn note(&self, run: i64, step: &Step, state: &StepState) -> Result<(), Error> {
        self.write(|database| write(database, run, step, state))
    }

    /// Notes that steps are done which need no request, all of them or none.
    pub(crate) fn note_done<'a>(
        &self,
        run: i64,
        mut steps: impl Iterator<Item = &'a Step>,
    ) -> Result<(), Error> {
        self.write(|database| {
            steps.try_for_each(|step| {
                let mut state = StepState::new(Status::Done, "", "");
                state.learner.clone_from(&step.learner);
                write(database, run, step, &state)
            })
        })
    }

    /// Sets the reason of the steps that a stopped run may have sent.
    pub(crate) fn note_stopped(&self, run: i64, reason: &str) -> Result<(), Error> {
        self.write(|database| {
            let update =
                "UPDATE steps SET reason = ?2 WHERE run = ?1 AND status = 'sent' AND reason = ''";
            database.execute(update, params![run, reason])
        })?;
        Ok(())
    }

    /// Notes that every step of a run has ended.
    pub(crate) fn end(&self, run: i64) -> Result<(), Error> {
        self.write(|database| {
            database.execute(
                "UPDATE runs SET ended = ?2 WHERE run = ?1 AND ended IS NULL",
                params![run, now()],
            )
        })?;
        Ok(())
    }

    /// The learner of a key.
    pub(crate) fn learner(&self, key: &str) -> Result<Option<String>, Error> {
        let select = "SELECT learner FROM links WHERE key = ?1";
        self.read(|database| {
            database
                .query_row(select, [key], |row| row.get(0))
                .optional()
        })
    }

    /// The number of rows of the last import.
    pub(crate) fn last_rows(&self) -> Result<Option<usize>, Error> {
        let select = "SELECT rows FROM runs WHERE purpose = 'import' ORDER BY run DESC LIMIT 1";
        self.read(|database| {
            database
                .query_row(select, [], |row| number(row, 0))
                .optional()
        })
    }

    /// The runs, the newest first.
    ///
    /// # Errors
    ///
    /// [`Ledger`](ErrorKind::Ledger) if they cannot be read.
    pub fn runs(&self) -> Result<Vec<Run>, Error> {
        self.read(|database| {
            let mut counts: BTreeMap<i64, BTreeMap<Status, usize>> = BTreeMap::new();
            let mut select =
                database.prepare("SELECT run, status, count(*) FROM steps GROUP BY run, status")?;
            let mut rows = select.query([])?;
            while let Some(row) = rows.next()? {
                let status = Status::of(&row.get::<_, String>(1)?);
                counts
                    .entry(row.get(0)?)
                    .or_default()
                    .insert(status, number(row, 2)?);
            }
            let mut select = database.prepare("SELECT run, purpose, input, sha256, rows, who, began, ended, hash, results FROM runs ORDER BY run DESC")?;
            let runs = select.query_map([], |row| {
                let run = row.get(0)?;
                Ok(Run {
                    run,
                    purpose: row.get(1)?,
                    input: row.get(2)?,
                    sha256: row.get(3)?,
                    rows: number(row, 4)?,
                    who: row.get(5)?,
                    began: row.get(6)?,
                    ended: row.get(7)?,
                    hash: row.get(8)?,
                    results: row.get(9)?,
                    steps: counts.get(&run).cloned().unwrap_or_default(),
                })
            })?;
            runs.collect()
        })
    }

    /// The steps of a run, in their order; of all runs, the newest first, without one. `person` is a key, the id or the
    /// address of a learner, or a part of a name, and selects their steps.
    ///
    /// # Errors
    ///
    /// [`NotFound`](ErrorKind::NotFound) if there is no such run or person, and [`Ledger`](ErrorKind::Ledger) if they cannot be read.
    pub fn steps(
        &self,
        run: Option<i64>,
        person: Option<&str>,
    ) -> Result<Vec<RecordedStep>, Error> {
        let is_there = |run: i64| {
            self.read(|database| {
                database
                    .prepare("SELECT 1 FROM runs WHERE run = ?1")?
                    .exists([run])
            })
        };
        if let Some(run) = run
            && !is_there(run)?
        {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!("there is no run {run}"),
            ));
        }
        let (first, last) = run.map_or((i64::MIN, i64::MAX), |run| (run, run));
        let between = "run BETWEEN ?1 AND ?2";
        let mut steps = self.read(|database| recorded(database, between, params![first, last]))?;
        if let Some(person) = person {
            retain(&mut steps, person)?;
        }
        Ok(steps)
    }
}

/// Keeps the steps about a person. An address leads to the key and the learner of the step that has it.
fn retain(steps: &mut Vec<RecordedStep>, person: &str) -> Result<(), Error> {
    let wanted = folded(person);
    let is_it = |step: &Step| {
        let has_address = || step.texts().any(|text| folded(text) == wanted);
        step.key == person
            || step.learner.as_deref() == Some(person)
            || !wanted.is_empty() && folded(&step.name).contains(&wanted)
            || wanted.contains('@') && has_address()
    };
    let found = steps.iter().map(|recorded| &recorded.step);
    let found = found.filter(|step| is_it(step));
    let of = |step: &Step| [Some(step.key.clone()), step.learner.clone()];
    let names: BTreeSet<String> = found.flat_map(of).flatten().collect();
    steps.retain(|RecordedStep { step, .. }| {
        let mut own = of(step).into_iter().flatten();
        is_it(step) || own.any(|name| !name.is_empty() && names.contains(&name))
    });
    match steps.is_empty() {
        true => Err(Error::new(
            ErrorKind::NotFound,
            format!(
                "no step is about {person:?}; give a key, the id or the address of a learner, or a part of a name"
            ),
        )),
        false => Ok(()),
    }
}

/// The steps that a condition selects, those of the newest run first.
fn recorded(
    database: &Connection,
    condition: &str,
    values: impl Params,
) -> rusqlite::Result<Vec<RecordedStep>> {
    let mut select = database.prepare(&format!(
        "SELECT status, reason, result, learner, run, step, at FROM steps WHERE {condition} ORDER BY run DESC, number"
    ))?;
    let steps = select.query_map(values, |row| {
        let state = state(row, 0)?;
        let mut step: Step = links::json_at(row, 5)?;
        step.learner.clone_from(&state.learner);
        Ok(RecordedStep {
            run: row.get(4)?,
            step,
            state,
            at: row.get(6)?,
        })
    })?;
    steps.collect()
}

/// Writes the state of a step, and changes the link of its person if it is done.
fn write(database: &Connection, run: i64, step: &Step, state: &StepState) -> rusqlite::Result<()> {
    let update = "UPDATE steps SET status = ?3, learner = coalesce(?4, learner), reason = ?5, result = ?6, at = ?7, step = ?8 WHERE run = ?1 AND number = ?2";
    let json = serde_json::to_string(step).unwrap_or_default();
    let StepState {
        status,
        reason,
        result,
        learner,
    } = state;
    let (number, name) = (step.number, status.name());
    let values = params![run, number, name, learner, reason, result, now(), json];
    database.prepare_cached(update)?.execute(values)?;
    match learner {
        Some(learner) if status.is_well() => links::apply(database, step, learner),
        _ => Ok(()),
    }
}

/// Returns `true` if a step is planned that a run has done.
fn is_again(
    database: &Connection,
    run: i64,
    plan: &Plan,
    known: impl Fn(&Step) -> Option<StepState>,
) -> rusqlite::Result<bool> {
    let select = "SELECT number FROM steps WHERE run = ?1 AND status IN ('done', 'unneeded')";
    let mut select = database.prepare(select)?;
    let done = select.query_map([run], |row| row.get::<_, u32>(0))?;
    let done: BTreeSet<_> = done.collect::<rusqlite::Result<_>>()?;
    let mut steps = plan.steps.iter().filter(|step| done.contains(&step.number));
    Ok(steps.any(|step| known(step).is_some_and(|known| known.status == Status::Planned)))
}

/// The state of a step in the columns from this one.
fn state(row: &Row<'_>, first: usize) -> rusqlite::Result<StepState> {
    Ok(StepState {
        status: Status::of(&row.get::<_, String>(first)?),
        reason: row.get(first + 1)?,
        result: row.get(first + 2)?,
        learner: row.get(first + 3)?,
    })
}

/// Ends the runs of the command of a plan: those with its results, or of the same command without results.
fn close(database: &Connection, plan: &Plan) -> rusqlite::Result<()> {
    let update = "UPDATE runs SET ended = ?3 WHERE purpose = 'command' AND ended IS NULL AND results = ?1 AND (?1 <> '' OR input = ?2)";
    let input = &plan.input;
    database.execute(update, params![input.results, input.name, now()])?;
    Ok(())
}

/// Adds a run with its steps.
fn insert(database: &Connection, plan: &Plan) -> rusqlite::Result<i64> {
    let purpose = serde_json::to_value(plan.purpose).unwrap_or_default();
    let input = &plan.input;
    let rows = i64::try_from(input.rows).unwrap_or(i64::MAX);
    let insert = "INSERT INTO runs (hash, purpose, input, sha256, rows, who, began, results) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let (purpose, who) = (purpose.as_str(), who());
    let values = params![
        plan.hash,
        purpose,
        input.name,
        input.sha256,
        rows,
        who,
        now(),
        input.results,
    ];
    database.execute(insert, values)?;
    let run = database.last_insert_rowid();
    let mut insert = database.prepare("INSERT INTO steps (run, number, key, learner, step, status, reason) VALUES (?1, ?2, ?3, ?4, ?5, 'planned', '')")?;
    for step in &plan.steps {
        let json = serde_json::to_string(step).unwrap_or_default();
        insert.execute(params![run, step.number, step.key, step.learner, json])?;
    }
    Ok(run)
}

/// A number that is not negative.
fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<usize> {
    let number: i64 = row.get(column)?;
    Ok(usize::try_from(number).unwrap_or_default())
}
