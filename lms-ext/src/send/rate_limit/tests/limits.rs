//! Servers with a limit.

use super::{accepted, adaptive, left};
use crate::send::rate_limit::schedule::Departure;

/// A server that accepts 600 requests in each minute, and none of the others.
#[test]
fn the_next_window_is_expected_when_it_begins() {
    fastrand::seed(7);
    let mut schedule = adaptive();
    let (mut now, mut taken, mut refused) = (0.0_f64, [0; 12], [0; 12]);
    loop {
        let slot = schedule.depart(None, now).err();
        if let Some(slot) = slot {
            now = slot.at;
            schedule.depart(Some(slot), now).unwrap();
        }
        let minute = (now / 60.0) as usize;
        if minute >= taken.len() {
            break;
        }
        if taken[minute] < 600 {
            taken[minute] += 1;
            schedule.accepted(now, left(slot.is_some()), now);
        } else {
            refused[minute] += 1;
            schedule.refused(now, 1, None, now);
        }
        schedule.returned();
    }
    assert!(taken[2..].iter().all(|taken| *taken == 600), "{taken:?}");
    let later: u32 = refused[2..].iter().sum();
    assert!(later < 50, "{refused:?}");
}

/// A token bucket of 200 per second and 20 at once, which 20 tasks meet at full speed.
#[test]
fn what_is_accepted_beside_refusals_is_the_limit() {
    for retry_after in [Some(1.0), None] {
        let mut schedule = adaptive();
        let (mut now, mut tokens) = (0.0, 20.0);
        let mut sent: Vec<(f64, Departure, bool)> = Vec::new();
        while now < 1.0 {
            while sent.len() < 20
                && let Ok(departure) = schedule.depart(None, now)
            {
                sent.push((now, departure, tokens >= 1.0));
                tokens -= f64::from(u8::from(tokens >= 1.0));
            }
            // Responses take 50 ms, and one arrives after the other.
            now += 0.0025;
            tokens = f64::min(tokens + 0.5, 20.0);
            let returned = sent.first().is_some_and(|(at, ..)| now - at > 0.05);
            for (at, departure, accepted) in sent.drain(..usize::from(returned)) {
                if accepted {
                    schedule.accepted(at, departure, now);
                } else {
                    schedule.refused(at, departure.in_flight, retry_after, now);
                }
                schedule.returned();
            }
            if schedule.throttled_to().is_some() && sent.is_empty() {
                break;
            }
        }
        let rate = schedule.throttled_to().unwrap();
        assert!((150.0..220.0).contains(&rate), "{retry_after:?}: {rate}");
        // It is held for longer where a try beyond it costs a second.
        accepted(&mut schedule, 600, now + 2.0);
        let later = schedule.throttled_to().unwrap();
        assert_eq!(later < 1.1 * rate, retry_after.is_some(), "{later}");
    }
}

/// A server that accepts a request every 50 ms, or 20 in a row when it was idle for a second.
#[test]
fn the_limit_is_found_with_and_without_bursts() {
    fastrand::seed(7);
    for burst in [1.0, 20.0] {
        let mut schedule = adaptive();
        let (mut now, mut refilled, mut tokens) = (0.0_f64, 0.0, burst);
        let (mut taken, mut refused) = (0.0, 0.0);
        while now < 300.0 {
            let slot = schedule.depart(None, now).err();
            if let Some(slot) = slot {
                now = slot.at;
                schedule.depart(Some(slot), now).unwrap();
            }
            tokens = f64::min(tokens + (now - refilled) * 20.0, burst);
            refilled = now;
            let counted = f64::from(u8::from(now > 60.0));
            if tokens >= 1.0 - 1e-9 {
                tokens -= 1.0;
                taken += counted;
                schedule.accepted(now, left(slot.is_some()), now);
            } else {
                refused += counted;
                schedule.refused(now, 1, None, now);
            }
        }
        assert!(taken > 0.9 * 20.0 * 240.0, "{burst}: {taken}");
        assert!(refused < 0.02 * taken, "{burst}: {refused} of {taken}");
    }
}

/// A server that accepts 20 requests per second, and after a minute 100.
#[test]
fn a_raised_limit_is_used_after_ten_seconds() {
    fastrand::seed(7);
    let mut schedule = adaptive();
    let (mut now, mut refilled, mut tokens, mut taken) = (0.0_f64, 0.0, 20.0, 0.0);
    while now < 80.0 {
        let slot = schedule.depart(None, now).err();
        if let Some(slot) = slot {
            now = slot.at;
            schedule.depart(Some(slot), now).unwrap();
        }
        let limit = if now < 60.0 { 20.0 } else { 100.0 };
        tokens = f64::min(tokens + (now - refilled) * limit, 20.0);
        refilled = now;
        if tokens >= 1.0 {
            tokens -= 1.0;
            taken += f64::from(u8::from(now > 70.0));
            schedule.accepted(now, left(slot.is_some()), now);
        } else {
            schedule.refused(now, 1, None, now);
        }
    }
    assert!(taken > 900.0, "{taken}");
}

/// Four clients that a server accepts 100 requests per second of, of which one was slowed down more than the others.
#[test]
fn clients_that_share_a_limit_get_similar_shares() {
    fastrand::seed(7);
    let mut clients = [(); 4].map(|()| adaptive());
    let (mut slots, mut times) = ([None; 4], [0.0, 0.0, 0.0, 20.0_f64]);
    let (mut refilled, mut tokens, mut taken) = (0.0_f64, 100.0, [0.0; 4]);
    loop {
        let turn = (0..4).min_by(|a, b| times[*a].total_cmp(&times[*b]));
        let index = turn.unwrap();
        let now = times[index];
        if now > 300.0 {
            break;
        }
        let slot = slots[index].take();
        let client = &mut clients[index];
        if let Err(later) = client.depart(slot, now) {
            (slots[index], times[index]) = (Some(later), later.at.max(now + 1e-4));
            continue;
        }
        times[index] = now + 0.002;
        tokens = f64::min(tokens + (now - refilled) * 100.0, 100.0);
        refilled = now;
        if tokens >= 1.0 {
            tokens -= 1.0;
            taken[index] += f64::from(u8::from(now > 60.0));
            client.accepted(now, left(slot.is_some()), now);
        } else {
            client.refused(now, 1, None, now);
        }
        client.returned();
    }
    let least = taken.iter().copied().fold(f64::MAX, f64::min);
    let most = taken.iter().copied().fold(0.0, f64::max);
    assert!(most < 1.3 * least, "{taken:?}");
}
