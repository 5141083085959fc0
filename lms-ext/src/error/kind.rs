/// What kind of failure an [`Error`](crate::Error) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The call could not be sent as it was written; nothing left this machine.
    Usage,
    /// The tenant does not accept the credentials, or refused a token twice (401).
    Unauthenticated,
    /// The tenant knows who asks and does not allow it (403).
    Forbidden,
    /// There is no such object, or no such address (404, 410).
    NotFound,
    /// What was asked for contradicts what is there (409).
    Conflict,
    /// The tenant answers no more requests for now (429).
    RateLimited,
    /// The tenant refused the request for another reason (any other 4xx).
    Rejected,
    /// The tenant failed (5xx) on a request that only reads.
    Server,
    /// The tenant points elsewhere (3xx), which is not followed. It did so in place of carrying the request
    /// out: a change was not made. (A 303 to a change may mean that it was made and can be seen elsewhere,
    /// and is [`Ambiguous`](Self::Ambiguous).)
    Redirect,
    /// No token could be had, for another reason than refused credentials.
    Token,
    /// No connection could be made.
    Connect,
    /// No connection was made within its limit.
    ConnectTimeout,
    /// The connection broke before the answer was whole.
    Connection,
    /// One attempt took longer than its limit.
    AttemptTimeout,
    /// The body stopped flowing for longer than its limit.
    BodyStalled,
    /// The body is larger than its limit, counted after decompression.
    BodyTooLarge,
    /// The whole call, waits and repeats included, took longer than its limit.
    DeadlineExceeded,
    /// The request may have been processed, and its answer did not come, or could not be read, or said
    /// that somebody on the way failed, or only where to look (303). Look before you send it again.
    Ambiguous,
    /// The answer to a request that only reads could not be read as what it should be, or an object in it has
    /// no id where [one is needed](crate::RequireId::require_id).
    Decode,
    /// A list contradicted itself: `more` without a cursor, or a cursor that was seen before.
    Pagination,
    /// An edit was accepted, and the answer is not what was meant; [`fields`](crate::Error::fields) names
    /// the difference.
    Mismatch,
    /// A task of the tenant's ended without its result: a copy of a course that is lost, or names no new
    /// course.
    TaskFailed,
}

impl ErrorKind {
    /// Its name in lower case, as spans carry it: `rate_limited`, `body_too_large`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::Unauthenticated => "unauthenticated",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::Conflict => "conflict",
            Self::RateLimited => "rate_limited",
            Self::Rejected => "rejected",
            Self::Server => "server",
            Self::Redirect => "redirect",
            Self::Token => "token",
            Self::Connect => "connect",
            Self::ConnectTimeout => "connect_timeout",
            Self::Connection => "connection",
            Self::AttemptTimeout => "attempt_timeout",
            Self::BodyStalled => "body_stalled",
            Self::BodyTooLarge => "body_too_large",
            Self::DeadlineExceeded => "deadline_exceeded",
            Self::Ambiguous => "ambiguous",
            Self::Decode => "decode",
            Self::Pagination => "pagination",
            Self::Mismatch => "mismatch",
            Self::TaskFailed => "task_failed",
        }
    }

    /// What is said when nothing more is known.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Usage => "the call cannot be sent as it is",
            Self::Unauthenticated => "the tenant does not accept the credentials",
            Self::Forbidden => "the tenant does not allow it",
            Self::NotFound => "there is no such object",
            Self::Conflict => "it contradicts what is there",
            Self::RateLimited => "the tenant answers no more requests for now",
            Self::Rejected => "the tenant refused the request",
            Self::Server => "the tenant failed",
            Self::Redirect => "the tenant points elsewhere, which is not followed",
            Self::Token => "no token could be had",
            Self::Connect => "no connection could be made",
            Self::ConnectTimeout => "no connection was made in time",
            Self::Connection => "the connection broke before the answer was whole",
            Self::AttemptTimeout => "the attempt took too long",
            Self::BodyStalled => "the body stopped flowing",
            Self::BodyTooLarge => "the body is too large",
            Self::DeadlineExceeded => "the call took too long",
            Self::Ambiguous => "it may have been processed, so look before sending it again",
            Self::Decode => "the answer cannot be read",
            Self::Pagination => "the list contradicts itself",
            Self::Mismatch => "the answer is not what was meant",
            Self::TaskFailed => "the task ended without its result",
        }
    }

    /// The kind of a response with this status, other than a success.
    ///
    /// Whether a write with such a response is ambiguous is for the retry loop to say: it knows all attempts.
    pub(super) fn of_status(status: u16) -> Self {
        match status {
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

/// Whether a response with this status is worth a retry after a wait.
pub(crate) fn is_transient(status: u16) -> bool {
    matches!(status, 408 | 429 | 500 | 502 | 503 | 504)
}
