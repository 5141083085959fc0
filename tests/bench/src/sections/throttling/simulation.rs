//! Runs clients against a service, event by event.

use std::{
    cmp::{Ordering, Reverse},
    collections::{BTreeMap, BinaryHeap},
};

use super::{
    clients::Client,
    service::{Answer, Limit, RetryAfter, Service},
};

/// Every call is answered after 50 ms, give or take a fifth.
const LATENCY: f64 = 0.05;

#[derive(Clone, Copy)]
pub(super) struct Case {
    pub(super) limit: Limit,
    pub(super) retry_after: RetryAfter,
    /// The share of requests that are refused without a reason.
    pub(super) noise: f64,
    /// Of each client.
    pub(super) tasks: usize,
    pub(super) calls: usize,
    pub(super) clients: usize,
    /// Time of a change of the limit, and the new limit.
    pub(super) change: Option<(f64, Limit)>,
    /// From when on figures are those of a settled client.
    pub(super) settled: f64,
    /// Time after which the run ends, done or not.
    pub(super) end: f64,
}

#[derive(Default)]
pub(super) struct Report {
    pub(super) seconds: f64,
    /// Once settled, without those that are refused without a reason.
    pub(super) requests: f64,
    pub(super) refused: f64,
    /// Once settled, by each client, until the first of them is done.
    pub(super) accepted: Vec<f64>,
    pub(super) accepted_by_second: Vec<f64>,
    /// All clients still have calls to make.
    shared: bool,
}

struct Event {
    at: f64,
    order: u64,
    what: What,
}

enum What {
    Change(Limit),
    /// A task wants to send, unless it has done so since.
    Leave {
        task: usize,
        turn: u64,
    },
    Answered {
        task: usize,
        sent: f64,
        answer: Answer,
    },
}

#[derive(Default)]
struct Task {
    /// The attempt that is next; 0 between calls.
    attempt: u32,
    turn: u64,
}

struct Queue {
    events: BinaryHeap<Event>,
    order: u64,
}

impl Queue {
    fn push(&mut self, at: f64, what: What) {
        self.order += 1;
        let order = self.order;
        self.events.push(Event { at, order, what });
    }
}

pub(super) fn run(case: &Case, client: fn() -> Box<dyn Client>, seed: u64) -> Report {
    fastrand::seed(seed);
    let mut service = Service::new(case.limit, case.retry_after);
    let mut clients: Vec<_> = (0..case.clients).map(|_| client()).collect();
    let mut left = vec![case.calls; case.clients];
    let mut waiting = vec![BTreeMap::new(); case.clients];
    let mut tasks: Vec<_> = (0..case.clients * case.tasks)
        .map(|_| Task::default())
        .collect();
    let mut report = Report {
        accepted: vec![0.0; case.clients],
        shared: true,
        ..Report::default()
    };
    let mut queue = Queue {
        events: BinaryHeap::new(),
        order: 0,
    };
    for task in 0..tasks.len() {
        queue.push(1e-6 * task as f64, What::Leave { task, turn: 0 });
    }
    if let Some((at, limit)) = case.change {
        queue.push(at, What::Change(limit));
    }
    let mut unfinished = case.calls * case.clients;
    while let Some(Event { at: now, what, .. }) = queue.events.pop() {
        report.seconds = now;
        if unfinished == 0 || now > case.end {
            break;
        }
        match what {
            What::Change(limit) => service.change(limit, now),
            What::Leave { task, turn } => {
                let client = task / case.tasks;
                let state = &mut tasks[task];
                if turn != state.turn {
                    continue;
                }
                if state.attempt == 0 {
                    if left[client] == 0 {
                        continue;
                    }
                    left[client] -= 1;
                    state.attempt = 1;
                }
                if let Err(later) = clients[client].leave(task, now) {
                    waiting[client].insert(task, later);
                    queue.push(later.max(now + 1e-7), What::Leave { task, turn });
                    continue;
                }
                waiting[client].remove(&task);
                let chance = case.noise > 0.0 && fastrand::f64() < case.noise;
                let answer = if chance { Err(None) } else { service.ask(now) };
                if !chance {
                    report.count(case, client, answer.is_ok(), now);
                }
                report.shared &= left[client] > 0;
                let latency = LATENCY * (0.8 + 0.4 * fastrand::f64());
                let sent = now;
                queue.push(now + latency, What::Answered { task, sent, answer });
            }
            What::Answered { task, sent, answer } => {
                let client = task / case.tasks;
                let expired = clients[client].answered(task, sent, now, answer);
                let state = &mut tasks[task];
                state.turn += 1;
                let mut wait = 0.0;
                match answer {
                    Ok(()) => {
                        service.done();
                        state.attempt = 0;
                        unfinished -= 1;
                    }
                    // A call that has failed is made again at the end of the job.
                    Err(_) if state.attempt >= clients[client].attempts() => {
                        state.attempt = 0;
                        left[client] += 1;
                    }
                    Err(retry_after) => {
                        wait = clients[client].backoff(state.attempt, retry_after);
                        state.attempt += 1;
                    }
                }
                let turn = state.turn;
                queue.push(now + wait, What::Leave { task, turn });
                if expired {
                    let mut waiting: Vec<(usize, f64)> = waiting[client]
                        .iter()
                        .map(|(task, at)| (*task, *at))
                        .collect();
                    waiting.sort_by(|a, b| a.1.total_cmp(&b.1));
                    for (task, _) in waiting {
                        tasks[task].turn += 1;
                        let turn = tasks[task].turn;
                        queue.push(now, What::Leave { task, turn });
                    }
                }
            }
        }
    }
    report
}

impl Report {
    fn count(&mut self, case: &Case, client: usize, accepted: bool, now: f64) {
        let accepted = f64::from(u8::from(accepted));
        if now >= case.settled {
            self.requests += 1.0;
            self.refused += 1.0 - accepted;
            if self.shared {
                self.accepted[client] += accepted;
            }
        }
        let second = now as usize;
        if self.accepted_by_second.len() <= second {
            self.accepted_by_second.resize(second + 1, 0.0);
        }
        self.accepted_by_second[second] += accepted;
    }
}

/// Returns how long clients take that know the limit.
pub(super) fn ideal(case: &Case) -> f64 {
    let mut service = Service::new(case.limit, RetryAfter::Absent);
    let (mut limit, mut change) = (case.limit, case.change);
    let mut busy = BinaryHeap::new();
    let mut now = 0.0_f64;
    let mut left = case.calls * case.clients;
    while left > 0 {
        if let Some((_, new)) = change.take_if(|(at, _)| now >= *at) {
            service.change(new, now);
            limit = new;
        }
        let tasks = case.clients * case.tasks;
        let most = match limit {
            Limit::InFlight(most) => tasks.min(most as usize),
            _ => tasks,
        };
        if busy.len() >= most {
            let Some(Reverse(nanoseconds)) = busy.pop() else {
                break;
            };
            now = now.max(nanoseconds as f64 / 1e9);
            continue;
        }
        if !matches!(limit, Limit::InFlight(_)) {
            let opens = service.opens(now);
            if let Some((at, _)) = change
                && opens > at
            {
                now = at;
                continue;
            }
            now = opens;
            while service.ask(now).is_err() {
                now += 1e-6;
            }
        }
        busy.push(Reverse(((now + LATENCY) * 1e9) as u64));
        left -= 1;
    }
    now + LATENCY
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Event {}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Event {
    /// The earliest is the greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        let earlier = other.at.total_cmp(&self.at);
        earlier.then(other.order.cmp(&self.order))
    }
}
