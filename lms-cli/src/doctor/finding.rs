//! The result of a check.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::failure::Failure;

/// The remedies. A check has the one with its id, unless the way in which it failed has another.
const REMEDIES: &str = include_str!("remedies.txt");

/// The result of a check.
#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct Finding {
    /// The id of the check, such as `clock`.
    pub(super) check: &'static str,
    /// The collection that a check of the permissions is about.
    pub(super) collection: Option<&'static str>,
    pub(super) state: State,
    /// The result, for people.
    result: String,
    /// The command to run, or the step to take; null if none is needed.
    pub(super) remedy: Option<String>,
    /// The facts that a bundle may contain: numbers, and words of this program. No text of a user, a file or the service can become
    /// one.
    #[serde(skip)]
    facts: Map<String, Value>,
    /// The failure with which other commands end.
    #[serde(skip)]
    pub(super) failure: Option<Failure>,
}

/// The state of what was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// Not checked, because another check failed or there is nothing to check.
    #[default]
    Skipped,
    Ok,
    Warning,
    Error,
}

impl Finding {
    fn new(check: &'static str, state: State, result: impl Into<String>) -> Self {
        let finding = Self {
            check,
            state,
            result: result.into(),
            ..Self::default()
        };
        finding.remedied(check)
    }

    pub(super) fn ok(check: &'static str, result: impl Into<String>) -> Self {
        Self::new(check, State::Ok, result)
    }

    pub(super) fn skipped(check: &'static str, result: impl Into<String>) -> Self {
        Self::new(check, State::Skipped, result)
    }

    /// A warning with these problems, or without any the result.
    pub(super) fn unless(check: &'static str, problems: &[String], result: &str) -> Self {
        let finding = match problems {
            [] => Self::ok(check, result),
            problems => Self::of(check, true, problems.join("; ")),
        };
        finding.number("problems", problems.len())
    }

    /// A warning if something is wrong.
    pub(super) fn of(check: &'static str, is_wrong: bool, result: impl Into<String>) -> Self {
        let state = if is_wrong { State::Warning } else { State::Ok };
        Self::new(check, state, result)
    }

    /// An error with the advice of a failure as its remedy.
    pub(super) fn failed(check: &'static str, failure: impl Into<Failure>) -> Self {
        let failure = failure.into();
        let mut finding = Self::new(check, State::Error, failure.message());
        // The advice of other commands may be to run this one.
        let hint = failure.hint().filter(|_| !failure.is_of_connection());
        finding.remedy = hint.map(str::to_owned).or(finding.remedy);
        let kind = failure.kind();
        finding.failure = Some(failure);
        finding.word("kind", kind)
    }

    /// With this remedy, if something is wrong.
    pub(super) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        if self.state > State::Ok {
            self.remedy = Some(remedy.into());
        }
        self
    }

    /// With the remedy of this name, if there is one.
    pub(super) fn remedied(self, name: &str) -> Self {
        let of_name = |line: &'static str| line.strip_prefix(name)?.strip_prefix(": ");
        match REMEDIES.lines().find_map(of_name) {
            Some(remedy) => self.remedy(remedy),
            None => self,
        }
    }

    pub(super) fn number<N: TryInto<u64>>(mut self, name: &str, number: N) -> Self {
        let number = number.try_into().unwrap_or(u64::MAX);
        self.facts.insert(name.to_owned(), number.into());
        self
    }

    pub(super) fn word(mut self, name: &str, word: &'static str) -> Self {
        self.facts.insert(name.to_owned(), word.into());
        self
    }

    /// An entry of a bundle.
    pub(super) fn entry(&self) -> Value {
        let Self {
            check,
            collection,
            state,
            facts,
            ..
        } = self;
        json!({ "check": check, "collection": collection, "state": state, "facts": facts })
    }

    /// A line for people, and one for the remedy.
    pub(super) fn lines(&self) -> String {
        let state = format!("{:?}", self.state).to_uppercase();
        let (check, result) = (self.check, &self.result);
        let of = self.collection.map_or(String::new(), |of| format!(" {of}"));
        let line = format!("{state:<8} {check}{of}: {result}");
        match &self.remedy {
            Some(remedy) => format!("{line}\n{:8} → {remedy}", ""),
            None => line,
        }
    }
}
