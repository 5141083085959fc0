//! What can be done to a request?
//!
//! An [`Effect`] takes hold at one of five places: it holds the request up; it answers in place of the service, which
//! then carries nothing out; it twists a page or a duplication while that is made; it changes what a good answer
//! says; or it spoils how the answer travels. Effects of different places can meet in one request.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::span;
use crate::operations::Operation;

/// What is done to a request.
///
/// In a plan file an effect without settings is its name, `"nulls"`, and one with settings is an object of that one
/// name, `{"status": {"code": 503, "body": "html"}}`. Lengths of time are texts, `"250ms"`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Effect {
    /// The request is held up, for a time between the two that the plan's seed chooses.
    #[serde(rename_all = "kebab-case")]
    Delay {
        /// The shortest time.
        #[serde(with = "span")]
        least: Duration,
        /// The longest time.
        #[serde(with = "span")]
        most: Duration,
    },
    /// A good token is answered with 401, and stays good. Operations that need no token are spared.
    RefuseToken,
    /// Every token that was given out so far is good no longer.
    RevokeTokens,
    /// The token that is given out is good for this long only, whatever `expires_in` says. It is `getToken` that this
    /// is done to.
    EarlyExpiry {
        /// How long the token is good.
        #[serde(with = "span")]
        after: Duration,
    },
    /// 429, and nothing is carried out.
    RateLimited {
        /// Whether and how the answer says when to come back.
        retry_after: RetryAfter,
        /// How long it says to wait; rounded up to whole seconds.
        #[serde(with = "span", default)]
        wait: Duration,
    },
    /// 429 to requests that come faster than this, by the sandbox's clock. Nothing announces the limit.
    RateLimit {
        /// How many requests a second are served in the long run.
        per_second: u32,
        /// How many may come at once after a quiet time.
        burst: u32,
        /// Whether and how a refusal says when to come back.
        retry_after: RetryAfter,
    },
    /// An error status, and nothing is carried out.
    Status {
        /// The status, from 400 to 599.
        code: u16,
        /// What the answer holds; JSON, if a plan file does not say.
        #[serde(default)]
        body: ErrorBody,
    },
    /// A redirect, and nothing is carried out.
    Redirect {
        /// The status, from 300 to 399.
        code: u16,
        /// Where it points.
        location: String,
    },
    /// The connection is closed.
    Drop {
        /// When.
        at: DropPoint,
    },
    /// The answer's body comes in small pieces with pauses between them.
    Trickle {
        /// The size of a piece in bytes.
        chunk: usize,
        /// The pause after each.
        #[serde(with = "span")]
        pause: Duration,
    },
    /// A good answer's body is not JSON.
    BadJson {
        /// In which way.
        how: BadJson,
    },
    /// `Content-Length` promises more than comes, and then the connection is closed.
    LongLength {
        /// How many bytes too many it promises.
        extra: u64,
    },
    /// Optional fields without a value are `null` and not left out, arrays and objects included.
    Nulls,
    /// Every object has fields that no one documented.
    ExtraFields,
    /// Whole numbers that travel as strings (`string(int64)`) come as numbers.
    Numbers,
    /// Timestamps end without a zone.
    ZonelessTimestamps,
    /// `expires_in` of a token is a string and not a number.
    ExpiresInString,
    /// A page after the first begins elsewhere than the one before ended, as it does in a tenant that pages by
    /// offset while rows come and go. The first page of a list has nothing before it and stays as it is.
    Drift {
        /// Rows that came before the cursor's place: as many rows of the page before are seen again.
        #[serde(default)]
        added: u32,
        /// Rows that went before the cursor's place: as many rows are never seen.
        #[serde(default)]
        removed: u32,
    },
    /// A page after the first gives its own cursor as `next_cursor`, with `more` true.
    RepeatCursor,
    /// `more` is true, and `next_cursor` is not there.
    MoreWithoutCursor,
    /// An empty page with `more` true and a `next_cursor` comes before the page that was asked for. It comes once
    /// for each page: the cursor it gives leads to the rows.
    EmptyPage,
    /// The page has no more rows than this, whatever limit is asked for.
    MaxPage {
        /// The most rows.
        rows: usize,
    },
    /// Looking at a duplication does not move it on.
    StallDuplication,
    /// Looking at a duplication that is not complete ends it: this look is answered as the one before, and from the
    /// next on there is no such task, and no copy.
    FailDuplication,
}

/// How a 429 says when to come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RetryAfter {
    /// It does not.
    Absent,
    /// `Retry-After` with a number of seconds.
    Seconds,
    /// `Retry-After` with an HTTP date, by the sandbox's clock. `Date` then goes by that clock too.
    Date,
}

/// What an error answer holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorBody {
    /// The sandbox's own form of an error.
    #[default]
    Json,
    /// The page of a gateway that has nothing behind it.
    Html,
    /// Nothing.
    Empty,
}

/// When a connection is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DropPoint {
    /// Before the request is carried out.
    Before,
    /// After it was carried out, before a byte of the answer.
    After,
    /// After half of the answer's body. An answer without a body is not sent at all.
    Body,
}

/// How a body is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BadJson {
    /// It ends in the middle, and `Content-Length` agrees.
    Cut,
    /// It is whole and has something behind it that does not belong there.
    Garbage,
}

impl Effect {
    /// A delay of exactly this long.
    pub fn delay(time: Duration) -> Self {
        Self::Delay {
            least: time,
            most: time,
        }
    }

    /// An error status with a JSON body.
    pub fn status(code: u16) -> Self {
        Self::Status {
            code,
            body: ErrorBody::Json,
        }
    }

    /// Whether it answers in place of the service.
    pub(super) fn is_in_place(&self) -> bool {
        matches!(
            self,
            Self::RefuseToken
                | Self::RateLimited { .. }
                | Self::RateLimit { .. }
                | Self::Status { .. }
                | Self::Redirect { .. }
                | Self::Drop {
                    at: DropPoint::Before
                }
        )
    }

    /// Whether it can be done to this operation at all.
    pub(super) fn concerns(&self, operation: Operation) -> bool {
        match self {
            Self::RefuseToken => operation.needs_token(),
            Self::EarlyExpiry { .. } | Self::ExpiresInString => operation == Operation::GetToken,
            Self::Drift { .. }
            | Self::RepeatCursor
            | Self::MoreWithoutCursor
            | Self::EmptyPage
            | Self::MaxPage { .. } => operation.is_page(),
            Self::StallDuplication | Self::FailDuplication => {
                operation == Operation::ViewDuplicateCourse
            }
            Self::Nulls | Self::ExtraFields | Self::Numbers | Self::ZonelessTimestamps => {
                operation.response().is_some()
            }
            _ => true,
        }
    }

    /// What is wrong with its settings.
    pub(super) fn check(&self) -> Result<(), String> {
        let positive = |number: u64, what: &str| {
            if number == 0 {
                Err(format!("{what} is 0; use 1 or more"))
            } else {
                Ok(())
            }
        };
        match self {
            Self::Delay { least, most } if least > most => Err(format!(
                "the shortest delay, {}, is longer than the longest, {}; turn them round",
                span::text(*least),
                span::text(*most)
            )),
            Self::Status { code, .. } if !(400..600).contains(code) => Err(format!(
                "{code} is no error status; use one from 400 to 599, such as 503"
            )),
            Self::Redirect { code, .. } if !(300..400).contains(code) => Err(format!(
                "{code} is no redirect; use a status from 300 to 399, such as 307"
            )),
            Self::Redirect { location, .. }
                if axum::http::HeaderValue::from_str(location).is_err() || location.is_empty() =>
            {
                Err(format!(
                    "{location:?} cannot stand in a Location header; use an address such as https://elsewhere.example/"
                ))
            }
            Self::RateLimit {
                per_second, burst, ..
            } => positive((*per_second).into(), "the rate")
                .and_then(|()| positive((*burst).into(), "the burst")),
            Self::Trickle { chunk, .. } => positive(*chunk as u64, "the size of a piece"),
            Self::LongLength { extra } => positive(*extra, "the number of missing bytes"),
            Self::MaxPage { rows } => positive(*rows as u64, "the number of rows"),
            Self::Drift {
                added: 0,
                removed: 0,
            } => Err("the drift is 0; say how many rows come or go, such as +2 or -1".into()),
            _ => Ok(()),
        }
    }
}
