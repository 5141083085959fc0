//! How is an effect written in words?
//!
//! Its name, then its settings in their order. The names are those of a plan file.

use std::fmt;
use std::time::Duration;

use super::super::effect::{BadJson, DropPoint, Effect, ErrorBody, RetryAfter};
use super::super::span;

/// Every effect as it is written, with its settings in capitals.
pub(super) const EFFECTS: &[&str] = &[
    "delay TIME[..TIME]",
    "refuse-token",
    "revoke-tokens",
    "early-expiry TIME",
    "rate-limited absent|seconds|date [TIME]",
    "rate-limit N/s burst N [absent|seconds|date]",
    "status CODE [json|html|empty]",
    "redirect [CODE] ADDRESS",
    "drop before|after|body",
    "trickle BYTES TIME",
    "bad-json cut|garbage",
    "long-length BYTES",
    "nulls",
    "extra-fields",
    "numbers",
    "zoneless-timestamps",
    "expires-in-string",
    "drift +N|-N",
    "repeat-cursor",
    "more-without-cursor",
    "empty-page",
    "max-page ROWS",
    "stall-duplication",
    "fail-duplication",
];

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let span = |time: &Duration| span::text(*time);
        match self {
            Self::Delay { least, most } if least == most => write!(f, "delay {}", span(least)),
            Self::Delay { least, most } => write!(f, "delay {}..{}", span(least), span(most)),
            Self::RefuseToken => f.write_str("refuse-token"),
            Self::RevokeTokens => f.write_str("revoke-tokens"),
            Self::EarlyExpiry { after } => write!(f, "early-expiry {}", span(after)),
            Self::RateLimited { retry_after, wait } => {
                write!(f, "rate-limited {} {}", retry_after.word(), span(wait))
            }
            Self::RateLimit {
                per_second,
                burst,
                retry_after,
            } => write!(
                f,
                "rate-limit {per_second}/s burst {burst} {}",
                retry_after.word()
            ),
            Self::Status { code, body } => write!(f, "status {code} {}", body.word()),
            Self::Redirect { code, location } => write!(f, "redirect {code} {location}"),
            Self::Drop { at } => write!(f, "drop {}", at.word()),
            Self::Trickle { chunk, pause } => write!(f, "trickle {chunk} {}", span(pause)),
            Self::BadJson { how } => write!(f, "bad-json {}", how.word()),
            Self::LongLength { extra } => write!(f, "long-length {extra}"),
            Self::Nulls => f.write_str("nulls"),
            Self::ExtraFields => f.write_str("extra-fields"),
            Self::Numbers => f.write_str("numbers"),
            Self::ZonelessTimestamps => f.write_str("zoneless-timestamps"),
            Self::ExpiresInString => f.write_str("expires-in-string"),
            Self::Drift { added, removed } => {
                f.write_str("drift")?;
                if *added > 0 {
                    write!(f, " +{added}")?;
                }
                if *removed > 0 {
                    write!(f, " -{removed}")?;
                }
                Ok(())
            }
            Self::RepeatCursor => f.write_str("repeat-cursor"),
            Self::MoreWithoutCursor => f.write_str("more-without-cursor"),
            Self::EmptyPage => f.write_str("empty-page"),
            Self::MaxPage { rows } => write!(f, "max-page {rows}"),
            Self::StallDuplication => f.write_str("stall-duplication"),
            Self::FailDuplication => f.write_str("fail-duplication"),
        }
    }
}

/// Reads an effect; the error says what to write.
pub(super) fn effect_of(text: &str) -> Result<Effect, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some((name, settings)) = words.split_first() else {
        return Err(format!(
            "the effect is missing; one of: {}",
            EFFECTS.join(", ")
        ));
    };
    let Some(form) = EFFECTS
        .iter()
        .find(|form| form.split(' ').next() == Some(name))
    else {
        return Err(format!(
            "there is no effect {name:?}; one of: {}",
            EFFECTS.join(", ")
        ));
    };
    let wrong = || format!("{text:?} cannot be read; write {form}");
    Ok(match (*name, settings) {
        ("delay", [times]) => {
            let (least, most) = times.split_once("..").unwrap_or((times, times));
            Effect::Delay {
                least: span::parse(least)?,
                most: span::parse(most)?,
            }
        }
        ("refuse-token", []) => Effect::RefuseToken,
        ("revoke-tokens", []) => Effect::RevokeTokens,
        ("early-expiry", [time]) => Effect::EarlyExpiry {
            after: span::parse(time)?,
        },
        ("rate-limited", [form, rest @ ..]) if rest.len() < 2 => Effect::RateLimited {
            retry_after: RetryAfter::of_word(form).ok_or_else(wrong)?,
            wait: match rest.first() {
                Some(time) => span::parse(time)?,
                None => Duration::ZERO,
            },
        },
        ("rate-limit", [rate, "burst", burst, rest @ ..]) if rest.len() < 2 => Effect::RateLimit {
            per_second: rate
                .strip_suffix("/s")
                .and_then(|rate| rate.parse().ok())
                .ok_or_else(wrong)?,
            burst: burst.parse().map_err(|_| wrong())?,
            retry_after: match rest.first() {
                Some(form) => RetryAfter::of_word(form).ok_or_else(wrong)?,
                None => RetryAfter::Absent,
            },
        },
        ("status", [code, rest @ ..]) if rest.len() < 2 => Effect::Status {
            code: code.parse().map_err(|_| wrong())?,
            body: match rest.first() {
                Some(body) => ErrorBody::of_word(body).ok_or_else(wrong)?,
                None => ErrorBody::Json,
            },
        },
        ("redirect", [location]) => Effect::Redirect {
            code: 307,
            location: (*location).to_owned(),
        },
        ("redirect", [code, location]) => Effect::Redirect {
            code: code.parse().map_err(|_| wrong())?,
            location: (*location).to_owned(),
        },
        ("drop", [at]) => Effect::Drop {
            at: DropPoint::of_word(at).ok_or_else(wrong)?,
        },
        ("trickle", [chunk, pause]) => Effect::Trickle {
            chunk: chunk.parse().map_err(|_| wrong())?,
            pause: span::parse(pause)?,
        },
        ("bad-json", [how]) => Effect::BadJson {
            how: BadJson::of_word(how).ok_or_else(wrong)?,
        },
        ("long-length", [extra]) => Effect::LongLength {
            extra: extra.parse().map_err(|_| wrong())?,
        },
        ("nulls", []) => Effect::Nulls,
        ("extra-fields", []) => Effect::ExtraFields,
        ("numbers", []) => Effect::Numbers,
        ("zoneless-timestamps", []) => Effect::ZonelessTimestamps,
        ("expires-in-string", []) => Effect::ExpiresInString,
        ("drift", shifts) if !shifts.is_empty() => {
            let (mut added, mut removed) = (0, 0);
            for shift in shifts {
                match shift.split_at_checked(1) {
                    Some(("+", rows)) => added = rows.parse().map_err(|_| wrong())?,
                    Some(("-", rows)) => removed = rows.parse().map_err(|_| wrong())?,
                    _ => return Err(wrong()),
                }
            }
            Effect::Drift { added, removed }
        }
        ("repeat-cursor", []) => Effect::RepeatCursor,
        ("more-without-cursor", []) => Effect::MoreWithoutCursor,
        ("empty-page", []) => Effect::EmptyPage,
        ("max-page", [rows]) => Effect::MaxPage {
            rows: rows.parse().map_err(|_| wrong())?,
        },
        ("stall-duplication", []) => Effect::StallDuplication,
        ("fail-duplication", []) => Effect::FailDuplication,
        _ => return Err(wrong()),
    })
}

macro_rules! words {
    ($($kind:ident { $($variant:ident $word:literal),* })*) => {
        $(impl $kind {
            fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            fn of_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        })*
    };
}

words! {
    RetryAfter { Absent "absent", Seconds "seconds", Date "date" }
    ErrorBody { Json "json", Html "html", Empty "empty" }
    DropPoint { Before "before", After "after", Body "body" }
    BadJson { Cut "cut", Garbage "garbage" }
}
