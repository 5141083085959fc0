use lms_ext::{Call, Error, ErrorKind, expose_secrets, prelude::*};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    redaction::{assert_consistent, assert_redacted, assert_without},
    responses::{CANARY, CannedResponse, TOKEN, responses},
    tenant::{builder, on_a_paused_clock, saying},
};

/// A body that cannot be decoded is an error with a JSON path and without content; a decoded value equals the JSON, and
/// reads its own output.
pub fn decoding(input: &[u8]) {
    let body = responses(input).swap_remove(0).body;
    // Types differ in how they treat duplicate fields, so those are not compared.
    let plain: Option<Value> = serde_json::from_slice(&body).ok();
    let plain = &plain;
    on_a_paused_clock(async {
        let tenant = saying(vec![CannedResponse::of(body.clone())]);
        let lms = builder(&tenant).build().expect("a client");
        read(lms.get_course("o1"), plain).await;
        read(lms.get_learner_by_id("o1"), plain).await;
        read(lms.get_topic("o1"), plain).await;
        read(lms.get_active_record("o1", "f1"), plain).await;
        read(lms.get_course_progress("o1", "u1"), plain).await;
        read(lms.view_duplicate_course("o1"), plain).await;
        read(lms.list_profiles(), plain).await;
        read(lms.list_tags(), plain).await;
        read(lms.list_course_completions(), plain).await;
        read(lms.list_learners(), plain).await;
        read(lms.me(), plain).await;

        // As a plain value, it equals what serde_json reads, unless that is no object or one of errors.
        match lms.me().call_as::<Value>().await {
            Ok(any) => assert_eq!(Some(any), *plain),
            Err(error) => {
                assert_hidden(&error);
                let plain = plain.as_ref().and_then(Value::as_object);
                let mut fields = plain.iter().flat_map(|fields| fields.keys());
                assert!(plain.is_none() || fields.any(|name| name.starts_with("error")));
            }
        }
    });
}

async fn read<O: Call>(operation: O, plain: &Option<Value>)
where
    O::Output: Serialize + DeserializeOwned,
{
    let value = match operation.call().await {
        Ok(value) => value,
        Err(error) => return assert_hidden(&error),
    };
    let written = match expose_secrets(|| serde_json::to_value(&value)) {
        Ok(written) => written,
        // Only a secret that looks hidden cannot be written.
        Err(error) => return assert!(error.to_string().contains("hidden"), "{error}"),
    };
    if let Some(plain) = plain {
        assert_kept(plain, &written);
    }
    let again: O::Output = serde_json::from_value(written.clone()).expect("its own output");
    assert_eq!(
        expose_secrets(|| serde_json::to_value(&again)).expect("it can be written"),
        written
    );
}

fn assert_hidden(error: &Error) {
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Decode | ErrorKind::NotJson | ErrorKind::Mismatch
        ),
        "{error}"
    );
    assert_redacted(error, &[TOKEN]);
    assert_consistent(error);
    assert_without(&format!("{error:#}"), &[CANARY]);
}

/// Panics when a value differs from the JSON.
fn assert_kept(plain: &Value, read: &Value) {
    match (plain, read) {
        (Value::Object(plain), Value::Object(read)) => {
            for (name, read) in read {
                match plain.get(name) {
                    Some(plain) => assert_kept(plain, read),
                    // A missing field has no value.
                    None => assert!(is_nothing(read), "{name} is not in the JSON: {read}"),
                }
            }
        }
        (Value::Array(plain), Value::Array(read)) => {
            assert_eq!(plain.len(), read.len());
            plain
                .iter()
                .zip(read)
                .for_each(|(plain, read)| assert_kept(plain, read));
        }
        // serde also decodes a struct from an array.
        (Value::Array(_), Value::Object(_)) => {}
        // An integer may be a number or a string, and a timestamp a number.
        (Value::String(plain), Value::String(read)) if plain != read => {
            assert_eq!(
                plain.parse::<Int64>(),
                read.parse(),
                "{plain:?} was read as {read:?}"
            );
            assert!(plain.parse::<Int64>().is_ok());
        }
        (Value::Number(_) | Value::Bool(_), Value::String(read)) => {
            assert_eq!(plain.to_string(), *read);
        }
        (Value::Number(plain), Value::Number(read)) => {
            assert_eq!(plain.as_f64(), read.as_f64());
        }
        (plain, read) => assert!(
            plain == read || (is_nothing(plain) && is_nothing(read)),
            "{plain} was read as {read}"
        ),
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::String(text) => text.trim_ascii().is_empty(),
        _ => false,
    }
}
