//! Sends the rows, several at a time, and stores the result of each.

use std::{
    collections::BTreeSet,
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
};

use lms_ext::{Error, Lms};
use lms_plan::{Status, Step};

use super::{
    batch::Batch,
    file::Row,
    record::{Record, step},
    results::{AMBIGUOUS, Ending, FAILED, Results, SENT, UNSENT},
};
use crate::{
    calls::{
        applied::{Applied, Effect, Problem, Shown},
        call::Call,
    },
    commands::write::{ensured, is_idempotent},
    context::Context,
    failure::Failure,
    operations::lookup::is_removal,
    progress::Progress,
    verbs,
};

/// The effect that a row would have, with its line.
pub(super) type Plan = (u64, Result<Applied, Failure>);

/// A row that is sent.
#[derive(Clone, Debug)]
struct Job {
    index: usize,
    row: Arc<Row>,
    call: Arc<Call>,
    /// `true` if an earlier run may have sent it.
    in_doubt: bool,
    noted: Noted,
}

impl Job {
    /// The step before it is sent.
    fn step(&self) -> Step {
        step(self.index, &self.row, &self.call, None)
    }
}

/// The last line of the results for a row, if it is one of this run, or one that is in doubt.
type Noted = Arc<Mutex<Option<Ending>>>;

type Shared = Arc<Mutex<Option<Results>>>;

/// Determines the effect that each valid row would have, in the order of the file.
pub(super) async fn plans(
    lms: &Lms,
    batch: &Batch,
    concurrency: usize,
) -> Result<Vec<Plan>, Failure> {
    let calls = batch.calls().map(|(index, call)| (index, call.clone()));
    let calls: Vec<_> = calls.collect();
    let bulk = lms.bulk(calls).concurrency(concurrency).idempotent();
    let mut outcomes = bulk.run(|lms, (_, call)| async move {
        split(verbs::of(call.command).apply(&lms, &call).await)
    });
    let mut plans = Vec::new();
    while let Some(outcome) = outcomes.try_next().await? {
        let (index, call) = outcome.item;
        let result = outcome
            .result
            .map_err(Failure::from)
            .and_then(|result| result);
        plans.push((index, call, result));
    }
    plans.sort_by_key(|(index, ..)| *index);
    let mut added = BTreeSet::new();
    let plans = plans.into_iter().map(|(index, call, mut plan)| {
        // The object that an earlier row would add exists for this one.
        if let Ok(plan) = &mut plan
            && plan.effect == Effect::Added
            && !ensured(&call).is_none_or(|object| added.insert(object))
        {
            plan.effect = Effect::Existed;
        }
        (batch.row(index).line, plan)
    });
    Ok(plans.collect())
}

/// Sends the rows that have not ended well. Returns why rows are left, if some are.
pub(super) async fn all(
    context: &Context,
    lms: &Lms,
    batch: &mut Batch,
    results: Option<Results>,
    record: Record,
    concurrency: usize,
) -> Result<Option<Failure>, Failure> {
    let record = Arc::new(record);
    batch.end_invalid();
    let progress = Progress::of_writes(context, batch.rows().len() as u64);
    let jobs = jobs(batch, &progress);
    let notes = jobs.iter().map(|job| (job.index, Arc::clone(&job.noted)));
    let notes: Vec<_> = notes.collect();
    let idempotent = jobs.iter().all(|job| is_idempotent(&job.call));
    let results: Shared = Arc::new(Mutex::new(results));
    let shared = (Arc::clone(&results), Arc::clone(&record));
    let mut bulk = lms.bulk(jobs).concurrency(concurrency);
    if idempotent {
        bulk = bulk.idempotent();
    }
    let mut outcomes = bulk.run(move |lms, job: Job| {
        let (results, record) = (Arc::clone(&shared.0), Arc::clone(&shared.1));
        async move { noted(&lms, &results, &record, &job).await }
    });
    // One future for all rows: a signal between two of them would be lost.
    let mut interrupted = pin!(crate::signal::interrupted());
    let stopped = loop {
        let outcome = tokio::select! {
            outcome = outcomes.try_next() => outcome,
            Ok(()) = &mut interrupted => break Some(Failure::cancelled("cancelled")),
        };
        let outcome = match outcome {
            Ok(Some(outcome)) => outcome,
            Ok(None) => break None,
            Err(error) => break Some(Failure::from(error)),
        };
        let (job, result) = (outcome.item, outcome.result);
        let status = status(&result);
        let applied = result.as_ref().ok().and_then(|ended| ended.as_ref().ok());
        let ended = step(job.index, &job.row, &job.call, applied);
        let ending = ending(result).of(&job.call);
        if !ending.is_well() {
            progress.line(&format!("line {}: {}", job.row.line, ending.error));
        }
        let noted = append(&results, &job.row, &ending);
        let noted = noted.and_then(|()| record.note(&ended, status, &ending.error));
        batch.endings[job.index] = Some(ending);
        if let Err(failure) = noted {
            break Some(failure);
        }
        progress.add(1, None);
    };
    // No row may be sent after this.
    drop(outcomes);
    drop(progress);
    if stopped.is_some() {
        end_noted(batch, notes);
    }
    // Without it, the log remains, which has the same results.
    let finished = finish(&results, batch).and_then(|()| record.end(batch));
    Ok(stopped.or(finished.err()))
}

/// Sends a row, and notes it before and after.
async fn noted(
    lms: &Lms,
    results: &Shared,
    record: &Record,
    job: &Job,
) -> Result<Result<Applied, Failure>, Error> {
    if let Err(failure) = note_sent(results, record, job) {
        return Ok(Err(failure));
    }
    let result = split(one(lms, job).await);
    if let Err(error) = &result
        && !error.is_ambiguous()
        && let Err(failure) = note_unsent(results, record, job, error)
    {
        return Ok(Err(failure));
    }
    result
}

/// Replaces the results by a line for each row.
fn finish(results: &Shared, batch: &Batch) -> Result<(), Failure> {
    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(results) = results.take() else {
        return Ok(());
    };
    let endings = batch.rows().iter().zip(&batch.endings);
    results.finish(endings.filter_map(|(row, ending)| Some((row, ending.as_ref()?))))
}

/// Ends the rows of a run that was stopped as they were noted. The result of one that was sent is not known.
fn end_noted(batch: &mut Batch, notes: Vec<(usize, Noted)>) {
    for (index, noted) in notes {
        let noted = noted.lock().unwrap_or_else(PoisonError::into_inner).take();
        let noted = noted.map(|noted| match noted.is_in_doubt() {
            true => Ending {
                id: noted.id,
                ..Ending::error(AMBIGUOUS, "the run was stopped")
            },
            false => noted,
        });
        let ending = &mut batch.endings[index];
        *ending = ending.take().or(noted);
    }
    for ending in batch.endings.iter_mut().filter(|ending| ending.is_none()) {
        *ending = Some(Ending::error(UNSENT, ""));
    }
}

/// The rows to send. One in doubt that cannot be looked up stays ambiguous.
fn jobs(batch: &mut Batch, progress: &Progress) -> Vec<Job> {
    let mut jobs = Vec::new();
    let mut unclear = Vec::new();
    for (index, call) in batch.calls() {
        let earlier = batch.endings[index].as_ref();
        let in_doubt = earlier.is_some_and(Ending::is_in_doubt);
        if earlier.is_some_and(Ending::is_well) {
            progress.add(1, None);
            continue;
        }
        let mut call = call.clone();
        if in_doubt && verbs::of(call.command).if_not_exists().is_some() {
            call.if_not_exists = true;
        }
        if in_doubt && !is_idempotent(&call) {
            unclear.push(index);
            continue;
        }
        jobs.push(Job {
            index,
            row: Arc::new(batch.row(index).clone()),
            call: Arc::new(call),
            in_doubt,
            noted: Arc::new(Mutex::new(earlier.filter(|_| in_doubt).cloned())),
        });
    }
    for index in unclear {
        let line = batch.row(index).line;
        let error = "an earlier run may have sent it; look for it, then correct lms_status in the results: added, or failed to send it again";
        progress.line(&format!("line {line}: {error}"));
        batch.endings[index] = Some(Ending::error(AMBIGUOUS, error));
    }
    for job in &jobs {
        batch.endings[job.index] = None;
    }
    jobs
}

async fn one(lms: &Lms, job: &Job) -> Result<Applied, Problem> {
    match verbs::of(job.call.command).apply(lms, &job.call).await {
        Err(Problem::Call(error))
            if job.in_doubt && is_removal(job.call.command) && error.is_not_found() =>
        {
            Ok(Applied::new(Effect::Removed, Shown::Nothing))
        }
        result => result,
    }
}

/// An error of a call decides whether others are sent. Any other failure is that of the row.
fn split(result: Result<Applied, Problem>) -> Result<Result<Applied, Failure>, Error> {
    match result {
        Ok(applied) => Ok(Ok(applied)),
        Err(Problem::Call(error)) => Err(error),
        Err(Problem::Other(failure)) => Ok(Err(failure)),
    }
}

/// The status of a row that was sent.
fn status(result: &Result<Result<Applied, Failure>, Error>) -> Status {
    match result {
        Ok(Ok(applied)) => match applied.effect {
            Effect::Existed | Effect::Unchanged | Effect::Absent => Status::Unneeded,
            _ => Status::Done,
        },
        Err(error) if error.is_ambiguous() => Status::Sent,
        Ok(Err(_)) | Err(_) => Status::Failed,
    }
}

fn ending(result: Result<Result<Applied, Failure>, Error>) -> Ending {
    match result {
        Ok(Ok(applied)) => Ending {
            status: applied.effect.name().to_owned(),
            id: applied.id.unwrap_or_default(),
            note: match applied.differs.is_empty() {
                true => String::new(),
                false => format!("kept: {}", applied.differs.join("; ")),
            },
            ..Ending::default()
        },
        Ok(Err(failure)) => Ending::error(FAILED, failure.message()),
        Err(error) => {
            let status = match error.is_ambiguous() {
                true => AMBIGUOUS,
                false => FAILED,
            };
            Ending::error(status, Failure::from(error).message())
        }
    }
}

fn append(results: &Shared, row: &Row, ending: &Ending) -> Result<(), Failure> {
    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
    match results.as_mut() {
        Some(results) => results.append(row, ending),
        None => Ok(()),
    }
}

/// Notes a row before its first request, so that it is known to be in doubt if the program is killed.
fn note_sent(results: &Shared, record: &Record, job: &Job) -> Result<(), Failure> {
    record.note(&job.step(), Status::Sent, "")?;
    let mut noted = job.noted.lock().unwrap_or_else(PoisonError::into_inner);
    if !noted.as_ref().is_some_and(Ending::is_in_doubt) {
        let sent = Ending::error(SENT, "").of(&job.call);
        append(results, &job.row, &sent)?;
        *noted = Some(sent);
    }
    Ok(())
}

/// Notes that a row was not processed: it may be sent again in another pass, or be left when the others cannot be sent.
fn note_unsent(results: &Shared, record: &Record, job: &Job, error: &Error) -> Result<(), Failure> {
    let ending = Ending::error(FAILED, Failure::from(error).message()).of(&job.call);
    append(results, &job.row, &ending)?;
    record.note(&job.step(), Status::Failed, &ending.error)?;
    *job.noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(ending);
    Ok(())
}
