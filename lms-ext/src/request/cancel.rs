//! Ends a program between two calls, and not in the middle of one.
//!
//! A program that is dropped at Ctrl-C may lose a write: the request was sent, and its response, with the id of the new
//! object, was not read. So each call of a client from [`Lms::cancel_on`](crate::Lms::cancel_on) first looks whether it may start, and then runs
//! to its end.

use std::{
    fmt,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Waker},
};

use crate::error::{Error, ErrorKind};

/// Tells whether a client may start a call.
pub(crate) struct CancelSignal {
    /// `None` once it has completed.
    signal: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    outer: Option<Arc<CancelSignal>>,
}

impl CancelSignal {
    pub(crate) fn new(
        signal: impl Future<Output = ()> + Send + 'static,
        outer: Option<Arc<Self>>,
    ) -> Self {
        let new = Self {
            // Its state must not depend on how much the task that polls it has done.
            signal: Mutex::new(Some(Box::pin(tokio::task::unconstrained(signal)))),
            outer,
        };
        // Registers a handler of Ctrl-C at once.
        new.is_set();
        new
    }

    fn is_set(&self) -> bool {
        let mut signal = self.signal.lock().unwrap_or_else(PoisonError::into_inner);
        let mut cx = Context::from_waker(Waker::noop());
        if let Some(future) = signal.as_mut()
            && future.as_mut().poll(&mut cx).is_ready()
        {
            *signal = None;
        }
        signal.is_none() || self.outer.as_ref().is_some_and(|outer| outer.is_set())
    }

    /// Fails if no call may start any more.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self.is_set() {
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
