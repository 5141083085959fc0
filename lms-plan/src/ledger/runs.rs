//! The runs, and the steps of each.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::{Connection, OptionalExtension as _, Params, Row, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Ledger, json_at, links, now, who};
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

/// The reason of a step that an attempt whose end is not known may have done.
pub const MAYBE_DONE: &str = "an interrupted attempt may have done this";

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

    /// Returns `true` if an attempt whose end is not known may have done the step, or a part of it.
    #[must_use]
    pub fn may_be_done(&self) -> bool {
        self.status.is_well() && self.reason == MAYBE_DONE
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
            let select =
                "SELECT run FROM runs WHERE hash = ?1 AND (purpose <> 'command' OR ended IS NULL)";
            let open: Option<i64> = database
                .query_row(select, [&plan.hash], |row| row.get(0))
                .optional()?;
            let stored = recorded(database, "run = ?1", [open])?.into_iter();
            let mut stored: HashMap<u32, StepState> =
                stored.map(|of| (of.step.number, of.state)).collect();
            let is_again = |step: &Step| {
                let is_planned = known(step).is_some_and(|it| it.status == Status::Planned);
                is_planned
                    && stored
                        .get(&step.number)
                        .is_some_and(|old| old.status.is_well())
            };
            let run = match open.filter(|_| !plan.steps.iter().any(is_again)) {
                Some(run) => run,
                None => {
                    stored.clear();
                    insert(database, plan)?
                }
            };
            let states = plan.steps.iter().map(|step| {
                let old = stored.remove(&step.number);
                let known = known(step);
                match old {
                    Some(old) if known.is_none() || old.status.is_well() => Ok(old),
                    // A run of a command may have had fewer valid rows.
                    old => {
                        let state = known.or(old).unwrap_or_default();
                        store(database, run, step, &state, None)?;
                        Ok(state)
                    }
                }
            });
            Ok((run, states.collect::<rusqlite::Result<_>>()?))
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

    /// Sets the reason of the steps that a stopped run may have sent, and ends the run if every step has ended and
    /// `is_stored`.
    pub(crate) fn conclude(&self, run: i64, reason: &str, is_stored: bool) -> Result<(), Error> {
        let note =
            "UPDATE steps SET reason = ?2 WHERE run = ?1 AND status = 'sent' AND reason = ''";
        let end = "UPDATE runs SET ended = ?2 WHERE run = ?1 AND ended IS NULL AND ?3 AND NOT EXISTS
            (SELECT 1 FROM steps WHERE steps.run = ?1 AND status NOT IN ('done', 'unneeded', 'conflict'))";
        self.write(|database| {
            database.execute(note, params![run, reason])?;
            database.execute(end, params![run, now(), is_stored])
        })?;
        Ok(())
    }

    /// The learner of a key.
    pub(crate) fn learner(&self, key: &str) -> Result<Option<String>, Error> {
        self.find("SELECT learner FROM links WHERE key = ?1", [key])
    }

    /// The number of rows of the last import.
    pub(crate) fn last_rows(&self) -> Result<Option<u32>, Error> {
        let select = "SELECT rows FROM runs WHERE purpose = 'import' ORDER BY run DESC LIMIT 1";
        self.find(select, [])
    }

    /// The runs, the newest first.
    ///
    /// # Errors
    ///
    /// [`Ledger`](ErrorKind::Ledger) if they cannot be read.
    pub fn runs(&self) -> Result<Vec<Run>, Error> {
        let select = "SELECT json_object('run', run, 'purpose', purpose, 'input', input, 'sha256', sha256, 'rows', rows,
            'who', who, 'began', began, 'ended', ended, 'hash', hash, 'results', results, 'steps', json((
                SELECT json_group_object(status, number) FROM
                    (SELECT status, count(*) AS number FROM steps WHERE steps.run = runs.run GROUP BY status)
            ))) FROM runs ORDER BY run DESC";
        self.all(select)
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
        if let Some(run) = run {
            let found: Option<i64> = self.find("SELECT run FROM runs WHERE run = ?1", [run])?;
            let none = || Error::new(ErrorKind::NotFound, format!("there is no run {run}"));
            found.ok_or_else(none)?;
        }
        let condition = "run = ?1 OR ?1 IS NULL";
        let mut steps = self.read(|database| recorded(database, condition, [run]))?;
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
        let has_address = || step.has_text(|text| folded(text) == wanted);
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
        let state = state(row)?;
        let mut step: Step = json_at(row, 5)?;
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
    store(database, run, step, state, Some(&now()))?;
    match &state.learner {
        Some(learner) if state.status.is_well() => links::apply(database, step, learner),
        _ => Ok(()),
    }
}

fn store(
    database: &Connection,
    run: i64,
    step: &Step,
    state: &StepState,
    at: Option<&str>,
) -> rusqlite::Result<()> {
    let replace = "INSERT OR REPLACE INTO steps (run, number, key, learner, step, status, reason, result, at)
        VALUES (?1, ?2 ->> 'number', ?2 ->> 'key', coalesce(?3, ?2 ->> 'learner'), ?2, ?4, ?5, ?6, ?7)";
    let json = serde_json::to_string(step).unwrap_or_default();
    let StepState {
        status,
        reason,
        result,
        learner,
    } = state;
    let values = params![run, json, learner, status.name(), reason, result, at];
    database.prepare_cached(replace)?.execute(values).map(drop)
}

/// The state of a step in the first columns.
fn state(row: &Row<'_>) -> rusqlite::Result<StepState> {
    Ok(StepState {
        status: Status::of(&row.get::<_, String>(0)?),
        reason: row.get(1)?,
        result: row.get(2)?,
        learner: row.get(3)?,
    })
}

/// Adds a run, and ends the runs of the command of the plan: those with its results, or of the same command without results.
fn insert(database: &Connection, plan: &Plan) -> rusqlite::Result<i64> {
    let input = &plan.input;
    let end = "UPDATE runs SET ended = ?3 WHERE purpose = 'command' AND ended IS NULL AND results = ?1 AND (?1 <> '' OR input = ?2)";
    database.execute(end, params![input.results, input.name, now()])?;
    let insert = "INSERT INTO runs (hash, purpose, input, sha256, rows, who, began, results)
        VALUES (?1, ?2, ?3 ->> 'name', ?3 ->> 'sha256', ?3 ->> 'rows', ?4, ?5, ?6)";
    let (purpose, json) = (json!(plan.purpose), json!(input).to_string());
    let values = params![
        plan.hash,
        purpose.as_str(),
        json,
        who(),
        now(),
        input.results
    ];
    database.execute(insert, values)?;
    Ok(database.last_insert_rowid())
}
