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

/// What a field holds before it is set. A required one is set by the function that makes the builder.
macro_rules! empty {
    (required) => {
        Err(::std::string::String::new())
    };
    ($kind:ident) => {
        Ok(::std::default::Default::default())
    };
}

/// The setter of a field.
macro_rules! setter {
    (list $name:ident: $of:ty) => { crate::builder::setter!(@list list $name: $of); };
    (optional_list $name:ident: $of:ty) => { crate::builder::setter!(@list optional_list $name: $of); };
    (given_list $name:ident: $of:ty) => { crate::builder::setter!(@list given_list $name: $of); };
    (@list $kind:ident $name:ident: $of:ty) => {
        pub fn $name<By>(mut self, values: impl crate::setter::IntoList<$of, By>) -> Self {
            self.$name = crate::setter::$kind(stringify!($name), values);
            self
        }
    };
    (optional $name:ident: $of:ty) => {
        pub fn $name(mut self, value: impl crate::setter::IntoOptional<$of>) -> Self {
            self.$name = crate::setter::optional(stringify!($name), value);
            self
        }
    };
    ($kind:ident $name:ident: $of:ty) => {
        pub fn $name(mut self, value: impl crate::setter::IntoValue<$of>) -> Self {
            self.$name = crate::setter::$kind(stringify!($name), value);
            self
        }
    };
}

/// The setter of a request's field. A required one is an argument of the method.
macro_rules! setter_of_request {
    (required $name:ident: $of:ty) => {};
    (list $name:ident: $of:ty) => {};
    (builder $name:ident: $of:ty) => {};
    ($kind:ident $name:ident: $of:ty) => { crate::builder::setter!($kind $name: $of); };
}

/// Setters of a request for fields of its body.
macro_rules! setters_of_body {
    ($($name:ident: $kind:ident $of:ty,)*) => {$(
        crate::builder::setters_of_body!(@one $kind $name: $of);
    )*};
    (@one optional $name:ident: $of:ty) => {
        pub fn $name(mut self, value: impl crate::setter::IntoOptional<$of>) -> Self {
            self.body = self.body.$name(value);
            self
        }
    };
    (@one required $name:ident: $of:ty) => {
        pub fn $name(mut self, value: impl crate::setter::IntoValue<$of>) -> Self {
            self.body = self.body.$name(value);
            self
        }
    };
    (@one $kind:ident $name:ident: $of:ty) => {
        pub fn $name<By>(mut self, values: impl crate::setter::IntoList<$of, By>) -> Self {
            self.body = self.body.$name(values);
            self
        }
    };
}

/// The builder of a struct: its fields, each with its kind and its type.
macro_rules! of_struct {
    ($of:ident { $($name:ident: $kind:ident $value:ty,)* }) => {
        #[derive(Clone, Debug)]
        #[must_use = "a setter returns the builder: give it to an operation"]
        pub struct $of {
            $($name: crate::builder::held::$kind<$value>,)*
        }

        impl $of {
            #[inline]
            fn empty() -> Self {
                Self { $($name: crate::builder::empty!($kind),)* }
            }

            $(crate::builder::setter!($kind $name: $value);)*
        }

        impl crate::request::Build for $of {
            type Value = types::$of;

            #[inline]
            fn build(self) -> ::std::result::Result<types::$of, ::std::string::String> {
                Ok(types::$of { $($name: self.$name?,)* })
            }
        }

        impl ::std::convert::TryFrom<$of> for types::$of {
            type Error = types::error::ConversionError;

            #[inline]
            fn try_from(builder: $of) -> ::std::result::Result<Self, types::error::ConversionError> {
                Ok(crate::request::Build::build(builder)?)
            }
        }

        impl ::std::convert::From<types::$of> for $of {
            fn from(value: types::$of) -> Self {
                Self { $($name: Ok(value.$name),)* }
            }
        }
    };
}

/// The builder of a request: its response, its number in the table of operations, its fields and its call of the raw client.
macro_rules! of_request {
    (
        #[doc = $docs:expr]
        $of:ident -> $output:ty, $index:literal
        { $($name:ident: $check:ident $kind:ident $value:ty,)* }
        |$client:ident| $call:expr
    ) => {
        #[doc = $docs]
        #[derive(Clone, Debug)]
        #[must_use = "nothing is sent: write `.await`"]
        pub struct $of<'a, T = ()> {
            client: &'a crate::Operations<T>,
            $($name: crate::builder::held::$kind<$value>,)*
        }

        impl<T> $of<'_, T> {
            $(crate::builder::setter_of_request!($kind $name: $value);)*
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
                let Self { client: operations, $($name,)* } = self;
                $(let $name = crate::request::$check(stringify!($name), $name)?;)*
                let $client = operations.client();
                crate::request::prepare(operations, Self::INFO, $call)
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

pub(crate) use {empty, of_request, of_struct, setter, setter_of_request, setters_of_body};
