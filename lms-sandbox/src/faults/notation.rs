//! The notation of effects: a name, then the settings in their order, as in `rate-limit 5/s burst 10`.
//!
//! [`effects!`] turns one table into the enum, its `Display`, its parser and the list of forms for `--help`, so that a
//! new effect is added in one place. In the form of a setting, capitals stand for the value (`burst N`), and a form
//! without capitals lists the possible values (`json|html|empty`). A setting with a default can be omitted; its form
//! is in brackets.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::duration;

/// A type of setting.
pub(super) trait Setting: Sized + PartialEq {
    fn parse(text: &str) -> Option<Self>;
    fn format(&self) -> String;
}

macro_rules! from_str_settings {
    ($($type:ty)*) => {
        $(impl Setting for $type {
            fn parse(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn format(&self) -> String {
                self.to_string()
            }
        })*
    };
}

from_str_settings! { u16 u32 u64 usize String }

impl Setting for Duration {
    fn parse(text: &str) -> Option<Self> {
        duration::parse(text)
    }

    fn format(&self) -> String {
        duration::format(*self)
    }
}

impl Setting for RangeInclusive<Duration> {
    fn parse(text: &str) -> Option<Self> {
        let (min, max) = text.split_once("..").unwrap_or((text, text));
        Some(Duration::parse(min)?..=Duration::parse(max)?)
    }

    fn format(&self) -> String {
        if self.start() == self.end() {
            self.start().format()
        } else {
            format!("{}..{}", self.start().format(), self.end().format())
        }
    }
}

/// The settings of one effect that have not been parsed yet.
pub(super) struct Settings<'t> {
    rest: &'t str,
}

impl<'t> Settings<'t> {
    /// Splits an effect into its name and its settings.
    pub(super) fn split(effect: &'t str) -> (&'t str, Self) {
        let (name, rest) = effect.split_once(' ').unwrap_or((effect, ""));
        (name, Self { rest })
    }

    /// Parses the next setting. If it does not have this form, the result is its default.
    pub(super) fn next<T: Setting>(&mut self, form: &str, default: Option<T>) -> Option<T> {
        let (before, after) = literals(form);
        let found = self.rest.strip_prefix(before).and_then(|rest| {
            let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            Some((T::parse(word.strip_suffix(after)?)?, rest))
        });
        match found {
            Some((value, rest)) => {
                self.rest = rest;
                Some(value)
            }
            None => default,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

/// Formats a setting, unless it has its default value.
pub(super) fn format<T: Setting>(value: &T, form: &str, default: Option<&T>) -> String {
    let (before, after) = literals(form);
    if default == Some(value) {
        String::new()
    } else {
        format!(" {before}{}{after}", value.format())
    }
}

/// The text of a form before and after its value: in `N/s`, the value is followed by `/s`.
fn literals(form: &str) -> (&str, &str) {
    let form = form.trim_start_matches('[').trim_end_matches(']');
    let is_value = |c: char| c.is_ascii_uppercase();
    match (form.find(is_value), form.rfind(is_value)) {
        (Some(start), Some(end)) => (&form[..start], &form[end + 1..]),
        _ => ("", ""),
    }
}

macro_rules! default_of {
    () => {
        None
    };
    ($default:expr) => {
        Some($default)
    };
}

macro_rules! effects {
    (
        $(#[$enum_doc:meta])*
        pub enum Effect {$(
            $(#[$doc:meta])*
            $variant:ident $name:literal $({ $(
                $(#[$setting_doc:meta])*
                $setting:ident: $type:ty as $form:literal $(or $default:expr)?,
            )* })?
        )*}
    ) => {
        $(#[$enum_doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Effect {
            $($(#[$doc])* $variant $({ $($(#[$setting_doc])* $setting: $type,)* })?,)*
        }

        impl Effect {
            /// The notation of each effect, with values in capitals and optional settings in brackets.
            pub const FORMS: &[&str] = &[$(concat!($name $($(, " ", $form)*)?),)*];

            /// Parses an effect whose words are separated by single spaces.
            fn parse(text: &str) -> Result<Self, String> {
                let (name, mut settings) = Settings::split(text);
                let (form, parsed) = match name {
                    $($name => {
                        $($(let $setting: Option<$type> = settings.next($form, default_of!($($default)?));)*)?
                        let parse = || Some(Self::$variant $({ $($setting: $setting?,)* })?);
                        (concat!($name $($(, " ", $form)*)?), parse())
                    })*
                    _ => return Err(format!("there is no effect {name:?}; use one of: {}", Self::FORMS.join(", "))),
                };
                parsed.filter(|_| settings.is_empty()).ok_or_else(|| {
                    format!("{text:?} cannot be parsed; write {form}, with a TIME such as 250ms")
                })
            }
        }

        impl fmt::Display for Effect {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$variant $({ $($setting,)* })? => {
                        f.write_str($name)?;
                        $($(f.write_str(&notation::format($setting, $form, default_of!($(&$default)?)))?;)*)?
                    })*
                }
                Ok(())
            }
        }
    };
}

/// An enum whose values are written as words.
macro_rules! words {
    ($(
        $(#[$enum_doc:meta])*
        pub enum $kind:ident { $($(#[$doc:meta])* $variant:ident $word:literal)* }
    )*) => {
        $(
            $(#[$enum_doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum $kind { $($(#[$doc])* $variant,)* }

            impl Setting for $kind {
                fn parse(word: &str) -> Option<Self> {
                    match word { $($word => Some(Self::$variant),)* _ => None }
                }

                fn format(&self) -> String {
                    match self { $(Self::$variant => $word.into(),)* }
                }
            }
        )*
    };
}

pub(super) use {default_of, effects, words};
