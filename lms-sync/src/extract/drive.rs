//! Reads an extract to its end into a consumer, and decides when to start the list again.

use super::{Batch, Extract};
use crate::{
    error::{Error, ErrorKind},
    record::Completeness,
};

/// Takes the batches of an extract, and keeps its checkpoints.
pub(crate) trait Consumer {
    /// Takes a batch with its checkpoint.
    async fn take(&mut self, batch: Batch) -> Result<(), Error>;

    /// Drops the checkpoint, since reading cannot be continued after it: the next batch is the first one of a new reading.
    async fn restart(&mut self) -> Result<(), Error>;
}

/// Number of readings after which a list that changed during each of them counts as changed.
const READINGS: u64 = 3;

/// Passes all batches of an extract to a consumer. Returns `Ok` only when all rows were read, or those that the
/// budget allows.
///
/// A list that changed while it was read is read again, [`READINGS`] times in total. If it changed each time, this
/// fails, or returns `Ok` if the extract [accepts changes](crate::Export::accept_changes).
///
/// A reading is started again when the service refuses to continue at the checkpoint that it was resumed from, whose
/// cursor may have expired. A reading that ended with too few rows is started again by the next run.
///
/// # Errors
///
/// The errors of the extract and of the consumer; [`Cancelled`](ErrorKind::Cancelled) when `cancel` completes.
pub(crate) async fn drive(
    extract: &mut Extract,
    consumer: &mut impl Consumer,
    cancel: &mut (impl Future<Output = ()> + Unpin),
) -> Result<(), Error> {
    let mut resumed = extract.checkpoint.progress.record.resumes > 0;
    loop {
        let next = tokio::select! {
            biased;
            () = &mut *cancel => Err(Error::cancelled()),
            next = extract.next_batch() => next,
        };
        match next {
            Ok(Some(batch)) => {
                resumed = false;
                consumer.take(batch).await?;
            }
            Ok(None) => {
                let (completeness, because) = extract.checkpoint.progress.completeness();
                if matches!(completeness, Completeness::Complete | Completeness::Partial) {
                    return Ok(());
                }
                if extract.checkpoint.progress.record.readings < READINGS {
                    consumer.restart().await?;
                    extract.read_again();
                } else if extract.reading.accept_changes {
                    return Ok(());
                } else {
                    consumer.restart().await?;
                    return Err(ErrorKind::Incomplete.error(format!(
                        "{} changed each of the {READINGS} times it was read, so rows may be missing ({}); run again when less \
                         is changed, or accept changes",
                        extract.collection.name,
                        because.join("; ")
                    )));
                }
            }
            Err(error) if resumed && is_refusal(&error) => {
                resumed = false;
                consumer.restart().await?;
                extract.restart();
            }
            Err(error) => {
                // The pages up to here are the reason, and not a request that may succeed later.
                let wrong = error.kind() == ErrorKind::Incomplete && error.tenant_error().is_none();
                if extract.checkpoint.progress.finished || wrong {
                    consumer.restart().await?;
                }
                return Err(error);
            }
        }
    }
}

/// Returns `true` if the service refused a request as it is, so that sending it again would not help.
fn is_refusal(error: &Error) -> bool {
    error.tenant_error().is_some_and(|error| {
        matches!(
            error.kind(),
            lms_ext::ErrorKind::CursorRejected
                | lms_ext::ErrorKind::Rejected
                | lms_ext::ErrorKind::NotFound
        )
    })
}
