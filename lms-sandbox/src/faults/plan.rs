//! Which requests does a fault befall?
//!
//! A plan is a list of rules; a rule is a target, a time and an effect. A test wants the same faults every time it
//! runs, whatever the threads do meanwhile. So a rule counts the requests it is asked about, and decides by the
//! count alone: by comparing it, or, for a chance, by a hash of the plan's seed, the rule's number and the count.
//! The nth request a rule sees has one fate for one seed.

use serde::{Deserialize, Serialize};

use super::effect::Effect;
use super::target::Target;
use crate::error::SandboxError;

/// The faults of a sandbox: what is done, to which requests, and when.
///
/// The same plan can be given in Rust, as a JSON file, and, rule by rule, in words:
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
///
/// let words = ["all: always: nulls", "listLearners,listEnrolments: every 3: status 503 html"];
/// let rules = words.iter().map(|rule| rule.parse()).collect::<Result<Vec<FaultRule>, _>>()?;
/// assert_eq!(plan.rules, rules);
///
/// let file = r#"{
///     "seed": 7,
///     "rules": [
///         "all: always: nulls",
///         {
///             "on": ["listLearners", "listEnrolments"],
///             "when": {"every": 3},
///             "effect": {"status": {"code": 503, "body": "html"}}
///         }
///     ]
/// }"#;
/// assert_eq!(plan, FaultPlan::from_json(file)?);
/// # Ok::<_, lms_sandbox::SandboxError>(())
/// ```
///
/// Rules are asked in their order. One that answers in place of the service ends the asking: the rules behind it do
/// not count that request. A rule whose effect cannot be done to an operation (an empty page, where there are no
/// pages) does not count it either.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultPlan {
    /// What chances and jitter are drawn from.
    #[serde(default)]
    pub seed: u64,
    /// The rules, in the order in which they are asked.
    #[serde(default)]
    pub rules: Vec<FaultRule>,
}

/// One rule of a plan.
///
/// In JSON it is written as an object of these fields, and read from that or from its words: `"all: always: nulls"`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaultRule {
    /// Which requests it is about; one of these is enough, and none means all requests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<Target>,
    /// Which of those it befalls.
    #[serde(skip_serializing_if = "When::is_always")]
    pub when: When,
    /// What is done to them.
    pub effect: Effect,
}

/// Which of its requests a rule befalls, by their count, which begins with 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum When {
    /// All.
    #[default]
    Always,
    /// Each with this probability, from 0 to 1, as the plan's seed has it.
    Chance(f64),
    /// The nth alone.
    Nth(u64),
    /// Every nth.
    Every(u64),
    /// The first n.
    First(u64),
    /// All after the first n.
    After(u64),
}

impl When {
    // serde hands over a reference.
    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "the signature that serde calls"
    )]
    fn is_always(&self) -> bool {
        *self == Self::Always
    }

    /// Whether the request with this count is one; `roll` is the hash to decide a chance by.
    pub(super) fn hits(self, count: u64, roll: u64) -> bool {
        match self {
            Self::Always => true,
            Self::Chance(chance) => {
                // 53 bits are what a double holds exactly.
                let unit = (roll >> 11) as f64 / (1u64 << 53) as f64;
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
                "the chance {chance} is none; use a number from 0 to 1, such as 0.1"
            )),
            Self::Nth(0) | Self::Every(0) | Self::First(0) => {
                Err("the count is 0; requests are counted from 1, so use 1 or more".into())
            }
            _ => Ok(()),
        }
    }
}

impl FaultPlan {
    /// A plan without rules and with this seed.
    pub fn seeded(seed: u64) -> Self {
        Self {
            seed,
            rules: Vec::new(),
        }
    }

    /// The same plan with one more rule at its end.
    #[must_use]
    pub fn with(mut self, rule: FaultRule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Reads a plan from JSON.
    ///
    /// # Errors
    ///
    /// When it is not JSON, has a name in it that no plan has, or a rule has a setting that makes no sense.
    pub fn from_json(text: &str) -> Result<Self, SandboxError> {
        let plan: Self = serde_json::from_str(text).map_err(|error| {
            SandboxError::setting(format!("the fault plan cannot be read: {error}"))
        })?;
        plan.check()?;
        Ok(plan)
    }

    /// Checks every rule.
    pub(crate) fn check(&self) -> Result<(), SandboxError> {
        self.rules.iter().try_for_each(FaultRule::check)
    }
}

impl FaultRule {
    /// A rule that does this to every request.
    pub fn new(effect: Effect) -> Self {
        Self {
            on: Vec::new(),
            when: When::Always,
            effect,
        }
    }

    /// The same for these requests only: operations, methods, or [`Target::Lists`].
    #[must_use]
    pub fn on<T: Into<Target>>(mut self, targets: impl IntoIterator<Item = T>) -> Self {
        self.on.extend(targets.into_iter().map(Into::into));
        self
    }

    /// The same at these times only.
    #[must_use]
    pub fn when(mut self, when: When) -> Self {
        self.when = when;
        self
    }

    /// Checks the settings.
    pub(crate) fn check(&self) -> Result<(), SandboxError> {
        self.sense()
            .map_err(|wrong| SandboxError::setting(format!("fault \"{self}\": {wrong}")))
    }

    /// What makes no sense in its settings.
    pub(super) fn sense(&self) -> Result<(), String> {
        self.when.check().and_then(|()| self.effect.check())
    }
}
