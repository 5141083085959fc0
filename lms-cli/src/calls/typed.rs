//! The JSON of values of the types of `lms-ext`.

use serde::Serialize;
use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};

use crate::{failure::Failure, operations::table::Output};

/// An object with its fields in the order of the document, like that of a response.
pub(crate) fn ordered(output: &Output, value: &impl Serialize) -> Result<Box<RawValue>, Failure> {
    let mut object: Map<String, Value> = serde_json::from_value(serde_json::to_value(value)?)?;
    let fields = output.schema().map_or(&[][..], |schema| schema.fields);
    let mut ordered: Map<_, _> = fields
        .iter()
        .filter_map(|field| object.remove_entry(field.name))
        .collect();
    ordered.extend(object);
    Ok(to_raw_value(&ordered)?)
}
