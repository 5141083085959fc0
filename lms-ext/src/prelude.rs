//! The items that most programs need: `use lms_ext::prelude::*`.

pub use crate::{
    client::Lms,
    error::{Error, ErrorKind},
    paging::ListExt,
    request::{Call, HasId, RequireId},
    unenrol::EnrolmentScope,
};
pub use lms_client::{
    ids, types,
    wire::{Int64, Timestamp},
};
