//! Enums that keep values that the document does not list.
//!
//! A service may add values without a new version of its API. The last variant of an enum holds such a value as it was
//! received, so that responses can be read and an edit sends the value back unchanged. Input is checked: [`FromStr`]
//! and the setters of builders refuse text that is not listed, with the list in the error. To send an unlisted value,
//! pass the last variant.
//!
//! An enum with a single text is progenitor's, and fails on any other: such enums tell the alternatives of a `oneOf` apart.
//!
//! [`FromStr`]: std::str::FromStr

use std::fmt;

use serde::{Deserialize, Deserializer, de};

use crate::types::error::ConversionError;

/// A generated enum. `V` is its value in JSON: [`str`] or [`i64`].
pub(crate) trait OpenEnum<V: ToOwned + ?Sized>: Clone + fmt::Display + 'static {
    /// All variants but the last.
    const LISTED: &'static [Self];

    fn is(&self, value: &V) -> bool;

    fn unknown(value: V::Owned) -> Self;
}

fn listed<V: ToOwned + ?Sized, T: OpenEnum<V>>(value: &V) -> Option<T> {
    T::LISTED.iter().find(|known| known.is(value)).cloned()
}

fn read<V: ToOwned + ?Sized, T: OpenEnum<V>>(value: &V) -> T {
    listed(value).unwrap_or_else(|| T::unknown(value.to_owned()))
}

/// The variant for the input of a person.
pub(crate) fn checked<V: ToOwned + ?Sized, T: OpenEnum<V>>(value: &V) -> Result<T, String> {
    listed(value).ok_or_else(|| expected::<V, T>())
}

fn expected<V: ToOwned + ?Sized, T: OpenEnum<V>>() -> String {
    let values = T::LISTED.iter().map(|known| format!("`{known}`"));
    format!("expected one of {}", values.collect::<Vec<_>>().join(", "))
}

pub(crate) fn parse_text<T: OpenEnum<str>>(text: &str) -> Result<T, ConversionError> {
    Ok(checked(text)?)
}

pub(crate) fn parse_integer<T: OpenEnum<i64>>(text: &str) -> Result<T, ConversionError> {
    let integer = text
        .trim_ascii()
        .parse()
        .map_err(|_| expected::<i64, T>())?;
    Ok(checked::<i64, T>(&integer)?)
}

pub(crate) fn read_text<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: OpenEnum<str>,
{
    struct Text<T>(std::marker::PhantomData<T>);

    impl<T: OpenEnum<str>> de::Visitor<'_> for Text<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
            Ok(read(text))
        }
    }

    deserializer.deserialize_str(Text(std::marker::PhantomData))
}

pub(crate) fn read_integer<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: OpenEnum<i64>,
{
    i64::deserialize(deserializer).map(|value| read(&value))
}

/// Implements the traits of all generated enums.
macro_rules! common {
    ($name:ident, $parse:ident, $read:ident, $schema:literal, [$($variant:ident = $json:literal),+]) => {
        impl crate::enums::$name {
            /// The values that the document lists.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
        }

        impl ::std::str::FromStr for crate::enums::$name {
            type Err = crate::types::error::ConversionError;

            /// Finds a value that the document lists.
            fn from_str(text: &str) -> Result<Self, crate::types::error::ConversionError> {
                crate::open_enum::$parse(text)
            }
        }

        impl TryFrom<&str> for crate::enums::$name {
            type Error = crate::types::error::ConversionError;

            fn try_from(text: &str) -> Result<Self, crate::types::error::ConversionError> {
                text.parse()
            }
        }

        impl TryFrom<String> for crate::enums::$name {
            type Error = crate::types::error::ConversionError;

            fn try_from(text: String) -> Result<Self, crate::types::error::ConversionError> {
                text.parse()
            }
        }

        impl<'de> ::serde::Deserialize<'de> for crate::enums::$name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::open_enum::$read(deserializer)
            }
        }

        #[cfg(feature = "schemars")]
        impl ::schemars::JsonSchema for crate::enums::$name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                ::schemars::json_schema!({ "type": $schema, "enum": [$($json),+] })
            }
        }

        crate::setter::from_text!(crate::enums::$name);
        crate::setter::cloned!(crate::enums::$name);
    };
}

/// An enum of text.
macro_rules! text {
    ($(#[$docs:meta])* $name:ident { $($variant:ident = $text:literal,)+ } $unknown:ident) => {
        $(#[$docs])*
        #[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $variant,)+
            /// A value that the document does not list. It is sent as it was received.
            $unknown(String),
        }

        crate::open_enum::common!($name, parse_text, read_text, "string", [$($variant = $text),+]);

        impl crate::enums::$name {
            /// The text in JSON.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)+
                    Self::$unknown(text) => text,
                }
            }
        }

        impl crate::open_enum::OpenEnum<str> for crate::enums::$name {
            const LISTED: &'static [Self] = Self::ALL;

            fn is(&self, value: &str) -> bool {
                self.as_str() == value
            }

            fn unknown(text: String) -> Self {
                Self::$unknown(text)
            }
        }

        impl ::std::fmt::Display for crate::enums::$name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl ::serde::Serialize for crate::enums::$name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

/// An enum of integers.
macro_rules! integer {
    ($(#[$docs:meta])* $name:ident { $($variant:ident = $integer:literal,)+ } $unknown:ident) => {
        $(#[$docs])*
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum $name {
            $(#[doc = concat!("`", $integer, "`")] $variant,)+
            /// A value that the document does not list. It is sent as it was received.
            $unknown(i64),
        }

        crate::open_enum::common!($name, parse_integer, read_integer, "integer", [$($variant = $integer),+]);

        impl crate::enums::$name {
            /// The integer in JSON.
            #[must_use]
            pub const fn get(self) -> i64 {
                match self {
                    $(Self::$variant => $integer,)+
                    Self::$unknown(integer) => integer,
                }
            }
        }

        impl crate::open_enum::OpenEnum<i64> for crate::enums::$name {
            const LISTED: &'static [Self] = Self::ALL;

            fn is(&self, value: &i64) -> bool {
                self.get() == *value
            }

            fn unknown(integer: i64) -> Self {
                Self::$unknown(integer)
            }
        }

        impl ::std::fmt::Display for crate::enums::$name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                self.get().fmt(f)
            }
        }

        impl ::serde::Serialize for crate::enums::$name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_i64(self.get())
            }
        }

        impl crate::setter::FromInteger for crate::enums::$name {
            fn from_integer(value: i128) -> Result<Self, String> {
                let value = i64::try_from(value).map_err(|_| crate::setter::OUT_OF_RANGE)?;
                crate::open_enum::checked(&value)
            }
        }
    };
}

pub(crate) use {common, integer, text};
