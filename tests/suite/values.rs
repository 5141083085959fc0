//! Values keep their digits and their text, and are converted as documented.

use lms_ext::{ParseTimestampError, prelude::*};
use serde::{Deserialize, Serialize};
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

#[test]
fn a_time_keeps_any_text_and_never_fails_a_read() {
    let read = |time: Value| -> types::Learner {
        serde_json::from_value(value!({"last_logged_in": time})).unwrap()
    };
    for text in ["2024-05-01T09:30:00Z", "2024-05-01", "soon", "", " "] {
        let time = read(value!(text)).last_logged_in.unwrap();
        assert_eq!(time.as_str(), text);
    }
    let number = read(value!(1_714_555_800)).last_logged_in.unwrap();
    assert_eq!(number.to_unix_seconds(), Some(1_714_555_800));
    assert_eq!(read(Value::Null).last_logged_in, None);
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

#[tokio::test]
async fn an_invalid_integer_is_an_error_with_the_path_and_no_value() {
    for wrong in [
        value!("12 hunter2"),
        value!(987_654_321.75),
        value!({"hunter2": 987_654_321}),
    ] {
        let page = value!({"items": [{"id": "c1"}, {"id": "c2", "pass_mark": wrong}]});
        let tenant = Script::new(move |_| json(page.clone()));
        let error = tenant.lms().list_courses().call().await.unwrap_err();
        assert_eq!(error.json_path(), Some("items[1].pass_mark"));
        let text = format!("{error} {error:?} {error:#}");
        assert!(text.contains("expected a 64-bit integer"), "{text}");
        assert!(
            !text.contains("hunter2") && !text.contains("98765"),
            "{text}"
        );
    }
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
struct File {
    #[serde(with = "lms_ext::int64")]
    file_size: u32,
    #[serde(default, with = "lms_ext::int64::option")]
    copies: Option<u8>,
}

#[tokio::test]
async fn callers_types_read_null_and_blank_as_absent_or_fail_with_null_in_the_message() {
    #[derive(serde::Deserialize)]
    struct Row {
        #[serde(default, deserialize_with = "lms_ext::null_as_default")]
        tags: Vec<String>,
        #[serde(default, deserialize_with = "lms_ext::blank_as_none")]
        created: Option<Timestamp>,
    }
    #[derive(Debug, serde::Deserialize)]
    struct Strict {
        #[serde(rename = "tags")]
        _tags: Vec<String>,
    }

    let server = Script::new(|_| json(value!({"items": [{"tags": null, "created": ""}, {}]})));
    let lms = server.lms();
    let list = lms.list_learners();
    let rows = list.clone().items_as::<Row>().collect_all().await.unwrap();
    assert!(
        rows.iter()
            .all(|row| row.tags.is_empty() && row.created.is_none())
    );
    let error = list.items_as::<Strict>().collect_all().await.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("found null, expected a sequence at items[0].tags"),
        "{error}"
    );
}

#[tokio::test]
async fn callers_types_have_integers_of_any_type() {
    let file = |file: Value| {
        let tenant = Script::new(move |_| json(file.clone()));
        let lms = tenant.lms();
        let record = lms.get_active_record("l1", "f1");
        record.call_as::<File>()
    };
    for (response, copies) in [
        (value!({"file_size": "4294967295", "copies": 2}), Some(2)),
        (value!({"file_size": 4_294_967_295_u32, "copies": ""}), None),
        (value!({"file_size": "4294967295"}), None),
    ] {
        assert_eq!(
            file(response).await.unwrap(),
            File {
                file_size: u32::MAX,
                copies
            }
        );
    }
    let error = file(value!({"file_size": "4294967296"})).await.unwrap_err();
    // Without the path: the value is converted after it was read.
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert!(error.to_string().contains("in the range of u32"), "{error}");
}

#[test]
fn timestamps_convert_to_and_from_jiff() {
    let timestamp = Timestamp::from("2024-05-01T11:30:00.25+02:00");
    let nanos = 1_714_555_800_250_000_000;

    let jiff = jiff::Timestamp::try_from(&timestamp).unwrap();
    assert_eq!(jiff.as_nanosecond(), nanos);
    assert_eq!(Timestamp::from(jiff).to_unix_nanos(), Some(nanos));
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
