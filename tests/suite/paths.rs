//! No value of a caller changes where a request goes: no id in the path, no filter, no header.
//!
//! Driven by the table of operations, so that a new operation is either tested or fails a test.

use std::collections::BTreeMap;

use lms_ext::{CallFuture, OPERATIONS, OperationInfo, prelude::*};
use serde_json::{Value, json as value};

use crate::script::{Script, json};

/// Values that change paths, queries or headers if they are not encoded.
fn hostile() -> Vec<String> {
    let words = r#"
        .. . ... ..; ../.. ../learners /.. a/.. ./ / // a/b a//b /a/ % %2 %2e %2e%2e %2E%2E .%2e %2f %2F.. %252e %5c %00
        %0d%0a %zz \ ..\ \.. a\b ? a?b=c ?limit=1 # a#b & a&b=c = + a+b ; a;b=c : a:b http://evil.example/
        //evil.example @ a@b.example user@evil.example/.. $ * ! ' " <> | ^ ` {id} { } [ ] ~ , é ünïcödé 日本語 🦀 ．． ‥ ／
        email null true 0 -1"#;
    let others = "|. | .| |  | a|a |a b|\t|a\tb|\r|\n|\r\n|a\r\nx-evil: 1|a\r\n\r\nGET / HTTP/1.1|\0|a\0b\
        |\u{7f}|\u{1b}[31m|\u{feff}|\u{200b}|\u{202e}abc|\u{2028}";
    let words = words.split_ascii_whitespace();
    let values = words.chain(others.split('|')).map(str::to_owned);
    let mut values: Vec<_> = values.collect();
    values.push("x".repeat(10_240));
    values.push("../".repeat(3_000));
    values.push("é".repeat(5_120));
    values
}

/// A table of operations and the parameters that are strings, in the path and then in the query.
macro_rules! table {
    ($($operation:ident($($required:ident),* $(; $($parameter:ident),+)?) $(body $body:expr)?;)+) => {
        fn parameters(operation: &str) -> Vec<&'static str> {
            let names: &[_] = match operation {
                $(stringify!($operation) => &[$(stringify!($required),)* $($(stringify!($parameter)),+)?],)+
                _ => &[],
            };
            let name = |name: &&'static str| if *name == "tag" { "tags" } else { *name };
            names.iter().map(name).collect()
        }

        /// Calls an operation with values for its parameters, in the order of the table.
        fn call(lms: &Lms, operation: &str, values: &[String]) -> CallFuture<Value> {
            let mut values = values.iter().cloned();
            let mut next = || values.next().unwrap();
            match operation {
                $(stringify!($operation) => lms
                    .$operation($({ let $required = next(); $required },)* $($body)?)
                    $($(.$parameter(next()))+)?
                    .call_as(),)+
                other => panic!("{other} is not in the table"),
            }
        }
    };
}

/// The parameter `tags` is a list; the others are strings.
trait Tagged: Sized {
    fn tag(self, value: String) -> Self;
}

impl<P> Tagged for lms_ext::requests::ListLearners<'_, P> {
    fn tag(self, value: String) -> Self {
        self.tags(vec![value])
    }
}

// One builder for each shape of parameters: the generator writes all of them in the same way.
table! {
    edit_course(id) body types::Course::builder();
    get_learner_by_email(email);
    get_topic_progress(user, topic; course);
    get_course_progress(course, user);
    get_active_record(user, user_field);
    list_learners(; cursor, signup_page, username, email, tag, order_by);
    delete_enrolment(; user, course);
}

/// The parameters whose values are ids.
const IDS: [&str; 5] = ["id", "user", "course", "topic", "user_field"];

/// Sends every hostile value in every parameter of an operation, except for those that are `refused`.
async fn check<F: Future<Output = Result<Value, Error>>>(
    operation: &'static OperationInfo,
    names: &[&str],
    refused: impl Fn(&str, &str) -> bool,
    call: impl Fn(Lms, Vec<String>) -> F,
) {
    // A field of each object.
    let object = value!({
        "name": "Any", "firstname": "Jo", "completed": false, "has_value": true, "complete": false
    });
    let tenant = Script::new(move |_| json(object.clone()));
    let lms = tenant.lms();
    let in_path = operation.path_parameters.len();
    for (position, name) in names.iter().enumerate() {
        for hostile in &hostile() {
            let case = format!("{} {name} {hostile:.40?}", operation.id);
            let mut values = vec!["other".to_owned(); names.len()];
            values[position].clone_from(hostile);
            let before = tenant.count();
            let result = call(lms.clone(), values.clone()).await;
            let sent = &tenant.seen()[before..];
            // These values address another path.
            let is_other = position < in_path && matches!(hostile.as_str(), "" | "." | "..");
            if is_other || refused(name, hostile) {
                let error = result.unwrap_err();
                assert!(error.is_usage(), "{case}: {error}");
                assert_eq!(error.operation(), Some(operation.id));
                assert!(sent.is_empty(), "{case}");
                continue;
            }
            assert!(result.is_ok(), "{case}: {result:?}");
            assert_eq!(sent.len(), 1, "{case}");
            let url = &sent[0].url;
            assert_eq!(sent[0].method, operation.method);
            assert_eq!(url.host_str(), Some("tenant.example"));
            assert_eq!(url.fragment(), None);
            assert_eq!(read_path(operation, sent[0].path()), values[..in_path]);
            let pairs: BTreeMap<_, _> = url.query_pairs().into_owned().collect();
            let names = names.iter().map(|name| (*name).to_owned());
            let expected: BTreeMap<_, _> = names.zip(values).skip(in_path).collect();
            assert_eq!(pairs, expected, "{case}");
        }
    }
}

#[tokio::test]
async fn a_value_arrives_unchanged_in_its_parameter_or_nothing_is_sent() {
    for operation in OPERATIONS {
        let (path, query) = (operation.path_parameters, operation.query_parameters);
        // A blank id addresses no object, and as a filter of a deletion it selects all of them.
        let blank = |name: &str, value: &str| {
            operation.method == "DELETE" && query.contains(&name) && value.trim().is_empty()
        };
        let names = [path, query].concat();
        check(operation, &names, blank, async |lms, values| {
            let (in_path, in_query) = values.split_at(path.len());
            let request = lms.raw_operation(operation, in_path)?;
            let pairs = query.iter().zip(in_query);
            let request = pairs.fold(request, |request, (name, value)| request.query(name, value));
            Ok(request.call_as().await?.value)
        })
        .await;
        let refused = |name: &str, value: &str| {
            IDS.contains(&name) && value.trim().is_empty()
                || path.contains(&name) && value.contains('\\')
        };
        let names = parameters(operation.id);
        check(operation, &names, refused, async |lms, values| {
            call(&lms, operation.id, &values).await
        })
        .await;
    }
}

/// The values of path parameters, decoded as by a server.
fn read_path(operation: &OperationInfo, path: &str) -> Vec<String> {
    let template: Vec<_> = operation.path.split('/').collect();
    let found: Vec<_> = path.split('/').collect();
    assert_eq!(
        found.len(),
        template.len(),
        "{path:.80} is not {}",
        operation.path
    );
    let mut values = Vec::new();
    for (expected, found) in template.iter().zip(found) {
        if expected.starts_with('{') {
            values.push(percent_decoded(found));
        } else {
            assert_eq!(*expected, found, "{path:.80} is not {}", operation.path);
        }
    }
    values
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = text.bytes();
    let mut decoded = Vec::new();
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' {
            let digits = [bytes.next().unwrap(), bytes.next().unwrap()];
            u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
        } else {
            byte
        });
    }
    String::from_utf8(decoded).unwrap()
}

#[test]
fn invalid_header_values_are_rejected_when_the_client_is_built() {
    let tenant = Script::of([]);
    let texts = "| |a\r\nx-evil: 1|a\nb|a\rb|\r\n|a\0b|a\u{7f}b|a\u{1b}[31m|a\u{8}";
    for text in texts.split('|') {
        let error = tenant.builder().application(text).build().unwrap_err();
        assert!(error.is_usage(), "{text:?}");
        assert!(error.to_string().contains("application name"), "{error}");
    }
}

#[tokio::test]
async fn the_application_is_named_before_the_client() {
    let tenant = Script::new(|_| json(value!({})));
    let lms = tenant.lms_with(|it| it.application("hr-sync/2.1"));
    lms.me().call().await.unwrap();
    let agent = &tenant.seen()[0].headers["user-agent"];
    assert!(
        agent.to_str().unwrap().starts_with("hr-sync/2.1 lms-ext/"),
        "{agent:?}"
    );
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_shows_only_its_origin() {
    let (other, evil) = ("another path is not", "https://evil.example is not");
    for (location, named) in [
        (Some("https://evil.example/steal?token=1#x"), evil),
        (
            Some("https://u:hunter2@evil.example:8443/x"),
            "https://evil.example:8443 is not",
        ),
        (
            Some("http://tenant.example/api/v1/courses/secret-id"),
            "http://tenant.example is not",
        ),
        (Some("/elsewhere/secret-id"), other),
        (Some("../secret-id"), other),
        (Some("//evil.example/secret-id"), evil),
        (Some("https://"), other),
        (Some("javascript:alert(1)"), other),
        (Some("data:text/html,secret-id"), other),
        (Some(""), other),
        (Some("\u{e9}"), other),
        (None, other),
    ] {
        for status in [301, 302, 303, 307, 308] {
            let tenant = Script::of([match location {
                Some(location) => crate::script::status(status).header("location", location),
                None => crate::script::status(status),
            }]);
            let error = tenant.lms().get_course("c1").call().await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Redirect);
            let text = format!("{error} {error:#} {error:?}");
            assert!(text.contains(named), "{location:?}: {text}");
            for hidden in ["steal", "hunter2", "secret-id", "token=", "alert", "u:"] {
                assert!(!text.contains(hidden), "{location:?}: {text}");
            }
        }
    }
}
