//! Servers with the limits that real services have, and jobs of many calls at them, for a paused clock.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use lms_ext::{Lms, LmsBuilder, prelude::*};
use serde_json::json as value;
use tokio::time::Instant;

use crate::script::{Script, json, status};

/// A response takes 50 ms, give or take a fifth.
const LATENCY: f64 = 0.05;

/// A limit that clients are not told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// No limit.
    None,
    /// A token bucket.
    Bucket {
        /// Tokens per second.
        per_second: f64,
        /// Tokens at first and at most.
        burst: f64,
    },
    /// A number of requests in each window of some seconds, which begins when the one before ends.
    Fixed(usize, f64),
    /// A number of requests in any window of some seconds.
    Sliding(usize, f64),
    /// A number of requests in flight.
    InFlight(usize),
    /// A token bucket with fewer tokens per second for a while.
    BrownOut {
        /// Tokens per second, and the most at once is a fifth of it.
        per_second: f64,
        /// Tokens per second meanwhile.
        low: f64,
        /// The seconds at which it begins and ends.
        during: (f64, f64),
    },
    /// A token bucket of ten tokens that starts slowly.
    SlowStart {
        /// Tokens per second at first.
        first: f64,
        /// Tokens per second in the end.
        last: f64,
        /// Seconds until then.
        seconds: f64,
    },
}

/// `Retry-After` in a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAfter {
    /// None.
    Absent,
    /// Whole seconds until a request is accepted, rounded up.
    Right,
    /// Always this number of seconds.
    Seconds(u64),
}

/// A job of many calls at a limit.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The limit.
    pub limit: Limit,
    /// Added to each refusal.
    pub retry_after: RetryAfter,
    /// The share of all requests that is refused at random.
    pub random: f64,
    /// Tasks that make one call after the other.
    pub tasks: usize,
    /// Calls of all tasks.
    pub calls: usize,
    /// Clients that share the tasks.
    pub clients: usize,
    /// The time at which the limit changes, in seconds, and the new one.
    pub change: Option<(f64, Limit)>,
}

/// A request: its client, the seconds from the start of the job, and whether it was accepted.
pub type Request = (usize, f64, bool);

/// A finished job.
#[derive(Debug)]
pub struct Report {
    /// Seconds until every call was accepted.
    pub seconds: f64,
    /// Calls that were refused as often as they were sent. They were made again.
    pub failed: usize,
    /// All requests, in the order of their arrival.
    pub requests: Vec<Request>,
}

impl Report {
    /// The share of requests that were refused from a second on.
    pub fn refused(&self, from: f64) -> f64 {
        let settled = self.requests.iter().filter(|(_, at, _)| *at >= from);
        let (refused, all) = settled.fold((0, 0), |(refused, all), (.., accepted)| {
            (refused + usize::from(!accepted), all + 1)
        });
        refused as f64 / f64::max(all as f64, 1.0)
    }

    /// Requests of a client that were accepted in the seconds of a range.
    pub fn accepted(&self, client: usize, seconds: std::ops::Range<f64>) -> usize {
        let of = |(whose, at, accepted): &&Request| {
            *accepted && *whose == client && seconds.contains(at)
        };
        self.requests.iter().filter(of).count()
    }
}

impl Job {
    /// A job of one client.
    pub const fn new(limit: Limit, retry_after: RetryAfter, tasks: usize, calls: usize) -> Self {
        Self {
            limit,
            retry_after,
            random: 0.0,
            tasks,
            calls,
            clients: 1,
            change: None,
        }
    }

    /// The seconds of a job whose client knows the limit.
    pub fn ideal(&self) -> f64 {
        let calls = self.calls as f64;
        let at_once = match self.limit {
            Limit::InFlight(most) => self.tasks.min(most),
            _ => self.tasks,
        };
        let limited = match self.limit {
            Limit::None | Limit::InFlight(_) => 0.0,
            Limit::Bucket { per_second, burst } => (calls - burst) / per_second,
            // The calls before the brown-out, in it, and after it.
            Limit::BrownOut {
                per_second,
                low,
                during: (from, to),
            } => to + (calls - per_second * from - low * (to - from)) / per_second,
            Limit::SlowStart {
                first,
                last,
                seconds,
            } => seconds + (calls - f64::midpoint(first, last) * seconds) / last,
            Limit::Fixed(requests, seconds) | Limit::Sliding(requests, seconds) => {
                ((self.calls - 1) / requests) as f64 * seconds
            }
        };
        LATENCY + limited.max((calls - 1.0) * LATENCY / at_once as f64)
    }

    /// The seconds from the change to the first three in which requests are accepted at this share of the new limit.
    pub fn used_after(&self, report: &Report, share: f64) -> f64 {
        let Some((at, Limit::Bucket { per_second, .. })) = self.change else {
            return f64::NAN;
        };
        let is_used = |second: &f64| {
            let from = at + second;
            report.accepted(0, from..from + 3.0) as f64 >= share * 3.0 * per_second
        };
        let seconds = (0..120).map(f64::from).find(is_used);
        seconds.map_or(f64::INFINITY, |second| second + 1.0)
    }

    /// The seconds after which a client that finds the limit has found it.
    pub fn settled(&self) -> f64 {
        match self.limit {
            Limit::Fixed(_, seconds) | Limit::Sliding(_, seconds) => f64::max(2.0 * seconds, 10.0),
            _ => 10.0,
        }
    }

    /// Runs the job with clients of some settings, on a paused clock.
    pub async fn run(&self, settings: impl Fn(LmsBuilder) -> LmsBuilder) -> Report {
        let service = Arc::new(Mutex::new(Service::new(*self)));
        let clients: Vec<Lms> = (0..self.clients)
            .map(|client| settings(server(&service, client).builder()))
            .map(|builder| builder.build().expect("a client"))
            .collect();
        let left = AtomicUsize::new(self.calls);
        let taken = || {
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            })
        };
        let failed = AtomicUsize::new(0);
        let start = Instant::now();
        join_all((0..self.tasks).map(|task| {
            let lms = &clients[task % clients.len()];
            let failed = &failed;
            async move {
                while taken().is_ok() {
                    while lms.get_course("c1").call().await.is_err() {
                        failed.fetch_add(1, Ordering::Relaxed);
                    }
                }
            }
        }))
        .await;
        let seconds = start.elapsed().as_secs_f64();
        let mut service = service.lock().unwrap_or_else(PoisonError::into_inner);
        Report {
            seconds,
            failed: failed.into_inner(),
            requests: std::mem::take(&mut service.requests),
        }
    }
}

/// The server that a client sees.
fn server(service: &Arc<Mutex<Service>>, client: usize) -> Script {
    let service = Arc::clone(service);
    Script::new(move |seen| {
        let latency = LATENCY * (0.8 + 0.4 * fastrand::f64());
        let mut service = service.lock().unwrap_or_else(PoisonError::into_inner);
        let now = (seen.at - service.start).as_secs_f64();
        let refusal = service.refusal(now);
        service.requests.push((client, now, refusal.is_none()));
        let act = match refusal {
            None => {
                service.ends.push(now + latency);
                json(value!({"id": "c1"}))
            }
            Some(None) => status(429),
            Some(Some(seconds)) => status(429).header("retry-after", &seconds.to_string()),
        };
        act.after(Duration::from_secs_f64(latency))
    })
}

#[derive(Debug)]
struct Service {
    job: Job,
    start: Instant,
    requests: Vec<Request>,
    /// Of a token bucket, or of a fixed window.
    tokens: f64,
    refilled: f64,
    /// The times at which the requests of a sliding window were accepted.
    accepted: VecDeque<f64>,
    /// The times at which the accepted requests end.
    ends: Vec<f64>,
}

impl Service {
    fn new(job: Job) -> Self {
        let tokens = match job.limit {
            Limit::Bucket { burst, .. } => burst,
            Limit::Fixed(requests, _) => requests as f64,
            _ => 0.0,
        };
        Self {
            job,
            start: Instant::now(),
            requests: Vec::new(),
            tokens,
            refilled: 0.0,
            accepted: VecDeque::new(),
            ends: Vec::new(),
        }
    }

    /// Returns `None` if a request is accepted, and otherwise the seconds in `Retry-After`, if any.
    fn refusal(&mut self, now: f64) -> Option<Option<u64>> {
        if let Some((_, limit)) = self.job.change.take_if(|(at, _)| now >= *at) {
            self.job.limit = limit;
        }
        let random = fastrand::f64() < self.job.random;
        let opens = if random { now + 1.0 } else { self.opens(now) };
        if opens <= now + 1e-9 {
            self.tokens -= 1.0;
            self.accepted.push_back(now);
            return None;
        }
        Some(match self.job.retry_after {
            RetryAfter::Absent => None,
            RetryAfter::Right => Some((opens - now).ceil() as u64),
            RetryAfter::Seconds(seconds) => Some(seconds),
        })
    }

    fn refill(&mut self, now: f64, before: f64, per_second: f64, burst: f64) -> f64 {
        self.tokens = (self.tokens + (now - before) * per_second).min(burst);
        now + ((1.0 - self.tokens) / per_second).max(0.0)
    }

    /// Returns when a request would be accepted.
    fn opens(&mut self, now: f64) -> f64 {
        let before = std::mem::replace(&mut self.refilled, now);
        match self.job.limit {
            Limit::None => now,
            Limit::Bucket { per_second, burst } => self.refill(now, before, per_second, burst),
            Limit::BrownOut {
                per_second,
                low,
                during: (from, to),
            } => {
                let rate = if (from..to).contains(&now) {
                    low
                } else {
                    per_second
                };
                self.refill(now, before, rate, rate / 5.0)
            }
            Limit::SlowStart {
                first,
                last,
                seconds,
            } => {
                let rate = first + (last - first) * (now / seconds).min(1.0);
                self.refill(now, before, rate, 10.0)
            }
            Limit::Fixed(requests, seconds) => {
                let window = (now / seconds).floor();
                if window > (before / seconds).floor() {
                    self.tokens = requests as f64;
                }
                if self.tokens >= 1.0 {
                    now
                } else {
                    (window + 1.0) * seconds
                }
            }
            Limit::Sliding(requests, seconds) => {
                while self.accepted.len() > requests {
                    self.accepted.pop_front();
                }
                match self.accepted.front() {
                    Some(first) if self.accepted.len() == requests => first + seconds,
                    _ => now,
                }
            }
            Limit::InFlight(most) => {
                self.ends.retain(|end| *end > now);
                if self.ends.len() < most {
                    now
                } else {
                    now + 1.0
                }
            }
        }
    }
}
