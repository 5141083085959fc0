//! The feed of changes, and its delivery.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use lms_ext::{
    Call as _,
    http::{HttpClient, HttpError, HttpFailure, HttpFuture},
};
use lms_sync::{
    ErrorKind,
    changes::{ChangeKind, Changes, Endpoint, JsonText, Position},
};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::time::Instant;

use crate::{
    client, demo,
    sqlite::{Mirrored, learner, mirror},
};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// A mirror whose second run has found `number` new tags, and its changes.
async fn tags(number: u32) -> (Mirrored, Changes) {
    let at = Mirrored::demo().await;
    at.run(&["tags"]).await;
    for number in 1..=number {
        at.seed().add_tag(&format!("new {number}"), None).unwrap();
    }
    at.run(&["tags"]).await;
    let changes = at.changes();
    (at, changes)
}

/// A receiver that checks signatures, and responds with the next status of a script, then with 204. 0 is no connection, and 1
/// no response.
#[derive(Clone, Debug, Default)]
struct Receiver {
    script: Arc<Mutex<VecDeque<u16>>>,
    received: Arc<Mutex<Vec<(String, Value)>>>,
    moments: Arc<Mutex<Vec<Instant>>>,
}

impl Receiver {
    fn new(script: impl IntoIterator<Item = u16>) -> Self {
        let receiver = Self::default();
        receiver.script.lock().unwrap().extend(script);
        receiver
    }

    fn endpoint(&self) -> Endpoint {
        self.endpoint_named("crm")
    }

    fn endpoint_named(&self, name: &str) -> Endpoint {
        let url = "https://crm.example/hooks/secret-path";
        Endpoint::new(name, url, SECRET)
            .unwrap()
            .http_client(self.clone())
    }

    fn ids(&self) -> Vec<String> {
        let received = self.received.lock().unwrap();
        received.iter().map(|(id, _)| id.clone()).collect()
    }
}

impl HttpClient for Receiver {
    fn send(&self, request: reqwest::Request) -> HttpFuture<'_> {
        let header = |name: &str| request.headers()[name].to_str().unwrap().to_owned();
        let (id, timestamp) = (header("webhook-id"), header("webhook-timestamp"));
        let body = request.body().unwrap().as_bytes().unwrap();
        let key = BASE64_STANDARD
            .decode(SECRET.strip_prefix("whsec_").unwrap())
            .unwrap();
        let mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        let mac = mac
            .chain_update(format!("{id}.{timestamp}."))
            .chain_update(body);
        let signature = BASE64_STANDARD.encode(mac.finalize().into_bytes());
        assert_eq!(header("webhook-signature"), format!("v1,{signature}"));
        self.received
            .lock()
            .unwrap()
            .push((id, serde_json::from_slice(body).unwrap()));
        self.moments.lock().unwrap().push(Instant::now());
        let status = self.script.lock().unwrap().pop_front().unwrap_or(204);
        Box::pin(async move {
            if status == 1 {
                std::future::pending::<()>().await;
            }
            if status == 0 {
                return Err(HttpError::new(HttpFailure::Connect, "refused"));
            }
            let response = http::Response::builder().status(status).body("").unwrap();
            Ok(response.into())
        })
    }
}

/// Delivers to an endpoint. Returns the numbers of changes that it accepted, and that were given up.
async fn deliver(changes: &Changes, endpoint: &Endpoint) -> (u64, u64) {
    let sent = changes.deliver(endpoint).await.unwrap();
    (sent.delivered, sent.given_up)
}

fn decoded(json: &JsonText) -> Value {
    json.decode().unwrap()
}

#[tokio::test]
async fn changes_have_the_row_or_the_changed_fields_and_no_secret() {
    let at = Mirrored::demo().await;
    let id = at.seed().add_learner(&learner(1)).unwrap();
    at.run(&["learners"]).await;
    at.lms
        .update_learner(&id, |learner| {
            learner.surname = "Jones".into();
            learner.password = Some("s3cr3t-pass".into());
        })
        .await
        .unwrap();
    let added = at.seed().add_learner(&learner(2)).unwrap();
    at.run(&["learners"]).await;
    at.lms.delete_learner(&id).call().await.unwrap();
    at.run(&["learners"]).await;

    let changes = at.changes().since(&Position::START, 100).await.unwrap();
    let [add, change, remove] = &changes[..] else {
        panic!("{changes:?}");
    };
    assert_eq!([add.sequence, change.sequence, remove.sequence], [1, 2, 3]);
    assert_eq!([add.run, change.run, remove.run], [2, 2, 3]);
    assert_eq!(add.event, "learner.added");
    assert_eq!(add.kind(), ChangeKind::Added);
    assert_eq!(decoded(&add.key), json!({ "id": added }));
    let row = decoded(add.row.as_ref().unwrap());
    assert_eq!(row["surname"], "New 2");
    assert!(
        row["archived"].is_boolean() && row.get("password").is_none(),
        "{row:?}"
    );
    assert_eq!(change.event, "learner.changed");
    assert_eq!(change.kind(), ChangeKind::Changed);
    assert_eq!(decoded(&change.key), json!({ "id": id }));
    assert!(change.row.is_none());
    let fields = change.fields.as_ref().unwrap();
    assert_eq!(
        serde_json::to_value(&fields["surname"]).unwrap(),
        json!({"old": "New 1", "new": "Jones"})
    );
    let others: Vec<&String> = fields
        .keys()
        .filter(|name| !name.starts_with("updated") && *name != "surname")
        .collect();
    assert!(others.is_empty(), "{others:?}");
    assert_eq!(remove.event, "learner.removed");
    assert_eq!(remove.kind(), ChangeKind::Removed);
    let removed = decoded(remove.row.as_ref().unwrap());
    assert_eq!(removed["surname"], "Jones");
    assert!(removed.get("password").is_none());
    assert!(!serde_json::to_string(&changes).unwrap().contains("s3cr3t"));
    assert!(!String::from_utf8_lossy(&std::fs::read(&at.path).unwrap()).contains("s3cr3t-pass"));
}

#[tokio::test]
async fn changes_are_read_since_a_position() {
    let (_at, changes) = tags(5).await;
    let numbers = |changes: &[lms_sync::changes::Change]| -> Vec<u64> {
        changes.iter().map(|change| change.sequence).collect()
    };
    let all = changes.since(&Position::START, 100).await.unwrap();
    assert_eq!(numbers(&all), [1, 2, 3, 4, 5]);
    let position = |sequence: usize| all[sequence - 1].position.clone();
    let some = changes.since(&position(2), 2).await.unwrap();
    assert_eq!(numbers(&some), [3, 4]);
    assert_eq!(changes.end().await.unwrap(), position(5));
    let none = changes.since(&position(5), 100).await.unwrap();
    assert!(none.is_empty());
}

#[tokio::test]
async fn a_position_is_that_of_a_change_or_the_start() {
    for text in ["0", "7-90ab"] {
        let position: Position = text.parse().unwrap();
        assert_eq!(position.to_string(), text);
    }
    for text in [
        "", "7", "0-90ab", "7-", "-1-90ab", "7-90/ab", "x-90ab", "7-90ab ",
    ] {
        let error = text.parse::<Position>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{text:?}");
    }
}

/// Otherwise, a reader would miss the changes of the restored mirror up to the number that it has seen.
#[tokio::test]
async fn a_position_of_before_a_restore_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, backup) = (
        folder.path().join("mirror.db"),
        folder.path().join("backup.db"),
    );
    let (sandbox, add) = (demo().await, |sandbox: &lms_sandbox::Sandbox, number| {
        sandbox.seed().add_learner(&learner(number)).unwrap();
    });
    let lms = client(&sandbox);
    _ = mirror(&lms, &path, &["learners"]).await.unwrap();
    add(&sandbox, 1);
    _ = mirror(&lms, &path, &["learners"]).await.unwrap();
    let kept = Changes::sqlite(&path).unwrap().end().await.unwrap();
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute("VACUUM INTO ?1", [backup.to_str().unwrap()])
        .unwrap();
    add(&sandbox, 2);
    _ = mirror(&lms, &path, &["learners"]).await.unwrap();
    let lost = Changes::sqlite(&path).unwrap().end().await.unwrap();

    let restored = Changes::sqlite(&backup).unwrap();
    // First the number is beyond the end, then another change has it.
    for expected in [1, 2] {
        let error = restored.since(&lost, 100).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OtherRun);
        assert!(
            error.to_string().contains("restored from a backup"),
            "{error}"
        );
        let all = restored.since(&Position::START, 100).await.unwrap();
        assert_eq!(all.len(), expected);
        _ = mirror(&lms, &backup, &["learners"]).await.unwrap();
    }
    let missed = restored.since(&kept, 100).await.unwrap();
    assert_eq!(missed.len(), 1);
    let number = format!("{}-", missed[0].sequence);
    assert!(lost.to_string().starts_with(&number));
    assert_ne!(missed[0].position, lost);
}

#[tokio::test]
async fn changes_that_every_endpoint_has_are_pruned() {
    let (at, changes) = tags(5).await;
    let all = changes.since(&Position::START, 100).await.unwrap();
    assert_eq!(changes.prune(Duration::from_secs(3600)).await.unwrap(), 0);
    // The clock was set back: the changes before it are not old.
    at.execute("UPDATE _lms_changes SET seen_at = '2020-01-01T00:00:00Z' WHERE sequence = 3");
    assert_eq!(changes.prune(Duration::from_secs(3600)).await.unwrap(), 0);
    at.execute(
        "UPDATE _lms_changes SET seen_at = '2020-01-01T00:00:00Z' WHERE sequence < 5;
             INSERT INTO _lms_deliveries VALUES ('crm', 3), ('other', 4);
             INSERT INTO _lms_dead_letters VALUES ('crm', 2, '2020-01-01T00:00:00Z', 1, 'refused')",
    );
    assert_eq!(changes.prune(Duration::from_secs(3600)).await.unwrap(), 2);
    assert_eq!(changes.dead_letters("crm").await.unwrap().len(), 1);
    // A reader that has handled the third change misses none.
    let later = changes.since(&all[2].position, 100).await.unwrap();
    let positions = |changes: &[lms_sync::changes::Change]| -> Vec<Position> {
        changes
            .iter()
            .map(|change| change.position.clone())
            .collect()
    };
    assert_eq!(positions(&later), positions(&all[3..]));
    for earlier in [
        Position::START,
        all[0].position.clone(),
        all[1].position.clone(),
    ] {
        let error = changes.since(&earlier, 100).await.unwrap_err();
        assert!(error.to_string().contains("pruned"), "{error}");
    }
    assert_eq!(changes.start().await.unwrap(), all[2].position);
    assert_eq!(changes.end().await.unwrap(), all[4].position);
}

#[tokio::test]
async fn a_feed_needs_a_mirror() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.db");
    assert_eq!(
        Changes::sqlite(&path).unwrap_err().kind(),
        ErrorKind::Destination
    );
    assert!(!path.exists());
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute("CREATE TABLE t (x)", ())
        .unwrap();
    assert_eq!(
        Changes::sqlite(&path).unwrap_err().kind(),
        ErrorKind::Foreign
    );
}

/// Otherwise, an endpoint that gets every row first would get none of those that the first run adds.
#[tokio::test]
async fn a_mirror_without_a_complete_run_has_no_feed() {
    let at = Mirrored::demo().await;
    at.run(&["tags"]).await;
    at.execute("UPDATE _lms_collections SET committed_run = NULL");
    let (changes, receiver) = (at.changes(), Receiver::new([]));
    let since = changes.since(&Position::START, 1).await.unwrap_err();
    let endpoint = receiver.endpoint().from_start();
    let delivered = changes.deliver(&endpoint).await.unwrap_err();
    for error in [since, delivered] {
        assert_eq!(error.kind(), ErrorKind::Incomplete, "{error}");
    }
    at.run(&["tags"]).await;
    let (delivered, given_up) = deliver(&changes, &endpoint).await;
    assert!(delivered > 0 && given_up == 0);
}

#[tokio::test]
async fn every_change_is_delivered_once_and_in_order() {
    let (at, changes) = tags(4).await;
    let receiver = Receiver::new([]);
    assert_eq!(deliver(&changes, &receiver.endpoint()).await, (4, 0));
    // The position is stored, also for another process, and for another URL.
    let moved = Endpoint::new("crm", "https://other.example", SECRET).unwrap();
    let continued = at.changes().deliver(&moved).await.unwrap();
    assert_eq!(continued.delivered, 0);
    assert_eq!(continued.continued_after, Some(4));
    let received = receiver.received.lock().unwrap().clone();
    let data: Vec<&Value> = received.iter().map(|(_, body)| &body["data"]).collect();
    let sequences = data.iter().map(|data| data["sequence"].clone());
    assert_eq!(sequences.collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(received[0].1.get("tenant").is_none());
    assert_eq!(received[0].1["type"], "tag.added");
    assert_eq!(received[0].1["timestamp"], data[0]["seen_at"]);
    assert_eq!(data[0]["row"]["name"], "new 1");
    let other = receiver.endpoint().events(["tag.removed"]).unwrap();
    assert_eq!(deliver(&changes, &other).await, (0, 0));
}

#[test]
fn an_event_that_no_collection_has_is_refused_with_those_that_exist() {
    let endpoint = || Endpoint::new("crm", "https://crm.example", SECRET).unwrap();
    for name in ["learners.added", "learner.deleted", "learner", ""] {
        let error = endpoint().events([name]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{name}");
        let message = error.to_string();
        assert!(message.contains(&format!("{name:?}")), "{message}");
        assert!(message.contains(" learner, "), "{message}");
    }
    let known = ["learner.added", "topic_progress.changed", "tag.removed"];
    assert!(endpoint().events(known).is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_refused_change_is_sent_again_with_its_id_and_growing_delays() {
    let (_at, changes) = tags(1).await;
    let receiver = Receiver::new([500, 429, 0, 302]);
    assert_eq!(deliver(&changes, &receiver.endpoint()).await, (1, 0));
    let ids = receiver.ids();
    assert_eq!(ids.len(), 5);
    assert!(ids.iter().all(|id| *id == ids[0]));
    let moments = receiver.moments.lock().unwrap().clone();
    let waits: Vec<u64> = moments
        .windows(2)
        .map(|pair| (pair[1] - pair[0]).as_secs())
        .collect();
    assert_eq!(waits, [1, 4, 16, 64]);
}

#[tokio::test(start_paused = true)]
async fn a_change_that_is_refused_each_time_becomes_a_dead_letter() {
    let (_at, changes) = tags(3).await;
    let receiver = Receiver::new([204, 400, 400]);
    let endpoint = receiver.endpoint().max_attempts(2);
    let unknown = changes.redeliver(&endpoint).await.unwrap_err();
    assert_eq!(unknown.kind(), ErrorKind::Usage, "{unknown}");
    assert_eq!(deliver(&changes, &endpoint).await, (2, 1));
    let letters = changes.dead_letters("crm").await.unwrap();
    assert_eq!(letters.len(), 1);
    assert_eq!((letters[0].change.sequence, letters[0].attempts), (2, 2));
    assert_eq!(letters[0].reason, "the response was 400");

    receiver.script.lock().unwrap().extend([400, 400]);
    assert_eq!(changes.redeliver(&endpoint).await.unwrap().given_up, 1);
    assert_eq!(changes.redeliver(&endpoint).await.unwrap().delivered, 1);
    assert!(changes.dead_letters("crm").await.unwrap().is_empty());
    assert_eq!(receiver.ids()[1], *receiver.ids().last().unwrap());
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_is_down_gets_everything_later() {
    let (_at, changes) = tags(2).await;
    let cases = [
        (vec![204, 0, 0, 0], 1 + 4),
        (vec![410], 0),
        (vec![1, 0, 1], 1 + 4 + 2 * 20),
    ];
    for (script, seconds) in cases {
        let (receiver, began) = (Receiver::new(script), Instant::now());
        let error = changes
            .deliver(&receiver.endpoint().max_attempts(3))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Destination);
        assert_eq!(began.elapsed().as_secs(), seconds);
        assert!(
            error.to_string().contains("change 2 to the endpoint crm"),
            "{error}"
        );
        assert!(!error.to_string().contains("secret-path"), "{error}");
    }
    let receiver = Receiver::new([]);
    assert_eq!(deliver(&changes, &receiver.endpoint()).await, (1, 0));
    assert!(changes.dead_letters("crm").await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_refuses_everything_stops_the_delivery() {
    let (_at, changes) = tags(8).await;
    let receiver = Receiver::new([401; 20]);
    let error = changes
        .deliver(&receiver.endpoint().max_attempts(1))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("in a row"), "{error}");
    assert_eq!(receiver.ids().len(), 5);
    assert_eq!(changes.dead_letters("crm").await.unwrap().len(), 5);
    // One that accepts some of them does not.
    let some = Receiver::new([401, 401, 401, 401, 204, 401, 401, 401]);
    let endpoint = some.endpoint_named("some").max_attempts(1);
    assert_eq!(deliver(&changes, &endpoint).await, (1, 7));
}

/// The second waits for the retries of the first, also if other changes are sent at the same time.
#[tokio::test(start_paused = true)]
async fn changes_of_an_object_stay_in_order_after_a_failure() {
    let at = Mirrored::demo().await;
    at.run(&["courses"]).await;
    for name in ["A", "B", "C", "D"] {
        let edit = at
            .lms
            .update_course("c1", |course| course.name = Some(name.to_owned()));
        edit.await.unwrap();
        at.run(&["courses"]).await;
    }
    let receiver = Receiver::new([500]);
    let endpoint = receiver.endpoint().concurrency(8);
    assert_eq!(deliver(&at.changes(), &endpoint).await, (4, 0));
    let received = receiver.received.lock().unwrap().clone();
    let sequences = received.iter().map(|(_, body)| &body["data"]["sequence"]);
    assert_eq!(sequences.collect::<Vec<_>>(), [1, 1, 2, 3, 4]);
}

#[test]
fn endpoints_are_checked_and_do_not_show_their_secret() {
    for (name, url, secret) in [
        ("", "https://crm.example/", SECRET),
        ("crm", "http://crm.example/", SECRET),
        ("crm", "crm.example", SECRET),
        ("crm", "https://crm.example/", "secret"),
    ] {
        let error = Endpoint::new(name, url, secret).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{name} {url}");
    }
    for url in [
        "http://localhost:8080/hook",
        "http://127.0.0.1/hook",
        "http://[::1]/hook",
    ] {
        let shown = format!("{:?}", Endpoint::new("crm", url, SECRET).unwrap());
        assert!(
            !shown.contains("hook") && !shown.contains("whsec"),
            "{shown}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_has_one_deliverer_at_a_time() {
    for is_other_process in [false, true] {
        let (at, changes) = tags(2).await;
        let receiver = Receiver::new([503, 503]);
        let endpoint = receiver.endpoint();
        let second = match is_other_process {
            true => at.changes(),
            false => changes.clone(),
        };
        let delivered = changes.deliver(&endpoint);
        let refused = async {
            while receiver.ids().is_empty() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            second.deliver(&endpoint).await.unwrap_err()
        };
        let (delivered, refused) = tokio::join!(delivered, refused);
        delivered.unwrap();
        assert_eq!(refused.kind(), ErrorKind::Locked, "{refused}");
        // It is free again.
        second.deliver(&endpoint).await.unwrap();
        let accepted = receiver.ids();
        assert_eq!(accepted.last(), accepted.iter().max(), "{accepted:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn changes_are_sent_in_batches_and_side_by_side() {
    let (_at, changes) = tags(8).await;
    let receiver = Receiver::new([]);
    let endpoint = receiver.endpoint().batch(3).tenant("acme");
    assert_eq!(deliver(&changes, &endpoint).await, (8, 0));
    let bodies = receiver.received.lock().unwrap().clone();
    let sizes = bodies.iter().map(|(id, body)| {
        let size = body["data"].as_array().unwrap().len();
        // Another batch with the same last change is another request.
        assert!(id.ends_with(&format!("_{size}")), "{id}");
        assert_eq!(
            (&body["type"], &body["tenant"]),
            (&"changes".into(), &"acme".into())
        );
        size
    });
    assert_eq!(sizes.collect::<Vec<_>>(), [3, 3, 2]);

    let receiver = Receiver::new([403]);
    let endpoint = receiver.endpoint_named("other").concurrency(4);
    assert_eq!(deliver(&changes, &endpoint.max_attempts(1)).await, (7, 1));
    let ids: std::collections::BTreeSet<String> = receiver.ids().into_iter().collect();
    assert_eq!(ids.len(), 8, "{ids:?}");
    assert_eq!(changes.dead_letters("other").await.unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_new_endpoint_gets_every_row_first_if_it_asks_for_them() {
    let (at, changes) = tags(2).await;
    let all = at.number("SELECT count(*) FROM tags");
    let all = u64::try_from(all).unwrap();
    // The delivery stops at the second row, and begins again.
    let receiver = Receiver::new([204, 400]);
    let endpoint = receiver.endpoint().max_attempts(1).from_start();
    let error = changes.deliver(&endpoint).await.unwrap_err();
    assert!(error.to_string().contains("a row of tags"), "{error}");
    for expected in [all, 0] {
        assert_eq!(deliver(&changes, &endpoint).await, (expected, 0));
    }
    let received = receiver.received.lock().unwrap().clone();
    assert_eq!(received[0].0, received[2].0, "the row has another id");
    let ids: std::collections::BTreeSet<&String> = received.iter().map(|(id, _)| id).collect();
    assert_eq!(ids.len() as u64, all);
    let feed_end = changes.end().await.unwrap().to_string();
    for (_, body) in &received {
        assert_eq!(body["type"], "tag.added");
        assert_eq!(body["data"]["row"]["id"], body["data"]["key"]["id"]);
        assert_eq!(body["data"]["position"], feed_end);
    }
    // Those who do not ask get what the feed has.
    let other = Receiver::new([]).endpoint_named("other");
    assert_eq!(deliver(&changes, &other).await, (2, 0));
}
