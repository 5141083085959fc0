//! How is a rule written in a line?
//!
//! `TARGET: WHEN: EFFECT`, so that a rule fits an argument of the command line and a line of a record. Everything
//! that a rule can say can be said so, and reads back the same. In JSON such a line can stand wherever a rule can.

mod effect;

use std::fmt;
use std::str::FromStr;

use serde::de::{
    self, Deserialize, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer,
};

use self::effect::{EFFECTS, effect_of};
use super::effect::Effect;
use super::plan::{FaultRule, When};
use super::target::Target;
use crate::error::SandboxError;

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

impl<'de> Deserialize<'de> for FaultRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(InWordsOrFields)
    }
}

struct InWordsOrFields;

impl<'de> Visitor<'de> for InWordsOrFields {
    type Value = FaultRule;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a rule, in words such as \"listLearners: every 3: status 503 html\" or as an object with an `effect`")
    }

    fn visit_str<E: de::Error>(self, words: &str) -> Result<FaultRule, E> {
        words.parse().map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<FaultRule, A::Error> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fields {
            #[serde(default)]
            on: Vec<Target>,
            #[serde(default)]
            when: When,
            effect: Effect,
        }
        let Fields { on, when, effect } = Fields::deserialize(MapAccessDeserializer::new(map))?;
        Ok(FaultRule { on, when, effect })
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

#[cfg(test)]
mod tests;
