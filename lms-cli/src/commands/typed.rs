//! The JSON of values of the types of `lms-ext`.

use serde::Serialize;
use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};

use crate::{failure::Failure, operations::table::Output};

/// An object with its fields in the order of the document, like that of a response.
pub(super) fn ordered(output: &Output, value: &impl Serialize) -> Result<Box<RawValue>, Failure> {
    let object: Result<Map<String, Value>, _> =
        serde_json::to_value(value).and_then(serde_json::from_value);
    let mut object = object.map_err(|error| unwritten(&error))?;
    let fields = output.schema().map_or(&[][..], |schema| schema.fields);
    let mut ordered: Map<_, _> = fields
        .iter()
        .filter_map(|field| object.remove_entry(field.name))
        .collect();
    ordered.extend(object);
    raw(&ordered)
}

/// The JSON of a value.
pub(super) fn raw(value: &impl Serialize) -> Result<Box<RawValue>, Failure> {
    to_raw_value(value).map_err(|error| unwritten(&error))
}

fn unwritten(error: &serde_json::Error) -> Failure {
    Failure::fault(format!("could not write the result: {error}"))
}
