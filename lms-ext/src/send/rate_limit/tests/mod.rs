//! The schedule and the throttle on a clock of numbers.

mod in_flight;
mod limits;

use super::{
    schedule::{Departure, Schedule, Slot},
    throttle::{Change, Throttle},
};

fn adaptive() -> Schedule {
    Schedule::new(None, Some(Throttle::new()))
}

/// Sends `count` requests that are accepted after 50 ms, as fast as the schedule allows. Returns the time after them.
fn accepted(schedule: &mut Schedule, count: usize, mut now: f64) -> f64 {
    for _ in 0..count {
        let delayed = match schedule.depart(None, now) {
            Ok(departure) => departure.delayed,
            Err(slot) => {
                now = slot.at;
                schedule.depart(Some(slot), now).unwrap().delayed
            }
        };
        schedule.accepted(now, left(delayed), now + 0.05);
    }
    now + 0.05
}

/// A schedule whose client sent 100 requests in a second, all accepted but the last, which was refused with
/// `Retry-After: 1`.
fn throttled() -> (Schedule, f64) {
    let mut schedule = adaptive();
    for index in 0..100 {
        let now = f64::from(index) / 100.0;
        schedule.depart(None, now).unwrap();
        schedule.accepted(now, left(false), now);
    }
    let change = schedule.refused(1.0, 1, Some(1.0), 1.0);
    assert!(matches!(change, Change::Throttled(_)), "{change:?}");
    (schedule, 1.0)
}

/// A request that was the only one in flight.
fn left(delayed: bool) -> Departure {
    Departure {
        delayed,
        in_flight: 1,
        change: Change::None,
    }
}

fn err(result: Result<impl Sized, Slot>) -> Slot {
    result.err().unwrap()
}

#[test]
fn a_client_is_not_throttled_before_a_refusal() {
    let mut schedule = adaptive();
    for _ in 0..1000 {
        schedule.depart(None, 0.0).unwrap();
        schedule.accepted(0.0, left(false), 0.0);
    }
    assert_eq!(
        (schedule.throttled_to(), schedule.paused_until()),
        (None, 0.0)
    );
}

#[test]
fn retry_after_pauses_all_calls_for_at_most_five_minutes() {
    for (asked, least) in [(1.0, 1.0), (60.0, 60.0), (1000.0, 300.0), (1e18, 300.0)] {
        let mut schedule = adaptive();
        schedule.depart(None, 0.0).unwrap();
        schedule.accepted(0.0, left(false), 0.0);
        schedule.refused(0.0, 1, (asked > 0.0).then_some(asked), 0.0);
        let until = schedule.paused_until();
        assert!((least..least + 0.2).contains(&until), "{asked}: {until}");
        assert!(err(schedule.depart(None, 0.0)).at >= least);
    }
}

#[test]
fn a_longer_retry_after_of_an_older_request_extends_the_pause() {
    let (mut schedule, now) = throttled();
    let rate = schedule.throttled_to();
    assert_eq!(schedule.refused(0.9, 1, Some(20.0), now), Change::Adjusted);
    assert_eq!(schedule.paused_until(), now + 20.0);
    assert_eq!(schedule.refused(0.9, 1, None, now), Change::None);
    assert_eq!(schedule.throttled_to(), rate, "the rate is lowered once");
}

#[test]
fn the_rate_after_a_refusal_is_below_what_was_accepted() {
    let (schedule, _) = throttled();
    let rate = schedule.throttled_to().unwrap();
    assert!((30.0..100.0).contains(&rate), "{rate}");
}

#[test]
fn accepted_requests_raise_the_rate_and_time_alone_does_not() {
    let (mut schedule, now) = throttled();
    let low = schedule.throttled_to().unwrap();
    let now = accepted(&mut schedule, 1, now + 1.2);
    let later = now + 20.0;
    assert!(schedule.throttled_to().unwrap() < 1.2 * low);
    accepted(&mut schedule, 2000, later);
    assert!(schedule.throttled_to().is_none_or(|rate| rate > 3.0 * low));
}

#[test]
fn requests_that_did_not_wait_do_not_raise_the_rate() {
    let (mut schedule, now) = throttled();
    let low = schedule.throttled_to().unwrap();
    for second in 2..25 {
        let now = now + f64::from(second);
        schedule.depart(None, now).unwrap();
        schedule.accepted(now, left(false), now);
    }
    assert_eq!(schedule.throttled_to(), Some(low));
}

#[test]
fn throttling_ends_when_no_request_waits_for_half_a_minute() {
    let (mut schedule, now) = throttled();
    let until = schedule.paused_until();
    assert_eq!(
        schedule.depart(None, until + 29.0).unwrap().change,
        Change::None
    );
    assert!(schedule.throttled_to().is_some());
    let change = schedule.depart(None, until + 31.0).unwrap().change;
    assert_eq!((change, schedule.throttled_to()), (Change::Released, None));
    assert!(now < until);
}

#[test]
fn pauses_grow_until_a_request_is_accepted() {
    let mut schedule = adaptive();
    let mut now = 0.0;
    let mut pauses = Vec::new();
    // The first outage takes longer than an hour, and so might the second one.
    for index in 0..160 {
        now = match schedule.depart(None, now) {
            Ok(_) => now,
            Err(slot) => slot.at,
        };
        if index == 120 {
            schedule.accepted(now, left(false), now);
        }
        if matches!(schedule.refused(now, 1, None, now), Change::Throttled(_)) {
            pauses.push(schedule.paused_until() - now);
        }
    }
    assert!(pauses[0] < 0.2, "{pauses:?}");
    assert!(pauses[20] > 10.0 * pauses[0], "{pauses:?}");
    assert!(pauses.iter().all(|pause| *pause <= 75.0), "{pauses:?}");
}

#[test]
fn refusals_at_random_do_not_throttle() {
    let mut schedule = adaptive();
    for index in 0..100_000 {
        let now = f64::from(index) / 2000.0;
        schedule.depart(None, now).unwrap();
        let change = if index % 20 == 19 {
            schedule.refused(now, 1, None, now)
        } else {
            schedule.accepted(now, left(false), now)
        };
        assert_eq!(change, Change::None);
    }
    assert_eq!(schedule.throttled_to(), None);
}

#[test]
fn refusals_that_do_not_depend_on_the_rate_stop_throttling() {
    fastrand::seed(7);
    let mut schedule = adaptive();
    let mut now = 0.0;
    let mut released = false;
    for index in 0..5000 {
        let slot = schedule.depart(None, now).err();
        if let Some(slot) = slot {
            now = slot.at;
            schedule.depart(Some(slot), now).unwrap();
        }
        let change = if index % 7 == 6 {
            schedule.refused(now, 1, None, now + 0.001)
        } else {
            schedule.accepted(now, left(slot.is_some()), now + 0.001)
        };
        released |= change == Change::Released;
        now += 0.01;
    }
    assert!(released);
    assert!(now < 300.0, "{now}");
}

#[test]
fn refusals_in_a_row_throttle_sooner_than_scattered_ones() {
    for (accepted, most) in [(0, 6), (3, 30)] {
        let mut schedule = adaptive();
        schedule.depart(None, 0.0).unwrap();
        schedule.accepted(0.0, left(false), 0.0);
        let mut refused = 1;
        while schedule.refused(0.0, 1, None, 0.0) == Change::None {
            refused += 1;
            for _ in 0..accepted {
                schedule.accepted(0.0, left(false), 0.0);
            }
        }
        assert!(
            (most / 2..=most).contains(&refused),
            "{accepted}: {refused}"
        );
    }
}

#[test]
fn a_refusal_without_retry_after_may_be_chance_where_the_limit_announces_itself() {
    for announced in [true, false] {
        let (mut schedule, mut now) = throttled();
        if !announced {
            schedule = adaptive();
            now = 0.0;
            while !matches!(schedule.refused(0.0, 1, None, now), Change::Throttled(_)) {
                schedule.accepted(0.0, left(false), 0.0);
            }
        }
        let now = accepted(&mut schedule, 20, now + 2.0);
        let rate = schedule.throttled_to();
        let change = schedule.refused(now, 1, None, now);
        assert_eq!(change == Change::None, announced, "{change:?}");
        assert_eq!(schedule.throttled_to() == rate, announced);
    }
}

#[test]
fn slots_are_an_interval_apart_and_return_when_they_are_cancelled() {
    let mut schedule = Schedule::new(Some(10.0), None);
    schedule.depart(None, 0.0).unwrap();
    let slots: Vec<_> = (0..3).map(|_| err(schedule.depart(None, 0.0))).collect();
    let times: Vec<_> = slots.iter().map(|slot| (slot.at * 10.0).round()).collect();
    assert_eq!(times, [1.0, 2.0, 3.0]);

    assert!(!schedule.cancel(slots[2]), "the last is returned as it is");
    assert_eq!(err(schedule.depart(None, 0.0)).at, slots[2].at);
    assert!(schedule.cancel(slots[0]), "calls behind it move up");
    assert_eq!(err(schedule.depart(Some(slots[1]), 0.0)).at, slots[0].at);
    assert!(!schedule.cancel(slots[1]), "it has expired");
}
