macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident: $name:literal, $gateway:literal, $description:literal;)+) => {
        /// The kind of an [`Error`](crate::Error).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $($(#[doc = $doc])+ $kind,)+
        }

        impl ErrorKind {
            /// All kinds of this version.
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];

            /// The status with which a web service responds when a call that it depends on fails in this way.
            ///
            /// | status | kinds |
            /// |---|---|
            /// | 400 | the call was not valid: an empty id, a cursor that expired |
            /// | 404, 409, 422 | as the service responded: `NotFound`, `Conflict`, `Rejected` |
            /// | 503 | try again later: `RateLimited`, `Cancelled` |
            /// | 504 | timeouts |
            /// | 502 | everything else, including wrong credentials of the web service itself |
            ///
            /// ```
            /// use lms_ext::ErrorKind;
            ///
            /// assert_eq!(ErrorKind::NotFound.gateway_status(), 404);
            /// // The caller of the web service did not authenticate with these credentials.
            /// assert_eq!(ErrorKind::Unauthenticated.gateway_status(), 502);
            /// ```
            #[must_use]
            pub fn gateway_status(self) -> u16 {
                match self {
                    $(Self::$kind => $gateway,)+
                }
            }

            /// The name in snake case, as in the field `error.type` of spans: `rate_limited`, `body_too_large`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)+
                }
            }

            /// The message if there are no details.
            pub(crate) fn describe(self) -> &'static str {
                match self {
                    $(Self::$kind => $description,)+
                }
            }
        }
    };
}

kinds! {
    /// The call is not valid as written. No request was sent.
    Usage: "usage", 400, "the call is not valid";
    /// The client was [cancelled](crate::Lms::cancel_on) before the call was sent, or between two attempts. The server has
    /// changed nothing: if that is not certain, the error is [`Ambiguous`](Self::Ambiguous) instead.
    Cancelled: "cancelled", 503, "cancelled before it was sent";
    /// The server does not accept the credentials, or rejected a new token (401).
    Unauthenticated: "unauthenticated", 502, "the server does not accept the credentials";
    /// The credentials do not allow the operation (403).
    Forbidden: "forbidden", 502, "these credentials do not allow it";
    /// The object or the URL does not exist (404, 410), according to the service: see [`NotJson`](Self::NotJson).
    NotFound: "not_found", 404, "not found";
    /// The request conflicts with existing data (409).
    Conflict: "conflict", 409, "it conflicts with existing data";
    /// Too many requests (429), or the pause after them is longer than the call may take.
    RateLimited: "rate_limited", 503, "too many requests";
    /// The server rejected the request for another reason (any other 4xx).
    Rejected: "rejected", 422, "the server rejected the request";
    /// The server failed (5xx), or timed out (408), on a request that only reads.
    Server: "server", 502, "server error";
    /// A redirect (3xx), which is not followed. A write was not processed. (A 303 to a write is
    /// [`Ambiguous`](Self::Ambiguous) instead, because it may point to the result.)
    Redirect: "redirect", 502, "redirects are not followed";
    /// The token request was rejected for another reason than the credentials or the load (any other 4xx), its response has
    /// no token, or your [`TokenProvider`](crate::TokenProvider) has none.
    Token: "token", 502, "no token could be obtained";
    /// No connection was made: name resolution, TCP, TLS or a proxy failed. The message says why.
    Connect: "connect", 502, "could not connect";
    /// No connection was made within [`connect_timeout`](crate::LmsBuilder::connect_timeout).
    ConnectTimeout: "connect_timeout", 504, "could not connect in time";
    /// The connection was lost before the response was complete.
    Connection: "connection", 502, "the connection broke before the end of the response";
    /// One attempt took longer than [`Timeouts::attempt`](crate::Timeouts::attempt).
    AttemptTimeout: "attempt_timeout", 504, "the attempt timed out";
    /// No data of the response body arrived for [`Timeouts::read`](crate::Timeouts::read).
    BodyStalled: "body_stalled", 504, "the response body stalled";
    /// The response body is larger than [`max_body_bytes`](crate::LmsBuilder::max_body_bytes), after decompression, or
    /// contains too many objects or values for that limit.
    BodyTooLarge: "body_too_large", 502, "the response body is too large";
    /// The entire call, with waits and retries, took longer than [`Timeouts::call`](crate::Timeouts::call).
    DeadlineExceeded: "deadline_exceeded", 504, "the call timed out";
    /// A write may have been processed: its response was lost or cannot be decoded, a server or proxy failed (5xx,
    /// 408), or the response points to another URL (303). Check before you send it again.
    Ambiguous: "ambiguous", 502, "it may have been processed; check before you send it again";
    /// The response to a read is a success, but not JSON: it is probably that of a proxy, such as an HTML page, or is
    /// truncated. Or the body of a 404 or 410 is not JSON, so the object may exist. The message contains the content type.
    NotJson: "not_json", 502, "the response is not JSON";
    /// The response to a read cannot be decoded, or an object has no id where
    /// [one is required](crate::RequireId::require_id).
    Decode: "decode", 502, "the response cannot be decoded";
    /// The pages of a list contradict each other or its count, so that items may be missing or the list may never end.
    /// [`ListExt`](crate::ListExt) and [`concurrent`](crate::concurrent) have the cases.
    Pagination: "pagination", 502, "the pages of the list are inconsistent";
    /// The server does not accept the cursor of a list (400, 404 or 410), which has probably expired. Read it from the start,
    /// without a checkpoint.
    CursorRejected: "cursor_rejected", 400, "the server does not accept the cursor";
    /// An edit was accepted, but the response differs from the request; or the response to a read belongs to another
    /// request, or a lookup found several objects or another one. [`fields`](crate::Error::fields) lists the differences.
    Mismatch: "mismatch", 502, "the response differs from what was sent";
    /// A task of the service ended without a result: the copy of a course does not exist any more, or its status
    /// contains no new course.
    TaskFailed: "task_failed", 502, "the task ended without a result";
}

impl ErrorKind {
    /// A status with which the service responds in this way, if it responds.
    pub(super) fn status(self) -> Option<u16> {
        let statuses = [401, 403, 404, 409, 429, 422, 503, 302];
        let mut statuses = statuses.into_iter();
        statuses.find(|status| Self::of_response(*status, b"") == self)
    }

    /// The kind of a response that is not a success.
    ///
    /// All bodies of the service are JSON (`lms-client/src/service.md`, Errors), so another 404 says nothing about an object.
    /// The retry loop decides whether a write with this response is ambiguous, because it knows all attempts.
    pub(crate) fn of_response(status: u16, body: &[u8]) -> Self {
        match status {
            404 | 410 if !begins_like_json(body) => Self::NotJson,
            300..=399 => Self::Redirect,
            401 => Self::Unauthenticated,
            403 => Self::Forbidden,
            404 | 410 => Self::NotFound,
            408 => Self::Server,
            409 => Self::Conflict,
            429 => Self::RateLimited,
            400..=499 => Self::Rejected,
            _ => Self::Server,
        }
    }
}

/// Returns `true` if a body is empty, an object, a list or a text. It may be truncated.
fn begins_like_json(body: &[u8]) -> bool {
    let first = body.trim_ascii_start().first();
    first.is_none_or(|first| b"{[\"".contains(first))
}

/// Returns `true` if a request whose response has this status is worth retrying.
pub(crate) fn is_transient(status: u16) -> bool {
    matches!(status, 408 | 429 | 500 | 502 | 503 | 504)
}
