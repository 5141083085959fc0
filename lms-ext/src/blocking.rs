//! Calls from code that is not async: scripts, build tools, threads.
//!
//! [`Lms`] is the same client with two more methods: [`wait`](Lms::wait) waits for any call, and [`iter`](Lms::iter)
//! reads any stream of the crate.
//!
//! ```no_run
//! use lms_ext::{blocking, prelude::*};
//!
//! fn main() -> Result<(), Error> {
//!     let lms = blocking::Lms::new(Lms::from_env()?)?;
//!     let course = lms.wait(lms.get_course("c1").call())?;
//!     println!("{:?}", course.name);
//!
//!     lms.wait(lms.update_learner("l1", |learner| learner.surname = "Jones".into()))?;
//!     for learner in lms.iter(lms.list_learners().items()) {
//!         println!("{:?}", learner?.email);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! A background thread drives connections and timers, even between two calls. It ends with the last clone of the
//! client. Several threads can share a client.

use std::{fmt, ops::Deref, sync::Arc, thread};

use futures_core::Stream;
use futures_util::StreamExt as _;
use tokio::{
    runtime::{Builder, Handle},
    sync::oneshot,
};

use crate::error::Error;

/// A client for code that is not async; see [the module](self).
///
/// It dereferences to [`lms_ext::Lms`](crate::Lms). Cloning is cheap.
#[derive(Clone)]
pub struct Lms {
    lms: crate::Lms,
    runtime: Arc<Runtime>,
}

/// A runtime that a thread drives until this is dropped.
struct Runtime {
    handle: Handle,
    _stop: oneshot::Sender<()>,
}

impl Lms {
    /// Starts a thread for the calls of a client.
    ///
    /// # Errors
    ///
    /// A [usage error](Error::is_usage) if the system does not allow another thread.
    pub fn new(lms: crate::Lms) -> Result<Self, Error> {
        let refused = |error: std::io::Error| {
            let detail = format!("cannot start the thread for blocking calls: {error}");
            Error::usage(detail).with_source(error)
        };
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(refused)?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        thread::Builder::new()
            .name("lms-ext".to_owned())
            // The result is an error, because the sender is dropped and never sends.
            .spawn(move || drop(runtime.block_on(stopped)))
            .map_err(refused)?;
        Ok(Self {
            lms,
            runtime: Arc::new(Runtime {
                handle,
                _stop: stop,
            }),
        })
    }

    /// Returns a client that stops sending once the future has completed; see
    /// [`lms_ext::Lms::cancel_on`](crate::Lms::cancel_on). The future runs on the thread of this client, so it may be a
    /// signal of Tokio.
    #[must_use]
    pub fn cancel_on(&self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        let _runtime = self.runtime.handle.enter();
        Self {
            lms: self.lms.cancel_on(signal),
            runtime: Arc::clone(&self.runtime),
        }
    }

    /// Waits for a call, or any other future of this crate, and returns its output.
    ///
    /// # Panics
    ///
    /// In async code, where it would block the runtime: use the client itself there, and `.await`.
    pub fn wait<F: IntoFuture>(&self, call: F) -> F::Output {
        self.runtime.handle.block_on(call.into_future())
    }

    /// An iterator over a stream, such as the items of a list or the outcomes of a [bulk operation](crate::bulk).
    ///
    /// # Panics
    ///
    /// [`next`](Iterator::next) panics in async code, like [`wait`](Self::wait).
    pub fn iter<S: Stream + Unpin>(&self, stream: S) -> Iter<S> {
        Iter {
            lms: self.clone(),
            stream,
        }
    }
}

impl Deref for Lms {
    type Target = crate::Lms;

    fn deref(&self) -> &crate::Lms {
        &self.lms
    }
}

impl fmt::Debug for Lms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lms.fmt(f)
    }
}

/// An iterator over a stream; returned by [`Lms::iter`].
#[derive(Debug)]
#[must_use = "nothing is sent until the iterator is used"]
pub struct Iter<S> {
    lms: Lms,
    stream: S,
}

impl<S> Iter<S> {
    /// The stream, for its other methods, such as [`Items::checkpoint`](crate::Items::checkpoint).
    pub fn stream(&self) -> &S {
        &self.stream
    }
}

impl<S: Stream + Unpin> Iterator for Iter<S> {
    type Item = S::Item;

    fn next(&mut self) -> Option<S::Item> {
        self.lms.wait(self.stream.next())
    }
}
