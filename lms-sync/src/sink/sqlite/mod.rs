//! A mirror in an SQLite file.
//!
//! Each collection is a table of its name with typed columns and the collection's primary key, so that anything that reads
//! SQLite can ask it. The rows of a walk are compared with the table by a hash as they arrive. Only those that are new or
//! different are written, to a stage; the table changes in one transaction after a complete walk.
//!
//! | column | contains |
//! |---|---|
//! | the columns of the collection | text, integers, floating-point numbers; 1 or 0 for true or false; JSON as text |
//! | `…_utc` | the timestamp before it in UTC, as `2024-03-16T08:20:10Z` |
//! | `_extra` | a JSON object with the fields that have no column |
//! | `_deleted_at` | when the row was found to be gone, with [`Deletes::Mark`](crate::mirror::Deletes::Mark) |
//! | `_hash`, `_row` | for this crate |
//!
//! Views for people:
//!
//! | view | a row for each | columns |
//! |---|---|---|
//! | `learner_course_status` | enrolment | `learner`, `firstname`, `surname`, `email`, `course`, `course_name`, `enrolled_at`, `topics`, `topics_completed`, `completed_at`, `due_at`, `overdue`, `status` |
//! | `course_status` | course with enrolments | `course`, `course_name`, `enrolled`, `completed`, `in_progress`, `not_completed` |
//! | `mirror_status` | collection | `row_count`, when the run of its rows began and ended, and the completeness record as JSON |
//!
//! `status` is `completed` if the learner has a completion of the course, `in progress` if a topic is completed, and
//! otherwise `not completed`. The first two views exist as soon as courses, learners, enrolments and course completions are
//! mirrored. `topics` needs the collection topics, `topics_completed` topic progress, and `overdue` course progress; they
//! are null without it.
//!
//! The tables whose names start with `_lms_` are the state of the mirror: runs, completeness records (`_lms_records`) and
//! changes (`_lms_changes`). The file `<path>-lock` keeps a second run out.

mod changes;
mod dialect;
mod failure;
mod open;
mod publish;
mod seen;
mod stage;
mod status;
mod verify;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use rusqlite::Connection;

pub(crate) use changes::open_changes;
pub use status::{Status, Written, status};
pub use verify::{verify, visit_rows};

use crate::{
    collection::Collection,
    error::Error,
    extract::{Batch, Checkpoint},
    mirror::MirrorPolicy,
    record::CompletenessRecord,
    sink::{DestinationLock, Plan, Sink, Standing},
};
use failure::failed;
use stage::{Outcome, Stage};

/// Writes collections into an SQLite file.
#[derive(Debug)]
pub struct SqliteSink {
    path: PathBuf,
    policy: MirrorPolicy,
    unfinished: Unfinished,
    run: Option<Run>,
}

/// What happens to an unfinished run with other arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unfinished {
    Refuse,
    Discard,
}

/// A run that has begun.
#[derive(Debug)]
struct Run {
    id: i64,
    connection: Connection,
    stages: HashMap<&'static str, Stage>,
    _lock: DestinationLock,
}

impl SqliteSink {
    /// A sink for a file, which is created by the first run. Its folder must exist.
    pub fn new(path: impl AsRef<Path>) -> Self {
        Self {
            path: path.as_ref().to_owned(),
            policy: MirrorPolicy::default(),
            unfinished: Unfinished::Refuse,
            run: None,
        }
    }

    /// How the tables are brought to the state of the tenant.
    #[must_use]
    pub fn policy(mut self, policy: MirrorPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Drops what an unfinished run has stored, instead of continuing it or refusing a run with other arguments. Committed
    /// rows stay.
    #[must_use]
    pub fn discard_unfinished(mut self) -> Self {
        self.unfinished = Unfinished::Discard;
        self
    }

    fn run(&mut self) -> Result<&mut Run, Error> {
        self.run
            .as_mut()
            .ok_or_else(|| Error::usage("the sink has no run; call `begin` first"))
    }
}

impl Run {
    fn parts(
        &mut self,
        collection: &'static Collection,
    ) -> Result<(&mut Connection, &mut Stage), Error> {
        let stage = self.stages.get_mut(collection.name).ok_or_else(|| {
            Error::usage(format!("{} is not in the plan of the run", collection.name))
        })?;
        Ok((&mut self.connection, stage))
    }
}

impl Sink for SqliteSink {
    fn begin(&mut self, plan: &Plan) -> Result<Vec<Standing>, Error> {
        // Releases the destination of an earlier run of this sink.
        self.run = None;
        let (run, standings) = open::begin(&self.path, plan, self.unfinished)?;
        self.run = Some(run);
        Ok(standings)
    }

    fn visit_keys(
        &mut self,
        collection: &'static Collection,
        visit: &mut dyn FnMut(u128),
    ) -> Result<bool, Error> {
        let (connection, stage) = self.run()?.parts(collection)?;
        stage
            .visit_keys(connection, visit)
            .map_err(failed("read the keys of the unfinished run"))?;
        Ok(true)
    }

    fn write(&mut self, batch: &Batch) -> Result<(), Error> {
        let (_, stage) = self.run()?.parts(batch.collection)?;
        stage.add(&batch.rows);
        Ok(())
    }

    fn checkpoint(
        &mut self,
        collection: &'static Collection,
        checkpoint: &Checkpoint,
    ) -> Result<(), Error> {
        let (connection, stage) = self.run()?.parts(collection)?;
        stage.checkpoint(connection, checkpoint)
    }

    fn restart(&mut self, collection: &'static Collection) -> Result<(), Error> {
        let (connection, stage) = self.run()?.parts(collection)?;
        stage
            .restart(connection)
            .map_err(failed("drop what the unfinished run has stored"))
    }

    fn commit(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
    ) -> Result<(), Error> {
        let policy = self.policy.clone();
        let run = self.run()?;
        let id = run.id;
        let (connection, stage) = run.parts(collection)?;
        publish::commit(connection, stage, &policy, id, record)?;
        stage.outcome = Outcome::Committed;
        Ok(())
    }

    fn abort(
        &mut self,
        collection: &'static Collection,
        record: &CompletenessRecord,
    ) -> Result<(), Error> {
        let run = self.run()?;
        let id = run.id;
        let (connection, stage) = run.parts(collection)?;
        stage.drop_unsaved();
        stage.outcome = Outcome::Failed;
        publish::store_record(connection, id, record, None)
            .map_err(failed("store the completeness record"))
    }

    fn end(&mut self) -> Result<(), Error> {
        let Some(run) = self.run.take() else {
            return Ok(());
        };
        open::end(&run)
    }
}
