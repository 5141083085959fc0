//! Delivers changes to an endpoint, at least once and in order.
//!
//! The position of the endpoint is stored after each change, so a delivery that was stopped continues there. A change
//! whose response was lost is sent again, with the same `webhook-id`.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    time::Duration,
};

use futures_util::future::try_join_all;
use reqwest::{
    Method, Request, StatusCode,
    header::{InvalidHeaderValue, RETRY_AFTER},
};
use serde::Serialize;
use tokio::time::timeout;

use super::{
    CHUNK, Changes,
    change::{Change, DeadLetter},
    endpoint::{Endpoint, delay},
    feed,
};
use crate::{
    collection::fingerprint,
    error::{Error, ErrorKind},
    sql::database::Database,
};

/// Changes given up in a row after which the endpoint, not the changes, is assumed to be at fault.
const MAX_GIVEN_UP_IN_A_ROW: u32 = 5;

/// Time for the response to an attempt.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The result of a delivery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Delivered {
    /// The number of the change after which the delivery continued: the last one of earlier deliveries to an endpoint of this name,
    /// whatever its URL and its events were. `None` for a new endpoint.
    pub continued_after: Option<u64>,
    /// The changes that the endpoint accepted.
    pub delivered: u64,
    /// The changes that were given up and are now [dead letters](Changes::dead_letters).
    pub given_up: u64,
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
    /// [`Incomplete`](ErrorKind::Incomplete) before the first complete run of the mirror;
    /// [`Destination`](ErrorKind::Destination) when there was no response to the last attempt, the response was 410, five
    /// requests in a row were given up, or the mirror cannot be read or written. The next call continues after the position.
    pub async fn deliver(&self, endpoint: &Endpoint) -> Result<Delivered, Error> {
        let (_alone, mirror) = self.lock_deliveries(&endpoint.name).await?;
        let mut delivery = Delivery {
            endpoint,
            mirror,
            sends_rows: false,
        };
        let (mut report, mut given_up_in_a_row) = (Delivered::default(), 0);
        report.continued_after = self.delivered(&endpoint.name).await?;
        let mut position = match report.continued_after {
            Some(stored) => stored,
            None if endpoint.from_start => {
                delivery.sends_rows = true;
                let end = self.deliver_rows(&delivery, &mut report).await?;
                delivery.sends_rows = false;
                end
            }
            None => 0,
        };
        loop {
            let after = move |database: &mut dyn Database| feed::after(database, position, CHUNK);
            let chunk = self.call("read the changes", after).await?;
            if chunk.is_empty() {
                return Ok(report);
            }
            for window in chunk.chunks(endpoint.window()) {
                let (accepted, refused) = delivery.send_window(window).await?;
                position = window.last().map_or(position, |last| last.sequence);
                report.delivered += accepted;
                report.given_up += refused.len() as u64;
                match (accepted, refused.is_empty()) {
                    (0, true) => {}
                    (0, false) => given_up_in_a_row += 1,
                    _ => given_up_in_a_row = 0,
                }
                self.advance(&endpoint.name, position, refused).await?;
                if given_up_in_a_row == MAX_GIVEN_UP_IN_A_ROW {
                    return Err(ErrorKind::Destination.error(format!(
                            "the endpoint {} refused {MAX_GIVEN_UP_IN_A_ROW} requests in a row; repair it, and send its dead letters \
                             again",
                            endpoint.name
                        )));
                }
            }
        }
    }

    /// Delivers the rows of all tables. Returns the position in the feed after which they were read.
    async fn deliver_rows(
        &self,
        delivery: &Delivery<'_>,
        report: &mut Delivered,
    ) -> Result<u64, Error> {
        let endpoint = delivery.endpoint;
        let end = self.end().await?;
        let doing = "read the rows of the mirror";
        for (collection, run) in self.call(doing, feed::collections).await? {
            let mut after = Vec::new();
            loop {
                let end = end.clone();
                let found = move |database: &mut dyn Database| {
                    feed::rows(database, (collection, run), &end, &after, CHUNK)
                };
                let (rows, last) = self.call(doing, found).await?;
                if rows.is_empty() {
                    break;
                }
                after = last;
                for window in rows.chunks(endpoint.window()) {
                    let (accepted, refused) = delivery.send_window(window).await?;
                    report.delivered += accepted;
                    if let Some(letter) = refused.first() {
                        return Err(ErrorKind::Destination.error(format!(
                                "the endpoint {} refused a row of {}: {}; repair it, and deliver again: the rows are sent from \
                                 the first one",
                                endpoint.name, collection.name, letter.reason
                            )));
                    }
                }
            }
        }
        self.advance(&endpoint.name, end.sequence, Vec::new())
            .await?;
        Ok(end.sequence)
    }

    /// Sends the [dead letters](Self::dead_letters) of an endpoint again, in order. Those that are accepted are removed from
    /// the list; the others stay and count as [given up](Delivered::given_up). The position of the endpoint does not change.
    ///
    /// # Errors
    ///
    /// [`Usage`](ErrorKind::Usage) when nothing was delivered to an endpoint of this name;
    /// [`Locked`](ErrorKind::Locked) when the changes are delivered to this endpoint already;
    /// [`Destination`](ErrorKind::Destination) when there was no response to the last attempt, the response was 410, or the
    /// mirror cannot be read or written. Changes that are given up are not an error.
    pub async fn redeliver(&self, endpoint: &Endpoint) -> Result<Delivered, Error> {
        let (_alone, mirror) = self.lock_deliveries(&endpoint.name).await?;
        let delivery = Delivery {
            endpoint,
            mirror,
            sends_rows: false,
        };
        let (name, mut report) = (&endpoint.name, Delivered::default());
        if self.delivered(name).await?.is_none() {
            return Err(Error::usage(format!(
                "nothing was delivered to an endpoint named {name} yet"
            )));
        }
        for letter in self.dead_letters(name).await? {
            let sequence = letter.change.sequence;
            if delivery.send(&[letter.change]).await?.is_empty() {
                self.remove_dead_letter(name, sequence).await?;
                report.delivered += 1;
            } else {
                report.given_up += 1;
            }
        }
        Ok(report)
    }
}

/// The requests of a mirror to an endpoint.
struct Delivery<'a> {
    endpoint: &'a Endpoint,
    /// The id of the mirror.
    mirror: String,
    /// `true` if the changes are rows of its tables, which are not in the feed.
    sends_rows: bool,
}

impl Delivery<'_> {
    /// The id of a request whose last change is this one, the same in each attempt.
    fn id(&self, last: &Change, changes: usize) -> String {
        let mirror = &self.mirror;
        let mut id = if self.sends_rows {
            let key = fingerprint(last.key.get()).unwrap_or_default();
            format!("row_{mirror}_{}_{}_{key:032x}", last.run, last.collection)
        } else {
            format!("chg_{mirror}_{}", last.position)
        };
        if self.endpoint.batch > 1 {
            id.push_str(&format!("_{changes}"));
        }
        id
    }

    /// Sends the changes that the endpoint wants, in as many lanes as requests may be in flight. Those of one object are in one
    /// lane, and so in order. Returns the number of accepted changes, and those that were given up.
    async fn send_window(&self, window: &[Change]) -> Result<(u64, Vec<DeadLetter>), Error> {
        let endpoint = self.endpoint;
        let mut lanes = vec![Vec::new(); endpoint.concurrency];
        let is_wanted = |change: &&Change| {
            endpoint.events.is_empty() || endpoint.events.contains(&change.event)
        };
        for change in window.iter().filter(is_wanted) {
            let mut hasher = DefaultHasher::new();
            (&change.collection, change.key.get()).hash(&mut hasher);
            let lane = usize::try_from(hasher.finish() % endpoint.concurrency as u64);
            lanes[lane.unwrap_or_default()].push(change.clone());
        }
        let wanted: usize = lanes.iter().map(Vec::len).sum();
        let sent = lanes.into_iter().map(async |lane: Vec<Change>| {
            let mut given_up = Vec::new();
            for batch in lane.chunks(endpoint.batch) {
                given_up.extend(self.send(batch).await?);
            }
            Ok(given_up)
        });
        let given_up = try_join_all(sent).await?.concat();
        Ok(((wanted - given_up.len()) as u64, given_up))
    }

    /// Sends changes in one request until it is accepted. Returns them if the endpoint refused it each time.
    async fn send(&self, changes: &[Change]) -> Result<Vec<DeadLetter>, Error> {
        let (endpoint, mut attempt) = (self.endpoint, 1);
        loop {
            let sent = endpoint.client.send(self.request(changes)?);
            let (reason, status, retry_after) = match timeout(TIMEOUT, sent).await {
                Ok(Ok(response)) if response.status().is_success() => return Ok(Vec::new()),
                Ok(Ok(response)) => {
                    let status = response.status();
                    let header = response.headers().get(RETRY_AFTER);
                    let seconds = header.and_then(|value| value.to_str().ok()?.parse().ok());
                    let reason = format!("the response was {}", status.as_u16());
                    (reason, Some(status), seconds.map(Duration::from_secs))
                }
                // Without its source, which contains the URL.
                Ok(Err(error)) => (error.to_string(), None, None),
                Err(_) => (format!("no response within {TIMEOUT:?}"), None, None),
            };
            let is_last = attempt >= endpoint.attempts;
            if status == Some(StatusCode::GONE) || (is_last && status.is_none()) {
                let first = changes.first().map_or(0, |change| change.sequence);
                return Err(ErrorKind::Destination.error(format!(
                        "delivering change {first} to the endpoint {} failed after {attempt} attempts: {reason}; deliver again later",
                        endpoint.name
                    )));
            }
            if is_last {
                let failed_at = jiff::Timestamp::now().to_string();
                let letters = changes.iter().map(|change| DeadLetter {
                    change: change.clone(),
                    failed_at: failed_at.clone(),
                    attempts: attempt,
                    reason: reason.clone(),
                });
                return Ok(letters.collect());
            }
            tokio::time::sleep(delay(attempt, retry_after)).await;
            attempt += 1;
        }
    }

    fn request(&self, changes: &[Change]) -> Result<Request, Error> {
        let (endpoint, Some(last)) = (self.endpoint, changes.last()) else {
            return Err(Error::usage("there is no change to write"));
        };
        let failed = |error: Box<dyn std::error::Error + Send + Sync>| {
            Error::usage(format!("cannot write change {}", last.sequence)).with_source(error)
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
        let body = serde_json::to_vec(&payload).map_err(|error| failed(error.into()))?;
        let (id, now) = (
            self.id(last, changes.len()),
            jiff::Timestamp::now().as_second(),
        );
        let mut request = Request::new(Method::POST, endpoint.url.clone());
        for (name, value) in [
            ("content-type", "application/json".to_owned()),
            ("webhook-signature", endpoint.key.sign(&id, now, &body)),
            ("webhook-timestamp", now.to_string()),
            ("webhook-id", id),
        ] {
            let value = value
                .parse()
                .map_err(|error: InvalidHeaderValue| failed(error.into()))?;
            request.headers_mut().insert(name, value);
        }
        *request.body_mut() = Some(body.into());
        Ok(request)
    }
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
