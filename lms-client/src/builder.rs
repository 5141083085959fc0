//! What all generated builders have in common.
//!
//! A program uses a few builders at most, so their functions are inlined or generic, and only programs that call them compile
//! them.

/// The types of the fields of builders, by the kinds of their values.
#[allow(
    dead_code,
    non_camel_case_types,
    reason = "macros also use the names for functions, and a document need not have every kind"
)]
pub(crate) mod held {
    pub(crate) type required<T> = Result<T, String>;
    pub(crate) type optional<T> = Result<Option<T>, String>;
    pub(crate) type given<T> = optional<T>;
    pub(crate) type list<T> = Result<Vec<T>, String>;
    pub(crate) type optional_list<T> = Result<Option<Vec<T>>, String>;
    pub(crate) type given_list<T> = optional_list<T>;
    pub(crate) type builder<T> = T;
}

/// The type of an argument for a field. That of a list has a generic.
macro_rules! argument {
    (builder $of:ty) => { impl ::std::convert::Into<$of> };
    (required $of:ty) => { impl crate::setter::IntoValue<$of> };
    (optional $of:ty) => { impl crate::setter::IntoOptional<$of> };
    ($list:ident $of:ty, $by:ident) => { impl crate::setter::IntoList<$of, $by> };
}

/// The setter of a field of some kind. The closure stores the value in the builder.
macro_rules! setter {
    (required $name:ident: $of:ty, |$this:ident, $value:ident| $set:expr) => {
        crate::builder::setter!($name, [] impl crate::setter::IntoValue<$of>, $this, $value, $set);
    };
    (given $name:ident: $of:ty, |$this:ident, $value:ident| $set:expr) => {
        crate::builder::setter!($name, [] impl crate::setter::IntoValue<$of>, $this, $value, $set);
    };
    (optional $name:ident: $of:ty, |$this:ident, $value:ident| $set:expr) => {
        crate::builder::setter!($name, [] impl crate::setter::IntoOptional<$of>, $this, $value, $set);
    };
    // Lists of all kinds.
    ($kind:ident $name:ident: $of:ty, |$this:ident, $value:ident| $set:expr) => {
        crate::builder::setter!($name, [<By>] impl crate::setter::IntoList<$of, By>, $this, $value, $set);
    };
    ($name:ident, [$($by:tt)*] $argument:ty, $this:ident, $value:ident, $set:expr) => {
        pub fn $name $($by)* (self, $value: $argument) -> Self {
            let mut $this = self;
            $set;
            $this
        }
    };
}

/// Setters of a builder.
macro_rules! setters {
    ($($name:ident: $kind:ident $of:ty,)*) => {$(
        crate::builder::setter!($kind $name: $of, |builder, value| {
            builder.$name = crate::setter::$kind(stringify!($name), value)
        });
    )*};
}

/// Setters of a request for fields of its body.
macro_rules! setters_of_body {
    ($($name:ident: $kind:ident $of:ty,)*) => {$(
        crate::builder::setter!($kind $name: $of, |request, value| {
            request.body = request.body.$name(value)
        });
    )*};
}

/// The builder of a struct: the required fields, and the others, each with its kind and its type.
macro_rules! of_struct {
    (
        $of:ident
        ($($start:ident: $how:ident $first:ty $(, $by:ident)?;)*)
        { $($name:ident: $kind:ident $value:ty,)* }
    ) => {
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct $of {
            $($start: crate::builder::held::$how<$first>,)*
            $($name: crate::builder::held::$kind<$value>,)*
        }

        impl $of {
            crate::builder::setters! { $($start: $how $first,)* $($name: $kind $value,)* }
        }

        impl types::$of {
            /// A builder with the required fields.
            #[inline]
            pub fn builder<$($($by,)?)*>(
                $($start: crate::builder::argument!($how $first $(, $by)?),)*
            ) -> $of {
                $of {
                    $($start: crate::setter::$how(stringify!($start), $start),)*
                    $($name: Ok(::std::default::Default::default()),)*
                }
            }
        }

        impl ::std::convert::TryFrom<$of> for types::$of {
            type Error = types::error::ConversionError;

            #[inline]
            fn try_from(builder: $of) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(types::$of { $($start: builder.$start?,)* $($name: builder.$name?,)* })
            }
        }

        impl ::std::convert::From<types::$of> for $of {
            fn from(value: types::$of) -> Self {
                Self { $($start: Ok(value.$start),)* $($name: Ok(value.$name),)* }
            }
        }

        crate::setter::from_builder!(types::$of, $of);
    };
}

/// The builder of a request: its response, its number in the table of operations, the visibility of `new`, its arguments, its
/// other fields and its call of the raw client.
macro_rules! of_request {
    (
        #[doc = $docs:expr]
        $of:ident -> $output:ty, $index:literal, $(#[$new:meta])* $visible:vis new
        ($($start:ident: $check:ident $how:ident $first:ty $(, $by:ident)?;)*)
        { $($name:ident: $kind:ident $value:ty,)* }
        |$client:ident| $call:expr
    ) => {
        #[doc = $docs]
        #[derive(Clone, Debug)]
        #[must_use = "nothing is sent: write `.await`"]
        pub struct $of<'a, T = ()> {
            client: &'a crate::Operations<T>,
            $($start: crate::builder::held::$how<$first>,)*
            $($name: crate::builder::held::$kind<$value>,)*
        }

        impl<'a, T> $of<'a, T> {
            $(#[$new])*
            $visible fn new<$($($by,)?)*>(
                client: &'a crate::Operations<T>,
                $($start: crate::builder::argument!($how $first $(, $by)?),)*
            ) -> Self {
                Self {
                    client,
                    $($start: crate::setter::$how(stringify!($start), $start),)*
                    $($name: Ok(None),)*
                }
            }

            crate::builder::setters! { $($name: $kind $value,)* }
        }

        impl<T: Clone> crate::operation::Operation for $of<'_, T> {
            type Transport = T;
            type Output = $output;
            const INFO: &'static crate::operation::OperationInfo =
                &crate::operation::OPERATIONS[$index];

            #[inline]
            fn prepare(
                self,
            ) -> ::std::result::Result<crate::operation::PreparedRequest<T>, crate::Error> {
                let Self { client: operations, $($start,)* $($name,)* } = self;
                $(let $start = crate::request::$check(stringify!($start), $start)?;)*
                $(let $name = crate::request::value(stringify!($name), $name)?;)*
                let $client = operations.builder();
                crate::request::prepare(operations, Self::INFO, ::std::pin::pin!($call))
            }
        }

        impl<T: crate::policy::Policy> ::std::future::IntoFuture for $of<'_, T> {
            type Output = ::std::result::Result<$output, T::Error>;
            type IntoFuture = crate::policy::PolicyFuture<Self, T>;

            #[inline]
            fn into_future(self) -> Self::IntoFuture {
                T::call(self)
            }
        }
    };
}

pub(crate) use {argument, of_request, of_struct, setter, setters, setters_of_body};
