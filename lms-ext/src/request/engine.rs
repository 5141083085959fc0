//! State that all calls of a client share.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use tokio::time::{Instant, timeout_at};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use super::base_url::BaseUrl;
use crate::{
    error::{Error, ErrorKind},
    send::{Sender, after, auth::Tokens, call_timeout, spawn},
};

/// The policies of one client, shared by all its clones.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub(crate) base: BaseUrl,
    pub(crate) sender: Arc<Sender>,
    pub(crate) tokens: Arc<Tokens>,
    pub(crate) writes: Arc<WriteLocks>,
    pub(crate) cancel: Option<Cancel>,
}

/// The signal that cancels the calls of a client.
#[derive(Clone, Debug)]
pub(crate) struct Cancel {
    pub(crate) token: CancellationToken,
    /// Waits for the signal, as long as there is a client that it cancels.
    _signal: Arc<AbortOnDropHandle<()>>,
}

/// A lock for each object that a call reads and then writes.
///
/// Two edits that both read a learner before either writes it lose one of the changes, and two calls that both find no
/// enrolment add two.
#[derive(Debug, Default)]
pub(crate) struct WriteLocks(Mutex<HashMap<String, Weak<tokio::sync::Mutex<()>>>>);

/// The timeout of an operation of several calls, as a multiple of the timeout of a call.
const CALLS_OF_AN_OPERATION: u32 = 4;

impl Engine {
    /// The same engine, which sends nothing after the signal.
    #[inline]
    pub(crate) fn cancelled_on(&self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        let token = match &self.cancel {
            Some(outer) => outer.token.child_token(),
            None => CancellationToken::new(),
        };
        let guard = token.clone().drop_guard();
        let mut signal = Box::pin(async move {
            signal.await;
            drop(guard);
        });
        // Polled here, so that a signal that has come counts at once, and a handler of Ctrl-C is registered.
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        let ready = signal.as_mut().poll(&mut cx).is_ready();
        let signal = tokio::spawn(async move {
            if !ready {
                signal.await;
            }
        });
        Self {
            cancel: Some(Cancel {
                token,
                _signal: Arc::new(AbortOnDropHandle::new(signal)),
            }),
            ..self.clone()
        }
    }

    /// Runs an operation that reads an object and then writes it, in a task that has the object for itself.
    pub(crate) async fn exclusively<T: Send + 'static>(
        self: &Arc<Self>,
        key: String,
        operation: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        let engine = Arc::clone(self);
        let timeouts = &self.sender.timeouts;
        let whole = timeouts
            .clone()
            .call(timeouts.call.saturating_mul(CALLS_OF_AN_OPERATION));
        let lock = self.writes.lock_of(key);
        let work = Box::pin(async move {
            let timeouts = &engine.sender.timeouts;
            let locked = timeout_at(after(Instant::now(), timeouts.call), lock.lock_owned());
            let _lock = engine.unless_cancelled(locked).await?.map_err(|_| {
                let waiting =
                    "while waiting for other calls of this client that write the same object";
                call_timeout(timeouts, waiting)
            })?;
            operation.await
        });
        spawn(work, whole, Error::into_ambiguous).await
    }

    /// Waits for something other than a call.
    pub(crate) async fn unless_cancelled<T>(
        &self,
        wait: impl Future<Output = T>,
    ) -> Result<T, Error> {
        let Some(cancel) = &self.cancel else {
            return Ok(wait.await);
        };
        let waited = cancel.token.run_until_cancelled(wait).await;
        waited.ok_or_else(|| Error::new(ErrorKind::Cancelled, ""))
    }
}

impl WriteLocks {
    #[inline]
    fn lock_of(&self, key: String) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        locks.retain(|_, lock| lock.strong_count() > 0);
        let known = locks.get(&key).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let lock = Arc::default();
            locks.insert(key, Arc::downgrade(&lock));
            lock
        })
    }
}
