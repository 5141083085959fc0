use bytes::Bytes;
use lms_ext::{Error, ErrorKind};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    naive::Members,
    redaction::{assert_consistent, assert_redacted, assert_without},
    responses::{CANARY, CannedResponse, TOKEN, responses},
    script::Script,
    tenant::{builder, on_a_paused_clock, tenant},
};

const NEW: &str = "a new one, 3f81";

/// An edit writes back what it read: all fields of a course byte for byte except the changed one and integers, which become
/// strings, and every field that an edit of a learner has. An object that cannot be decoded, has another id or none, or
/// has no value in a required field, is not written.
pub fn edits(input: &[u8]) {
    let Some(object) = responses(input).into_iter().next() else {
        return;
    };
    if !object.status.is_success() {
        return;
    }
    course(&object.body);
    learner(&object.body);
}

/// A tenant with one object, which responds to a write with the merged object.
fn holding(object: &Bytes) -> Script {
    let object = object.clone();
    tenant(move |seen| {
        if seen.method != Method::PUT {
            return CannedResponse::of(object.clone());
        }
        let mut all = Members::read(&object).unwrap_or_default();
        for (name, value) in Members::read(&seen.body).unwrap_or_default().0 {
            all.put(&name, value);
        }
        CannedResponse::of(all.text())
    })
}

fn course(object: &Bytes) {
    let tenant = holding(object);
    let result = on_a_paused_clock(async {
        let lms = builder(&tenant).build().expect("a client");
        lms.update_course("o1", |course| course.name = Some(NEW.to_owned()))
            .await
    });
    let Some(written) = written(&tenant) else {
        return unwritten(object, result.expect_err("nothing was written"));
    };
    let mut expected = Members::read(object).expect("it was read");
    expected.put("name", Value::from(NEW).to_string());
    for name in "auto_due_seconds pass_mark renewal_days user_version".split(' ') {
        if let Some(Value::Number(number)) = expected.get(name) {
            expected.put(name, format!("\"{number}\""));
        }
    }
    let mut found = Members::read(&written).expect("an object was written");
    // The order of the fields means nothing.
    found.0.sort();
    expected.0.sort();
    assert_eq!(found.0, expected.0);
    let edited = result.expect("a tenant without faults");
    assert_eq!(edited.value().name.as_deref(), Some(NEW));
}

fn learner(object: &Bytes) {
    let tenant = holding(object);
    let result = on_a_paused_clock(async {
        let lms = builder(&tenant).build().expect("a client");
        lms.update_learner("o1", |learner| learner.surname = NEW.to_owned())
            .await
    });
    let Some(written) = written(&tenant) else {
        return unwritten(object, result.expect_err("nothing was written"));
    };
    let held = Members::read(object).expect("it was read");
    let found = Members::read(&written).expect("an object was written");
    let allowed = [
        "email",
        "firstname",
        "id",
        "notes",
        "phone_number",
        "surname",
        "tags",
        "username",
    ];
    for (name, _) in &found.0 {
        assert!(allowed.contains(&name.as_str()), "{name} was sent");
    }
    for name in allowed {
        let expected = match (name, held.get(name)) {
            ("surname", _) => Some(json!(NEW)),
            (_, held) => held,
        };
        // An empty list may be left out.
        let empty = [None, Some(json!([]))];
        assert!(
            found.get(name) == expected
                || (empty.contains(&found.get(name)) && empty.contains(&expected)),
            "{name} was {expected:?} and is {:?}",
            found.get(name)
        );
    }
    assert_eq!(
        result
            .expect("a tenant without faults")
            .value()
            .surname
            .as_deref(),
        Some(NEW)
    );
}

fn written(tenant: &Script) -> Option<Bytes> {
    let mut writes = tenant
        .seen()
        .into_iter()
        .filter(|seen| seen.method == Method::PUT);
    let first = writes.next()?;
    assert!(writes.next().is_none(), "it was written twice");
    assert!(first.url.path().ends_with("/o1"));
    Some(first.body)
}

fn unwritten(object: &[u8], error: Error) {
    assert_redacted(&error, &[TOKEN]);
    assert_consistent(&error);
    assert_without(&format!("{error:#}"), &[CANARY]);
    match error.kind() {
        ErrorKind::Decode | ErrorKind::NotJson => {}
        ErrorKind::Mismatch => {
            let id = Members::read(object).and_then(|object| object.get("id"));
            assert!(id.is_some_and(|id| id != "o1"), "{error}");
        }
        _ => panic!("{error}"),
    }
}
