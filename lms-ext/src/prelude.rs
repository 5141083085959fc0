//! All that most programs need: `use lms_ext::prelude::*`.

pub use crate::{
    Call, Enrolled, Error, ErrorKind, Int64, KnownId, Lms, Timestamp, Typed, Walk, types,
};
