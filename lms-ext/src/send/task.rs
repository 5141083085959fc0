//! Runs a future that makes progress without its caller, in a task that does not outlive it.
//!
//! A future makes progress only while it is polled, and a caller may stop polling one for any time: in `select!`, after
//! `timeout(limit, &mut call)`, or in a stream whose consumer is busy. What the future holds meanwhile, such as a permit
//! or the lock for refreshing the token, is missing for the other calls of the client. In a [`Task`] it makes progress all
//! the same.
//!
//! A task costs two allocations and several wake-ups more than a future that its caller polls. So [`Task::new`] starts
//! none: the caller polls the future until it is [handed over](Shared::hand_over) because others may wait for it.
//!
//! Dropping a [`Task`] drops the future at once. Aborting the task would leave that to the runtime, which may not run any
//! more.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Wake, Waker, ready},
    thread,
};

use tokio::runtime::Handle;
use tracing::{Dispatch, Span, dispatcher, level_filters::LevelFilter};

use crate::error::{Error, ErrorKind};

/// What a [`Task`] runs.
pub(crate) type Work<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The result of a future that its caller or a task of its own polls.
pub(crate) struct Task<T>(Arc<Shared<T>>);

/// What the caller and the task share. It is the waker of the future, so it makes no difference who polls it.
pub(super) struct Shared<T> {
    runtime: Handle,
    /// Where the spans and events of the future belong; `None` while nothing listens.
    tracing: Option<(Dispatch, Span)>,
    /// Locked while the future is polled.
    state: Mutex<State<T>>,
    /// Locked only to read or replace a waker.
    wakers: Mutex<Wakers>,
}

enum State<T> {
    Running(Work<T>),
    /// Boxed, because few futures are handed over.
    Ended(Box<thread::Result<T>>),
    /// The task ended with its runtime, before the future did.
    Lost,
    /// The caller has the result, or has dropped its end.
    Taken,
}

#[derive(Default)]
struct Wakers {
    caller: Option<Waker>,
    handed_over: bool,
    task: Option<Waker>,
}

impl<T: Send + 'static> Task<T> {
    /// A future that its caller polls until it is handed over. Requires a Tokio runtime, as timeouts do.
    pub(super) fn new(work: Work<T>) -> Self {
        let listening = LevelFilter::current() != LevelFilter::OFF;
        Self(Arc::new(Shared {
            runtime: Handle::current(),
            tracing: listening.then(|| (dispatcher::get_default(Dispatch::clone), Span::current())),
            state: Mutex::new(State::Running(work)),
            wakers: Mutex::default(),
        }))
    }

    /// Starts a future in a task of its own. Requires a Tokio runtime.
    pub(crate) fn spawn(work: Work<T>) -> Self {
        let task = Self::new(work);
        task.0.hand_over();
        task
    }

    pub(super) fn shared(&self) -> &Arc<Shared<T>> {
        &self.0
    }
}

impl<T: Send + 'static> Shared<T> {
    /// Lets a task poll the future from now on.
    pub(super) fn hand_over(self: &Arc<Self>) {
        let before = std::mem::replace(&mut lock(&self.wakers).handed_over, true);
        if !before {
            self.runtime.spawn(Poller(Arc::clone(self)));
        }
    }

    fn poll(self: &Arc<Self>, work: &mut Work<T>) -> Poll<T> {
        let waker = Waker::from(Arc::clone(self));
        work.as_mut().poll(&mut Context::from_waker(&waker))
    }
}

impl<T: Send + 'static> Wake for Shared<T> {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let waker = {
            let wakers = lock(&self.wakers);
            wakers.task.as_ref().or(wakers.caller.as_ref()).cloned()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T: Send + 'static> Future for Task<Result<T, Error>> {
    type Output = Result<T, Error>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let shared = &self.0;
        // Before the future is polled, so that no wake-up is missed.
        let mut handed_over = {
            let mut wakers = lock(&shared.wakers);
            let (replaced, handed_over) = (set(&mut wakers.caller, cx), wakers.handed_over);
            drop(wakers);
            drop(replaced);
            handed_over
        };
        // Timers and connections of the future belong to the runtime on which it started.
        if !handed_over
            && !Handle::try_current().is_ok_and(|runtime| runtime.id() == shared.runtime.id())
        {
            shared.hand_over();
            handed_over = true;
        }
        let mut state = lock(&shared.state);
        match &mut *state {
            State::Running(_) if handed_over => return Poll::Pending,
            State::Running(work) => {
                let output = ready!(shared.poll(work));
                *state = State::Taken;
                return Poll::Ready(output);
            }
            State::Ended(_) | State::Lost | State::Taken => {}
        }
        let ended = std::mem::replace(&mut *state, State::Taken);
        drop(state);
        Poll::Ready(match ended {
            State::Ended(outcome) => outcome.unwrap_or_else(|panic| resume_unwind(panic)),
            State::Running(_) | State::Lost | State::Taken => Err(Error::new(
                ErrorKind::Connection,
                "the runtime on which the call started was shut down before the response was complete",
            )),
        })
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        let state = std::mem::replace(&mut *lock(&self.0.state), State::Taken);
        // The task ends when it finds nothing to do.
        let task = lock(&self.0.wakers).task.take();
        if let Some(task) = task {
            task.wake();
        }
        drop(state);
    }
}

/// The task that polls a future after it was handed over.
struct Poller<T>(Arc<Shared<T>>);

impl<T: Send + 'static> Future for Poller<T> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let shared = &self.0;
        let replaced = set(&mut lock(&shared.wakers).task, cx);
        drop(replaced);
        let mut state = lock(&shared.state);
        if let State::Running(work) = &mut *state {
            let poll = AssertUnwindSafe(|| match &shared.tracing {
                Some((dispatch, span)) => {
                    dispatcher::with_default(dispatch, || span.in_scope(|| shared.poll(work)))
                }
                None => shared.poll(work),
            });
            // A panic is the caller's.
            *state = State::Ended(Box::new(match catch_unwind(poll) {
                Ok(output) => Ok(ready!(output)),
                Err(panic) => Err(panic),
            }));
        }
        Poll::Ready(())
    }
}

impl<T> Drop for Poller<T> {
    fn drop(&mut self) {
        let mut state = lock(&self.0.state);
        let lost = matches!(*state, State::Running(_))
            .then(|| std::mem::replace(&mut *state, State::Lost));
        drop(state);
        drop(lost);
        let caller = lock(&self.0.wakers).caller.take();
        if let Some(caller) = caller {
            caller.wake();
        }
    }
}

/// Replaces a waker, unless it wakes the same task. The old one is to be dropped without a lock.
fn set(waker: &mut Option<Waker>, cx: &Context<'_>) -> Option<Waker> {
    match waker {
        Some(waker) if waker.will_wake(cx.waker()) => None,
        _ => waker.replace(cx.waker().clone()),
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    // After a panic of the future, it is only dropped.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        sync::atomic::{AtomicU32, Ordering},
        time::Duration,
    };
    use tokio::{sync::Semaphore, time::sleep};

    #[tokio::test(start_paused = true)]
    async fn it_makes_progress_without_being_polled() {
        let ticks = Arc::new(AtomicU32::new(0));
        let counted = ticks.clone();
        let task = Task::spawn(Box::pin(async move {
            for _ in 0..10 {
                sleep(Duration::from_secs(1)).await;
                counted.fetch_add(1, Ordering::Relaxed);
            }
            Ok::<_, Error>("done")
        }));
        sleep(Duration::from_secs(11)).await;
        assert_eq!(ticks.load(Ordering::Relaxed), 10);
        assert_eq!(task.await.unwrap(), "done");
    }

    #[test]
    fn dropping_it_drops_the_future_at_once_even_when_its_runtime_does_not_run() {
        let permits = Arc::new(Semaphore::new(1));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let held = permits.clone();
        let task = runtime.block_on(async {
            let task = Task::spawn(Box::pin(async move {
                let _permit = held.acquire().await;
                std::future::pending::<()>().await;
            }));
            tokio::task::yield_now().await;
            task
        });
        assert_eq!(permits.available_permits(), 0);
        drop(task);
        assert_eq!(permits.available_permits(), 1);
    }

    #[test]
    fn the_end_of_its_runtime_is_an_error() {
        let runtime = || {
            tokio::runtime::Builder::new_current_thread()
                .build()
                .unwrap()
        };
        // Whether a task polls it, or its caller.
        for start in [Task::spawn, Task::new] {
            let first = runtime();
            let task = {
                let _entered = first.enter();
                start(Box::pin(std::future::pending::<Result<(), Error>>()))
            };
            drop(first);
            let error = runtime().block_on(task).unwrap_err();
            assert!(error.to_string().contains("shut down"), "{error}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn it_may_be_handed_over_at_any_time() {
        for polls in 0..4 {
            let mut task = Task::new(Box::pin(async {
                for _ in 0..3 {
                    sleep(Duration::from_secs(1)).await;
                }
                Ok::<_, Error>("done")
            }));
            for _ in 0..polls {
                let _ = tokio::time::timeout(Duration::from_secs(1), &mut task).await;
            }
            task.0.hand_over();
            task.0.hand_over();
            let rest = task.0.clone();
            sleep(Duration::from_secs(4)).await;
            assert!(!matches!(*lock(&rest.state), State::Running(_)), "{polls}");
            if polls < 3 {
                assert_eq!(task.await.unwrap(), "done");
            }
        }
    }

    #[tokio::test]
    #[should_panic(expected = "in the future")]
    async fn a_panic_reaches_the_caller() {
        let task = Task::spawn(Box::pin(async {
            panic!("in the future");
            #[expect(unreachable_code, reason = "gives the future its type")]
            Ok::<(), Error>(())
        }));
        let _ = task.await;
    }
}
