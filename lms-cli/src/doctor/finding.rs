//! The result of a check.

use schemars::JsonSchema;
use serde::Serialize;

use crate::failure::Failure;

/// The result of a check.
#[derive(Serialize, JsonSchema)]
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
    /// The facts that a bundle may contain.
    #[serde(skip)]
    pub(super) facts: Vec<(&'static str, Fact)>,
    /// The failure with which other commands end.
    #[serde(skip)]
    pub(super) failure: Option<Failure>,
}

/// The state of what was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// Not checked, because another check failed or there is nothing to check.
    Skipped,
    Ok,
    Warning,
    Error,
}

/// A fact that a bundle may have. No text of a user, a file or the service can become one.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Fact {
    Number(u64),
    Word(&'static str),
}

impl Finding {
    fn new(check: &'static str, state: State, result: impl Into<String>) -> Self {
        Self {
            check,
            collection: None,
            state,
            result: result.into(),
            remedy: None,
            facts: Vec::new(),
            failure: None,
        }
    }

    pub(super) fn ok(check: &'static str, result: impl Into<String>) -> Self {
        Self::new(check, State::Ok, result)
    }

    pub(super) fn skipped(check: &'static str, result: impl Into<String>) -> Self {
        Self::new(check, State::Skipped, result)
    }

    /// A warning with this remedy, if something is wrong.
    pub(super) fn warn_if(mut self, is_wrong: bool, remedy: impl Into<String>) -> Self {
        if is_wrong {
            self.state = State::Warning;
            self.remedy = Some(remedy.into());
        }
        self
    }

    /// An error with the advice of a failure as its remedy.
    pub(super) fn failed(check: &'static str, failure: Failure) -> Self {
        let mut finding = Self::new(check, State::Error, failure.message());
        finding.remedy = failure.hint().map(str::to_owned);
        finding.failure = Some(failure);
        finding
    }

    /// About this collection.
    pub(super) fn of(mut self, collection: &'static str) -> Self {
        self.collection = Some(collection);
        self
    }

    pub(super) fn number(mut self, name: &'static str, number: impl TryInto<u64>) -> Self {
        let number = number.try_into().unwrap_or(u64::MAX);
        self.facts.push((name, Fact::Number(number)));
        self
    }

    pub(super) fn word(mut self, name: &'static str, word: &'static str) -> Self {
        self.facts.push((name, Fact::Word(word)));
        self
    }

    /// A line for people, and one for the remedy.
    pub(super) fn lines(&self) -> String {
        let state = match self.state {
            State::Skipped => "–",
            State::Ok => "OK",
            State::Warning => "WARNING",
            State::Error => "ERROR",
        };
        let check = match self.collection {
            Some(collection) => format!("{} {collection}", self.check),
            None => self.check.to_owned(),
        };
        let line = format!("{state:<8} {check}: {}", self.result);
        match &self.remedy {
            Some(remedy) => format!("{line}\n{:8} → {remedy}", ""),
            None => line,
        }
    }
}
