//! Delivers changes to an endpoint, at least once and in order.
//!
//! The position of the endpoint is stored after each change, so a delivery that was stopped continues there. A change
//! whose response was lost is sent again, with the same `webhook-id`.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::Arc,
    time::Duration,
};

use futures_util::future::try_join_all;
use reqwest::{
    Method, Request, StatusCode,
    header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER},
};
use serde::Serialize;

use super::{
    CHUNK, Changes,
    change::{Change, DeadLetter},
    endpoint::Endpoint,
    feed::{Delivering, Feed},
};
use crate::{
    collection::fingerprint,
    error::{Error, ErrorKind},
};

/// Changes given up in a row after which the endpoint, not the changes, is assumed to be at fault.
const MAX_GIVEN_UP_IN_A_ROW: u32 = 5;

/// The result of a delivery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Delivered {
    /// The changes that the endpoint accepted.
    pub delivered: u64,
    /// The changes that were given up and are now [dead letters](Changes::dead_letters).
    pub given_up: u64,
}

/// The reason why an attempt failed.
struct Failure {
    reason: String,
    outcome: Outcome,
    retry_after: Option<Duration>,
}

/// The meaning of a failure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The endpoint did not accept this change.
    Refused,
    /// There was no response.
    NoResponse,
    /// The endpoint does not accept changes any more: 410.
    Gone,
}

impl Changes {
    /// Delivers all changes after the position of an endpoint. Returns when there are no more.
    ///
    /// Each change is one `POST` of `{"type", "timestamp", "data"}`, where `data` is the [`Change`]. Its headers are
    /// `webhook-id`, which is the same in each attempt, `webhook-timestamp` and `webhook-signature`. A response of 2xx
    /// accepts it. After other responses it is sent again; when all attempts are used up, it becomes a
    /// [dead letter](Self::dead_letters) and the next change follows.
    ///
    /// # Errors
    ///
    /// [`Locked`](ErrorKind::Locked) when the changes are delivered to this endpoint already;
    /// [`Destination`](ErrorKind::Destination) when there was no response to the last attempt, the response was 410, five
    /// requests in a row were given up, or the mirror cannot be read or written. The next call continues after the position.
    pub async fn deliver(&self, endpoint: &Endpoint) -> Result<Delivered, Error> {
        let _alone = self.deliver_alone(endpoint).await?;
        let id = self.blocking(Feed::mirror_id).await?;
        let name = endpoint.name.clone();
        let stored = self.blocking(move |feed| feed.position(&name)).await?;
        let (mut report, mut given_up_in_a_row) = (Delivered::default(), 0);
        let mut position = match stored {
            Some(stored) => stored,
            None if endpoint.from_start => self.deliver_rows(endpoint, &id, &mut report).await?,
            None => 0,
        };
        loop {
            let chunk = self
                .blocking(move |feed| feed.after(position, CHUNK))
                .await?;
            if chunk.is_empty() {
                return Ok(report);
            }
            for window in chunk.chunks(endpoint.window()) {
                let Sent {
                    accepted,
                    given_up: refused,
                } = send_window(endpoint, &Sender::new(&id, false), window).await?;
                let sequence = window.last().map_or(position, |last| last.sequence);
                let given_up = refused.len() as u64;
                let name = endpoint.name.clone();
                self.blocking(move |feed| feed.advance(&name, sequence, &refused))
                    .await?;
                position = sequence;
                report.delivered += accepted;
                report.given_up += given_up;
                match (accepted, given_up) {
                    (0, 0) => {}
                    (0, _) => given_up_in_a_row += 1,
                    _ => given_up_in_a_row = 0,
                }
                if given_up_in_a_row == MAX_GIVEN_UP_IN_A_ROW {
                    return Err(ErrorKind::Destination.error(format!(
                            "the endpoint {} refused {MAX_GIVEN_UP_IN_A_ROW} requests in a row; look at the dead letters, repair \
                             the endpoint, and deliver them again",
                            endpoint.name
                        )));
                }
            }
        }
    }

    /// Delivers the rows of all tables. Returns the position in the feed after which they were read.
    async fn deliver_rows(
        &self,
        endpoint: &Endpoint,
        id: &str,
        report: &mut Delivered,
    ) -> Result<u64, Error> {
        let end = self.blocking(Feed::end).await?;
        let sequence = end.sequence;
        for (collection, run) in self.blocking(Feed::collections).await? {
            let mut after = Vec::new();
            loop {
                let end = end.clone();
                let found = move |feed: &Feed| feed.rows(collection, run, &end, &after, CHUNK);
                let (rows, last) = self.blocking(found).await?;
                if rows.is_empty() {
                    break;
                }
                after = last;
                for window in rows.chunks(endpoint.window()) {
                    let sent = send_window(endpoint, &Sender::new(id, true), window).await?;
                    report.delivered += sent.accepted;
                    if let Some(letter) = sent.given_up.first() {
                        return Err(ErrorKind::Destination.error(format!(
                                "the endpoint {} refused a row of {}: {}; repair it, and deliver again: the rows are sent from \
                                 the first one",
                                endpoint.name, collection.name, letter.reason
                            )));
                    }
                }
            }
        }
        let name = endpoint.name.clone();
        self.blocking(move |feed| feed.advance(&name, sequence, &[]))
            .await?;
        Ok(sequence)
    }

    /// Keeps other processes from delivering to an endpoint until the result is dropped.
    async fn deliver_alone(&self, endpoint: &Endpoint) -> Result<Delivering, Error> {
        let (feed, name) = (Arc::clone(&self.feed), endpoint.name.clone());
        self.blocking(move |_| feed.deliver_alone(&name)).await
    }

    /// Sends the [dead letters](Self::dead_letters) of an endpoint again, in order. Those that are accepted are removed from
    /// the list; the others stay and count as [given up](Delivered::given_up). The position of the endpoint does not change.
    ///
    /// # Errors
    ///
    /// [`Locked`](ErrorKind::Locked) when the changes are delivered to this endpoint already;
    /// [`Destination`](ErrorKind::Destination) when there was no response to the last attempt, the response was 410, or the
    /// mirror cannot be read or written. Changes that are given up are not an error.
    pub async fn redeliver(&self, endpoint: &Endpoint) -> Result<Delivered, Error> {
        let _alone = self.deliver_alone(endpoint).await?;
        let id = self.blocking(Feed::mirror_id).await?;
        let mut report = Delivered::default();
        for letter in self.dead_letters(&endpoint.name).await? {
            let sequence = letter.change.sequence;
            let changes = std::slice::from_ref(&letter.change);
            let sender = Sender::new(&id, false);
            if !send_with_retries(endpoint, &sender, changes)
                .await?
                .is_empty()
            {
                report.given_up += 1;
                continue;
            }
            let name = endpoint.name.clone();
            self.blocking(move |feed| feed.remove_dead_letter(&name, sequence))
                .await?;
            report.delivered += 1;
        }
        Ok(report)
    }
}

/// The changes that the endpoint wants, in as many lanes as requests may be in flight. Those of one object are in one lane.
fn lanes<'a>(endpoint: &Endpoint, changes: &'a [Change]) -> Vec<Vec<&'a Change>> {
    let mut lanes = vec![Vec::new(); endpoint.concurrency];
    for change in changes {
        if endpoint.events.is_empty() || endpoint.events.contains(&change.event) {
            let mut hasher = DefaultHasher::new();
            (&change.collection, change.key.to_string()).hash(&mut hasher);
            let lane = usize::try_from(hasher.finish() % endpoint.concurrency as u64);
            lanes[lane.unwrap_or_default()].push(change);
        }
    }
    lanes
}

/// The result of sending changes.
#[derive(Default)]
struct Sent {
    accepted: u64,
    given_up: Vec<DeadLetter>,
}

/// The mirror that sends changes.
struct Sender<'a> {
    mirror: &'a str,
    /// `true` if the changes are rows of its tables, which are not in the feed.
    sends_rows: bool,
}

impl<'a> Sender<'a> {
    fn new(mirror: &'a str, sends_rows: bool) -> Self {
        Self { mirror, sends_rows }
    }

    /// The id of a request whose last change is this one, the same in each attempt.
    fn id(&self, last: &Change) -> String {
        let Self { mirror, sends_rows } = self;
        if !sends_rows {
            return format!("chg_{mirror}_{}", last.position);
        }
        let key = fingerprint(last.key.get()).unwrap_or_default();
        format!("row_{mirror}_{}_{}_{key:032x}", last.run, last.collection)
    }
}

/// Sends changes in as many lanes as requests may be in flight.
async fn send_window(
    endpoint: &Endpoint,
    sender: &Sender<'_>,
    window: &[Change],
) -> Result<Sent, Error> {
    let lanes = lanes(endpoint, window).into_iter();
    let sent = lanes.map(|lane| send_lane(endpoint, sender, lane));
    let mut all = Sent::default();
    for sent in try_join_all(sent).await? {
        all.accepted += sent.accepted;
        all.given_up.extend(sent.given_up);
    }
    Ok(all)
}

/// Sends changes in order, one request after the other.
async fn send_lane(
    endpoint: &Endpoint,
    sender: &Sender<'_>,
    lane: Vec<&Change>,
) -> Result<Sent, Error> {
    let mut sent = Sent::default();
    for batch in lane.chunks(endpoint.batch) {
        let batch: Vec<Change> = batch.iter().copied().cloned().collect();
        let given_up = send_with_retries(endpoint, sender, &batch).await?;
        sent.accepted += (batch.len() - given_up.len()) as u64;
        sent.given_up.extend(given_up);
    }
    Ok(sent)
}

/// Sends changes in one request until it is accepted. Returns them if the endpoint refused it each time.
async fn send_with_retries(
    endpoint: &Endpoint,
    sender: &Sender<'_>,
    changes: &[Change],
) -> Result<Vec<DeadLetter>, Error> {
    let mut attempt = 1;
    loop {
        let Err(failure) = send(endpoint, sender, changes).await? else {
            return Ok(Vec::new());
        };
        if failure.outcome == Outcome::Gone
            || (attempt >= endpoint.attempts && failure.outcome == Outcome::NoResponse)
        {
            let first = changes.first().map_or(0, |change| change.sequence);
            return Err(ErrorKind::Destination.error(format!(
                    "delivering change {first} to the endpoint {} failed after {attempt} attempts: {}; deliver again later",
                    endpoint.name, failure.reason
                )));
        }
        if attempt >= endpoint.attempts {
            let failed_at = jiff::Timestamp::now().to_string();
            let letters = changes.iter().map(|change| DeadLetter {
                change: change.clone(),
                failed_at: failed_at.clone(),
                attempts: attempt,
                reason: failure.reason.clone(),
            });
            return Ok(letters.collect());
        }
        tokio::time::sleep(endpoint.delay(attempt, failure.retry_after)).await;
        attempt += 1;
    }
}

/// Sends changes once.
async fn send(
    endpoint: &Endpoint,
    sender: &Sender<'_>,
    changes: &[Change],
) -> Result<Result<(), Failure>, Error> {
    let request = request(endpoint, sender, changes)?;
    let sent = tokio::time::timeout(endpoint.timeout, endpoint.client.send(request)).await;
    let no_response = |reason| Failure {
        reason,
        outcome: Outcome::NoResponse,
        retry_after: None,
    };
    let response = match sent {
        Ok(Ok(response)) => response,
        // Without its source, which contains the URL.
        Ok(Err(error)) => return Ok(Err(no_response(error.to_string()))),
        Err(_) => {
            let reason = format!("no response within {:?}", endpoint.timeout);
            return Ok(Err(no_response(reason)));
        }
    };
    let status = response.status();
    if status.is_success() {
        return Ok(Ok(()));
    }
    let header = response.headers().get(RETRY_AFTER);
    let seconds = header.and_then(|value| value.to_str().ok()?.parse().ok());
    Ok(Err(Failure {
        reason: format!("the response was {}", status.as_u16()),
        outcome: match status {
            StatusCode::GONE => Outcome::Gone,
            _ => Outcome::Refused,
        },
        retry_after: seconds.map(Duration::from_secs),
    }))
}

/// The body of a request.
#[derive(Serialize)]
struct Payload<'a> {
    #[serde(rename = "type")]
    event: &'a str,
    timestamp: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tenant: Option<&'a str>,
    data: Data<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Data<'a> {
    One(&'a Change),
    Batch(&'a [Change]),
}

fn request(endpoint: &Endpoint, sender: &Sender<'_>, changes: &[Change]) -> Result<Request, Error> {
    let failed = |error: &dyn std::fmt::Display| {
        let first = changes.first().map_or(0, |change| change.sequence);
        Error::usage(format!("cannot write change {first}: {error}"))
    };
    let Some(last) = changes.last() else {
        return Err(failed(&"there is none"));
    };
    let (event, data) = match changes {
        [change] if endpoint.batch == 1 => (&*change.event, Data::One(change)),
        changes => ("changes", Data::Batch(changes)),
    };
    let payload = Payload {
        event,
        timestamp: &last.seen_at,
        tenant: endpoint.tenant.as_deref(),
        data,
    };
    let body = serde_json::to_vec(&payload).map_err(|error| failed(&error))?;
    let mut id = sender.id(last);
    if endpoint.batch > 1 {
        id.push_str(&format!("_{}", changes.len()));
    }
    let timestamp = jiff::Timestamp::now().as_second();
    let mut request = Request::new(Method::POST, endpoint.url.clone());
    let headers = [
        (
            "webhook-signature",
            endpoint.key.sign(&id, timestamp, &body),
        ),
        ("webhook-timestamp", timestamp.to_string()),
        ("webhook-id", id),
    ];
    for (name, value) in headers {
        let value = HeaderValue::from_str(&value).map_err(|error| failed(&error))?;
        request.headers_mut().insert(name, value);
    }
    request
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    *request.body_mut() = Some(body.into());
    Ok(request)
}
