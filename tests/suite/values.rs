//! Values keep their digits and their text, and are converted as documented.

use std::{collections::BTreeSet, time::Duration};

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

#[test]
fn every_integer_field_is_a_duration_a_size_or_a_number_by_decision() {
    let described: BTreeSet<_> = fields()
        .into_iter()
        .filter(|(_, field, about)| {
            about["format"] == "int64" && field != "number_found" && field != "limit"
        })
        .map(|(schema, field, _)| format!("{schema}.{field}"))
        .collect();
    let decided = [
        "Course.auto_due_seconds",
        "Course.pass_mark",
        "Course.renewal_days",
        "Course.user_version",
        "DuplicateCourse.progress",
        "DuplicateCourse.stage",
        "Record.file_size",
        "RecordAttachment.file_size",
        "TokenRequest.client_id",
        "TokenResponse.expires_in",
    ];
    assert_eq!(described, decided.map(String::from).into());
}

fn read<T: serde::de::DeserializeOwned>(field: &str, value: &Value) -> T {
    serde_json::from_value(value!({ field: value })).unwrap()
}

#[test]
fn durations_are_converted_from_their_unit() {
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    for (count, days) in [
        (value!("365"), seconds(31_536_000)),
        (value!(1), seconds(86_400)),
        (value!("0"), seconds(0)),
        (value!("-1"), None),
        (value!("9223372036854775807"), None),
        (value!(""), None),
        (Value::Null, None),
    ] {
        let course: types::Course = read("renewal_days", &count);
        assert_eq!(course.typed().renewal_days(), days, "{count}");
    }
    for (count, length) in [
        (value!("300"), seconds(300)),
        (value!(300), seconds(300)),
        (value!("9223372036854775807"), seconds(i64::MAX as u64)),
        (value!(-300), None),
        (value!(""), None),
        (Value::Null, None),
    ] {
        let course: types::Course = read("auto_due_seconds", &count);
        assert_eq!(course.typed().auto_due_seconds(), length, "{count}");
        let token: types::TokenResponse = read("expires_in", &count);
        assert_eq!(token.typed().expires_in(), length, "{count}");
    }
}

#[test]
fn sizes_are_bytes_and_the_progress_of_a_task_is_a_number() {
    for (size, bytes) in [
        (value!("9007199254740993"), Some(9_007_199_254_740_993)),
        (value!(0), Some(0)),
        (value!("-1"), None),
        (value!(""), None),
    ] {
        let record: types::Record = read("file_size", &size);
        assert_eq!(record.typed().file_size(), bytes, "{size}");
        let attachment: types::RecordAttachment = read("file_size", &size);
        assert_eq!(attachment.typed().file_size(), bytes, "{size}");
    }
    let task: types::DuplicateCourse =
        serde_json::from_value(value!({"progress": "-1", "stage": 3})).unwrap();
    assert_eq!(
        (task.typed().progress(), task.typed().stage()),
        (Some(-1), Some(3))
    );
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
        let record = lms.get_active_record().user("l1").user_field("f1");
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
    assert_eq!(error.json_path(), Some("file_size"));
    assert!(error.to_string().contains("in the range of u32"), "{error}");
}

#[test]
fn timestamps_convert_to_and_from_the_crates_for_time() {
    let timestamp = Timestamp::from("2024-05-01T11:30:00.25+02:00");
    let nanos = 1_714_555_800_250_000_000;

    let jiff = jiff::Timestamp::try_from(&timestamp).unwrap();
    assert_eq!(jiff.as_nanosecond(), nanos);
    assert_eq!(Timestamp::from(jiff).to_unix_nanos(), Some(nanos));

    let chrono = chrono::DateTime::<chrono::FixedOffset>::try_from(&timestamp).unwrap();
    assert_eq!(chrono.timestamp_nanos_opt().map(i128::from), Some(nanos));
    assert_eq!(
        Timestamp::from(chrono).as_str(),
        "2024-05-01T11:30:00.250+02:00"
    );

    let time = time::OffsetDateTime::try_from(&timestamp).unwrap();
    assert_eq!(time.unix_timestamp_nanos(), nanos);
    assert_eq!(
        Timestamp::from(time).as_str(),
        "2024-05-01T11:30:00.250+02:00"
    );
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
