//! Servers that limit the requests in flight.

use super::{adaptive, err};
use crate::send::rate_limit::schedule::{Departure, Schedule};

/// Sends requests of eight tasks for a minute to a server that decides by the time and by how many accepted requests are in
/// flight. Returns the schedule, and how many requests were refused.
fn eight_tasks(accepts: impl Fn(f64, u32) -> bool) -> (Schedule, usize) {
    fastrand::seed(7);
    let mut schedule = adaptive();
    let (mut now, mut refused) = (0.0, 0);
    let mut sent: Vec<(f64, Departure, bool)> = Vec::new();
    while now < 60.0 {
        while sent.len() < 8
            && let Ok(departure) = schedule.depart(None, now)
        {
            let taken = sent.iter().map(|(.., accepted)| u32::from(*accepted)).sum();
            sent.push((now, departure, accepts(now, taken)));
        }
        now += 0.001;
        let returned: Vec<_> = sent.extract_if(.., |(at, ..)| now - *at > 0.045).collect();
        for (at, departure, accepted) in returned {
            if accepted {
                schedule.accepted(at, departure, now);
            } else {
                refused += 1;
                schedule.refused(at, departure.in_flight, None, now);
            }
            schedule.returned();
        }
    }
    for _ in sent {
        schedule.returned();
    }
    (schedule, refused)
}

#[test]
fn a_cap_on_requests_in_flight_is_found_and_tried_now_and_then() {
    for (first, last) in [(1, 1), (7, 7), (2, 6)] {
        let cap = |now| if now < 30.0 { first } else { last };
        let (schedule, refused) = eight_tasks(|now, in_flight| in_flight < cap(now));
        assert_eq!(schedule.in_flight_cap(), Some(last));
        assert_eq!(schedule.throttled_to(), None);
        assert!((15..60).contains(&refused), "{last}: {refused}");
    }
}

/// A token bucket without bursts refuses two that leave together.
#[test]
fn one_more_than_the_cap_leaves_between_two_others() {
    let (mut schedule, _) = eight_tasks(|_, in_flight| in_flight < 1);
    schedule.depart(None, 70.0).unwrap();
    let slot = err(schedule.depart(None, 70.0));
    assert!((70.02..70.03).contains(&slot.at), "{slot:?}");
    assert_eq!(schedule.depart(Some(slot), slot.at).unwrap().in_flight, 2);
    assert_eq!(err(schedule.depart(None, 71.0)).at, f64::INFINITY);
}

#[test]
fn a_cap_that_is_not_reached_for_half_a_minute_is_forgotten() {
    let (mut schedule, _) = eight_tasks(|_, in_flight| in_flight < 3);
    for (second, cap) in [(60.0, Some(3)), (80.0, Some(3)), (100.0, None)] {
        let departure = schedule.depart(None, second).unwrap();
        schedule.accepted(second, departure, second + 0.05);
        schedule.returned();
        assert_eq!(schedule.in_flight_cap(), cap);
    }
}
