//! The output of dry runs: the request that a write would send, or the changes of an edit.

use lms_ext::{FieldChange, RawRequest};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};

use super::body::Body;
use crate::{
    failure::Failure,
    operations::{lookup::is_secret, table::Command},
};

/// A request that a dry run does not send.
#[derive(Serialize, JsonSchema)]
pub(crate) struct RequestPlan<'a> {
    /// Always true.
    pub(crate) dry_run: bool,
    pub(crate) method: &'a str,
    pub(crate) url: &'a str,
    /// Number of enrolments that the request would end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) enrolments: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub(crate) body: Option<&'a Body>,
    /// `true` if the object exists already, so that the request would not be sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) exists: Option<bool>,
    /// The fields of an object that exists which differ from the request. They would be kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) differs: Option<Vec<String>>,
    /// The tags that a learner who exists would get.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) add_tags: Option<Vec<String>>,
    /// The courses in which the learner would be enrolled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) enrol: Option<Vec<String>>,
    /// The fields that the printed body lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hidden: Option<&'a str>,
}

impl<'a> RequestPlan<'a> {
    /// The request that would be sent.
    pub(crate) fn of(request: &'a RawRequest, body: &'a Body) -> Self {
        let hidden = body.iter().any(|(name, _)| is_secret(name));
        Self {
            dry_run: true,
            method: request.operation().method.as_str(),
            url: request.url(),
            enrolments: None,
            body: (!body.is_empty()).then_some(body),
            exists: None,
            differs: None,
            add_tags: None,
            enrol: None,
            hidden: hidden.then_some("secret fields"),
        }
    }

    pub(crate) fn raw(&self) -> Result<Box<RawValue>, Failure> {
        Ok(to_raw_value(self)?)
    }
}

/// An edit that a dry run does not make.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EditPlan<'a> {
    /// Always true.
    pub(crate) dry_run: bool,
    /// The id of the learner or the course.
    pub(crate) id: &'a str,
    pub(crate) changes: Vec<FieldEdit<'a>>,
}

/// A field that an edit would change.
#[derive(Serialize, JsonSchema)]
pub(crate) struct FieldEdit<'a> {
    field: &'a str,
    /// The old value; null if the field is absent.
    from: Option<&'a Value>,
    /// The new value; null if the field is left out.
    to: Option<&'a Value>,
}

impl<'a> From<&'a FieldChange> for FieldEdit<'a> {
    fn from(change: &'a FieldChange) -> Self {
        Self {
            field: change.field(),
            from: change.from(),
            to: change.to(),
        }
    }
}

/// The changes of a dry run, for programs.
pub(crate) fn edit<'a>(id: &'a str, changes: &'a [FieldChange]) -> EditPlan<'a> {
    EditPlan {
        dry_run: true,
        id,
        changes: changes.iter().map(Into::into).collect(),
    }
}

/// The changes of a dry run, for people.
pub(crate) fn described(command: &Command, id: &str, changes: &[FieldChange]) -> String {
    let what = command.resource.trim_end_matches('s');
    let head = match changes.len() {
        0 => "nothing changes".to_owned(),
        1 => "1 field changes".to_owned(),
        several => format!("{several} fields change"),
    };
    let lines = changes.iter().map(|change| format!("\n  {change}"));
    format!("{what} {id}: {head}{}", lines.collect::<String>())
}
