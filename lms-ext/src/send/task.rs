//! Runs each call in a separate task.
//!
//! A caller may stop polling a call: in `select!`, after `timeout(limit, &mut call)`, or in a stream whose consumer is
//! busy. Other calls of the client would then wait for its permit, or for its lock on the token. A task makes progress
//! without its caller, and is aborted when its future is dropped.

use std::{
    future::poll_fn,
    panic::resume_unwind,
    pin::Pin,
    task::{Poll, ready},
};

use tokio::{
    runtime::{self, Handle},
    time::{Instant, Sleep, sleep_until},
};
use tokio_util::task::AbortOnDropHandle;
use tracing::{
    instrument::{Instrument as _, WithSubscriber as _},
    level_filters::LevelFilter,
};

use super::timeouts::{Timeouts, after, call_timeout};
use crate::error::{Error, ErrorKind};

/// The future that a task runs. Boxed by its caller, so that few kinds of tasks are compiled.
pub(crate) type Work<T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;

/// Starts a task. Requires a Tokio runtime.
///
/// `lost` completes the error for a task that may have sent something and will not report it: its runtime was shut down,
/// or does not run.
pub(crate) fn spawn<T: Send + 'static>(
    work: Work<T>,
    timeouts: Timeouts,
    lost: impl Fn(Error) -> Error,
) -> impl Future<Output = Result<T, Error>> {
    let deadline = after(Instant::now(), timeouts.call);
    let home = Handle::current();
    let task = if LevelFilter::current() == LevelFilter::OFF {
        home.spawn(work)
    } else {
        home.spawn(work.in_current_span().with_current_subscriber())
    };
    let mut task = AbortOnDropHandle::new(task);
    let mut elsewhere: Option<(runtime::Id, Pin<Box<Sleep>>)> = None;
    poll_fn(move |cx| {
        if let Poll::Ready(ended) = Pin::new(&mut task).poll(cx) {
            return Poll::Ready(ended.unwrap_or_else(|error| match error.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                Err(_) => Err(lost(Error::new(
                    ErrorKind::Connection,
                    "the runtime on which the call started was shut down before the response was complete",
                ))),
            }));
        }
        // The timers of the task belong to its runtime. If that one rests, only a timer of this one can end the call.
        let here = Handle::current().id();
        if here == home.id() {
            return Poll::Pending;
        }
        let (_, timer) = match &mut elsewhere {
            Some(timer) if timer.0 == here => timer,
            other => other.insert((here, Box::pin(sleep_until(deadline)))),
        };
        ready!(timer.as_mut().poll(cx));
        let waiting = "while waiting for the runtime on which the call started";
        Poll::Ready(Err(lost(call_timeout(&timeouts, waiting))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::runtime::{Builder, Runtime};

    fn runtime() -> Runtime {
        let mut runtime = Builder::new_current_thread();
        runtime.enable_time().start_paused(true).build().unwrap()
    }

    fn start<T: Send + 'static>(
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Pin<Box<impl Future<Output = Result<T, Error>>>> {
        Box::pin(spawn(
            Box::pin(work),
            Timeouts::default(),
            Error::into_ambiguous,
        ))
    }

    /// A task that never ends.
    fn started_on(runtime: &Runtime) -> Pin<Box<impl Future<Output = Result<(), Error>> + use<>>> {
        let _entered = runtime.enter();
        start(std::future::pending())
    }

    #[test]
    fn the_end_of_its_runtime_is_an_error() {
        let first = runtime();
        let task = started_on(&first);
        drop(first);
        let error = runtime().block_on(task).unwrap_err();
        assert!(error.is_ambiguous(), "{error:?}");
        assert!(error.to_string().contains("shut down"), "{error}");
    }

    #[tokio::test]
    #[should_panic(expected = "in the future")]
    async fn a_panic_reaches_the_caller() {
        let _: Result<(), _> = start(async { panic!("in the future") }).await;
    }
}
