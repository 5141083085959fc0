//! No value of a caller changes where a request goes: no id in the path, no filter, no header.
//!
//! Driven by the table of operations, so that a new operation is either tested or fails a test.

use lms_ext::{CallFuture, OPERATIONS, OperationInfo, prelude::*};
use serde_json::{Value, json as value};

use crate::script::{Script, json};

/// Values that change paths, queries or headers if they are not encoded.
fn hostile() -> Vec<String> {
    let mut values: Vec<String> = [
        "..",
        ".",
        "",
        "...",
        ". ",
        " .",
        "..;",
        "../..",
        "../learners",
        "/..",
        "a/..",
        "./",
        "/",
        "//",
        "a/b",
        "a//b",
        "/a/",
        "%",
        "%2",
        "%2e",
        "%2e%2e",
        "%2E%2E",
        ".%2e",
        "%2f",
        "%2F..",
        "%252e",
        "%5c",
        "%00",
        "%0d%0a",
        "%zz",
        "\\",
        "..\\",
        "\\..",
        "a\\b",
        "?",
        "a?b=c",
        "?limit=1",
        "#",
        "a#b",
        "&",
        "a&b=c",
        "=",
        "+",
        "a+b",
        ";",
        "a;b=c",
        ":",
        "a:b",
        "http://evil.example/",
        "//evil.example",
        "@",
        "a@b.example",
        "user@evil.example/..",
        "$",
        "*",
        "!",
        "'",
        "\"",
        "<>",
        "|",
        "^",
        "`",
        "{id}",
        "{",
        "}",
        "[",
        "]",
        "~",
        ",",
        " ",
        "  ",
        " a",
        "a ",
        "a b",
        "\t",
        "a\tb",
        "\r",
        "\n",
        "\r\n",
        "a\r\nx-evil: 1",
        "a\r\n\r\nGET / HTTP/1.1",
        "\0",
        "a\0b",
        "\u{7f}",
        "\u{1b}[31m",
        "é",
        "ünïcödé",
        "日本語",
        "🦀",
        "\u{feff}",
        "\u{200b}",
        "\u{202e}abc",
        "\u{2028}",
        "．．",
        "‥",
        "／",
        "email",
        "null",
        "true",
        "0",
        "-1",
    ]
    .map(str::to_owned)
    .into();
    values.push("x".repeat(10_240));
    values.push("../".repeat(3_000));
    values.push("é".repeat(5_120));
    values
}

/// The only ids that are rejected, because they address another path.
fn rejected(id: &str) -> bool {
    matches!(id, "" | "." | "..")
}

/// A table of operations and the parameters that values are passed to.
macro_rules! table {
    ($function:ident, $names:ident: $($operation:ident($($parameter:ident),+) $(body $body:expr)?;)+) => {
        /// The parameters of an operation in the table.
        fn $names(operation: &str) -> &'static [&'static str] {
            match operation {
                $(stringify!($operation) => &[$(stringify!($parameter)),+],)+
                _ => &[],
            }
        }

        /// Calls an operation with values for its parameters, in the order of the table.
        fn $function(lms: &Lms, operation: &str, values: &[String]) -> CallFuture<Value> {
            let mut values = values.iter().cloned();
            let mut next = || values.next().unwrap();
            match operation {
                $(stringify!($operation) => lms
                    .$operation()
                    $(.$parameter(next()))+
                    $(.body($body))?
                    .call_as(),)+
                other => panic!("{other} is not in the table"),
            }
        }
    };
}

table! { with_path, path_parameters:
    get_course(id);
    edit_course(id) body types::Course::builder();
    delete_course(id);
    view_duplicate_course(id);
    get_topic(id);
    get_learner_by_email(email);
    get_learner_by_id(id);
    edit_learner(id) body types::EditLearner::builder().firstname("a").surname("b").email("c");
    delete_learner(id);
    get_topic_progress(user, topic);
    get_course_progress(course, user);
    get_user_field(id);
    list_user_field_permissions(user);
    get_active_record(user, user_field);
}

#[test]
fn every_operation_with_a_path_parameter_is_in_the_table() {
    for operation in OPERATIONS {
        assert_eq!(
            path_parameters(operation.id),
            operation.path_parameters,
            "{}",
            operation.id
        );
    }
}

#[tokio::test]
async fn an_id_is_encoded_in_its_path_or_nothing_is_sent() {
    let hostile = hostile();
    for operation in OPERATIONS
        .iter()
        .filter(|info| !info.path_parameters.is_empty())
    {
        let tenant = Script::new(|_| json(value!({})));
        let lms = tenant.lms();
        for position in 0..operation.path_parameters.len() {
            for id in &hostile {
                let mut values = vec!["other".to_owned(); operation.path_parameters.len()];
                values[position].clone_from(id);
                let before = tenant.count();
                let result = with_path(&lms, operation.id, &values).await;
                let sent = &tenant.seen()[before..];
                if rejected(id) {
                    let error = result.unwrap_err();
                    let name = operation.path_parameters[position];
                    assert!(error.is_usage(), "{}: {error}", operation.id);
                    assert!(error.to_string().contains(name), "{error}");
                    assert_eq!(error.operation(), Some(operation.id));
                    assert!(sent.is_empty(), "{} sent {id:?}", operation.id);
                } else {
                    assert!(result.is_ok(), "{} {id:.40?}: {result:?}", operation.id);
                    assert_eq!(sent.len(), 1, "{} {id:.40?}", operation.id);
                    assert_eq!(sent[0].method, operation.method);
                    assert_eq!(sent[0].url.host_str(), Some("tenant.example"));
                    assert_eq!(sent[0].url.query().unwrap_or_default(), "");
                    assert_eq!(sent[0].url.fragment(), None);
                    assert_eq!(read_path(operation, sent[0].path()), values, "{id:.40?}");
                }
            }
        }
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

/// Query parameters that are not strings.
const TYPED: [&str; 5] = [
    "limit",
    "archived",
    "published",
    "completed",
    "order_direction",
];

fn one(value: String) -> Vec<String> {
    vec![value]
}

/// The parameter `tags` is a list; the others are strings.
trait Tagged: Sized {
    fn tag(self, value: String) -> Self;
}

impl<P> Tagged for lms_ext::builders::ListLearners<'_, P> {
    fn tag(self, value: String) -> Self {
        self.tags(one(value))
    }
}

table! { with_query, query_parameters:
    list_courses(cursor);
    list_topics(cursor, course, kind);
    list_learners(cursor, signup_page, username, email, tag, order_by);
    list_enrolments(cursor, course, user);
    delete_enrolment(user, course);
    list_topic_progress(cursor, user, topic, course);
    list_course_completions(course, user, cursor);
    list_user_fields(cursor);
}

/// Operations with path and query parameters.
fn with_both(lms: &Lms, operation: &str, value: &str) -> CallFuture<Value> {
    match operation {
        "get_topic_progress" => lms
            .get_topic_progress()
            .user("u")
            .topic("t")
            .course(value)
            .call_as(),
        "list_user_field_permissions" => lms
            .list_user_field_permissions()
            .user("u")
            .cursor(value)
            .call_as(),
        other => panic!("{other} has query parameters and is in no table"),
    }
}

#[tokio::test]
async fn a_filter_arrives_unchanged() {
    let hostile = hostile();
    for operation in OPERATIONS
        .iter()
        .filter(|info| !info.query_parameters.is_empty())
    {
        let tenant = Script::new(|_| json(value!({})));
        let lms = tenant.lms();
        let texts: Vec<_> = operation
            .query_parameters
            .iter()
            .copied()
            .filter(|name| !TYPED.contains(name))
            .collect();
        let table: Vec<_> = query_parameters(operation.id)
            .iter()
            .map(|name| if *name == "tag" { "tags" } else { name })
            .collect();
        if !operation.path_parameters.is_empty() {
            assert_eq!(texts.len(), 1, "{}", operation.id);
            for filter in &hostile {
                let before = tenant.count();
                with_both(&lms, operation.id, filter).await.unwrap();
                let sent = &tenant.seen()[before..];
                assert_eq!(sent.len(), 1);
                assert_eq!(sent[0].query(texts[0]).as_ref(), Some(filter));
                assert_eq!(
                    read_path(operation, sent[0].path()).len(),
                    operation.path_parameters.len()
                );
            }
            continue;
        }
        let sorted = |mut names: Vec<&'static str>| {
            names.sort_unstable();
            names
        };
        assert_eq!(sorted(table.clone()), sorted(texts), "{}", operation.id);
        for position in 0..table.len() {
            for filter in &hostile {
                let mut values = vec!["other".to_owned(); table.len()];
                values[position].clone_from(filter);
                let before = tenant.count();
                let result = with_query(&lms, operation.id, &values).await;
                let sent = &tenant.seen()[before..];
                if let Err(error) = result {
                    // A blank filter would delete more than intended.
                    assert!(operation.id == "delete_enrolment" && filter.trim().is_empty());
                    assert!(error.is_usage(), "{error}");
                    assert!(sent.is_empty());
                    continue;
                }
                assert_eq!(sent.len(), 1, "{} {filter:.40?}", operation.id);
                assert_eq!(sent[0].path(), operation.path);
                let mut pairs: Vec<_> = sent[0].url.query_pairs().into_owned().collect();
                pairs.sort_unstable();
                let mut expected: Vec<_> = table
                    .iter()
                    .map(|name| (*name).to_owned())
                    .zip(values)
                    .collect();
                expected.sort_unstable();
                assert_eq!(pairs, expected, "{} {filter:.40?}", operation.id);
            }
        }
    }
}

#[test]
fn invalid_header_values_are_rejected_when_the_client_is_built() {
    let tenant = Script::of([]);
    for text in [
        "",
        " ",
        "a\r\nx-evil: 1",
        "a\nb",
        "a\rb",
        "\r\n",
        "a\0b",
        "a\u{7f}b",
        "a\u{1b}[31m",
        "a\u{8}",
    ] {
        let error = tenant.builder().application(text).build().unwrap_err();
        assert!(error.is_usage(), "{text:?}");
        assert!(error.to_string().contains("application name"), "{error}");
        let error = tenant.builder().token(text).build().unwrap_err();
        assert!(error.is_usage(), "{text:?}");
        assert!(!format!("{error:#?}").contains("x-evil"), "{error:?}");
    }
}

#[test]
fn an_empty_token_is_refused() {
    let error = Script::of([]).builder().token("").build().unwrap_err();
    assert!(error.is_usage());
    assert!(error.to_string().contains("the token is empty"), "{error}");
}

#[tokio::test]
async fn the_application_is_named_before_the_client() {
    let tenant = Script::new(|_| json(value!({})));
    let lms = tenant.builder().application("hr-sync/2.1").build().unwrap();
    lms.me().call().await.unwrap();
    let agent = &tenant.seen()[0].headers["user-agent"];
    assert!(
        agent.to_str().unwrap().starts_with("hr-sync/2.1 lms-ext/"),
        "{agent:?}"
    );
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_shows_only_its_origin() {
    for (location, named) in [
        (
            Some("https://evil.example/steal?token=1#x"),
            "https://evil.example is not",
        ),
        (
            Some("https://u:hunter2@evil.example:8443/x"),
            "https://evil.example:8443 is not",
        ),
        (
            Some("http://tenant.example/api/v1/courses/secret-id"),
            "http://tenant.example is not",
        ),
        (Some("/elsewhere/secret-id"), "another path is not"),
        (Some("../secret-id"), "another path is not"),
        (
            Some("//evil.example/secret-id"),
            "https://evil.example is not",
        ),
        (Some("https://"), "another path is not"),
        (Some("javascript:alert(1)"), "another path is not"),
        (Some("data:text/html,secret-id"), "another path is not"),
        (Some(""), "another path is not"),
        (Some("\u{e9}"), "another path is not"),
        (None, "another path is not"),
    ] {
        for status in [301, 302, 303, 307, 308] {
            let tenant = Script::of([match location {
                Some(location) => crate::script::status(status).header("location", location),
                None => crate::script::status(status),
            }]);
            let error = tenant.lms().get_course().id("c1").call().await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Redirect);
            let text = format!("{error} {error:#} {error:?}");
            assert!(text.contains(named), "{location:?}: {text}");
            for hidden in ["steal", "hunter2", "secret-id", "token=", "alert", "u:"] {
                assert!(!text.contains(hidden), "{location:?}: {text}");
            }
        }
    }
}
