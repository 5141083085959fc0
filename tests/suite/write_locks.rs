//! Calls of one client that read and then write the same object take turns.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json as value};
use tokio::time::{Instant, timeout};

use crate::script::{Script, json};

const ROUND_TRIP: Duration = Duration::from_millis(50);

/// A tenant with one learner, which a `PUT` replaces.
fn tenant() -> (Script, Arc<Mutex<Value>>) {
    let learner = value!({"id": "l1", "firstname": "Ann", "surname": "Smith", "email": "ann@acme.example", "tags": []});
    let learner = Arc::new(Mutex::new(learner));
    let state = Arc::clone(&learner);
    let script = Script::new(move |seen| {
        let mut learner = state.lock().unwrap();
        if seen.method == Method::PUT {
            *learner = seen.json();
            learner["id"] = value!("l1");
        }
        json(learner.clone()).after(ROUND_TRIP)
    });
    (script, learner)
}

#[tokio::test(start_paused = true)]
async fn an_edit_that_is_dropped_leaves_no_lock_behind() {
    for polled_for in [25, 75] {
        let (script, learner) = tenant();
        let lms = script.lms();
        let first = lms.update_learner("l1", |l| l.surname = "Jones".into());
        let polled = timeout(Duration::from_millis(polled_for), first).await;
        assert!(polled.is_err());
        let start = Instant::now();
        let second = lms.update_learner("l1", |l| l.phone_number = Some("+44".into()));
        second.await.unwrap();
        assert_eq!(start.elapsed(), 2 * ROUND_TRIP);
        assert_eq!(learner.lock().unwrap()["phone_number"], "+44");
    }
}

#[tokio::test(start_paused = true)]
async fn edits_of_different_objects_do_not_wait_for_each_other() {
    let script = Script::new(|seen| {
        let id = seen.path().rsplit('/').next().unwrap();
        let learner = value!({"id": id, "firstname": "A", "surname": "B", "email": "a@b.example"});
        let mut found = if seen.method == Method::PUT {
            seen.json()
        } else {
            learner
        };
        found["id"] = value!(id);
        json(found).after(ROUND_TRIP)
    });
    let lms = script.lms();
    let start = Instant::now();
    let edits = (0..8).map(|n| {
        lms.update_learner(format!("l{n}"), |l| l.surname = "C".into())
            .into_future()
    });
    for edit in join_all(edits).await {
        edit.unwrap();
    }
    assert_eq!(start.elapsed(), 2 * ROUND_TRIP);
}
