//! Fault plans: lists of rules, each with a target, a condition and an effect.
//!
//! A test needs the same faults in every run, for any order of its threads. A rule therefore counts the requests that
//! it applies to, and decides by this count alone: the condition compares the count or, for a probability, hashes it
//! with the plan's seed and the rule's index.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::effect::Effect;
use super::target::Target;
use crate::api::operation::Operation;
use crate::error::SandboxError;

/// The faults of a sandbox: the affected requests, the conditions and the effects.
///
/// In Rust, a plan is made of values or of text. In JSON, its rules are strings in the same notation:
///
/// ```
/// use lms_sandbox::{Effect, ErrorBody, FaultPlan, FaultRule, Operation, When};
///
/// let plan = FaultPlan::seeded(7)
///     .with(FaultRule::new(Effect::Nulls))
///     .with(
///         FaultRule::new(Effect::Status { code: 503, body: ErrorBody::Html })
///             .on([Operation::ListLearners, Operation::ListEnrolments])
///             .when(When::Every(3)),
///     );
/// let json = r#"{
///     "seed": 7,
///     "rules": ["all: always: nulls", "listLearners,listEnrolments: every 3: status 503 html"]
/// }"#;
/// assert_eq!(plan, FaultPlan::from_json(json)?);
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

/// One rule of a plan.
///
/// As text it is `TARGET: WHEN: EFFECT`, such as `listLearners,GET: every 3: status 503 html`: [targets](Target)
/// separated by commas, or `all`; a [condition](When); an [effect](Effect::FORMS). `Display`, `FromStr` and JSON use
/// this notation.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultRule {
    /// The requests that the rule applies to: those that match any of these; all requests if it is empty.
    pub on: Vec<Target>,
    /// Selects the affected requests among these.
    pub when: When,
    /// The effect on the selected requests.
    pub effect: Effect,
}

/// Selects requests among those that a rule applies to. Requests are counted from 1.
///
/// As text: `always`, `chance 0.1`, `nth 3`, `every 3`, `first 3`, `after 3`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum When {
    /// All.
    #[default]
    Always,
    /// Each with this probability, from 0 to 1. The plan's seed decides which.
    Chance(f64),
    /// Only the nth.
    Nth(u64),
    /// Every nth.
    Every(u64),
    /// The first n.
    First(u64),
    /// All after the first n.
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

    fn check(self) -> Result<(), String> {
        match self {
            Self::Chance(chance) if !(0.0..=1.0).contains(&chance) => Err(format!(
                "{chance} is not a probability; use a number from 0 to 1, such as 0.1"
            )),
            Self::Nth(0) | Self::Every(0) | Self::First(0) => {
                Err("the count is 0; requests are counted from 1, so use 1 or more".into())
            }
            _ => Ok(()),
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

impl FromStr for When {
    type Err = SandboxError;

    fn from_str(text: &str) -> Result<Self, SandboxError> {
        let (word, number) = text.split_once(' ').unwrap_or((text, ""));
        let count = number.trim().parse();
        match (word, count) {
            ("always", _) if number.is_empty() => Some(Self::Always),
            ("chance", _) => number.trim().parse().map(Self::Chance).ok(),
            ("nth", Ok(n)) => Some(Self::Nth(n)),
            ("every", Ok(n)) => Some(Self::Every(n)),
            ("first", Ok(n)) => Some(Self::First(n)),
            ("after", Ok(n)) => Some(Self::After(n)),
            _ => None,
        }
        .ok_or_else(|| {
            SandboxError::new(format!(
                "{text:?} is not a condition; use always, chance 0.1, nth 3, every 3, first 3 or after 3"
            ))
        })
    }
}

impl FaultPlan {
    /// A plan with this seed and no rules.
    pub fn seeded(seed: u64) -> Self {
        Self {
            seed,
            rules: Vec::new(),
        }
    }

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

    /// Appends a rule.
    #[must_use]
    pub fn with(mut self, rule: FaultRule) -> Self {
        self.rules.push(rule);
        self
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

    /// Checks the settings of all rules.
    pub(crate) fn check(&self) -> Result<(), SandboxError> {
        self.rules.iter().try_for_each(FaultRule::check)
    }
}

impl FaultRule {
    /// A rule that applies this effect to all requests.
    pub fn new(effect: Effect) -> Self {
        Self {
            on: Vec::new(),
            when: When::Always,
            effect,
        }
    }

    /// Restricts the rule to these operations, methods or [lists](Target::Lists).
    #[must_use]
    pub fn on<T: Into<Target>>(mut self, targets: impl IntoIterator<Item = T>) -> Self {
        self.on.extend(targets.into_iter().map(Into::into));
        self
    }

    /// Restricts the rule to the requests that this condition includes.
    #[must_use]
    pub fn when(mut self, when: When) -> Self {
        self.when = when;
        self
    }

    /// Returns `true` if the rule is for this operation, and its effect applies to it.
    pub(super) fn applies_to(&self, operation: Operation) -> bool {
        let is_target =
            self.on.is_empty() || self.on.iter().any(|target| target.matches(operation));
        is_target && self.effect.applies_to(operation)
    }

    /// Checks the settings, and that some request is affected: a test with a rule that never applies would test nothing.
    pub(crate) fn check(&self) -> Result<(), SandboxError> {
        let checked = self.when.check().and_then(|()| self.effect.check());
        let checked = checked.and_then(|()| {
            let mut all = Operation::ALL.iter();
            let effect = &self.effect;
            match all.any(|operation| self.applies_to(*operation)) {
                true => Ok(()),
                false => Err(format!(
                    "{effect} applies to none of these operations; use all"
                )),
            }
        });
        checked.map_err(|reason| invalid(&self.to_string(), &reason))
    }
}

fn invalid(rule: &str, reason: &str) -> SandboxError {
    SandboxError::new(format!("fault {rule:?}: {reason}"))
}

impl fmt::Display for FaultRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let targets: Vec<_> = self.on.iter().map(ToString::to_string).collect();
        let targets = if targets.is_empty() {
            "all".into()
        } else {
            targets.join(",")
        };
        write!(f, "{targets}: {}: {}", self.when, self.effect)
    }
}

impl FromStr for FaultRule {
    type Err = SandboxError;

    fn from_str(line: &str) -> Result<Self, SandboxError> {
        let parts: Vec<_> = line.splitn(3, ':').map(str::trim).collect();
        let [targets, when, effect] = *parts.as_slice() else {
            return Err(invalid(
                line,
                "write TARGET: WHEN: EFFECT, such as \"listLearners: every 3: status 503 html\"",
            ));
        };
        let refused = |error: SandboxError| invalid(line, &error.to_string());
        let on: Result<_, SandboxError> = match targets {
            "all" => Ok(Vec::new()),
            some => some
                .split(',')
                .map(|target| target.trim().parse())
                .collect(),
        };
        let rule = Self {
            on: on.map_err(refused)?,
            when: when.parse().map_err(refused)?,
            effect: effect.parse().map_err(refused)?,
        };
        rule.check()?;
        Ok(rule)
    }
}

impl TryFrom<&str> for FaultRule {
    type Error = SandboxError;

    fn try_from(line: &str) -> Result<Self, SandboxError> {
        line.parse()
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
