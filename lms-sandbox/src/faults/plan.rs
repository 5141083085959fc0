//! Fault plans: lists of rules, each with a target, a condition and an effect.
//!
//! A test needs the same faults in every run, for any order of its threads. A rule therefore counts the requests that
//! it applies to, and decides by this count alone: the condition compares the count or, for a probability, hashes it
//! with the plan's seed and the rule's index.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::effect::Effect;
use crate::api::operation::Operation;
use crate::error::SandboxError;

/// The faults of a sandbox.
///
/// Rules have the same notation in Rust, in JSON, on the command line and in the control API:
///
/// ```
/// use lms_sandbox::FaultPlan;
///
/// let json = r#"{
///     "seed": 7,
///     "rules": ["all: always: nulls", "listLearners,listEnrolments: every 3: status 503 html"]
/// }"#;
/// let plan = FaultPlan::from_json(json)?;
/// assert_eq!(plan.rules[0], "all: always: nulls".parse()?);
/// # Ok::<_, lms_sandbox::SandboxError>(())
/// ```
///
/// Rules are evaluated in order. The first one that responds instead of the service ends the evaluation; the rules
/// after it do not count that request. A rule whose effect cannot apply to an operation, such as an empty page where
/// there are no pages, does not count the request either. A rule that applies to no operation is invalid.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultPlan {
    /// The seed for probabilities and random delays.
    #[serde(default)]
    pub seed: u64,
    /// The rules, in the order of their evaluation.
    #[serde(default)]
    pub rules: Vec<FaultRule>,
}

/// One rule of a plan, parsed from `TARGET: WHEN: EFFECT`, such as `listLearners,GET: every 3: status 503 html`.
///
/// - The targets are `all`, or operations such as `listLearners`, methods such as `GET`, and `lists`, separated by commas.
/// - The condition is `always`, `chance 0.1`, `nth 3`, `every 3`, `first 3` or `after 3`. Requests are counted from 1.
/// - The [effect](Effect::FORMS) has settings.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultRule {
    /// The requests that the rule applies to: those that match any of these; all requests if it is empty.
    targets: Vec<String>,
    pub(super) when: When,
    pub(super) effect: Effect,
}

/// Selects requests among those that a rule applies to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum When {
    Always,
    Chance(f64),
    Nth(u64),
    Every(u64),
    First(u64),
    After(u64),
}

impl When {
    /// Returns `true` if the request with this count is affected. `random` decides a probability.
    pub(super) fn includes(self, count: u64, random: u64) -> bool {
        match self {
            Self::Always => true,
            Self::Chance(chance) => {
                // A double holds 53 bits exactly.
                let unit = (random >> 11) as f64 / (1u64 << 53) as f64;
                unit < chance
            }
            Self::Nth(n) => count == n,
            Self::Every(n) => count.checked_rem(n) == Some(0),
            Self::First(n) => count <= n,
            Self::After(n) => count > n,
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let (word, number) = text.split_once(' ').unwrap_or((text, ""));
        let number = number.trim();
        match (word, number.parse(), number.parse::<f64>()) {
            ("always", ..) if number.is_empty() => Ok(Self::Always),
            ("chance", _, Ok(chance)) if (0.0..=1.0).contains(&chance) => Ok(Self::Chance(chance)),
            ("chance", _, Ok(chance)) => Err(format!(
                "{chance} is not a probability; use a number from 0 to 1, such as 0.1"
            )),
            ("nth" | "every" | "first", Ok(0), _) => {
                Err("the count is 0; requests are counted from 1, so use 1 or more".into())
            }
            ("nth", Ok(n), _) => Ok(Self::Nth(n)),
            ("every", Ok(n), _) => Ok(Self::Every(n)),
            ("first", Ok(n), _) => Ok(Self::First(n)),
            ("after", Ok(n), _) => Ok(Self::After(n)),
            _ => Err(format!(
                "{text:?} is not a condition; use always, chance 0.1, nth 3, every 3, first 3 or after 3"
            )),
        }
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

impl FaultPlan {
    /// Unusual behaviour in all operations, with which a robust client still works: every seventh request gets a 429 and
    /// every eleventh GET an HTML 503; pages have three items, and every third one has none; absent values are `null`;
    /// objects have undocumented fields; timestamps have no time zone; `expires_in` is a string.
    pub fn unusual() -> Self {
        let rules = [
            "all: every 7: rate-limited seconds",
            "GET: every 11: status 503 html",
            "lists: every 3: empty-page",
            "lists: always: max-page 3",
            "all: always: expires-in-string",
            "all: always: nulls",
            "all: always: extra-fields",
            "all: always: zoneless-timestamps",
        ];
        let rules = rules.iter().filter_map(|rule| rule.parse().ok());
        Self {
            seed: 0,
            rules: rules.collect(),
        }
    }

    /// Parses a plan: `{"seed": 7, "rules": ["lists: every 3: status 503"]}`.
    ///
    /// # Errors
    ///
    /// If the text is not JSON of this form, or a rule is invalid.
    pub fn from_json(text: &str) -> Result<Self, SandboxError> {
        serde_json::from_str(text)
            .map_err(|error| SandboxError::new(format!("could not parse the fault plan: {error}")))
    }
}

impl FaultRule {
    /// Returns `true` if the rule is for this operation, and its effect applies to it.
    pub(super) fn applies_to(&self, operation: Operation) -> bool {
        let mut targets = self.targets.iter();
        let is_target = self.targets.is_empty() || targets.any(|word| is_target(word, operation));
        is_target && self.effect.applies_to(operation)
    }
}

/// Returns `true` if a word stands for this operation, perhaps among others.
fn is_target(word: &str, operation: Operation) -> bool {
    word == operation.id()
        || operation.method() == *word
        || word == "lists" && operation.is_paginated()
}

impl fmt::Display for FaultRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let targets = match self.targets.as_slice() {
            [] => "all".into(),
            some => some.join(","),
        };
        write!(f, "{targets}: {}: {}", self.when, self.effect)
    }
}

impl FromStr for FaultRule {
    type Err = SandboxError;

    fn from_str(line: &str) -> Result<Self, SandboxError> {
        let refused = |reason: String| SandboxError::new(format!("fault {line:?}: {reason}"));
        let parts: Vec<_> = line.splitn(3, ':').map(str::trim).collect();
        let [targets, when, effect] = *parts.as_slice() else {
            return Err(refused(
                "write TARGET: WHEN: EFFECT, such as \"listLearners: every 3: status 503 html\""
                    .into(),
            ));
        };
        let targets: Vec<_> = match targets {
            "all" => Vec::new(),
            some => some.split(',').map(|word| word.trim().to_owned()).collect(),
        };
        let all = || Operation::ALL.iter().copied();
        let is_known = |word: &str| all().any(|operation| is_target(word, operation));
        if let Some(word) = targets.iter().find(|word| !is_known(word)) {
            return Err(refused(format!(
                "there is no target {word:?}; use an operation such as listLearners, a method such as GET, lists, or all"
            )));
        }
        let effect = effect.parse::<Effect>();
        let rule = Self {
            targets,
            when: When::parse(when).map_err(refused)?,
            effect: effect.map_err(|error| refused(error.to_string()))?,
        };
        rule.effect.check().map_err(refused)?;
        // A test with a rule that never applies would test nothing.
        if !all().any(|operation| rule.applies_to(operation)) {
            let effect = &rule.effect;
            return Err(refused(format!(
                "{effect} applies to none of these operations; use all"
            )));
        }
        Ok(rule)
    }
}

impl Serialize for FaultRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for FaultRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let line = String::deserialize(deserializer)?;
        line.parse().map_err(de::Error::custom)
    }
}
