//! The kinds of options that commands have.

use std::time::Duration;

use clap::{
    Arg, ArgAction, ArgMatches, ValueHint,
    builder::{PossibleValuesParser, TypedValueParser as _},
};

/// The option of the additions that can be repeated.
pub(crate) const IF_NOT_EXISTS: &str = "if-not-exists";

/// An option with a value.
pub(crate) fn text(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

/// An option with the path of a file.
pub(crate) fn file(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    text(name, value, help).value_hint(ValueHint::FilePath)
}

/// An option whose value is one of these words, the first by default.
pub(crate) fn choice<T: Clone + Send + Sync + 'static>(
    name: &'static str,
    value: &'static str,
    help: &'static str,
    known: &'static [(&'static str, T)],
) -> Arg {
    let words = PossibleValuesParser::new(known.iter().map(|(word, _)| *word));
    let of = |word: String| known.iter().find(|(known, _)| *known == word);
    let parser =
        words.try_map(move |word| of(word).map(|(_, of)| of.clone()).ok_or("no such word"));
    let option = text(name, value, help).value_parser(parser);
    option.default_value(known.first().map_or("", |(word, _)| *word))
}

/// An option without a value.
pub(crate) fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .action(ArgAction::SetTrue)
        .help(help)
}

/// The value of an option that is a duration.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text);
    duration.map_err(|_| "write a duration such as 30d, 12h, 5m or 30s".to_owned())
}

/// Confirms the question in advance.
pub(crate) fn yes(help: &'static str) -> Arg {
    switch("yes", help).short('y')
}

/// Returns `true` if an argument has a value, be it a default. An argument that the command does not have has none: clap
/// returns an error for it in debug builds only.
pub(crate) fn has(matches: &ArgMatches, id: &str) -> bool {
    matches!(matches.try_contains_id(id), Ok(true))
}

/// The value of an argument, if the command has it.
pub(crate) fn given<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, id: &str) -> Option<T> {
    matches.try_get_one(id).ok().flatten().cloned()
}

/// Returns `true` if the command has a switch that is set.
pub(crate) fn is_set(matches: &ArgMatches, id: &str) -> bool {
    given(matches, id).unwrap_or_default()
}

/// A builder with the value of an argument, if the command has it.
pub(crate) fn with<B, T: Clone + Send + Sync + 'static>(
    builder: B,
    set: impl FnOnce(B, T) -> B,
    (matches, id): (&ArgMatches, &str),
) -> B {
    match given(matches, id) {
        Some(value) => set(builder, value),
        None => builder,
    }
}

/// A builder with a switch, if it is set.
pub(crate) fn switched<B>(
    builder: B,
    set: impl FnOnce(B) -> B,
    (matches, id): (&ArgMatches, &str),
) -> B {
    match is_set(matches, id) {
        true => set(builder),
        false => builder,
    }
}
