//! Ends a program between two requests, and not in the middle of one.
//!
//! A program that is dropped at Ctrl-C may lose a write: the request was sent, and its response, with the id of the new
//! object, was not read. So a client from [`Lms::cancel_on`](crate::Lms::cancel_on) starts no call after the signal and ends
//! those that wait, but reads the response to each request that was sent.

use std::{
    fmt,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Waker},
    time::Duration,
};

use tokio::time::timeout;

use crate::error::{Error, ErrorKind};

/// How often a call that waits looks for the signal. Several calls cannot wait for one future.
const INTERVAL: Duration = Duration::from_millis(200);

/// Tells whether a client is to stop.
#[derive(Clone)]
pub(crate) struct CancelSignal(Arc<dyn Fn() -> bool + Send + Sync>);

impl CancelSignal {
    /// Is set when the future has completed, or `outer` is set. Generic code is compiled only into programs that use it.
    pub(crate) fn new(
        signal: impl Future<Output = ()> + Send + 'static,
        outer: Option<Self>,
    ) -> Self {
        // Its state must not depend on how much the task that polls it has done.
        let signal = tokio::task::unconstrained(signal);
        let signal = Mutex::new(Some(Box::pin(signal)));
        let is_set = move || {
            let mut signal = signal.lock().unwrap_or_else(PoisonError::into_inner);
            let mut cx = Context::from_waker(Waker::noop());
            if let Some(future) = signal.as_mut()
                && future.as_mut().poll(&mut cx).is_ready()
            {
                *signal = None;
            }
            signal.is_none() || outer.as_ref().is_some_and(|outer| outer.0())
        };
        // Registers a handler of Ctrl-C at once.
        is_set();
        Self(Arc::new(is_set))
    }

    /// Fails if no call may start any more.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self.0() {
            true => Err(Error::new(ErrorKind::Cancelled, "")),
            false => Ok(()),
        }
    }

    /// Returns the output of a call, or `None` if the signal comes while it waits and has no request `under_way`.
    pub(crate) async fn until_cancelled<T>(
        &self,
        mut call: Pin<&mut (impl Future<Output = T> + Send)>,
        under_way: &AtomicBool,
    ) -> Option<T> {
        loop {
            if let Ok(output) = timeout(INTERVAL, call.as_mut()).await {
                return Some(output);
            }
            if !under_way.load(Ordering::Relaxed) && self.0() {
                return None;
            }
        }
    }
}

impl fmt::Debug for CancelSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CancelSignal")
    }
}
