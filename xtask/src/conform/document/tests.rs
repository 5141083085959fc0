use std::path::Path;

use super::*;

fn document() -> Document {
    Document::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))).unwrap()
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
fn a_path_gets_its_values_in_the_copy_alone() {
    let document = document();
    let before = document.0.clone();
    let paths = json!({ "DELETE /courses/{id}": [["c12"]] });
    let mut copy = document.for_tools("http://127.0.0.1:1").narrowed(&paths);
    let parameters = copy.operation("deleteCourse").unwrap()["parameters"].clone();
    let last = parameters.as_array().unwrap().last().unwrap();
    assert_eq!(last["schema"]["enum"], json!(["c12"]));
    assert_eq!(document.0, before);
}
