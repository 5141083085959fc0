//! Delivers changes to an endpoint, at least once and in order.
//!
//! The position of the endpoint is stored after each change, so a delivery that was stopped continues there. A change
//! whose response was lost is sent again, with the same `webhook-id`.

use std::time::Duration;

use reqwest::{
    Method, Request, StatusCode,
    header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER},
};
use serde::Serialize;

use super::{
    CHUNK, Changes,
    change::{Change, DeadLetter},
    endpoint::Endpoint,
    feed::Feed,
};
use crate::error::{Error, ErrorKind};

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
    /// Call it for one endpoint from one process at a time; two would deliver the same changes twice.
    ///
    /// # Errors
    ///
    /// [`Destination`](ErrorKind::Destination) when there was no response to the last attempt, the response was 410, five
    /// changes in a row were given up, or the mirror cannot be read or written. The next call continues after the position.
    pub async fn deliver(&self, endpoint: &Endpoint) -> Result<Delivered, Error> {
        let id = self.blocking(Feed::mirror_id).await?;
        let name = endpoint.name.clone();
        let stored = self.blocking(move |feed| feed.position(&name)).await?;
        let mut position = stored.unwrap_or(endpoint.start_after);
        let (mut report, mut given_up_in_a_row) = (Delivered::default(), 0);
        loop {
            let chunk = self
                .blocking(move |feed| feed.after(position, CHUNK))
                .await?;
            if chunk.is_empty() {
                return Ok(report);
            }
            for change in chunk {
                let sequence = change.sequence;
                let wanted = endpoint.events.is_empty() || endpoint.events.contains(&change.event);
                let given_up = if wanted {
                    send_with_retries(endpoint, &id, change).await?
                } else {
                    None
                };
                let refused = given_up.is_some();
                let name = endpoint.name.clone();
                self.blocking(move |feed| feed.advance(&name, sequence, given_up.as_ref()))
                    .await?;
                position = sequence;
                report.delivered += u64::from(wanted && !refused);
                report.given_up += u64::from(refused);
                given_up_in_a_row = if refused { given_up_in_a_row + 1 } else { 0 };
                if given_up_in_a_row == MAX_GIVEN_UP_IN_A_ROW {
                    return Err(Error::new(
                        ErrorKind::Destination,
                        format!(
                            "the endpoint {} refused {MAX_GIVEN_UP_IN_A_ROW} changes in a row; look at the dead letters, repair \
                             the endpoint, and deliver them again",
                            endpoint.name
                        ),
                    ));
                }
            }
        }
    }

    /// Sends the [dead letters](Self::dead_letters) of an endpoint again, in order. Those that are accepted are removed from
    /// the list; the others stay and count as [given up](Delivered::given_up). The position of the endpoint does not change.
    ///
    /// # Errors
    ///
    /// [`Destination`](ErrorKind::Destination) when there was no response to the last attempt, the response was 410, or the
    /// mirror cannot be read or written. Changes that are given up are not an error.
    pub async fn redeliver(&self, endpoint: &Endpoint) -> Result<Delivered, Error> {
        let id = self.blocking(Feed::mirror_id).await?;
        let mut report = Delivered::default();
        for letter in self.dead_letters(&endpoint.name).await? {
            let sequence = letter.change.sequence;
            if send_with_retries(endpoint, &id, letter.change)
                .await?
                .is_some()
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

/// Sends a change until it is accepted. Returns it if the endpoint refused it each time.
async fn send_with_retries(
    endpoint: &Endpoint,
    id: &str,
    change: Change,
) -> Result<Option<DeadLetter>, Error> {
    let mut attempt = 1;
    loop {
        let Err(failure) = send(endpoint, id, &change).await? else {
            return Ok(None);
        };
        if failure.outcome == Outcome::Gone
            || (attempt >= endpoint.attempts && failure.outcome == Outcome::NoResponse)
        {
            return Err(Error::new(
                ErrorKind::Destination,
                format!(
                    "delivering change {} to the endpoint {} failed after {attempt} attempts: {}; deliver again later",
                    change.sequence, endpoint.name, failure.reason
                ),
            ));
        }
        if attempt >= endpoint.attempts {
            return Ok(Some(DeadLetter {
                change,
                failed_at: jiff::Timestamp::now().to_string(),
                attempts: attempt,
                reason: failure.reason,
            }));
        }
        tokio::time::sleep(endpoint.delay(attempt, failure.retry_after)).await;
        attempt += 1;
    }
}

/// Sends a change once.
async fn send(
    endpoint: &Endpoint,
    id: &str,
    change: &Change,
) -> Result<Result<(), Failure>, Error> {
    let request = request(endpoint, id, change)?;
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
    data: &'a Change,
}

fn request(endpoint: &Endpoint, id: &str, change: &Change) -> Result<Request, Error> {
    let failed = |error: &dyn std::fmt::Display| {
        Error::usage(format!("cannot write change {}: {error}", change.sequence))
    };
    let payload = Payload {
        event: &change.event,
        timestamp: &change.seen_at,
        data: change,
    };
    let body = serde_json::to_vec(&payload).map_err(|error| failed(&error))?;
    let id = format!("chg_{id}_{}", change.position);
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
