//! Ends a program between two calls, and not in the middle of one.
//!
//! A program that is dropped at Ctrl-C may lose a write: the request was sent, and its response, with the id of the new
//! object, was not read. So each call of a client from [`Lms::cancel_on`](crate::Lms::cancel_on) first checks whether it
//! may start, and then runs to its end.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Waker},
};

use crate::error::{Error, ErrorKind};

/// Tells whether a client may start no call any more.
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
}

impl fmt::Debug for CancelSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CancelSignal")
    }
}
