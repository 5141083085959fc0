//! A value as text: whether a field takes it, and its JSON; and the JSON of values of the types of `lms-ext`.

use serde::Serialize;
use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};

use super::invalid::Invalid;
use crate::{
    failure::Failure,
    operations::table::{Field, Kind, Output},
};

/// The text, as the service gets it, if the field takes it.
///
/// # Errors
///
/// The error says what to write instead.
pub(crate) fn checked(field: &Field, text: &str) -> Result<String, String> {
    match field.kind {
        Kind::Integer => match text.parse::<i64>() {
            Ok(number) => Ok(number.to_string()),
            Err(_) => Err("write an integer of at most 64 bits".to_owned()),
        },
        // With its digits.
        Kind::Number => match serde_json::from_str::<serde_json::Number>(text) {
            Ok(_) => Ok(text.to_owned()),
            Err(_) => Err("write a number such as 1.5".to_owned()),
        },
        Kind::Boolean => match text.to_ascii_lowercase() {
            flag if flag == "true" || flag == "false" => Ok(flag),
            _ if field.secret => Err("it is not a flag; write true or false".to_owned()),
            _ => Err(format!("{text:?} is not a flag; write true or false")),
        },
        Kind::Json => match serde_json::from_str::<&RawValue>(text) {
            Ok(_) => Ok(text.to_owned()),
            Err(error) => Err(format!("write JSON: {error}")),
        },
        Kind::Text | Kind::Id(_) | Kind::Timestamp => {
            let mut values = field.values.iter();
            match values.find(|value| value.eq_ignore_ascii_case(text)) {
                Some(value) => Ok((*value).to_owned()),
                None if field.values.is_empty() => Ok(text.to_owned()),
                None => Err(format!("write one of {}", field.values.join(", "))),
            }
        }
    }
}

/// The JSON of a field of a body.
pub(crate) fn json(field: &Field, texts: Vec<String>) -> Result<Box<RawValue>, Invalid> {
    let element = |text: String| match field.kind {
        Kind::Boolean | Kind::Number | Kind::Json => text,
        Kind::Text | Kind::Id(_) | Kind::Integer | Kind::Timestamp => Value::from(text).to_string(),
    };
    let elements: Vec<_> = texts.into_iter().map(element).collect();
    let text = match (field.list, elements.as_slice()) {
        // One empty value is the empty array.
        (true, [one]) if one == "\"\"" => "[]".to_owned(),
        (true, elements) if elements.iter().any(|element| element == "\"\"") => {
            return Err(Invalid::Empty(field.flag.to_owned()));
        }
        (true, elements) => format!("[{}]", elements.join(",")),
        (false, elements) => elements.last().cloned().unwrap_or_default(),
    };
    RawValue::from_string(text).map_err(|error| Invalid::Value {
        flag: field.flag.to_owned(),
        reason: error.to_string(),
    })
}

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
