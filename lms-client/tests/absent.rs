//! Every optional field of every type reads `null` and blank text by one rule.

#![cfg(not(feature = "tenant-document"))]
#![allow(clippy::unwrap_used, reason = "a failing test stops here")]

use lms_client::types;
use serde_json::{Map, Value, json};

/// The properties of a schema, and the names of the required ones.
fn properties(schema: &Value) -> (Map<String, Value>, Vec<&str>) {
    let required = schema["required"].as_array().into_iter().flatten();
    let properties = schema["properties"].as_object().cloned();
    (
        properties.unwrap_or_default(),
        required.filter_map(Value::as_str).collect(),
    )
}

/// A value of a required property. All of them are text or booleans.
fn value(schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        _ => json!("x"),
    }
}

/// `true` for a property whose type is text: an id, a time and a secret are.
fn is_text(schema: &Value) -> bool {
    schema["type"] == "string" && schema["format"] != "int64"
}

/// Reads an object with each property in turn absent, `null` and blank, and compares what is written again.
fn check(document: &Value, name: &str, read_and_write: fn(Value) -> serde_json::Result<Value>) {
    let (properties, required) = properties(&document["components"]["schemas"][name]);
    let mut base = Map::new();
    for (name, schema) in &properties {
        // The document does not require `items`, but a response without them is not read as an empty list.
        if required.contains(&name.as_str()) || name == "items" {
            base.insert(name.clone(), value(schema));
        }
    }
    assert_eq!(
        read_and_write(base.clone().into()).unwrap(),
        json!(base),
        "{name}"
    );
    for (property, schema) in properties
        .iter()
        .filter(|(name, _)| !base.contains_key(*name))
    {
        for blank in [json!(null), json!(""), json!(" ")] {
            let mut object = base.clone();
            object.insert(property.clone(), blank.clone());
            let found = read_and_write(object.clone().into()).map_err(|error| error.to_string());
            let expected = match &blank {
                Value::String(_) if is_text(schema) => object,
                _ => base.clone(),
            };
            assert_eq!(found, Ok(json!(expected)), "{name}.{property}: {blank}");
        }
    }
}

#[test]
fn null_is_absent_and_blank_text_is_absent_where_the_type_is_not_text() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/openapi.json");
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut checked = Vec::new();
    macro_rules! check {
        ($($name:ident),* $(,)?) => {$({
            check(&document, stringify!($name), |value| {
                serde_json::to_value(serde_json::from_value::<types::$name>(value)?)
            });
            checked.push(stringify!($name));
        })*};
    }
    check!(
        Course,
        AddCourse,
        CourseList,
        Learner,
        AddLearner,
        EditLearner,
        LearnerList,
        Enrolment,
        AddEnrolment,
        EnrolmentList,
        Topic,
        TopicList,
        TopicProgress,
        TopicProgressList,
        CourseProgress,
        CourseCompletion,
        CourseCompletionsResponse,
        DuplicateCourse,
        AddDuplicateCourse,
        UserField,
        UserFieldResource,
        UserFieldList,
        UserFieldPermission,
        UserFieldPermissionList,
        Record,
        RecordAttachment,
        Profile,
        ProfilePermission,
        ProfileList,
        SignupPage,
        SignupPageList,
        Tag,
        TagList,
        TokenRequest,
        TokenResponse,
        MeResponse,
        TestResponse,
    );
    let all = document["components"]["schemas"].as_object().unwrap();
    assert_eq!(checked.len(), all.len());
}
