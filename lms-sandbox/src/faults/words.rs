//! How is a rule written in a line?
//!
//! `TARGET: WHEN: EFFECT`, so that a rule fits an argument of the command line and a line of a record. Everything
//! that a rule can say can be said so, and reads back the same.

use std::fmt;
use std::str::FromStr;

use super::effect::{BadJson, DropPoint, Effect, ErrorBody, RetryAfter};
use super::plan::{FaultRule, When};
use super::span;
use crate::error::SandboxError;

/// Every effect as it is written, with its settings in capitals.
const EFFECTS: &[&str] = &[
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

impl FaultRule {
    /// The effects as [`FaultRule`]'s text has them, with their settings in capitals.
    pub const EFFECTS: &[&str] = EFFECTS;
}

impl fmt::Display for FaultRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.on.is_empty() {
            f.write_str("all")?;
        }
        for (index, target) in self.on.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{target}")?;
        }
        write!(f, ": {}: {}", self.when, self.effect)
    }
}

impl FromStr for FaultRule {
    type Err = SandboxError;

    /// Reads `TARGET: WHEN: EFFECT`.
    fn from_str(line: &str) -> Result<Self, SandboxError> {
        let wrong = |why: &str| SandboxError::setting(format!("fault {line:?}: {why}"));
        let mut parts = line.splitn(3, ':').map(str::trim);
        let (Some(targets), Some(when), Some(effect)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(wrong(
                "write TARGET: WHEN: EFFECT, such as \"listLearners: every 3: status 503 html\"",
            ));
        };
        let on = if targets == "all" {
            Vec::new()
        } else {
            targets
                .split(',')
                .map(|word| word.trim().parse())
                .collect::<Result<_, SandboxError>>()
                .map_err(|error| wrong(&format!("{error}; all means every request")))?
        };
        let rule = Self {
            on,
            when: when_of(when).map_err(|why| wrong(&why))?,
            effect: effect_of(effect).map_err(|why| wrong(&why))?,
        };
        rule.sense().map_err(|why| wrong(&why))?;
        Ok(rule)
    }
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Always => f.write_str("always"),
            Self::Chance(chance) => write!(f, "chance {chance}"),
            Self::Nth(n) => write!(f, "nth {n}"),
            Self::Every(n) => write!(f, "every {n}"),
            Self::First(n) => write!(f, "first {n}"),
            Self::After(n) => write!(f, "after {n}"),
        }
    }
}

fn when_of(text: &str) -> Result<When, String> {
    let wrong = || {
        format!("{text:?} is no time; write always, chance 0.1, nth 3, every 3, first 3 or after 3")
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let count = |number: &str| number.parse::<u64>().map_err(|_| wrong());
    match *words.as_slice() {
        ["always"] => Ok(When::Always),
        ["chance", chance] => chance.parse().map(When::Chance).map_err(|_| wrong()),
        ["nth", n] => count(n).map(When::Nth),
        ["every", n] => count(n).map(When::Every),
        ["first", n] => count(n).map(When::First),
        ["after", n] => count(n).map(When::After),
        _ => Err(wrong()),
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let span = |time: &std::time::Duration| span::text(*time);
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

fn effect_of(text: &str) -> Result<Effect, String> {
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
                None => std::time::Duration::ZERO,
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

#[cfg(test)]
mod tests {
    use super::super::plan::{FaultPlan, FaultRule};

    /// Each effect at least once, each time at least once.
    const RULES: &[&str] = &[
        "all: always: delay 20ms",
        "lists: chance 0.25: delay 20ms..1500ms",
        "all: nth 3: refuse-token",
        "me: every 3: revoke-tokens",
        "getToken: always: early-expiry 5s",
        "GET: first 2: rate-limited absent 0s",
        "GET: after 2: rate-limited date 2s",
        "all: always: rate-limit 5/s burst 10 seconds",
        "POST,PUT: always: status 500 json",
        "listLearners,listEnrolments: every 3: status 503 html",
        "all: always: redirect 307 http://127.0.0.1:9/elsewhere?a=b",
        "DELETE: always: drop before",
        "addCourse: nth 1: drop after",
        "lists: always: drop body",
        "all: always: trickle 16 10ms",
        "all: always: bad-json cut",
        "all: always: bad-json garbage",
        "all: always: long-length 10",
        "all: always: nulls",
        "all: always: extra-fields",
        "all: always: numbers",
        "all: always: zoneless-timestamps",
        "all: always: expires-in-string",
        "lists: always: drift +2",
        "lists: always: drift +2 -1",
        "lists: always: repeat-cursor",
        "lists: always: more-without-cursor",
        "lists: always: empty-page",
        "lists: always: max-page 3",
        "viewDuplicateCourse: first 5: stall-duplication",
        "viewDuplicateCourse: always: fail-duplication",
    ];

    fn rules() -> Vec<FaultRule> {
        RULES.iter().map(|line| line.parse().unwrap()).collect()
    }

    #[test]
    fn a_rule_reads_back_as_it_was_written() {
        for (rule, line) in rules().iter().zip(RULES) {
            assert_eq!(rule.to_string(), *line);
        }
        let names: Vec<_> = RULES
            .iter()
            .filter_map(|line| line.rsplit(": ").next()?.split(' ').next())
            .collect();
        for form in FaultRule::EFFECTS {
            assert!(names.contains(&form.split(' ').next().unwrap()), "{form}");
        }
    }

    #[test]
    fn a_plan_survives_json() {
        let plan = FaultPlan {
            seed: 9,
            rules: rules(),
        };
        let json = serde_json::to_string_pretty(&plan).unwrap();
        assert_eq!(FaultPlan::from_json(&json).unwrap(), plan);
        assert_eq!(FaultPlan::from_json("{}").unwrap(), FaultPlan::default());
    }

    #[test]
    fn a_rule_that_cannot_be_read_is_answered_with_what_to_write() {
        for (line, what) in [
            ("nulls", "TARGET: WHEN: EFFECT"),
            ("listLearners: nulls", "TARGET: WHEN: EFFECT"),
            ("listlearners: always: nulls", "such as listLearners"),
            ("PATCH: always: nulls", "GET"),
            (": always: nulls", "all means every request"),
            ("all: sometimes: nulls", "every 3"),
            ("all: chance often: nulls", "chance 0.1"),
            ("all: chance 1.5: nulls", "from 0 to 1"),
            ("all: chance NaN: nulls", "from 0 to 1"),
            ("all: every 0: nulls", "counted from 1"),
            ("all: always: null", "zoneless-timestamps"),
            ("all: always:", "the effect is missing"),
            ("all: always: nulls 3", "write nulls"),
            ("all: always: delay 5", "such as 250ms"),
            ("all: always: delay 5s..1s", "turn them round"),
            ("all: always: status 200", "from 400 to 599"),
            ("all: always: status 503 xml", "json|html|empty"),
            ("all: always: redirect 200 http://a", "such as 307"),
            ("all: always: drop", "before|after|body"),
            ("all: always: rate-limit 0/s burst 1", "1 or more"),
            ("all: always: rate-limit 5 burst 1", "N/s"),
            ("all: always: drift 3", "+N|-N"),
            ("all: always: drift +0", "such as +2"),
            ("all: always: trickle 0 1ms", "1 or more"),
            ("all: always: max-page 0", "1 or more"),
        ] {
            let error = line.parse::<FaultRule>().unwrap_err().to_string();
            assert!(error.contains(what), "{line}: {error}");
            assert!(
                error.contains(line.trim_end_matches(':')),
                "{line}: {error}"
            );
        }
    }

    #[test]
    fn a_plan_file_that_cannot_be_read_is_answered_with_what_is_wrong() {
        for (json, what) in [
            ("nulls", "the fault plan cannot be read"),
            (
                "{\"rules\": [{\"effect\": \"null\"}]}",
                "zoneless-timestamps",
            ),
            ("{\"rules\": [{\"efect\": \"nulls\"}]}", "`effect`"),
            ("{\"rule\": []}", "`rules`"),
            (
                "{\"rules\": [{\"on\": [\"lists\", \"all\"], \"effect\": \"nulls\"}]}",
                "listLearners",
            ),
            (
                "{\"rules\": [{\"when\": {\"every\": 0}, \"effect\": \"nulls\"}]}",
                "counted from 1",
            ),
            (
                "{\"rules\": [{\"effect\": {\"delay\": {\"least\": 5, \"most\": \"5s\"}}}]}",
                "string",
            ),
            (
                "{\"rules\": [{\"effect\": {\"status\": {\"code\": 503, \"body\": \"html\", \"x\": 1}}}]}",
                "`x`",
            ),
        ] {
            let error = FaultPlan::from_json(json).unwrap_err().to_string();
            assert!(error.contains(what), "{json}: {error}");
        }
    }
}
