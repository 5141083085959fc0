//! A call that is dropped leaves nothing behind: no place taken, no lock held, no half-made token.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use lms_ext::{RetryBudget, RetryPolicy, Timeouts, prelude::*};
use serde_json::json as value;
use tokio::{sync::Barrier, time::timeout};

use crate::script::{Act, Script, json, lost, status};

/// How many polls a call is given, one more each time.
const POLLS: usize = 200;
/// How many calls may be in flight.
const PLACES: usize = 4;

/// A future that is dropped after so many polls, unless it is done before.
struct DroppedAfter<F> {
    inner: Option<Pin<Box<F>>>,
    polls: usize,
}

fn dropped_after<F: Future>(polls: usize, inner: F) -> DroppedAfter<F> {
    DroppedAfter {
        inner: Some(Box::pin(inner)),
        polls,
    }
}

impl<F: Future> Future for DroppedAfter<F> {
    /// What came of it; `None` when it was dropped.
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if this.polls == 0 {
            this.inner = None;
            return Poll::Ready(None);
        }
        this.polls -= 1;
        match this
            .inner
            .as_mut()
            .map(|inner| inner.as_mut().poll(context))
        {
            Some(Poll::Ready(output)) => Poll::Ready(Some(output)),
            Some(Poll::Pending) => {
                if this.polls == 0 {
                    // The next poll drops it; nobody else may ask for one.
                    context.waker().wake_by_ref();
                }
                Poll::Pending
            }
            None => Poll::Ready(None),
        }
    }
}

/// An answer in pieces, each of which is waited for.
fn slow(body: &str) -> Act {
    body.bytes()
        .fold(status(200).after(Duration::from_millis(20)), |act, byte| {
            act.body_after(Duration::from_millis(5), vec![byte])
        })
}

/// A tenant that makes every call long: tokens that run out at once and are refused, a lost answer, 429,
/// 503, and bodies that trickle.
fn difficult() -> Script {
    Script::new(|seen| {
        if seen.is_token_request() {
            let token = format!("{{\"access_token\":\"t{}\",\"expires_in\":10}}", seen.index);
            return slow(&token);
        }
        match seen.index % 7 {
            // Once: a second refusal in the same call would rightly be its end.
            1 if seen.index == 1 => status(401).after(Duration::from_millis(20)),
            2 => lost().after(Duration::from_millis(20)),
            3 => status(429).header("retry-after", "1"),
            4 => status(503).after(Duration::from_millis(20)),
            5 => json(value!({})).broken(),
            _ => slow(
                "{\"id\":\"c1\",\"name\":\"a name that comes a letter at a time\",\"description\":\"and a description that does so as well, so that there are many polls\"}",
            ),
        }
    })
}

fn client(tenant: &Script) -> Lms {
    Lms::builder("https://tenant.example")
        .client_credentials("id", "secret")
        .http_client(tenant.clone())
        .max_concurrent(PLACES)
        .max_per_second(50)
        .retry(RetryPolicy::default().max_attempts(20))
        .retry_budget(RetryBudget::unlimited())
        .timeouts(Timeouts::default().call(Duration::from_secs(3600)))
        .build()
        .unwrap()
}

/// Whether as many calls as there are places get through at the same time.
async fn works_at_full_capacity(lms: &Lms) {
    let calls = (0..PLACES * 3).map(|_| lms.get_course().id("c1").call());
    let all = timeout(
        Duration::from_secs(600),
        futures_util::future::join_all(calls),
    )
    .await
    .expect("a call hangs");
    for result in all {
        result.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_dropped_at_any_of_its_first_polls_leaves_a_client_that_works() {
    fastrand::seed(7);
    let mut dropped = 0;
    for polls in 0..POLLS {
        let tenant = difficult();
        let lms = client(&tenant);
        let call = lms.get_course().id("c1").call();
        let outcome = dropped_after(polls, call).await;
        dropped += usize::from(outcome.is_none());
        if let Some(result) = outcome {
            result.unwrap();
        }
        works_at_full_capacity(&lms).await;
    }
    assert_eq!(dropped, POLLS, "calls are longer than that");
}

#[tokio::test(start_paused = true)]
async fn a_hundred_dropped_calls_of_one_client_do_not_add_up() {
    fastrand::seed(7);
    let tenant = difficult();
    let lms = client(&tenant);
    for polls in 0..POLLS {
        // Some in the crowd are dropped early, some late, some while others wait for what they hold.
        let crowd = (0..PLACES * 2).map(|place| {
            let polls = polls.abs_diff(place * 17);
            dropped_after(polls, lms.get_course().id("c1").call())
        });
        futures_util::future::join_all(crowd).await;
    }
    works_at_full_capacity(&lms).await;
}

#[tokio::test(start_paused = true)]
async fn every_place_is_free_after_calls_in_flight_were_dropped() {
    // A tenant whose answers wait until as many requests as there are places have come together.
    #[derive(Clone, Debug)]
    struct Together {
        barrier: Arc<Barrier>,
        holds: Arc<AtomicUsize>,
    }
    impl lms_ext::http::HttpClient for Together {
        fn send(&self, _: reqwest::Request) -> lms_ext::http::HttpFuture<'_> {
            Box::pin(async move {
                if self.holds.load(Ordering::Relaxed) > 0 {
                    std::future::pending::<()>().await;
                }
                self.barrier.wait().await;
                Ok(http::Response::new(reqwest::Body::from("{\"id\":\"c1\"}")).into())
            })
        }
    }
    let tenant = Together {
        barrier: Arc::new(Barrier::new(PLACES)),
        holds: Arc::new(AtomicUsize::new(1)),
    };
    let lms = Lms::builder("https://tenant.example")
        .token("a-token")
        .http_client(tenant.clone())
        .max_concurrent(PLACES)
        .build()
        .unwrap();
    for millis in 0..20 {
        let crowd = (0..PLACES * 3).map(|_| {
            let call = lms.get_course().id("c1").call();
            timeout(Duration::from_millis(millis), call)
        });
        let outcomes = futures_util::future::join_all(crowd).await;
        assert!(outcomes.iter().all(Result::is_err));
    }
    tenant.holds.store(0, Ordering::Relaxed);
    // They only end together, so all places must be there.
    let calls = (0..PLACES).map(|_| lms.get_course().id("c1").call());
    for result in futures_util::future::join_all(calls).await {
        result.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn the_next_in_line_fetches_the_token_when_the_first_is_dropped() {
    let tenant = Script::new(|seen| {
        if seen.is_token_request() {
            json(value!({"access_token": "t", "expires_in": 300})).after(Duration::from_secs(1))
        } else {
            json(value!({"id": "c1"}))
        }
    });
    let lms = client(&tenant);
    let first = lms.get_course().id("c1").call();
    let second = lms.get_course().id("c1").call();
    let first = timeout(Duration::from_millis(500), first);
    let (first, second) = tokio::join!(first, second);
    first.unwrap_err();
    second.unwrap();
    let fetched = tenant
        .seen()
        .iter()
        .filter(|seen| seen.is_token_request())
        .count();
    assert_eq!(fetched, 2, "one that was dropped, and one instead");
}
