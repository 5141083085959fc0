//! A request that fails may have been processed, and the service has no idempotency keys: a retry could take effect twice.
//!
//! The table decides which requests are retried. Waits are random and grow exponentially, so that many clients that fail
//! together do not retry together. A budget that all calls of a client share keeps retries from making an outage worse.
//!
//! | outcome of an attempt | reads | `PUT`, `DELETE` | `POST` |
//! |---|---|---|---|
//! | no connection | retry | retry | retry |
//! | 429 | retry | retry | retry |
//! | 408, 500, 502, 503, 504 | retry | retry | [`Ambiguous`](crate::ErrorKind::Ambiguous) |
//! | response lost, late or broken off | retry | retry | `Ambiguous` |
//! | a success that is not JSON | retry | the result | the result |
//! | 401, the first time | retry with a new token | the same | the same |
//! | 401 again, for a token that was new, at most 4 tokens | retry with a new token | the same | the same |
//! | below 200, 303, 501, from 505 | the result | `Ambiguous` | `Ambiguous` |
//! | any other status | the result | the result | the result |
//!
//! A `PUT` or `DELETE` that fails after an attempt that may have been processed is also `Ambiguous`, with one exception:
//! a `DELETE` that then gets 404 or 410 has succeeded.
//!
//! `classify` is the only place that decides about ambiguity. A call is ambiguous as soon as one of its attempts is, and
//! `CallState` remembers that, and compares each attempt with the limits: attempts, timeouts and [budget].

mod budget;
mod policy;

pub(crate) use budget::{DEFAULT_TOKENS, RetryTokens, TRANSIENT_COST};
pub use policy::RetryPolicy;

use reqwest::Method;

use crate::{error::is_transient, values::OperationInfo};

/// The end of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AttemptOutcome {
    /// A response with this status.
    Response(u16),
    /// The server cannot have received the request.
    NotSent,
    /// The server may have received the request, and its response was lost, late or broken off.
    Lost,
    /// The response to a read is a success that is not JSON, and so probably that of a proxy.
    NotJson,
    /// The response is unusable, and would be after a retry.
    Unusable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Classification {
    /// A retry may succeed, and cannot take effect twice.
    pub(crate) retry: bool,
    /// A change may have been processed, although no response confirms it.
    pub(crate) maybe_processed: bool,
}

pub(crate) fn classify(operation: &OperationInfo, outcome: AttemptOutcome) -> Classification {
    let idempotent = operation.idempotent;
    // An idempotent POST, such as a token request, changes nothing.
    let is_safe = operation.is_read() || (idempotent && operation.method == Method::POST);
    let changes = !is_safe;
    let (retry, maybe_processed) = match outcome {
        AttemptOutcome::Response(429) | AttemptOutcome::NotSent => (true, false),
        AttemptOutcome::Response(status) => {
            (idempotent && is_transient(status), is_ambiguous(status))
        }
        AttemptOutcome::Lost => (idempotent, true),
        AttemptOutcome::NotJson => (operation.is_read(), true),
        AttemptOutcome::Unusable => (false, true),
    };
    Classification {
        retry,
        maybe_processed: maybe_processed && changes,
    }
}

/// Returns `true` if a request with this response may have been processed. A proxy may send the response after a
/// timeout, and a 303 may be the response to a processed request. Other redirects ask to send the request elsewhere. A
/// status below 200, such as 101, is not the final response.
fn is_ambiguous(status: u16) -> bool {
    matches!(status, ..200 | 303 | 408 | 500..)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lms_client::operation::OPERATIONS;

    #[test]
    fn every_operation_is_classified_by_its_method() {
        use AttemptOutcome::{Lost, NotJson, NotSent, Response, Unusable};
        let of = |retry, maybe_processed| Classification {
            retry,
            maybe_processed,
        };
        let (end, retry) = (of(false, false), of(true, false));
        let (ambiguous_end, ambiguous_retry) = (of(false, true), of(true, true));
        let transient = [408, 500, 502, 503, 504].map(Response);
        let statuses = [200, 302, 307, 400, 401, 404, 409, 422].map(Response);
        let ambiguous = [
            Unusable,
            Response(101),
            Response(103),
            Response(303),
            Response(501),
        ];
        for (outcomes, read, put, post) in [
            (&[NotJson][..], retry, ambiguous_end, ambiguous_end),
            (&[NotSent, Response(429)], retry, retry, retry),
            (&transient, retry, ambiguous_retry, ambiguous_end),
            (&[Lost], retry, ambiguous_retry, ambiguous_end),
            (&ambiguous, end, ambiguous_end, ambiguous_end),
            (&statuses, end, end, end),
        ] {
            for operation in OPERATIONS {
                let expected = match (operation.id, operation.method.as_str()) {
                    ("get_token", _) if outcomes == [NotJson] => end,
                    ("get_token", _) | (_, "GET") => read,
                    (_, "PUT" | "DELETE") => put,
                    _ => post,
                };
                for &outcome in outcomes {
                    let actual = classify(operation, outcome);
                    assert_eq!(actual, expected, "{} {outcome:?}", operation.id);
                }
            }
        }
    }
}
