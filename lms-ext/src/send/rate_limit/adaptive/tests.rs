use super::*;

fn refusal(asked: Option<u64>) -> Throttled {
    Throttled::of(
        StatusCode::TOO_MANY_REQUESTS,
        asked.map(Duration::from_secs),
    )
    .unwrap()
}

/// A throttle of a client that has sent `count` requests in the last second.
fn busy(count: usize, now: Instant) -> AdaptiveThrottle {
    let mut throttle = AdaptiveThrottle::new(now);
    for _ in 0..count {
        throttle.sent(now);
    }
    throttle
}

/// The same, slowed down by a tenant to four fifths of a rate that it has refused by now.
fn slowed_down(count: usize, now: Instant) -> AdaptiveThrottle {
    let mut throttle = busy(count, now);
    throttle.refused(refusal(Some(1)), now, now).unwrap();
    throttle.refused(refusal(None), now, now).unwrap();
    throttle
}

/// The tenant takes a request of a client that has more to send.
fn taken(throttle: &mut AdaptiveThrottle, now: Instant) {
    throttle.delayed(now);
    throttle.accepted(now, now);
}

fn rounded(throttle: &AdaptiveThrottle) -> Option<f64> {
    throttle.rate().map(|rate| (rate * 10.0).round() / 10.0)
}

#[test]
fn answers_are_told_apart_by_status_and_wish() {
    for (status, asked, proof) in [
        (429, None, Some(Proof::Repetition)),
        (429, Some(5), Some(Proof::Itself)),
        (429, Some(0), Some(Proof::Share(0.2))),
        (503, Some(5), Some(Proof::Itself)),
        (503, Some(0), Some(Proof::Streak(3))),
        (503, None, Some(Proof::Streak(3))),
        (200, None, None),
        (200, Some(5), None),
        (500, None, None),
        (404, None, None),
    ] {
        let asked = asked.map(Duration::from_secs);
        let throttled = Throttled::of(StatusCode::from_u16(status).unwrap(), asked);
        assert_eq!(
            throttled.map(|throttled| throttled.proof),
            proof,
            "{status} {asked:?}"
        );
    }
}

#[test]
fn nothing_is_slowed_down_before_the_tenant_complains() {
    let now = Instant::now();
    let mut throttle = busy(1000, now);
    throttle.accepted(now, now);
    assert_eq!(throttle.rate(), None);
    assert_eq!(throttle.paused_until, None);
}

#[test]
fn what_was_taken_is_the_first_guess_and_further_refusals_correct_it() {
    let sent = Instant::now();
    let now = sent + Duration::from_millis(50);
    let mut throttle = busy(32, sent);
    assert!(throttle.refused(refusal(Some(1)), sent, now).is_some());
    for _ in 0..11 {
        assert_eq!(throttle.refused(refusal(Some(1)), sent, now), None);
    }
    // 32 sent, 12 refused: four fifths of 20.
    assert_eq!(rounded(&throttle), Some(16.0));
}

#[test]
fn one_limit_lowers_the_rate_once() {
    let start = Instant::now();
    let first = start + Duration::from_millis(100);
    let mut throttle = slowed_down(100, first);
    // It recovers, and a request that left afterwards is refused: that rate was too much as well.
    let later = first + Duration::from_secs(10);
    for second in 1..10 {
        taken(&mut throttle, first + Duration::from_secs(second));
    }
    let before = throttle.rate().unwrap();
    let change = throttle.refused(refusal(None), later, later).unwrap();
    assert!((change.rate - before * 0.8).abs() < 0.001, "{change:?}");
    // Another that left before that says nothing new.
    assert_eq!(throttle.refused(refusal(None), first, later), None);
    assert_eq!(throttle.rate(), Some(change.rate));
}

#[test]
fn a_rate_that_is_too_much_before_it_has_recovered_falls_faster() {
    let start = Instant::now();
    let mut throttle = slowed_down(100, start);
    let first = throttle.rate().unwrap();
    let later = start + Duration::from_millis(500);
    let second = throttle.refused(refusal(None), later, later).unwrap();
    assert!(
        (second.rate - first * 0.75 * 0.8).abs() < 0.001,
        "{second:?}"
    );
}

#[test]
fn a_429_that_asks_for_no_wait_is_believed_when_there_are_many() {
    let now = Instant::now();
    let mut throttle = busy(100, now);
    let go_on = refusal(Some(0));
    for _ in 0..20 {
        assert_eq!(throttle.refused(go_on, now, now), None);
    }
    assert!(throttle.refused(go_on, now, now).is_some());

    let mut throttle = busy(1, now);
    assert_eq!(throttle.refused(go_on, now, now), None, "one is not many");
}

#[test]
fn answers_raise_the_rate_and_time_alone_does_not() {
    let start = Instant::now();
    let mut throttle = slowed_down(100, start);
    let ceiling = throttle.rate().unwrap() / LOWERED_TO;
    let quiet = throttle.rate();
    let mut now = start + Duration::from_secs(60);
    assert_eq!(throttle.rate(), quiet);
    let mut shares = Vec::new();
    for _ in 0..38 {
        now += LONGEST_GAP;
        taken(&mut throttle, now);
        shares.push((throttle.rate().unwrap() / ceiling * 100.0).round());
    }
    assert_eq!(shares[2], 95.0, "almost back after three seconds");
    assert_eq!(shares[17], 110.0, "slowly beyond");
    assert_eq!(shares[27], 220.0, "then doubling");
    assert_eq!(shares[37], 440.0, "and doubling");
}

#[test]
fn a_rate_that_holds_nobody_up_does_not_grow() {
    let start = Instant::now();
    for (mut throttle, most) in [(busy(10, start), 64.0), (slowed_down(100, start), 100.0)] {
        throttle.refused(refusal(Some(1)), start, start);
        let mut now = start;
        for _ in 0..4 {
            now += LONGEST_GAP;
            taken(&mut throttle, now);
        }
        let grown = throttle.rate().unwrap();
        assert!(grown <= most, "{grown}");
        for _ in 0..25 {
            now += LONGEST_GAP;
            throttle.accepted(now, now);
        }
        // But for the time in which it cannot be told yet.
        assert!(
            throttle.rate().unwrap() <= 2.0 * grown,
            "{:?}",
            throttle.rate()
        );
    }
}

#[test]
fn the_slowest_client_gets_faster_again_although_its_requests_are_far_apart() {
    let start = Instant::now();
    let mut throttle = slowed_down(1, start);
    let mut now = start;
    for _ in 0..60 {
        throttle.refused(refusal(None), now, now);
    }
    assert_eq!(throttle.rate(), Some(LOWEST));
    for _ in 0..30 {
        // One that waits for its turn, leaves, and is answered after a second.
        throttle.delayed(now);
        now += Duration::from_secs_f64(1.0 / throttle.rate().unwrap()) + Duration::from_secs(1);
        throttle.accepted(now, now);
    }
    assert!(throttle.rate().unwrap() > LOWEST, "{:?}", throttle.rate());
}

#[test]
fn the_brake_lets_go_when_it_has_held_up_nobody_for_a_while() {
    let start = Instant::now();
    let mut throttle = slowed_down(10, start);
    let at = |seconds| start + Duration::from_secs(seconds);
    throttle.delayed(at(20));
    assert!(!throttle.sent(at(45)));
    assert!(throttle.rate().is_some());
    assert!(throttle.sent(at(51)));
    assert_eq!(throttle.rate(), None);
}

#[test]
fn a_long_pause_is_no_time_in_which_nobody_was_held_up() {
    let start = Instant::now();
    for refusals in [&[120][..], &[1, 120]] {
        let mut throttle = busy(100, start);
        for asked in refusals {
            // Both left before either was answered.
            let sent = start.checked_sub(Duration::from_millis(50)).unwrap();
            throttle.refused(refusal(Some(*asked)), sent, start);
        }
        let after = start + Duration::from_secs(122);
        assert!(!throttle.sent(after), "{refusals:?}");
        assert!(throttle.rate().is_some());
        assert!(throttle.sent(after + Duration::from_secs(31)));
    }
}

#[test]
fn how_long_an_answer_takes_does_not_keep_the_rate_low() {
    let start = Instant::now();
    let mut throttle = slowed_down(10, start);
    let slow = throttle.rate().unwrap();
    let mut now = start + Duration::from_secs(5);
    for _ in 0..30 {
        throttle.delayed(now);
        let sent = now + Duration::from_millis(100);
        now = sent + Duration::from_secs(12);
        throttle.accepted(sent, now);
    }
    assert!(
        throttle.rate().unwrap() > 1.2 * slow,
        "{:?}",
        throttle.rate()
    );
}

#[test]
fn all_pause_for_what_was_asked_up_to_five_minutes_and_a_little_at_random() {
    for (asked, least) in [(1, 1), (60, 60), (1000, 300), (u64::MAX, 300)] {
        let now = Instant::now();
        let mut throttle = busy(10, now);
        let change = throttle.refused(refusal(Some(asked)), now, now).unwrap();
        let least = Duration::from_secs(least);
        assert!(
            change.pause >= least && change.pause <= least + PAUSE,
            "{asked}: {change:?}"
        );
        assert_eq!(throttle.paused_until, Some(now + change.pause));
    }
}

#[test]
fn pauses_that_nobody_asked_for_double_until_an_answer_comes() {
    let mut now = Instant::now();
    let mut throttle = slowed_down(10, now);
    throttle.accepted(now, now);
    let pause = |throttle: &mut AdaptiveThrottle, now: &mut Instant| {
        *now += Duration::from_secs(60);
        let change = throttle.refused(refusal(None), *now, *now).unwrap();
        change.pause.as_secs_f64()
    };
    for expected in [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 8.0] {
        let pause = pause(&mut throttle, &mut now);
        assert!(
            pause >= expected * 0.74 && pause <= expected * 1.26,
            "{expected}: {pause}"
        );
    }
    throttle.accepted(now, now);
    assert!(pause(&mut throttle, &mut now) < 0.33);
}

#[test]
fn it_never_stops_a_client_for_good() {
    let mut now = Instant::now();
    let mut throttle = slowed_down(10, now);
    for _ in 0..1000 {
        now += Duration::from_secs(60);
        throttle.refused(refusal(None), now, now);
        assert!(throttle.rate().unwrap() >= LOWEST);
    }
}

#[test]
fn a_hiccup_of_a_gateway_is_no_overload_and_three_in_a_row_are() {
    let now = Instant::now();
    let mut throttle = busy(10, now);
    let hiccup = Throttled::of(StatusCode::SERVICE_UNAVAILABLE, None).unwrap();
    for _ in 0..100 {
        assert_eq!(throttle.refused(hiccup, now, now), None);
        assert_eq!(throttle.refused(hiccup, now, now), None);
        throttle.accepted(now, now);
    }
    assert_eq!(throttle.rate(), None);
    throttle.refused(hiccup, now, now);
    throttle.refused(hiccup, now, now);
    assert!(throttle.refused(hiccup, now, now).is_some());
}

#[test]
fn a_refusal_now_and_then_that_asks_for_no_wait_slows_nobody_down() {
    let start = Instant::now();
    let mut throttle = AdaptiveThrottle::new(start);
    for index in 0..100_000_u32 {
        let now = start + Duration::from_micros(500) * index;
        throttle.sent(now);
        // Four in a hundred, the first of them when enough is sent to tell.
        if index % 25 == 24 {
            assert_eq!(throttle.refused(refusal(None), now, now), None);
        } else {
            throttle.accepted(now, now);
        }
    }
    assert_eq!((throttle.rate(), throttle.paused_until), (None, None));
}

#[test]
fn refusals_that_are_more_than_chance_slow_down_although_they_ask_for_no_wait() {
    let start = Instant::now();
    let mut throttle = busy(100, start);
    let later = start + Duration::from_millis(50);
    for _ in 0..12 {
        assert_eq!(throttle.refused(refusal(None), start, later), None);
    }
    assert!(throttle.refused(refusal(None), start, later).is_some());
    assert_eq!(
        rounded(&throttle),
        Some(69.6),
        "four fifths of those that were taken"
    );
}

#[test]
fn a_client_that_sends_little_pauses_at_one_refusal_and_slows_down_at_the_second_in_a_row() {
    let start = Instant::now();
    let mut throttle = busy(3, start);
    assert_eq!(throttle.refused(refusal(None), start, start), None);
    assert_eq!(throttle.rate(), None);
    let pause = throttle.paused_until.unwrap() - start;
    assert!(pause >= PAUSE.mul_f64(0.74) && pause <= PAUSE.mul_f64(1.26));
    let again = start + pause;
    assert!(throttle.refused(refusal(None), again, again).is_some());

    // An answer in between, and they are not in a row.
    let mut throttle = busy(3, start);
    throttle.refused(refusal(None), start, start);
    throttle.accepted(again, again);
    assert_eq!(throttle.refused(refusal(None), again, again), None);
    assert_eq!(throttle.rate(), None);
}

#[test]
fn what_was_guessed_doubles_with_every_second_of_answers() {
    let start = Instant::now();
    let mut throttle = busy(10, start);
    let change = throttle.refused(refusal(Some(1)), start, start).unwrap();
    assert_eq!(rounded(&throttle), Some(8.0));
    let mut now = start + change.pause;
    for expected in [8.0, 16.0, 32.0, 64.0] {
        now += LONGEST_GAP;
        taken(&mut throttle, now);
        assert_eq!(rounded(&throttle), Some(expected));
    }
    // When that is refused, it is no guess any more.
    throttle.refused(refusal(None), now, now).unwrap();
    assert_eq!(rounded(&throttle), Some(38.4));
    let later = now + LONGEST_GAP;
    taken(&mut throttle, later);
    assert!(throttle.rate().unwrap() < 48.0);
}
