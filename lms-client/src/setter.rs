//! The values that arguments and setters of builders accept.
//!
//! An argument takes an [`IntoValue`]: the type of its field, whatever converts into it without loss, and references to
//! these. A setter takes an [`IntoOptional`]: the same, and an `Option` of any of them. `None` leaves the field out. A setter
//! of a list takes an [`IntoList`]: one value, or arrays, slices and iterators of values.
//!
//! ```
//! # fn example(client: &lms_client::Operations, sso_id: Option<&str>) {
//! let learner = client
//!     .add_learner("Jo", "Bell", "jo@acme.example")
//!     .username(String::from("jo"))
//!     .sso_id(sso_id)
//!     .generate_password(true)
//!     .tags(["emea", "new"]);
//!
//! let learners = client.list_learners().tags("emea").limit(50);
//! # }
//! ```
//!
//! A value that does not convert, such as an integer of more than 64 bits, is an error when the request is built.

use std::{borrow::Cow, collections::HashMap};

use serde_json::{Map, Value};

use crate::{
    id::Id,
    wire::{CivilDate, CivilDateTime, Int64, Moment, Secret, Timestamp, UtcInstant},
};

/// A value of the type `T` for an argument, or for a filter of a deletion.
///
/// Not implemented for `Option`, so a request without a value that its operation requires does not compile:
///
/// ```compile_fail,E0277
/// # fn example(client: &lms_client::Operations, learner: &lms_client::types::Learner) {
/// client.get_learner_by_id(&learner.id);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value of the type `{T}`, which is required here",
    label = "expected `{T}` or what converts into it",
    note = "text and ids take `&str` and `String`",
    note = "an `Option` may be `None`: match it, or write `.require_id()?` for the id of a response"
)]
pub trait IntoValue<T> {
    /// The value.
    ///
    /// # Errors
    ///
    /// The reason, for example that it is out of range.
    fn into_value(self) -> Result<T, String>;
}

/// A value for an optional field of the type `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value for a field of the type `{T}`",
    label = "expected `{T}` or what converts into it",
    note = "a setter takes the type of its field, `&str` and `String` for text and ids, or an `Option` of these"
)]
pub trait IntoOptional<T> {
    /// The value; `None` leaves the field out.
    ///
    /// # Errors
    ///
    /// The reason, for example that it is out of range.
    fn into_optional(self) -> Result<Option<T>, String>;
}

/// Values for a field with a list of `T`.
///
/// `By` says how the list is made; the compiler finds it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value for a field with a list of `{T}`",
    label = "expected a list of `{T}` or one `{T}`",
    note = "a setter of a list takes one value, or an array, a slice or an iterator of values"
)]
pub trait IntoList<T, By> {
    /// The values; `None` leaves the field out.
    ///
    /// # Errors
    ///
    /// The reason, for example that one of them is out of range.
    fn into_list(self) -> Result<Option<Vec<T>>, String>;
}

/// An [`IntoList`] made from one value.
#[derive(Debug)]
pub enum One {}

/// An [`IntoList`] made from anything that can be iterated.
#[derive(Debug)]
pub enum Each {}

/// An [`IntoList`] that may be absent.
#[derive(Debug)]
pub enum Optional {}

impl<T, V: IntoOptional<T>> IntoOptional<T> for Option<V> {
    fn into_optional(self) -> Result<Option<T>, String> {
        match self {
            Some(value) => value.into_optional(),
            None => Ok(None),
        }
    }
}

impl<'a, T, V> IntoOptional<T> for &'a Option<V>
where
    &'a V: IntoOptional<T>,
{
    fn into_optional(self) -> Result<Option<T>, String> {
        self.as_ref().into_optional()
    }
}

/// Implements [`IntoValue`] and [`IntoOptional`]. A blanket implementation of the second would conflict with that of `Option`.
macro_rules! converts {
    ([$($generics:tt)*] $source:ty, $target:ty, |$value:ident| $converted:expr) => {
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> crate::setter::IntoValue<$target> for $source {
            #[inline]
            fn into_value(self) -> Result<$target, String> {
                let $value = self;
                $converted
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($generics)*> crate::setter::IntoOptional<$target> for $source {
            #[inline]
            fn into_optional(self) -> Result<Option<$target>, String> {
                crate::setter::IntoValue::into_value(self).map(Some)
            }
        }
    };
}

/// Items of a slice of `&str`.
#[diagnostic::do_not_recommend]
impl<'a, T> IntoOptional<T> for &&'a str
where
    &'a str: IntoOptional<T>,
{
    fn into_optional(self) -> Result<Option<T>, String> {
        (*self).into_optional()
    }
}

#[diagnostic::do_not_recommend]
impl<T, L> IntoList<T, Each> for L
where
    L: IntoIterator,
    L::Item: IntoOptional<T>,
{
    fn into_list(self) -> Result<Option<Vec<T>>, String> {
        let values = self.into_iter().map(IntoOptional::into_optional);
        values
            .filter_map(Result::transpose)
            .collect::<Result<_, _>>()
            .map(Some)
    }
}

#[diagnostic::do_not_recommend]
impl<T, L> IntoList<T, Optional> for Option<L>
where
    L: IntoIterator,
    L::Item: IntoOptional<T>,
{
    fn into_list(self) -> Result<Option<Vec<T>>, String> {
        self.map_or(Ok(None), IntoList::<T, Each>::into_list)
    }
}

/// Implements [`IntoList`] for single values.
macro_rules! one {
    ($([$($generics:tt)*] $value:ty),* $(,)?) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)* T> IntoList<T, One> for $value
        where
            Self: IntoValue<T>,
        {
            fn into_list(self) -> Result<Option<Vec<T>>, String> {
                Ok(Some(vec![self.into_value()?]))
            }
        }
    )*};
}

one! { [] &str, [] String, [] &String, [] Cow<'_, str>, [K,] Id<K>, [K,] &Id<K>, [] bool, [] Int64, [] i32, [] i64 }

/// Implements [`IntoValue`] for types that are the value itself, or convert into it without fail.
macro_rules! infallible {
    ($($target:ty: $([$($generics:tt)*] $source:ty),* $(,)?;)*) => {$($(
        converts!([$($generics)*] $source, $target, |value| Ok(value.into()));
    )*)*};
}

infallible! {
    String: [] String, [] &str, [] &String, [] Cow<'_, str>, [] char, [K] Id<K>;
    Secret: [] Secret, [] &str, [] String, [] &String;
    Timestamp: [] Timestamp, [] &str, [] String, [] std::time::SystemTime, [] UtcInstant, [] CivilDateTime, [] CivilDate, [] Moment;
    bool: [] bool;
    Value: [] Value, [] &str, [] String, [] bool, [] i64, [] u64, [] f64;
    Map<String, Value>: [] Map<String, Value>;
}

/// Implements [`IntoValue`] for ids. An empty one addresses no object: as a filter, it may select all of them.
macro_rules! ids {
    ($($source:ty),*) => {$(
        converts!([K] $source, Id<K>, |text| {
            let id = Id::from(text);
            if id.as_str().trim().is_empty() {
                return Err("it is empty; give the id of one object".to_owned());
            }
            Ok(id)
        });
    )*};
}

ids! { Id<K>, &Id<K>, &str, String, &String, Cow<'_, str> }

#[cfg(feature = "jiff")]
infallible! {
    Timestamp: [] jiff::Timestamp, [] jiff::civil::DateTime, [] jiff::civil::Date;
}

/// Implements [`IntoValue`] by cloning.
macro_rules! cloned {
    ($($value:ty),*) => {$(
        crate::setter::converts!([] &$value, $value, |value| Ok(value.clone()));
    )*};
}

cloned!(Secret, Timestamp);

converts!([K] &Id<K>, String, |id| Ok(id.as_str().to_owned()));

/// A type of numbers that an integer may convert into.
pub trait FromInteger: Sized {
    /// The same number.
    ///
    /// # Errors
    ///
    /// The reason, for example that it is out of range.
    fn from_integer(value: i128) -> Result<Self, String>;
}

const OUT_OF_RANGE: &str = "the integer is out of range";

impl FromInteger for f64 {
    #[inline]
    fn from_integer(value: i128) -> Result<Self, String> {
        let float = value as Self;
        let exact = (float as i128 == value).then_some(float);
        exact.ok_or_else(|| OUT_OF_RANGE.to_owned())
    }
}

macro_rules! from_integer {
    ($($integer:ty),*) => {$(
        impl FromInteger for $integer {
            #[inline]
            fn from_integer(value: i128) -> Result<Self, String> {
                value.try_into().map_err(|_| OUT_OF_RANGE.to_owned())
            }
        }
    )*};
}

macro_rules! integers {
    ($($integer:ty),*) => {
        from_integer!(Int64, $($integer),*);
        $(converts!([T: FromInteger] $integer, T, |value| {
            T::from_integer(i128::try_from(value).map_err(|_| OUT_OF_RANGE)?)
        });)*
    };
}

integers!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);

infallible! {
    f64: [] f64, [] f32;
    f32: [] f32;
}

converts!([](), (), |value| Ok(value));
converts!([T] Box<T>, Box<T>, |value| Ok(value));
converts!([T] Vec<T>, Vec<T>, |value| Ok(value));
converts!([T] HashMap<String, T>, HashMap<String, T>, |value| Ok(value));

/// Implements [`IntoValue`] for a type of the document.
macro_rules! from_itself {
    ($value:ty) => {
        crate::setter::converts!([] $value, $value, |value| Ok(value));
    };
}

/// Implements [`IntoValue`] for a type of the document that is parsed from text.
macro_rules! from_text {
    ($value:ty) => {
        crate::setter::from_itself!($value);

        crate::setter::converts!([] &str, $value, |text| {
            text.parse::<$value>().map_err(|error| error.to_string())
        });
        crate::setter::converts!([] String, $value, |text| {
            crate::setter::IntoValue::into_value(text.as_str())
        });
    };
}

from_text!(Int64);

/// Implements [`IntoValue`] for a type of the document, and for its builder.
macro_rules! from_builder {
    ($value:ty, $builder:ty) => {
        crate::setter::from_itself!($value);

        crate::setter::converts!([] $builder, $value, |builder| {
            <$value>::try_from(builder).map_err(|error| error.to_string())
        });
    };
}

#[cfg(feature = "checked-formats")]
mod checked {
    use super::{IntoList, IntoValue, One};
    use crate::formats::{Date, Decimal, Uuid};

    from_text!(Date);
    from_text!(Decimal);
    from_text!(Uuid);
    one! { [] Date, [] Decimal, [] Uuid }
}

/// Implements [`IntoValue`] for the value of an alternative of a `oneOf`, or for its builder.
#[allow(unused_macros, reason = "a document need not have such a type")]
macro_rules! from_alternative {
    ($whole:ty, $variant:ident, $value:ty) => {
        crate::setter::converts!([] $value, $whole, |value| Ok(<$whole>::$variant(value.into())));
    };
    ($whole:ty, $variant:ident, $value:ty, $builder:ty) => {
        crate::setter::converts!([] $builder, $whole, |builder| {
            let value = <$value>::try_from(builder).map_err(|error| error.to_string())?;
            Ok(<$whole>::$variant(value))
        });
    };
}

#[allow(unused_imports, reason = "a document need not have every kind of type")]
pub(crate) use {cloned, converts, from_alternative, from_builder, from_itself, from_text};

/// The builder of a body.
#[inline]
pub(crate) fn builder<B>(_: &str, value: impl Into<B>) -> B {
    value.into()
}

/// The value of a field that may be left out.
#[inline]
pub(crate) fn optional<T>(field: &str, value: impl IntoOptional<T>) -> Result<Option<T>, String> {
    value
        .into_optional()
        .map_err(|reason| invalid(field, &reason))
}

/// The value of a field that must be there.
#[inline]
pub(crate) fn required<T>(field: &str, value: impl IntoValue<T>) -> Result<T, String> {
    value.into_value().map_err(|reason| invalid(field, &reason))
}

/// The value of a filter that may be left out, but has a value if it is set.
#[inline]
#[allow(dead_code, reason = "a document need not have such filters")]
pub(crate) fn given<T>(field: &str, value: impl IntoValue<T>) -> Result<Option<T>, String> {
    required(field, value).map(Some)
}

/// The values of a filter that may be left out, but has values if it is set.
#[allow(dead_code, reason = "a document need not have such filters")]
pub(crate) fn given_list<T, By>(
    field: &str,
    values: impl IntoList<T, By>,
) -> Result<Option<Vec<T>>, String> {
    let values = list(field, values)?;
    let some = (!values.is_empty()).then_some(values);
    some.map(Some)
        .ok_or_else(|| invalid(field, "it is empty, which would delete more than intended"))
}

/// The values of a list; none when it is left out.
#[inline]
pub(crate) fn list<T, By>(field: &str, values: impl IntoList<T, By>) -> Result<Vec<T>, String> {
    optional_list(field, values).map(Option::unwrap_or_default)
}

/// The values of a list that may be left out.
#[inline]
pub(crate) fn optional_list<T, By>(
    field: &str,
    values: impl IntoList<T, By>,
) -> Result<Option<Vec<T>>, String> {
    values.into_list().map_err(|reason| invalid(field, &reason))
}

fn invalid(field: &str, reason: &str) -> String {
    format!("{field} is not valid: {reason}")
}
