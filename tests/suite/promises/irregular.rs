//! A caller that stops polling for a while.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use fastrand::Rng;
use tokio::time::{Sleep, sleep};

/// Polls a future, and at random moments does not poll it for up to 8 s, whatever wakes it.
pub struct Irregular<'a, T> {
    future: Pin<Box<dyn Future<Output = T> + 'a>>,
    rng: Rng,
    rest: Option<Pin<Box<Sleep>>>,
    rested: Duration,
}

impl<'a, T> Irregular<'a, T> {
    pub fn new(rng: &mut Rng, future: impl Future<Output = T> + 'a) -> Self {
        Self {
            future: Box::pin(future),
            rng: rng.fork(),
            rest: None,
            rested: Duration::ZERO,
        }
    }
}

impl<T> Future for Irregular<'_, T> {
    /// The output, and how long the future was not polled.
    type Output = (T, Duration);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        loop {
            if let Some(rest) = &mut this.rest {
                if rest.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
                this.rest = None;
            }
            if let Poll::Ready(output) = this.future.as_mut().poll(cx) {
                return Poll::Ready((output, this.rested));
            }
            if this.rng.u8(..4) > 0 {
                return Poll::Pending;
            }
            let time = Duration::from_millis(this.rng.u64(1..8000));
            this.rested += time;
            this.rest = Some(Box::pin(sleep(time)));
        }
    }
}
