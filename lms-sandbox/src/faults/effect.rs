//! The effects of fault rules.
//!
//! An effect acts at one of five points: it delays the request; it responds instead of the service; it changes a page
//! or a duplication while that is made; it changes the JSON of a successful response; or it disturbs how the response
//! is sent. Effects that act at different points can be combined in one request.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use super::duration;
use super::notation::{self, Setting, Settings, default_of, effects, words};
use crate::api::operation::Operation;
use crate::error::SandboxError;

effects! {
    /// The effect of a fault on a request.
    ///
    /// [`Effect::FORMS`] lists the notation of effects as text; `Display` and `FromStr` use the same notation.
    pub enum Effect {
        /// Delays the request by a duration in this range, drawn from the plan's seed.
        Delay "delay" {
            /// The range.
            time: RangeInclusive<Duration> as "TIME|TIME..TIME",
        }
        /// Responds with 401 to a valid token, which stays valid. Operations that need no token are not affected.
        RefuseToken "refuse-token"
        /// Revokes all tokens before the request is processed.
        RevokeTokens "revoke-tokens"
        /// Makes the token of a `getToken` response expire earlier than its `expires_in` says.
        EarlyExpiry "early-expiry" {
            /// The lifetime of the token.
            after: Duration as "TIME",
        }
        /// Responds with 429.
        RateLimited "rate-limited" {
            /// The form of the `Retry-After` header.
            retry_after: RetryAfter as "absent|seconds|date",
            /// The time that the header asks for, rounded up to whole seconds.
            wait: Duration as "[TIME]" or Duration::ZERO,
        }
        /// Responds with 429 to requests above this rate, measured on the sandbox's clock. No header announces the limit.
        RateLimit "rate-limit" {
            /// The sustained rate, in requests per second.
            per_second: u32 as "N/s",
            /// Number of requests that may arrive at once after an idle time.
            burst: u32 as "burst N",
            /// The form of the `Retry-After` header of a 429.
            retry_after: RetryAfter as "[absent|seconds|date]" or RetryAfter::Absent,
        }
        /// Announces a rate limit in the headers `RateLimit` and `RateLimit-Policy` of successful responses, which nothing
        /// enforces.
        AnnounceLimit "announce-limit" {
            /// Number of requests that are left.
            left: u32 as "LEFT",
            /// Seconds until the end of the window.
            seconds: u32 as "SECONDS",
        }
        /// Responds with an error status.
        Status "status" {
            /// The status, from 400 to 599.
            code: u16 as "CODE",
            /// The body.
            body: ErrorBody as "[json|html|empty]" or ErrorBody::Json,
        }
        /// Responds with a redirect.
        Redirect "redirect" {
            /// The status, from 300 to 399.
            code: u16 as "[CODE]" or 307,
            /// The `Location` header.
            location: String as "URL",
        }
        /// Closes the connection.
        Drop "drop" {
            /// The moment.
            at: DropPoint as "before|after|body",
        }
        /// Sends the response body in small chunks, with a pause after each.
        Trickle "trickle" {
            /// The size of a chunk in bytes.
            chunk: usize as "BYTES",
            /// The pause.
            pause: Duration as "TIME",
        }
        /// Makes the body of a successful response invalid JSON.
        BadJson "bad-json" {
            /// The kind of damage.
            how: BadJson as "cut|garbage",
        }
        /// Announces more bytes in `Content-Length` than are sent, then closes the connection.
        LongLength "long-length" {
            /// Number of additional bytes.
            extra: u64 as "BYTES",
        }
        /// Sends optional fields that have no value, and empty arrays, as `null` instead of omitting them.
        Nulls "nulls"
        /// Adds undocumented fields to every object.
        ExtraFields "extra-fields"
        /// Sends integers that are documented as strings (`string(int64)`) as JSON numbers.
        Numbers "numbers"
        /// Removes the time zone from timestamps.
        ZonelessTimestamps "zoneless-timestamps"
        /// Sends the `expires_in` of a token as a string.
        ExpiresInString "expires-in-string"
        /// Shifts the start of each page after the first, like a service that pages by offset while items are added and
        /// removed.
        ShiftPage "shift-page" {
            /// Number of items added before the page: this number of items of the previous page are returned again.
            added: u32 as "[+N]" or 0,
            /// Number of items removed before the page: this number of items are skipped.
            removed: u32 as "[-N]" or 0,
        }
        /// Sends the cursor of the request as `next_cursor`, with `more: true`. Does not apply to first pages.
        RepeatCursor "repeat-cursor"
        /// Sends `more: true` without a `next_cursor`.
        MoreWithoutCursor "more-without-cursor"
        /// Sends an empty page with `more: true`, whose `next_cursor` leads to the page that was requested.
        EmptyPage "empty-page"
        /// Limits the page size, regardless of the request's `limit`.
        MaxPage "max-page" {
            /// The maximum number of items.
            items: usize as "ITEMS",
        }
        /// Does not advance the duplication that is polled.
        StallDuplication "stall-duplication"
        /// Ends an unfinished duplication without a copy: this poll returns its last state, later polls 404.
        FailDuplication "fail-duplication"
    }
}

words! {
    /// The form of a `Retry-After` header.
    pub enum RetryAfter {
        /// There is no such header.
        Absent "absent"
        /// A number of seconds.
        Seconds "seconds"
        /// An HTTP date on the sandbox's clock. The `Date` header is also on that clock.
        Date "date"
    }
    /// The body of an error response.
    pub enum ErrorBody {
        /// The sandbox's own error object.
        Json "json"
        /// The HTML page of a gateway.
        Html "html"
        /// No body.
        Empty "empty"
    }
    /// The moment at which a connection is closed.
    pub enum DropPoint {
        /// Before the request is processed.
        Before "before"
        /// After it was processed, before the first byte of the response.
        After "after"
        /// After half of the response body. A response without a body is not sent at all.
        Body "body"
    }
    /// Damage that makes JSON invalid.
    pub enum BadJson {
        /// It is truncated, and `Content-Length` is the shorter length.
        Cut "cut"
        /// It is complete, and followed by extra characters.
        Garbage "garbage"
    }
}

impl FromStr for Effect {
    type Err = SandboxError;

    fn from_str(text: &str) -> Result<Self, SandboxError> {
        let words: Vec<_> = text.split_whitespace().collect();
        if words.is_empty() {
            return Err(SandboxError::new(format!(
                "the effect is missing; use one of: {}",
                Self::FORMS.join(", ")
            )));
        }
        Self::parse(&words.join(" ")).map_err(SandboxError::new)
    }
}

impl Effect {
    /// Returns `true` if the effect responds instead of the service.
    pub(super) fn responds(&self) -> bool {
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

    /// Returns `true` if the effect can apply to this operation.
    pub(super) fn applies_to(&self, operation: Operation) -> bool {
        match self {
            Self::RefuseToken => operation.needs_token(),
            Self::EarlyExpiry { .. } | Self::ExpiresInString => operation == Operation::GetToken,
            Self::ShiftPage { .. }
            | Self::RepeatCursor
            | Self::MoreWithoutCursor
            | Self::EmptyPage
            | Self::MaxPage { .. } => operation.is_paginated(),
            Self::StallDuplication | Self::FailDuplication => {
                operation == Operation::ViewDuplicateCourse
            }
            Self::Nulls | Self::ExtraFields | Self::Numbers | Self::ZonelessTimestamps => {
                operation.response().is_some()
            }
            _ => true,
        }
    }

    /// Checks the settings; the error names the mistake and a valid value.
    pub(super) fn check(&self) -> Result<(), String> {
        let positive = |number: u64, what: &str| match number {
            0 => Err(format!("{what} is 0; use 1 or more")),
            _ => Ok(()),
        };
        match self {
            Self::Delay { time } if time.start() > time.end() => Err(format!(
                "the minimum delay, {}, is longer than the maximum, {}; swap them",
                duration::format(*time.start()),
                duration::format(*time.end())
            )),
            Self::Status { code, .. } if !(400..600).contains(code) => Err(format!(
                "{code} is not an error status; use one from 400 to 599, such as 503"
            )),
            Self::Redirect { code, .. } if !(300..400).contains(code) => Err(format!(
                "{code} is not a redirect; use a status from 300 to 399, such as 307"
            )),
            Self::Redirect { location, .. }
                if axum::http::HeaderValue::from_str(location).is_err() || location.is_empty() =>
            {
                Err(format!(
                    "{location:?} is not valid in a Location header; use a URL such as https://elsewhere.example/"
                ))
            }
            Self::RateLimit {
                per_second, burst, ..
            } => positive((*per_second).into(), "the rate")
                .and_then(|()| positive((*burst).into(), "the burst")),
            Self::Trickle { chunk, .. } => positive(*chunk as u64, "the chunk size"),
            Self::LongLength { extra } => positive(*extra, "the number of missing bytes"),
            Self::MaxPage { items } => positive(*items as u64, "the page size"),
            Self::ShiftPage {
                added: 0,
                removed: 0,
            } => Err(
                "the page is not shifted; say how many items are added or removed, such as +2 or -1".into(),
            ),
            _ => Ok(()),
        }
    }
}
