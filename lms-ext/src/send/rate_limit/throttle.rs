//! Finds the rate that a server accepts, from the requests that it refuses.
//!
//! A service does not announce its limit, and limits differ: token buckets, windows of a second or an hour, several
//! clients that share one. What is common to them: while requests are refused, the number that are accepted per second
//! is the limit.
//!
//! - **After a refusal** the ceiling becomes the rate at which requests were accepted, as in TCP Westwood (Mascolo,
//!   Casetti, Gerla, Sanadidi, Wang, "TCP Westwood", MobiCom 2001), and the client continues at a fraction of it.
//! - **Between refusals** the rate follows the curve of CUBIC ([RFC 9438](https://www.rfc-editor.org/rfc/rfc9438)), as in
//!   the adaptive retry mode of the AWS SDKs: up to the ceiling, a plateau there, then beyond it faster and faster. Only
//!   accepted requests that waited for this limit raise it. A ceiling that was measured for a short time is held for as
//!   short a time.
//! - **`Retry-After`** pauses all calls. Without it they pause briefly, and longer each time that nothing is accepted.
//!
//! **Is a 429 chance or a limit?** A 429 without `Retry-After` may be a fault behind the server. So a client at
//! full speed slows down only when such responses exceed one in twelve for a while. When they do, a
//! trial decides: at half the rate that was accepted, a limit refuses nothing. If requests are still refused there, it is
//! chance, and the client returns to full speed for a minute (then two, four, …) and tolerates twice that share.
//!
//! Times are seconds since the limiter was built, and are passed in: nothing here reads a clock. `tests/bench` includes
//! this file in a simulation, and docs/benchmarks.md has the results.

/// The fraction of the ceiling at which the curve starts.
const BETA: f64 = 0.85;
/// Seconds until the curve reaches a ceiling that was measured for at least as long.
const PLATEAU: f64 = 6.0;
/// The least number of requests in that time, so that few of them are refused at low rates; and its limit in seconds.
const PLATEAU_REQUESTS: f64 = 25.0;
const LONGEST_PLATEAU: f64 = 20.0;
/// A pause takes at most one part in so many of the time. Of a longer pause one second counts.
const PLATEAU_PER_PAUSE: f64 = 10.0;
/// Seconds from the plateau to the rate that is as far above it as the start was below.
const PROBING: f64 = 2.0;
/// The lowest rate. A slower limit is left to the pauses.
const MIN_RATE: f64 = 0.05;
/// The first pause without `Retry-After`, the factor from one to the next, and the longest.
const PAUSE: f64 = 0.1;
const PAUSE_GROWTH: f64 = 1.5;
const LONGEST_PAUSE: f64 = 60.0;
/// The next outage starts with this fraction of the longest pause of the one before it.
const REMEMBERED_PAUSE: f64 = 1.0 / 8.0;
/// The longest `Retry-After` that pauses all calls. After it, one request finds out whether it still holds.
const LONGEST_RETRY_AFTER: f64 = 300.0;
/// While a pause may not be over, requests leave one by one, at most this far apart.
const LONGEST_PROBE_INTERVAL: f64 = 1.0;
/// Refusals that an unthrottled client accepts as chance: so many, and this share of its requests.
const CHANCE: f64 = 5.0;
const CHANCE_SHARE: f64 = 0.08;
/// How much a refusal with `Retry-After: 0` counts towards these. It invites a retry, so three in five are accepted.
const INVITED: f64 = 0.05;
/// A larger share of refusals is a limit, without a trial.
const TRIAL_SHARE: f64 = 0.8;
/// Responses in a trial, and the least and the most refusals among them that are chance.
const TRIAL: f64 = 80.0;
const TRIAL_REFUSALS: [f64; 2] = [3.0, 30.0];
/// Seconds without throttling after a trial that found chance. They double each time.
const TRUCE: f64 = 60.0;
const LONGEST_TRUCE: f64 = 960.0;
/// Throttling ends when no request had to wait for so many seconds.
const UNUSED: f64 = 30.0;
/// The measurement forgets half of what is older than this many seconds, once it has this many requests.
const HORIZON: f64 = 1.0;
const HORIZON_REQUESTS: f64 = 5.0;

/// What follows from a response.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    None,
    /// The rate or the pause is another one.
    Adjusted,
    /// The server has throttled the client, and nothing is sent for so many seconds.
    Throttled(f64),
    /// Throttling is over.
    Released,
}

#[derive(Debug)]
pub(super) struct Throttle {
    limit: Option<Limit>,
    sample: Sample,
    /// When the rate was last lowered, or the client was last idle. Older requests say nothing about the present rate.
    since: f64,
    paused_until: f64,
    /// The current pause, and how many pauses there were since a request was accepted.
    pause: f64,
    pauses: u32,
    /// The longest own pause of the last outage.
    outage: f64,
    last_sent: f64,
    last_delayed: f64,
    /// How many more refusals are chance.
    chance: f64,
    /// Responses, and refusals among them, since it was full.
    doubtful: f64,
    doubtful_refused: f64,
    chance_share: f64,
    trial: Option<Trial>,
    truce: f64,
    truce_until: f64,
}

#[derive(Debug)]
struct Limit {
    ceiling: f64,
    plateau: f64,
    /// For how long requests have been accepted at this limit.
    tested: f64,
    last_response: f64,
}

/// How many requests were accepted, and for how long.
#[derive(Debug, Default)]
struct Sample {
    began: f64,
    accepted: f64,
    /// Seconds of a pause that do not count.
    excluded: f64,
}

#[derive(Debug)]
struct Trial {
    began: f64,
    rate: f64,
    responses: f64,
    refused: f64,
}

impl Throttle {
    pub(super) fn new() -> Self {
        Self {
            limit: None,
            sample: Sample::default(),
            since: 0.0,
            paused_until: 0.0,
            pause: 0.0,
            pauses: 0,
            outage: 0.0,
            last_sent: 0.0,
            last_delayed: 0.0,
            chance: CHANCE,
            doubtful: 0.0,
            doubtful_refused: 0.0,
            chance_share: CHANCE_SHARE,
            trial: None,
            truce: TRUCE,
            truce_until: 0.0,
        }
    }

    /// Requests per second, or `None` while the client is not throttled.
    pub(super) fn rate(&self) -> Option<f64> {
        self.limit.as_ref().map(Limit::rate)
    }

    pub(super) fn paused_until(&self) -> f64 {
        self.paused_until
    }

    /// Seconds from one request to the next; 0 while the client is not throttled.
    pub(super) fn interval(&self) -> f64 {
        let interval = self.rate().map_or(0.0, |rate| 1.0 / rate);
        if self.pauses > 0 {
            interval.max(self.pause.min(LONGEST_PROBE_INTERVAL))
        } else {
            interval
        }
    }

    /// A request leaves, after a wait for this limit if `delayed`.
    pub(super) fn sent(&mut self, delayed: bool, now: f64) -> Change {
        if delayed {
            self.last_delayed = now;
        }
        let unused = self.limit.is_some() && now - self.last_delayed > UNUSED;
        if unused {
            self.release(now);
        }
        if self.limit.is_none() && now - self.last_sent.max(self.paused_until) > HORIZON {
            self.restart(now);
        }
        self.sample.age(self.outage.max(HORIZON), now);
        self.last_sent = now;
        if unused {
            Change::Released
        } else {
            Change::None
        }
    }

    /// The server accepted a request that left at `sent`, after a wait for this limit if `delayed`.
    pub(super) fn accepted(&mut self, sent: f64, delayed: bool, now: f64) -> Change {
        if self.trial(0.0, sent, now) {
            return Change::Released;
        }
        if sent < self.since {
            return Change::None;
        }
        self.sample.accepted += 1.0;
        match &mut self.limit {
            None => {
                self.doubtful += 1.0;
                self.chance += self.tolerated_share(now);
                if self.chance >= CHANCE {
                    self.trust();
                }
            }
            Some(limit) => limit.accepted(delayed, now),
        }
        if std::mem::take(&mut self.pauses) > 0 {
            Change::Adjusted
        } else {
            Change::None
        }
    }

    /// The server refused a request that left at `sent`, and asked for a wait of `retry_after`.
    pub(super) fn refused(&mut self, sent: f64, retry_after: Option<f64>, now: f64) -> Change {
        let invited = retry_after == Some(0.0);
        let retry_after = retry_after.unwrap_or_default().min(LONGEST_RETRY_AFTER);
        let asked = retry_after > 0.0;
        if self.trial(1.0, sent, now) {
            return Change::Released;
        }
        if sent < self.since {
            return if asked {
                self.pause_for(retry_after, now)
            } else {
                Change::None
            };
        }
        self.doubtful += 1.0;
        self.doubtful_refused += 1.0;
        self.chance -= if invited { INVITED } else { 1.0 };
        if !asked && self.limit.is_none() && self.pauses == 0 && self.chance >= 0.0 {
            return Change::None;
        }
        // Keeps clients apart that were refused together.
        let jitter = 0.75 + 0.5 * fastrand::f64();
        let pause = if self.sample.accepted > 0.0 {
            let pause = if asked { retry_after } else { PAUSE * jitter };
            self.lower(sent, retry_after, pause, now);
            self.outage /= 2.0;
            self.pauses = u32::from(asked);
            self.pause = pause;
            pause
        } else {
            self.pauses += 1;
            if self.pauses > 4 {
                self.trial = None;
            }
            self.pause = (self.pause * PAUSE_GROWTH)
                .max(self.outage * REMEMBERED_PAUSE)
                .clamp(PAUSE, LONGEST_PAUSE);
            self.outage = self.pause;
            retry_after.max(self.pause * jitter)
        };
        self.since = now;
        self.paused_until = self.paused_until.max(now);
        self.pause_for(pause + if asked { PAUSE * jitter } else { 0.0 }, now);
        Change::Throttled(self.paused_until - now)
    }

    /// Sets the ceiling to the rate that was measured.
    fn lower(&mut self, sent: f64, retry_after: f64, pause: f64, now: f64) {
        let measured = now - self.since;
        let active = self.sample.seconds(sent, now);
        let accepted = self.sample.accepted / active;
        let mut ceiling = match &self.limit {
            None => accepted,
            // A rate that was reached without a refusal is not far off.
            Some(limit) if limit.tested >= limit.plateau => {
                accepted.clamp(limit.rate() / 2.0, limit.rate())
            }
            Some(limit) => accepted.min(limit.rate()),
        };
        // Either the whole pause is needed, or it is rounded up to a second; and what a client sends first may be a burst
        // that the server accepts once. The truth is in between.
        let unknown = if self.limit.is_none() {
            retry_after.max(HORIZON)
        } else {
            retry_after
        };
        if measured < unknown + self.pause {
            ceiling = (ceiling * self.sample.accepted / (active + unknown)).sqrt();
        }
        if self.limit.is_none() && retry_after == 0.0 {
            let share = self.doubtful_refused / self.doubtful;
            self.trial = (share <= TRIAL_SHARE).then_some(Trial {
                began: now,
                rate: accepted,
                responses: 0.0,
                refused: 0.0,
            });
        }
        if let Some(trial) = &self.trial {
            ceiling = ceiling.max(trial.rate / 2.0);
        }
        // A refusal with `Retry-After` costs a pause, so the next one is put off for longer.
        let held = if retry_after > 0.0 {
            2.0 * measured
        } else {
            measured
        };
        let plateau = PLATEAU
            .max((PLATEAU_REQUESTS / ceiling).min(LONGEST_PLATEAU))
            .max(PLATEAU_PER_PAUSE * pause.min(1.0))
            .min(held.max(1.0 / ceiling).max(retry_after.min(1.0)));
        self.limit = Some(Limit {
            ceiling,
            plateau,
            tested: 0.0,
            last_response: now + pause,
        });
        self.sample = Sample {
            began: now,
            excluded: pause.min(1.0),
            ..Sample::default()
        };
    }

    fn pause_for(&mut self, seconds: f64, now: f64) -> Change {
        let until = now + seconds;
        self.last_delayed = self.last_delayed.max(until);
        if until <= self.paused_until {
            return Change::None;
        }
        self.paused_until = until;
        Change::Adjusted
    }

    /// Counts a response in the trial, if there is one. Returns whether the refusals turned out to be chance.
    fn trial(&mut self, refused: f64, sent: f64, now: f64) -> bool {
        let rate = self.rate();
        let Some(trial) = &mut self.trial else {
            return false;
        };
        if sent < trial.began || rate.is_none_or(|rate| rate > 0.6 * trial.rate) {
            return false;
        }
        trial.responses += 1.0;
        trial.refused += refused;
        let [least, most] = TRIAL_REFUSALS;
        if trial.refused > most {
            self.trial = None;
            return false;
        }
        if trial.responses < TRIAL {
            return false;
        }
        let share = trial.refused / trial.responses;
        let chance = trial.refused >= least;
        if chance {
            self.chance_share = CHANCE_SHARE.max(2.0 * share);
            self.truce_until = now + self.truce;
            self.truce = (2.0 * self.truce).min(LONGEST_TRUCE);
            self.paused_until = now;
            self.release(now);
        } else if share == 0.0 {
            self.trial = None;
        } else {
            trial.responses = 0.0;
            trial.refused = 0.0;
        }
        chance
    }

    fn tolerated_share(&self, now: f64) -> f64 {
        if now < self.truce_until {
            self.chance_share
        } else {
            CHANCE_SHARE
        }
    }

    fn release(&mut self, now: f64) {
        self.limit = None;
        self.trial = None;
        self.pauses = 0;
        self.trust();
        self.restart(now);
    }

    fn trust(&mut self) {
        self.chance = CHANCE;
        self.doubtful = 0.0;
        self.doubtful_refused = 0.0;
    }

    fn restart(&mut self, now: f64) {
        self.since = now;
        self.sample = Sample {
            began: now,
            ..Sample::default()
        };
    }
}

impl Limit {
    fn rate(&self) -> f64 {
        let beyond = self.tested - self.plateau;
        let scale = if beyond < 0.0 {
            self.plateau
        } else {
            self.plateau.min(PROBING)
        };
        let rate = self.ceiling * (1.0 + (1.0 - BETA) * (beyond / scale).powi(3));
        rate.max(MIN_RATE)
    }

    fn accepted(&mut self, delayed: bool, now: f64) {
        if delayed {
            let gap = now - self.last_response;
            self.tested += gap.clamp(0.0, (2.0 / self.rate()).max(0.1));
        }
        self.last_response = now;
    }
}

impl Sample {
    /// How long the requests took to send up to the one that left at `sent`.
    fn seconds(&self, sent: f64, now: f64) -> f64 {
        (sent - self.began - self.excluded)
            .max(now - sent)
            .max(0.001)
    }

    fn age(&mut self, horizon: f64, now: f64) {
        if now - self.began > horizon && self.accepted > HORIZON_REQUESTS {
            self.accepted /= 2.0;
            self.excluded /= 2.0;
            self.began = f64::midpoint(self.began, now);
        }
    }
}
