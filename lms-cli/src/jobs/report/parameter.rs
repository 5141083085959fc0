//! A parameter of a report: its declaration, and its option.

use clap::{
    Arg, ArgAction, ValueHint,
    builder::{PossibleValuesParser, TypedValueParser as _},
};
use jiff::{SignedDuration, Timestamp, Unit, civil::Date, tz::TimeZone};
use lms_sync::{ColumnKind, Value};

use super::{
    names::{COURSE, FIELD, LEARNER, Named, PROFILE, SIGNUP_PAGE, TAG},
    people,
    rules::Rules,
};
use crate::args;

/// A value that the query is given.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(super) of: &'static Type,
    /// The texts of which it is one, if only they are allowed.
    pub(crate) choices: Vec<String>,
    pub(crate) default: Option<String>,
    pub(crate) help: String,
}

/// The type of a parameter, as people write it.
#[derive(Debug)]
pub(crate) struct Type {
    word: &'static str,
    /// The name of a value in the help; empty for a flag.
    value: &'static str,
    /// The type of its values in a query.
    pub(super) column: ColumnKind,
    read: fn(&str) -> Result<Given, String>,
    /// The kind of object that a value names.
    pub(super) named: Option<&'static Named>,
}

/// The name of the parameter with rules, and of its type, which only the report of this program has. The query is given the courses
/// that they require, as JSON.
pub(super) const RULES: &str = "rules";

const fn of(
    word: &'static str,
    value: &'static str,
    column: ColumnKind,
    read: fn(&str) -> Result<Given, String>,
) -> Type {
    Type {
        word,
        value,
        column,
        read,
        named: None,
    }
}

const fn naming(named: &'static Named) -> Type {
    let read = |text: &str| Ok(Given::Value(Value::Text(text.trim().to_owned())));
    Type {
        named: Some(named),
        ..of(named.word, "TEXT", ColumnKind::Text, read)
    }
}

static TYPES: [Type; 14] = [
    of("text", "TEXT", ColumnKind::Text, |text| {
        Ok(Given::Value(Value::Text(text.to_owned())))
    }),
    of("integer", "N", ColumnKind::Integer, |text| {
        let number = text.parse().map_err(|_| "write a whole number")?;
        Ok(Given::Value(Value::Integer(number)))
    }),
    of("time", "TIME", ColumnKind::Utc, |text| {
        Ok(Given::Value(utc(time(text)?)))
    }),
    // A duration, which stands for the time before now by it.
    of("ago", "DURATION", ColumnKind::Utc, |text| {
        Ok(Given::FromNow(-duration(text)?))
    }),
    of("ahead", "DURATION", ColumnKind::Utc, |text| {
        Ok(Given::FromNow(duration(text)?))
    }),
    of("flag", "", ColumnKind::Boolean, |text| {
        Ok(Given::Value(Value::Boolean(text == "true")))
    }),
    // A file of people, which stands for a JSON array of them.
    of("people", "FILE", ColumnKind::Json, |text| {
        let people = people::read(text).map_err(|failure| failure.message().to_owned())?;
        Ok(Given::Value(Value::Json(people)))
    }),
    of(RULES, "FILE", ColumnKind::Json, |text| {
        Ok(Given::Rules(Rules::read(text)?))
    }),
    naming(&LEARNER),
    naming(&COURSE),
    naming(&TAG),
    naming(&FIELD),
    naming(&PROFILE),
    naming(&SIGNUP_PAGE),
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
    /// Reads `NAME TYPE = DEFAULT: HELP`. In place of the type, there may be texts such as `done | late`.
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
        let (kind, choices) = match kind.contains('|') {
            true => (
                "text",
                kind.split('|').map(|one| one.trim().to_owned()).collect(),
            ),
            false => (kind, Vec::new()),
        };
        let known = TYPES.iter().filter(|of| of.word != RULES || name == RULES);
        let of = named(known.map(|of| (of.word, of)), kind)?;
        if let Some(text) = &default {
            if !choices.is_empty() && !choices.contains(text) {
                let known = choices.join(", ");
                return Err(format!("the default {text} is not one of {known}"));
            }
            (of.read)(text)?;
        }
        Ok(Self {
            name: name.to_owned(),
            of,
            choices,
            default,
            help: help.to_owned(),
        })
    }

    /// `true` for a file of rules.
    pub(super) fn is_rules(&self) -> bool {
        self.of.word == RULES
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
        if !self.choices.is_empty() {
            let known = PossibleValuesParser::new(self.choices.clone());
            let known = known.map(|text| Given::Value(Value::Text(text)));
            return option.value_name("NAME").value_parser(known);
        }
        let option = option.value_parser(self.of.read);
        match self.of.value {
            "" => option.action(ArgAction::SetTrue),
            name @ "FILE" => option
                .value_name(name)
                .value_hint(ValueHint::FilePath)
                .required(true),
            name => option.value_name(name),
        }
    }
}

/// One of the known types.
pub(super) fn named<'a, T>(
    known: impl Iterator<Item = (&'a str, T)> + Clone,
    name: &str,
) -> Result<T, String> {
    let found = known.clone().find(|(known, _)| *known == name.trim());
    found.map(|(_, kind)| kind).ok_or_else(|| {
        let names: Vec<&str> = known.map(|(name, _)| name).collect();
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
