//! The runs of commands for the rows of a file. The links of people do not belong to them.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::{Ledger, RecordedStep, Status, now, runs, who};
use crate::{
    error::Error,
    hash::sha256,
    plan::{Input, Purpose, Step},
};

/// A command for the rows of a file.
#[derive(Clone, Debug)]
pub struct CommandRun {
    input: Input,
    hash: String,
}

impl CommandRun {
    /// Of a command with its options, as a person reads it. `rows` are all texts of the file, without secrets, and `also` is
    /// what else distinguishes two runs. `file` is the content of the file, if it has no secrets.
    pub fn new<'a>(
        command: String,
        file: Option<&[u8]>,
        rows: impl Iterator<Item = &'a [String]>,
        also: &str,
    ) -> Self {
        let mut all = vec![vec![command.clone(), also.to_owned()]];
        all.extend(rows.map(<[String]>::to_vec));
        // Texts always serialize.
        let hashed = serde_json::to_vec(&all).unwrap_or_default();
        Self {
            input: Input {
                name: command,
                sha256: file.map(sha256).unwrap_or_default(),
                rows: all.len() - 1,
                ..Input::default()
            },
            hash: sha256(&hashed),
        }
    }
}

impl Ledger {
    /// The steps of the run of this command and these rows that has not ended; empty if there is none.
    ///
    /// # Errors
    ///
    /// [`Ledger`](crate::ErrorKind::Ledger) if they cannot be read.
    pub fn unfinished(&self, command: &CommandRun) -> Result<Vec<RecordedStep>, Error> {
        match self.open_run(command)? {
            Some(run) => self.steps(Some(run), None),
            None => Ok(Vec::new()),
        }
    }

    fn open_run(&self, command: &CommandRun) -> Result<Option<i64>, Error> {
        let database = self.database();
        let select = "SELECT run FROM runs WHERE hash = ?1 AND ended IS NULL";
        let found = database.query_row(select, [&command.hash], |row| row.get(0));
        let found = found.optional();
        found.map_err(|error| Error::ledger("read", error))
    }

    /// Begins the run of a command, or continues it, and returns its number. Runs of the same command for other rows are not
    /// continued after that. `ended` has the numbers of the steps that ended well in an earlier run.
    ///
    /// # Errors
    ///
    /// [`Ledger`](crate::ErrorKind::Ledger) if it cannot be written.
    pub fn begin_command(
        &self,
        command: &CommandRun,
        steps: &[Step],
        ended: &[u32],
    ) -> Result<i64, Error> {
        let open = self.open_run(command)?;
        self.write(|database| {
            let run = match open {
                Some(run) => run,
                None => {
                    close(database, command)?;
                    let (hash, input) = (&command.hash, &command.input);
                    runs::insert(database, hash, Purpose::Command, input, &who(), steps)?
                }
            };
            let update = "UPDATE steps SET status = 'unneeded', reason = 'ended well in an earlier run' WHERE run = ?1 AND number = ?2 AND status NOT IN ('done', 'unneeded')";
            let mut update = database.prepare(update)?;
            for number in ended {
                update.execute(params![run, number])?;
            }
            Ok(run)
        })
    }

    /// Ends the runs of a command that have not ended, because they are not continued.
    ///
    /// # Errors
    ///
    /// [`Ledger`](crate::ErrorKind::Ledger) if it cannot be written.
    pub fn close_commands(&self, command: &CommandRun) -> Result<(), Error> {
        self.write(|database| close(database, command))
    }

    /// Writes the status of a step of a command, with the values that are known by now.
    ///
    /// # Errors
    ///
    /// [`Ledger`](crate::ErrorKind::Ledger) if it cannot be written.
    pub fn note_command(
        &self,
        run: i64,
        step: &Step,
        status: Status,
        reason: &str,
    ) -> Result<(), Error> {
        let json = serde_json::to_string(step).unwrap_or_default();
        let (number, learner) = (step.number, &step.learner);
        self.write(|database| {
            let update = "UPDATE steps SET status = ?3, learner = coalesce(?4, learner), reason = ?5, at = ?6, step = ?7 WHERE run = ?1 AND number = ?2";
            let values = params![run, number, status.name(), learner, reason, now(), json];
            database.prepare_cached(update)?.execute(values)?;
            Ok(())
        })
    }

    /// Ends the run of a command if every step has ended.
    ///
    /// # Errors
    ///
    /// [`Ledger`](crate::ErrorKind::Ledger) if it cannot be written.
    pub fn end_command(&self, run: i64) -> Result<(), Error> {
        let steps = self.steps(Some(run), None)?;
        match steps.iter().all(|step| step.status.is_final()) {
            true => self.end(run),
            false => Ok(()),
        }
    }
}

fn close(database: &Connection, command: &CommandRun) -> rusqlite::Result<()> {
    let update =
        "UPDATE runs SET ended = ?2 WHERE purpose = 'command' AND input = ?1 AND ended IS NULL";
    database.execute(update, params![command.input.name, now()])?;
    Ok(())
}
