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

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};

use crate::types::error::ConversionError;

/// A generated enum.
pub(crate) trait OpenEnum: AsRef<str> + Clone + 'static {
    /// All variants but the last.
    const LISTED: &'static [Self];

    /// The last variant.
    fn unknown(text: String) -> Self;
}

fn listed<T: OpenEnum>(text: &str) -> Option<T> {
    let mut listed = T::LISTED.iter();
    listed.find(|known| known.as_ref() == text).cloned()
}

/// The variant for the input of a person.
pub(crate) fn parse<T: OpenEnum>(text: &str) -> Result<T, ConversionError> {
    let expected = || {
        let values = T::LISTED
            .iter()
            .map(|known| format!("`{}`", known.as_ref()));
        format!("expected one of {}", values.collect::<Vec<_>>().join(", "))
    };
    listed(text).ok_or_else(|| expected().into())
}

/// The variant for a received value.
pub(crate) fn read<'de, D: Deserializer<'de>, T: OpenEnum>(deserializer: D) -> Result<T, D::Error> {
    /// Borrowed where possible.
    #[derive(Deserialize)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

    let Text(text) = Text::deserialize(deserializer)?;
    Ok(listed(&text).unwrap_or_else(|| T::unknown(text.into_owned())))
}

/// An enum of text.
macro_rules! open_enum {
    ($(#[$docs:meta])* $name:ident { $($variant:ident = $text:literal,)+ } $unknown:ident) => {
        $(#[$docs])*
        #[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $variant,)+
            /// A value that the document does not list. It is sent as it was received.
            $unknown(String),
        }

        impl crate::enums::$name {
            /// The values that the document lists.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The text in JSON.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)+
                    Self::$unknown(text) => text,
                }
            }
        }

        impl ::std::convert::AsRef<str> for crate::enums::$name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl crate::open_enum::OpenEnum for crate::enums::$name {
            const LISTED: &'static [Self] = Self::ALL;

            fn unknown(text: String) -> Self {
                Self::$unknown(text)
            }
        }

        impl ::std::fmt::Display for crate::enums::$name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl ::std::str::FromStr for crate::enums::$name {
            type Err = crate::types::error::ConversionError;

            /// Finds a value that the document lists.
            fn from_str(text: &str) -> Result<Self, crate::types::error::ConversionError> {
                crate::open_enum::parse(text)
            }
        }

        crate::open_enum::open_enum!(@parsed $name: &str, String);

        impl ::serde::Serialize for crate::enums::$name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for crate::enums::$name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::open_enum::read(deserializer)
            }
        }

        #[cfg(feature = "schemars")]
        impl ::schemars::JsonSchema for crate::enums::$name {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                ::schemars::json_schema!({ "type": "string", "enum": [$($text),+] })
            }
        }

        crate::setter::from_text!(crate::enums::$name);
        crate::setter::cloned!(crate::enums::$name);
    };
    (@parsed $name:ident: $($text:ty),+) => {$(
        impl TryFrom<$text> for crate::enums::$name {
            type Error = crate::types::error::ConversionError;

            fn try_from(text: $text) -> Result<Self, crate::types::error::ConversionError> {
                text.parse()
            }
        }
    )+};
}

pub(crate) use open_enum;
