//! JSON Schemas of the values in [`wire`](crate::wire) and of ids, as the document describes them.
//!
//! The types of the document derive theirs.
//!
//! ```
//! let schema = schemars::schema_for!(lms_client::types::Learner);
//! assert_eq!(schema.get("title").unwrap(), "Learner");
//! assert_eq!(schema.get("properties").unwrap()["id"]["format"], "learner-id");
//! ```

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::{
    id::{Id, Kind},
    wire::{Int64, Secret, Timestamp},
};

/// Implements `JsonSchema` for text with a format.
macro_rules! text {
    ($([$($generics:tt)*] $value:ty: $format:expr),* $(,)?) => {$(
        impl<$($generics)*> JsonSchema for $value {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                $format.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "format": $format })
            }
        }
    )*};
}

text! {
    [] Int64: "int64",
    [] Secret: "password",
    // Not `date-time`: a received text may have another form.
    [] Timestamp: "timestamp",
    [K: Kind] Id<K>: K::FORMAT,
}
