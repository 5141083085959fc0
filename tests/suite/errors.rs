//! The properties and messages of errors.

mod connections;

use std::{error::Error as _, time::Duration};

use bytes::Bytes;
use lms_ext::{
    CallOptions, ErrorKind, Operation, Policies, RetryPolicy,
    http::{HttpClient, HttpError, HttpFailure, HttpFuture},
    prelude::*,
};
use serde_json::json as value;

use crate::script::{Act, Script, fail, json, lost, refused, silence, status};

async fn read(tenant: &Script) -> Error {
    tenant.lms().get_course("c1").call().await.unwrap_err()
}

/// A value that a generated type refuses is a usage error that names the field.
#[tokio::test]
async fn a_refused_value_of_a_type_is_a_usage_error() {
    fn course(priority: u64) -> Result<types::Course, Error> {
        Ok(types::Course::builder().user_version(priority).try_into()?)
    }
    assert!(course(5).is_ok());
    let error = course(u64::MAX).unwrap_err();
    assert!(
        error.is_usage() && error.to_string().contains("user_version"),
        "{error}"
    );
}

/// A kind that the guide lacks, or describes otherwise than the code.
#[test]
fn the_guide_describes_every_kind() {
    let page = include_str!("../../docs/guide/handle-errors.md");
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(" | ").collect()).collect();
    let kinds: Vec<_> = rows.iter().map(|row| row[0]).collect();
    let all: Vec<_> = ErrorKind::ALL
        .iter()
        .map(|kind| format!("| `{kind:?}`"))
        .collect();
    assert_eq!(kinds, all);
    for (kind, row) in ErrorKind::ALL.iter().zip(rows) {
        let retry = Error::for_test(*kind).is_retryable();
        let expected = if retry { "yes" } else { "no" };
        assert_eq!(row[1], expected, "{row:?}");
        assert_eq!(row[2], kind.gateway_status().to_string(), "{row:?}");
    }
}

async fn write(tenant: &Script) -> Error {
    let lms = tenant.lms();
    let call = lms.add_course("Safety").call();
    call.await.unwrap_err()
}

#[tokio::test(start_paused = true)]
async fn every_status_has_a_kind_and_a_message() {
    let table = "
        302 => Redirect => ; the redirect to another path is not followed, because credentials stay with the configured host; check the base URL
        400 => Rejected => ; the server rejected the request
        401 => Unauthenticated => after 2 attempts over 0.0 s; the server does not accept the credentials
        403 => Forbidden => ; these credentials do not allow it
        404 => NotFound => ; not found
        409 => Conflict => ; it conflicts with existing data
        410 => NotFound => ; not found
        418 => Rejected => ; the server rejected the request
        422 => Rejected => ; the server rejected the request
        501 => Server => ; server error
        599 => Server => ; server error";
    let timeout = read(&Script::new(|_| status(408))).await;
    assert_eq!(timeout.kind(), ErrorKind::Server);
    for [code, kind, text] in crate::rows(table) {
        let number = code.parse().unwrap();
        let error = read(&Script::new(move |_| status(number))).await;
        assert_eq!(format!("{:?}", error.kind()), kind, "{code}");
        assert_eq!(error.status(), Some(number));
        assert_eq!(error.operation(), Some("get_course"));
        let for_test = Error::for_test(error.kind());
        assert_eq!(
            (for_test.kind(), for_test.is_retryable()),
            (error.kind(), error.is_retryable())
        );
        let space = if text.starts_with(';') { "" } else { " " };
        assert_eq!(
            error.to_string(),
            format!("get_course: {code}{space}{text}")
        );
        for (is, named) in [
            (error.is_not_found(), "NotFound"),
            (error.is_unauthenticated(), "Unauthenticated"),
            (error.is_forbidden(), "Forbidden"),
            (error.is_conflict(), "Conflict"),
            (error.is_rate_limited(), "RateLimited"),
            (error.is_retryable(), "Server"),
        ] {
            assert_eq!(is, kind == named, "{code}: {named}");
        }
        let for_all = ["Redirect", "Unauthenticated", "Forbidden", "Server"].contains(&kind);
        assert_eq!(error.is_object_specific(), !for_all, "{code}");
        assert!(!error.is_usage() && !error.is_timeout() && !error.is_ambiguous());
    }
    let error = write(&Script::of([status(500)])).await;
    assert!(error.is_ambiguous() && !error.is_retryable());
    let advice = "it may have been processed; check before you send it again";
    assert_eq!(error.to_string(), format!("add_course: 500; {advice}"));
    assert_eq!(Error::for_test(ErrorKind::Ambiguous).to_string(), advice);
}

#[tokio::test(start_paused = true)]
async fn a_message_says_what_happened() {
    let busy = || status(429).header("retry-after", "2");
    let error = read(&Script::new(move |_| {
        busy().after(Duration::from_millis(50))
    }))
    .await;
    let text = error.to_string();
    let [start, end] = [
        "get_course: 429 after 3 attempts over ",
        " s; the server asked to wait 2 s",
    ];
    assert!(text.starts_with(start) && text.ends_with(end), "{text}");

    let acts = [
        fail(HttpFailure::Lost),
        json(value!({"id": "c1"})).broken(),
        json(value!({"id": "c1", "archived": "yes"})),
        status(200).body("<html>"),
        status(200),
    ];
    let expected = "
        the connection broke before the end of the response
        200; the connection broke before the end of the response body
        200; the response cannot be decoded: expected a boolean at archived
        200; the response is not JSON (line 1, column 1)
        200; the response has no body";
    for (act, [expected]) in acts.into_iter().zip(crate::rows(expected)) {
        let error = write(&Script::of([act])).await;
        let unknown = "it may have been processed; check before you send it again";
        assert_eq!(
            error.to_string(),
            format!("add_course: {expected}; {unknown}")
        );
    }
    let error = write(&Script::of([status(409).header("x-request-id", "r-17")])).await;
    assert_eq!(
        error.to_string(),
        "add_course: 409; it conflicts with existing data; request id r-17"
    );

    let error = read(&Script::new(|_| refused())).await;
    let text = error.to_string();
    let start = "get_course: could not connect to tenant.example: scripted (after 3 attempts over ";
    assert!(text.starts_with(start), "{text}");
    assert!(error.source().is_some(), "what the network said is kept");
}

#[tokio::test(start_paused = true)]
async fn the_previous_attempt_is_the_source_of_a_call_timeout() {
    let tenant = Script::new(|seen| match seen.index {
        0 => status(503).header("x-request-id", "r-1"),
        _ => silence(),
    });
    let lms = tenant.lms();
    let options = CallOptions::new().timeout(Duration::from_secs(30));
    let call = lms.get_course("c1").options(options).call();
    let error = call.await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DeadlineExceeded);
    let before: &Error = error.source().unwrap().downcast_ref().unwrap();
    assert_eq!(before.status(), Some(503));
    assert_eq!(before.request_id(), Some("r-1"));
    assert_eq!(
        error.to_string(),
        "get_course: call timeout of 30 s exceeded while waiting for the response (after 2 attempts over 30.0 s); before that: 503; server error; request id r-1"
    );
}

#[tokio::test]
async fn the_body_of_an_error_is_kept_as_received_and_not_shown() {
    let cut = Bytes::from("{\"message\":\"secret-42 is");
    let cases: [(Act, &[u8], Option<&str>); 7] = [
        (
            status(400).body("{\"error\":{\"code\":\"bad\",\"message\":\"secret-42 is taken\"}}"),
            b"{\"error\":{\"code\":\"bad\",\"message\":\"secret-42 is taken\"}}",
            Some("secret-42 is taken"),
        ),
        (
            status(502).body("<html><p>secret-42</p></html>"),
            b"<html><p>secret-42</p></html>",
            None,
        ),
        (status(400), b"", None),
        (status(400).body(cut.clone()), &cut, None),
        (status(400).body(cut.clone()).broken(), &cut, None),
        (status(400).broken(), b"", None),
        (
            status(400).body(&b"\xff\xfe secret-42"[..]),
            b"\xff\xfe secret-42",
            None,
        ),
    ];
    for (act, body, message) in cases {
        let tenant = Script::of([act]);
        let lms = tenant.lms_with(|it| it.retry(RetryPolicy::disabled()));
        let error = lms.get_course("c1").call().await.unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Rejected | ErrorKind::Server),
            "{error:?}"
        );
        assert_eq!(error.body(), Some(body));
        assert_eq!(error.message().as_deref(), message);
        assert_eq!(format!("{error:?}"), error.to_string());
        for shown in [format!("{error}"), format!("{error:#?}")] {
            assert!(!shown.contains("secret-42"), "{shown}");
        }
        assert_eq!(
            format!("{error:#}").contains("secret-42"),
            message.is_some(),
            "the server's message is shown on request"
        );
    }
}

#[tokio::test]
async fn a_large_error_body_is_cut_off() {
    let tenant = Script::of([(0..100).fold(status(400), |act, _| act.body(vec![b'x'; 10_000]))]);
    let error = read(&tenant).await;
    assert_eq!(error.status(), Some(400));
    assert_eq!(error.body().unwrap().len(), 64 * 1024);
}

#[tokio::test(start_paused = true)]
async fn a_success_that_is_not_json_is_reported_with_its_content_type_and_no_content() {
    // 80 and 81 characters.
    const TOO_LONG: &str =
        "text/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
    const LONG: &str = TOO_LONG.split_at(TOO_LONG.len() - 1).0;
    let foreign = |media_type| {
        format!(
            "the response is not JSON; its content type is {media_type}, so it probably is that of a proxy or of another site"
        )
    };
    let not_json = || "the response is not JSON".to_owned();
    let (page, early) = ("<html>secret-42</html>", "the response body ends too early");
    for (media_type, body, expected) in [
        ("text/html; charset=utf-8", page, foreign("text/html")),
        (
            "application/json",
            "{\"name\": \"secret-42",
            early.to_owned(),
        ),
        ("text/<script>", page, not_json()),
        // Not one to show: it has no `/`, or is too long.
        ("html", page, not_json()),
        (LONG, page, foreign(LONG)),
        (TOO_LONG, page, not_json()),
        // The token of the client.
        ("text/a-token", page, not_json()),
    ] {
        let act = status(200).header("content-type", media_type).body(body);
        let tenant = Script::new(move |_| act.clone());
        let lms = tenant.lms();
        for error in [
            lms.get_course("c1").call().await.unwrap_err(),
            lms.list_courses().items().try_next().await.unwrap_err(),
            lms.update_course("c1", |c| c.archived = Some(true))
                .await
                .unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::NotJson);
            assert!(error.is_retryable() && error.attempts() == 3);
            let text = error.to_string();
            let (_, said) = text.split_once(" s; ").unwrap();
            assert_eq!(said, expected);
            assert!(!format!("{error:?} {error:#}").contains("secret-42"));
        }
        // Nothing is sent again after a write, and the same is said.
        let sent = tenant.count();
        let error = write(&tenant).await;
        assert!(error.is_ambiguous(), "{error}");
        assert_eq!(tenant.count(), sent + 1);
        assert!(!error.to_string().contains("a-token"), "{error}");
    }
}

#[tokio::test]
async fn a_404_that_is_not_json_says_nothing_about_the_object() {
    for (body, is_of_service) in [
        ("", true),
        (r#"{"error": {"code": "not_found"}}"#, true),
        (" [\"not found\"]", true),
        ("\"not found\"", true),
        ("<html>404</html>", false),
        ("404 page not found", false),
        ("default backend - 404", false),
    ] {
        for code in [404, 410] {
            let act = status(code).header("content-type", "text/plain").body(body);
            let tenant = Script::new(move |_| act.clone());
            let error = read(&tenant).await;
            assert_eq!(error.is_not_found(), is_of_service, "{body}");
            assert_eq!((error.status(), error.attempts()), (Some(code), 1));
            if is_of_service {
                continue;
            }
            assert_eq!(error.kind(), ErrorKind::NotJson);
            let text = "the response is not JSON; its content type is text/plain, so it probably is that of a proxy or of another site";
            assert_eq!(error.to_string(), format!("get_course: {code}; {text}"));
            // No learner is added, and no list is read from its start.
            let lms = tenant.lms();
            let learner = types::AddLearner::builder("Ann", "Smith", "ann@acme.example");
            let error = lms.ensure_learner(learner).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotJson);
            let mut pages = lms.list_learners().cursor("x").pages();
            let error = pages.try_next().await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotJson);
            assert_eq!(tenant.count(), 3);
        }
    }
}

#[tokio::test]
async fn a_redirected_write_was_not_processed_except_with_303() {
    let to = |code| status(code).header("location", "/api/v1/courses/c9");
    for code in [300, 301, 302, 307, 308] {
        let error = write(&Script::of([to(code)])).await;
        assert_eq!(error.kind(), ErrorKind::Redirect, "{code}");
        assert!(!error.is_retryable() && error.attempts() == 1, "{code}");
    }
    let error = write(&Script::of([to(303)])).await;
    assert_eq!(error.kind(), ErrorKind::Ambiguous);
    assert_eq!(
        error.to_string(),
        "add_course: 303; the redirect to another path is not followed, because credentials stay with the configured host; check the base URL; it may have been processed; check before you send it again"
    );
    let error = read(&Script::of([to(303)])).await;
    assert_eq!(error.kind(), ErrorKind::Redirect);
}

#[tokio::test]
async fn the_error_of_a_builder_names_the_parameter_and_what_to_do() {
    let tenant = Script::of([]);
    let lms = tenant.lms();
    async fn refused<O: Operation<Transport = Policies>>(call: O) -> Error {
        call.call().await.map(drop).unwrap_err()
    }
    let course = types::Course::builder().name("Lifting").pass_mark("80 %");
    let errors = [
        refused(lms.list_courses().limit(u64::MAX)).await,
        refused(lms.list_learners().limit("many")).await,
        refused(lms.edit_course("c1", course)).await,
        refused(lms.get_course("..")).await,
        refused(lms.get_course("")).await,
        refused(lms.add_enrolment("c1", " ")).await,
        refused(lms.list_enrolments().user("")).await,
    ];
    let expected = "
        list_courses: limit is not valid: the integer is out of range
        list_learners: limit is not valid: expected an integer: an optional sign and digits
        edit_course: in the body, pass_mark is not valid: expected an integer: an optional sign and digits
        get_course: id is a dot segment, which addresses another path; give the id of one object
        get_course: id is not valid: it is empty; give the id of one object
        add_enrolment: in the body, user is not valid: it is empty; give the id of one object
        list_enrolments: user is not valid: it is empty; give the id of one object";
    for (error, [expected]) in errors.iter().zip(crate::rows(expected)) {
        assert!(error.is_usage());
        assert_eq!((error.attempts(), error.status()), (0, None));
        assert_eq!(error.to_string(), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn no_error_shows_a_path_an_id_or_a_filter() {
    // On a real socket, because reqwest's own error would show the URL.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let lms = Lms::builder(format!("http://127.0.0.1:{port}/prefix"))
        .token("a-token")
        .retry(RetryPolicy::disabled())
        .build()
        .unwrap();
    let by_id = lms.get_learner_by_email("jo@secret.example");
    let by_filter = lms.list_learners().email("jo@secret.example");
    for error in [
        by_id.call().await.map(drop).unwrap_err(),
        by_filter.call().await.map(drop).unwrap_err(),
    ] {
        let mut shown = format!("{error} {error:#} {error:?}");
        let mut source = error.source();
        while let Some(error) = source {
            shown += &format!(" {error} {error:?}");
            source = error.source();
        }
        assert!(!shown.contains("secret.example"), "{shown}");
        assert!(!shown.contains("/prefix"), "{shown}");
        assert!(!shown.contains("a-token"), "{shown}");
    }
}

#[tokio::test]
async fn a_request_id_is_found_in_the_usual_headers() {
    let names = "x-request-id request-id x-correlation-id traceparent cf-ray";
    for name in names.split(' ') {
        let tenant = Script::of([status(404).header(name, "id-9")]);
        assert_eq!(read(&tenant).await.request_id(), Some("id-9"), "{name}");
    }
    let long = "x".repeat(1000);
    let tenant = Script::of([status(404).header("x-request-id", &long)]);
    assert_eq!(read(&tenant).await.request_id(), Some(&long[..128]));
    assert_eq!(read(&Script::of([status(404)])).await.request_id(), None);
    assert_eq!(write(&Script::of([lost()])).await.request_id(), None);
}

#[test]
fn the_name_of_a_kind_is_its_variant_in_snake_case() {
    for kind in ErrorKind::ALL {
        let variant = format!("{kind:?}");
        let mut name = String::new();
        for letter in variant.chars() {
            if letter.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.push(letter.to_ascii_lowercase());
        }
        assert_eq!(kind.name(), name);
    }
}

/// An HTTP client that does not connect, and shows the token in its error.
#[derive(Debug)]
struct Telling;

impl HttpClient for Telling {
    fn send(&self, _: reqwest::Request) -> HttpFuture<'_> {
        let error = HttpError::new(HttpFailure::Connect, "no route for a-token-of-mine");
        Box::pin(std::future::ready(Err(error)))
    }
}

#[tokio::test(start_paused = true)]
async fn why_there_is_no_connection_is_shown_without_secrets() {
    let builder = Lms::builder("https://tenant.example").token("a-token-of-mine");
    let lms = builder.http_client(Telling).build().unwrap();
    let error = lms.me().call().await.unwrap_err();
    let shown = format!("{error} {error:#}");
    assert!(shown.contains("could not connect"), "{shown}");
    assert!(!shown.contains("a-token-of-mine"), "{shown}");
}
