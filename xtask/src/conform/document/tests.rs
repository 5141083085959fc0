use std::path::Path;

use super::*;

fn document() -> Document {
    Document::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))).unwrap()
}

fn ids() -> Value {
    json!({
        "course": "c1", "learner": "l1", "email": "jo@acme.example", "topic": "t1", "user_field": "f1",
        "task": "d1", "signup_page": "s1", "profile": "p1",
        "spare_learners": ["l2", "l3"], "spare_courses": ["c2", "c3"], "pupils": ["l4"],
    })
}

/// All integers in strings of the document.
fn integers<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(object) => {
            if object.get("format") == Some(&json!("int64")) {
                found.push(value);
            }
            object.values().for_each(|value| integers(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| integers(value, found)),
        _ => {}
    }
}

#[test]
fn every_integer_in_a_string_has_a_pattern() {
    let copy = document().for_tools("http://127.0.0.1:1");
    let mut found = Vec::new();
    integers(&copy.0, &mut found);
    assert!(found.len() > 20, "{}", found.len());
    for integer in found {
        assert_eq!(integer["pattern"], "^-?[0-9]{1,19}$", "{integer}");
    }
}

#[test]
fn only_test_and_get_token_need_no_token() {
    let mut copy = document().for_tools("http://127.0.0.1:1");
    assert_eq!(copy.0["security"], json!([{ "bearer": [] }]));
    let mut open = Vec::new();
    copy.each_operation(|operation| {
        if operation.get("security").is_some() {
            open.push(operation["operationId"].clone());
        }
    });
    open.sort_by_key(Value::to_string);
    assert_eq!(open, ["getToken", "test"]);
}

#[test]
fn the_document_itself_is_not_changed() {
    let document = document();
    let before = document.0.clone();
    let _ = document.for_tools("http://127.0.0.1:1").narrowed(&ids());
    assert_eq!(document.0, before);
}

#[test]
fn objects_that_are_deleted_are_not_read() {
    let mut copy = document().for_tools("http://127.0.0.1:1").narrowed(&ids());
    let mut pinned = |id: &str| {
        let parameters = copy.operation(id).unwrap()["parameters"].clone();
        let parameters = parameters.as_array().unwrap();
        let values = &parameters.last().unwrap()["schema"]["enum"];
        values.as_array().unwrap().clone()
    };
    for (reads, writes) in [
        ("getCourse", ["editCourse", "deleteCourse"]),
        ("getLearnerById", ["editLearner", "deleteLearner"]),
    ] {
        let read = pinned(reads);
        assert!(!read.is_empty());
        for write in writes {
            let written = pinned(write);
            assert!(!written.is_empty(), "{write}");
            assert!(written.iter().all(|id| !read.contains(id)), "{write}");
        }
    }
}
