//! Values keep their digits and their text, and are converted as documented.

use lms_ext::{ParseTimestampError, prelude::*};
use serde_json::{Value, json as value};

use crate::script::{Script, json};

/// All fields of the document, with their schema, name and description.
fn fields() -> Vec<(String, String, Value)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/openapi.json");
    let text = std::fs::read_to_string(path).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut all = Vec::new();
    for (schema, about) in schemas {
        for (field, about) in about["properties"].as_object().unwrap() {
            all.push((schema.clone(), field.clone(), about.clone()));
        }
    }
    all
}

#[test]
fn every_field_with_a_time_is_a_timestamp() {
    // `payment_date` is not documented as a time.
    let is_time = |field: &str| {
        let named = [
            "created",
            "modified",
            "updated",
            "last_logged_in",
            "happened",
        ];
        named.contains(&field)
            || field.ends_with("_on")
            || ["renewal_date", "auto_due_date"].contains(&field)
    };
    let mut times = 0;
    for (schema, field, about) in fields() {
        let format = about["format"].as_str();
        let declared = matches!(format, Some("timestamp" | "date-time"));
        assert_eq!(is_time(&field), declared, "{schema}.{field}");
        times += usize::from(declared);
    }
    assert!(times > 20);
}

/// The values as which the optional properties of a type, each of them blank, are read.
async fn written_of<T>(name: &str, schema: &Value)
where
    T: serde::de::DeserializeOwned + serde::Serialize + Send + 'static,
{
    let required = |name: &str| {
        let list = schema["required"].as_array();
        name == "items" || list.is_some_and(|list| list.iter().any(|of| *of == name))
    };
    let (mut sent, mut expected) = (value!({}), value!({}));
    for (property, about) in schema["properties"].as_object().unwrap() {
        let kind = about["type"].as_str().unwrap_or_default();
        if required(property) {
            sent[property] = match kind {
                "boolean" => value!(true),
                "array" => value!([]),
                _ => value!("x"),
            };
            expected[property] = sent[property].clone();
            continue;
        }
        let is_text = kind == "string" && about["format"] != "int64";
        if is_text {
            let secret = about["format"] == "password";
            expected[property] = value!(if secret { "<hidden>" } else { " " });
        }
    }
    for blank in [Value::Null, value!(" ")] {
        let mut sent = sent.clone();
        let mut expected = expected.clone();
        for property in schema["properties"].as_object().unwrap().keys() {
            if !required(property) {
                sent[property] = blank.clone();
                if blank.is_null() {
                    expected.as_object_mut().unwrap().remove(property);
                }
            }
        }
        let tenant = Script::of([json(sent)]);
        let read = tenant.lms().me().call_as::<T>().await;
        let read = read.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(serde_json::to_value(read).unwrap(), expected, "{name}");
    }
}

#[tokio::test]
async fn a_blank_of_every_property_is_absent_where_its_type_is_not_text() {
    let schemas = crate::types_of_the_document::schemas();
    macro_rules! check {
        ($($name:ident),* $(,)?) => {
            $(written_of::<types::$name>(stringify!($name), &schemas[stringify!($name)]).await;)*
        };
    }
    with_all_types!(check);
}

#[tokio::test]
async fn unexpected_values_do_not_fail_a_page() {
    let page = value!({
        "items": [
            {"id": "c1", "auto_due_date": "2024-05-01 09:30", "renewal_days": "", "created": ""},
            {"id": "c2", "auto_due_date": 1_714_555_800_123_u64, "pass_mark": 80, "user_version": " "},
            {"id": "c3", "auto_due_date": "", "pass_mark": "9007199254740993"},
        ],
        "limit": "",
        "number_found": "",
        "more": false,
    });
    let tenant = Script::new(move |_| json(page.clone()));
    let courses = tenant.lms().list_courses().call().await.unwrap().items;
    let due: Vec<_> = courses
        .iter()
        .map(|course| course.auto_due_date.as_ref().map(Timestamp::instant))
        .collect();
    assert_eq!(due[0], Some(Err(ParseTimestampError::NoZone)));
    let nanos = due[1].unwrap().unwrap().unix_nanos();
    assert_eq!(nanos, 1_714_555_800_123_000_000);
    assert_eq!(due[2], Some(Err(ParseTimestampError::Empty)));
    assert_eq!(courses[0].renewal_days, None);
    assert_eq!(courses[1].user_version, None);
    assert_eq!(courses[2].pass_mark, Some(Int64::new((1 << 53) + 1)));

    let rows = tenant.lms().list_courses().items().collect_all().await;
    assert_eq!(rows.unwrap().len(), 3);
}

#[test]
fn a_missing_id_is_an_error_that_names_the_type() {
    macro_rules! ids {
        ($($type:ident $kind:literal),* $(,)?) => {$({
            let read = |value| serde_json::from_value::<types::$type>(value).unwrap();
            assert_eq!(read(value!({"id": "x1"})).require_id().unwrap(), "x1");
            let nothing = [value!({}), value!({"id": null}), value!({"id": ""}), value!({"id": " "})];
            for nothing in nothing {
                let error = read(nothing).require_id().unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Decode);
                assert_eq!(
                    error.to_string(),
                    concat!("the ", $kind, " in the response has no id; find it by another field")
                );
            }
        })*};
    }
    ids!(
        Course "course",
        CourseCompletion "course completion",
        CourseProgress "course progress",
        DuplicateCourse "duplicate course",
        Enrolment "enrolment",
        Learner "learner",
        Profile "profile",
        Record "record",
        SignupPage "signup page",
        TopicProgress "topic progress",
        UserField "user field",
    );
}
