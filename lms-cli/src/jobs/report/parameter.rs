//! A parameter of a report: its declaration, and its option.

use clap::{
    Arg, ArgAction, ValueHint,
    builder::{PossibleValuesParser, TypedValueParser as _},
};
use jiff::{SignedDuration, Timestamp, Unit, civil::Date, tz::TimeZone};
use lms_sync::{ColumnKind, Value};

use super::{
    names::{NAMED, Named},
    people,
    rules::Rules,
};
use crate::args;

/// A value that the query is given.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) kind: ParameterKind,
    pub(crate) default: Option<String>,
    pub(crate) help: String,
}

/// The type of a parameter, as people write it.
#[derive(Clone, Debug)]
pub(crate) enum ParameterKind {
    Text,
    Integer,
    /// A point in time or a day.
    Time,
    /// A duration, which stands for the time before now by it.
    Ago,
    /// A duration, which stands for the time after now by it.
    Ahead,
    /// True or false.
    Flag,
    /// A file of people, which stands for a JSON array of them.
    People,
    /// A file of rules; the query is given the courses that they require, as JSON.
    Rules,
    /// One of these texts.
    Choice(Vec<String>),
    /// The name of an object in the mirror.
    Name(&'static Named),
}

/// The name of the parameter with rules, and of its type.
pub(super) const RULES: &str = "rules";

const KINDS: [(&str, ParameterKind); 7] = [
    ("text", ParameterKind::Text),
    ("integer", ParameterKind::Integer),
    ("time", ParameterKind::Time),
    ("ago", ParameterKind::Ago),
    ("ahead", ParameterKind::Ahead),
    ("flag", ParameterKind::Flag),
    ("people", ParameterKind::People),
];

/// The value of an option.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Value(Value),
    Rules(Rules),
    /// The time that is this long after the time of the report.
    FromNow(SignedDuration),
}

impl Parameter {
    /// Reads `NAME TYPE = DEFAULT: HELP`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (declared, help) = text.split_once(": ").unwrap_or((text, ""));
        let (declared, default) = match declared.split_once('=') {
            Some((declared, default)) => (declared.trim(), Some(default.trim().to_owned())),
            None => (declared, None),
        };
        let (name, kind) = declared.split_once(' ').unwrap_or((declared, "text"));
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(format!("{name:?} is not the name of a parameter"));
        }
        let kind = match NAMED.iter().find(|named| named.word == kind) {
            Some(named) => ParameterKind::Name(named),
            // Only for the report of this program.
            None if name == RULES && kind == RULES => ParameterKind::Rules,
            None if kind.contains('|') => {
                ParameterKind::Choice(kind.split('|').map(|one| one.trim().to_owned()).collect())
            }
            None => named(&KINDS, kind).map_err(|reason| {
                let names: Vec<&str> = NAMED.iter().map(|named| named.word).collect();
                format!("{reason}, {}", names.join(", "))
            })?,
        };
        match (&default, &kind) {
            (Some(text), ParameterKind::Choice(known)) if !known.contains(text) => {
                return Err(format!(
                    "the default {text} is not one of {}",
                    known.join(", ")
                ));
            }
            (Some(text), kind) => _ = kind.value(text)?,
            (None, _) => {}
        }
        Ok(Self {
            name: name.to_owned(),
            kind,
            default,
            help: help.to_owned(),
        })
    }

    /// Its option.
    pub(super) fn option(&self) -> Arg {
        let option = Arg::new(self.name.clone())
            .long(self.name.clone())
            .help(self.help.clone());
        let option = match &self.default {
            Some(text) => option.default_value(text.clone()),
            None => option,
        };
        let kind = self.kind.clone();
        let typed = |option: Arg, name: &'static str| {
            option
                .value_name(name)
                .value_parser(move |text: &str| kind.value(text))
        };
        match &self.kind {
            ParameterKind::Flag => option.action(ArgAction::SetTrue),
            ParameterKind::Choice(known) => {
                let known = PossibleValuesParser::new(known.clone());
                option
                    .value_name("NAME")
                    .value_parser(known.map(|text| Given::Value(Value::Text(text))))
            }
            ParameterKind::Text | ParameterKind::Name(_) => typed(option, "TEXT"),
            ParameterKind::Integer => typed(option, "N"),
            ParameterKind::Time => typed(option, "TIME"),
            ParameterKind::Ago | ParameterKind::Ahead => typed(option, "DURATION"),
            ParameterKind::People | ParameterKind::Rules => typed(option, "FILE")
                .value_hint(ValueHint::FilePath)
                .required(true),
        }
    }
}

impl ParameterKind {
    /// The type of its values in a query.
    pub(super) fn column(&self) -> ColumnKind {
        match self {
            Self::Text | Self::Choice(_) | Self::Name(_) => ColumnKind::Text,
            Self::Integer => ColumnKind::Integer,
            Self::Flag => ColumnKind::Boolean,
            Self::People | Self::Rules => ColumnKind::Json,
            Self::Time | Self::Ago | Self::Ahead => ColumnKind::Utc,
        }
    }

    fn value(&self, text: &str) -> Result<Given, String> {
        Ok(Given::Value(match self {
            Self::Ago => return Ok(Given::FromNow(-duration(text)?)),
            Self::Ahead => return Ok(Given::FromNow(duration(text)?)),
            Self::Time => utc(time(text)?),
            Self::Integer => Value::Integer(text.parse().map_err(|_| "write a whole number")?),
            Self::People => {
                Value::Json(people::read(text).map_err(|failure| failure.message().to_owned())?)
            }
            Self::Rules => return Ok(Given::Rules(Rules::read(text)?)),
            Self::Text | Self::Choice(_) | Self::Flag => Value::Text(text.to_owned()),
            Self::Name(_) => Value::Text(text.trim().to_owned()),
        }))
    }
}

/// One of the known types.
pub(super) fn named<T: Clone>(known: &[(&str, T)], name: &str) -> Result<T, String> {
    let found = known.iter().find(|(known, _)| *known == name.trim());
    found.map(|(_, kind)| kind.clone()).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        format!("there is no type {name}; there are {}", names.join(", "))
    })
}

pub(super) fn utc(time: Timestamp) -> Value {
    Value::Utc(time.as_microsecond())
}

/// A duration without a fraction of a second, like a time.
fn duration(text: &str) -> Result<SignedDuration, String> {
    let seconds = args::duration(text)?.as_secs();
    let seconds = i64::try_from(seconds).map_err(|_| "write a shorter duration")?;
    Ok(SignedDuration::from_secs(seconds))
}

/// A point in time, or the first second of a day in UTC.
pub(super) fn time(text: &str) -> Result<Timestamp, String> {
    let day = text
        .parse::<Date>()
        .ok()
        .filter(|_| !text.contains(['T', ' ']));
    let time = match day {
        Some(day) => day.to_zoned(TimeZone::UTC).map(|day| day.timestamp()),
        None => text.parse::<Timestamp>(),
    };
    let time = time.and_then(|time| time.round(Unit::Second));
    time.map_err(|_| {
        "write a day such as 2026-01-31, which begins at midnight UTC, or a time with its zone such as \
         2026-01-31T09:00:00+01:00"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_its_first_second_in_utc_and_a_time_needs_a_zone() {
        for (text, expected) in [
            ("2026-01-31", Some("2026-01-31T00:00:00Z")),
            ("2026-01-31T09:00:00+01:00", Some("2026-01-31T08:00:00Z")),
            ("2026-01-31T09:00:00Z", Some("2026-01-31T09:00:00Z")),
            ("2026-01-31T09:00:00", None),
            ("2026-02-30", None),
            ("yesterday", None),
        ] {
            let found = time(text).ok().map(|time| time.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
