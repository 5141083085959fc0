//! The result of a check.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::failure::Failure;

/// The remedies. A check has the one with its id, unless the way in which it failed has another.
const REMEDIES: &str = include_str!("remedies.txt");

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
    pub(super) facts: BTreeMap<&'static str, Fact>,
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
        let finding = Self {
            check,
            collection: None,
            state,
            result: result.into(),
            remedy: None,
            facts: BTreeMap::new(),
            failure: None,
        };
        finding.remedied(check)
    }

    pub(super) fn ok(check: &'static str, result: impl Into<String>) -> Self {
        Self::new(check, State::Ok, result)
    }

    pub(super) fn skipped(check: &'static str, result: impl Into<String>) -> Self {
        Self::new(check, State::Skipped, result)
    }

    /// A warning if something is wrong.
    pub(super) fn of(check: &'static str, is_wrong: bool, result: impl Into<String>) -> Self {
        let state = if is_wrong { State::Warning } else { State::Ok };
        Self::new(check, state, result)
    }

    /// An error with the advice of a failure as its remedy.
    pub(super) fn failed(check: &'static str, failure: Failure) -> Self {
        let mut finding = Self::new(check, State::Error, failure.message());
        finding.remedy = failure.hint().map(str::to_owned).or(finding.remedy);
        finding.failure = Some(failure);
        finding
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
        let mut known = REMEDIES.lines().filter_map(|line| line.split_once(": "));
        match known.find(|(known, _)| *known == name) {
            Some((_, remedy)) => self.remedy(remedy),
            None => self,
        }
    }

    pub(super) fn numbers<N: TryInto<u64>>(
        mut self,
        numbers: impl IntoIterator<Item = (&'static str, N)>,
    ) -> Self {
        let number = |number: N| Fact::Number(number.try_into().unwrap_or(u64::MAX));
        let facts = numbers.into_iter();
        self.facts
            .extend(facts.map(|(name, of)| (name, number(of))));
        self
    }

    pub(super) fn words<const N: usize>(
        mut self,
        names: [&'static str; N],
        words: [&'static str; N],
    ) -> Self {
        let words = words.map(Fact::Word);
        self.facts.extend(names.into_iter().zip(words));
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
        let (check, result) = (self.check, &self.result);
        let of = self.collection.map_or(String::new(), |of| format!(" {of}"));
        let line = format!("{state:<8} {check}{of}: {result}");
        match &self.remedy {
            Some(remedy) => format!("{line}\n{:8} → {remedy}", ""),
            None => line,
        }
    }
}
