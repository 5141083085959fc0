//! Nothing hangs, and nothing grows without end: each limit, at each stage of a call.

use std::{io::Write as _, time::Duration};

use flate2::{Compression, write::GzEncoder};
use lms_ext::{CallOptions, ErrorKind, RetryPolicy, Timeouts, http::HttpFailure, prelude::*};
use serde_json::json as value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    time::Instant,
};

use crate::script::{Act, Script, fail, json, silence, status};

const YEAR: Duration = Duration::from_secs(31_536_000);

/// Limits of which each can be told from the others.
fn timeouts() -> Timeouts {
    Timeouts::default()
        .attempt(Duration::from_secs(40))
        .read(Duration::from_secs(7))
        .call(Duration::from_secs(90))
}

fn trickle() -> Act {
    (0..100).fold(status(200), |act, _| {
        act.body_after(Duration::from_secs(6), " ")
    })
}

#[tokio::test(start_paused = true)]
async fn a_stall_at_any_stage_ends_with_the_limit_that_ran_out() {
    use ErrorKind::{AttemptTimeout, BodyStalled, ConnectTimeout, DeadlineExceeded};
    type Handler = fn() -> Act;
    let cases: &[(&str, Handler, u32, ErrorKind, u64, &str)] = &[
        (
            "connecting",
            || fail(HttpFailure::ConnectTimeout).after(Duration::from_secs(10)),
            1,
            ConnectTimeout,
            10,
            "get_course: could not connect to tenant.example within 10 s (after 1 attempt)",
        ),
        (
            "headers",
            silence,
            1,
            AttemptTimeout,
            40,
            "get_course: the 40 s that one attempt may take ran out while waiting for the answer",
        ),
        (
            "the first piece of the body",
            || status(200).body_after(YEAR, "{}"),
            1,
            BodyStalled,
            7,
            "get_course: 200; nothing more of the body came for the 7 s that a pause in it may take",
        ),
        (
            "the middle of the body",
            || status(200).body("{").body_after(YEAR, "}"),
            1,
            BodyStalled,
            7,
            "get_course: 200; nothing more of the body came for the 7 s that a pause in it may take",
        ),
        (
            "a body that never ends",
            trickle,
            1,
            AttemptTimeout,
            40,
            "get_course: 200; the 40 s that one attempt may take ran out while waiting for the rest of the body",
        ),
        (
            "every attempt",
            silence,
            9,
            DeadlineExceeded,
            90,
            "get_course: the 90 s that the whole call may take ran out while waiting for the answer (after 3 attempts over 90.0 s); before that: the 40 s that one attempt may take ran out while waiting for the answer",
        ),
    ];
    for (stage, act, attempts, kind, seconds, text) in cases {
        let act = *act;
        let tenant = Script::new(move |_| act());
        let lms = tenant
            .builder()
            .timeouts(timeouts())
            .retry(RetryPolicy::default().max_attempts(*attempts))
            .build()
            .unwrap();
        let start = Instant::now();
        let error = lms.get_course().id("c1").call().await.unwrap_err();
        assert_eq!(error.kind(), *kind, "{stage}: {error}");
        assert!(error.is_timeout() && error.is_retryable(), "{stage}");
        assert_eq!(start.elapsed().as_secs(), *seconds, "{stage}");
        assert_eq!(error.elapsed().as_secs(), *seconds, "{stage}");
        assert_eq!(error.to_string(), *text, "{stage}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_was_told_no_limits_has_those_of_the_docs() {
    use ErrorKind::{AttemptTimeout, BodyStalled, DeadlineExceeded};
    let (once, often) = (
        RetryPolicy::disabled(),
        RetryPolicy::default().max_attempts(9),
    );
    let stalled: fn() -> Act = || status(200).body("{").body_after(YEAR, "}");
    for (act, retry, kind, seconds) in [
        (stalled, once.clone(), BodyStalled, 15),
        (silence, once, AttemptTimeout, 60),
        (silence, often, DeadlineExceeded, 180),
    ] {
        let lms = Script::new(move |_| act()).builder().retry(retry).build();
        let start = Instant::now();
        let error = lms.unwrap().get_course().id("c1").call().await.unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert_eq!(start.elapsed().as_secs(), seconds, "{error}");
    }
}

/// A listener whose queue is full: what comes next is neither taken nor refused.
#[cfg(target_os = "linux")]
#[tokio::test(start_paused = true)]
async fn a_connection_that_nobody_takes_is_given_up_after_ten_seconds() {
    use tokio::net::{TcpSocket, TcpStream};
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let full = socket.listen(0).unwrap();
    let address = full.local_addr().unwrap();
    let _the_one_it_has_room_for = TcpStream::connect(address).await.unwrap();
    let lms = Lms::builder(format!("http://{address}"))
        .token("a-token")
        .retry(RetryPolicy::disabled())
        .build()
        .unwrap();
    let start = Instant::now();
    let error = lms.get_course().id("c1").call().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectTimeout, "{error:#}");
    assert_eq!(start.elapsed().as_secs(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_token_endpoint_that_stalls_ends_every_call_that_waits_for_it() {
    let tenant = Script::new(|_| silence());
    let lms = Lms::builder("https://tenant.example")
        .client_credentials("id", "secret")
        .http_client(tenant)
        .timeouts(timeouts())
        .build()
        .unwrap();
    let start = Instant::now();
    let calls = (0..5).map(|_| lms.get_course().id("c1").call());
    for result in futures_util::future::join_all(calls).await {
        let error = result.unwrap_err();
        assert!(error.is_timeout(), "{error:?}");
        assert!(
            error
                .to_string()
                .contains("the 90 s that the whole call may take"),
            "{error}"
        );
    }
    assert_eq!(start.elapsed().as_secs(), 90);
}

#[tokio::test(start_paused = true)]
async fn an_error_whose_body_stalls_is_still_that_error() {
    let tenant = Script::of([status(404)
        .body("{\"message\":\"no such course\"}")
        .body_after(YEAR, " ")]);
    let error = tenant.lms().get_course().id("c1").call().await.unwrap_err();
    assert!(error.is_not_found());
    assert_eq!(error.message().as_deref(), Some("no such course"));
}

#[tokio::test(start_paused = true)]
async fn one_call_may_have_limits_or_a_deadline_of_its_own() {
    let tenant = Script::new(|_| silence());
    let lms = tenant.builder().timeouts(timeouts()).build().unwrap();
    for (options, seconds, kind) in [
        (
            CallOptions::new().timeout(Duration::from_secs(3)),
            3,
            ErrorKind::DeadlineExceeded,
        ),
        (
            CallOptions::new()
                .timeouts(Timeouts::default().attempt(Duration::from_secs(2)))
                .retry(RetryPolicy::disabled()),
            2,
            ErrorKind::AttemptTimeout,
        ),
        (
            CallOptions::new()
                .timeouts(Timeouts::default().attempt(Duration::from_secs(2)))
                .timeout(Duration::from_secs(1)),
            1,
            ErrorKind::DeadlineExceeded,
        ),
        (
            CallOptions::new().timeout(Duration::ZERO),
            0,
            ErrorKind::DeadlineExceeded,
        ),
    ] {
        let start = Instant::now();
        let call = lms.get_course().id("c1").options(options).call();
        assert_eq!(call.await.unwrap_err().kind(), kind);
        assert_eq!(start.elapsed().as_secs(), seconds);
    }
}

#[tokio::test(start_paused = true)]
async fn limits_without_end_are_no_limit() {
    let tenant = Script::new(|_| json(value!({"id": "c1"})).after(Duration::from_secs(1_000_000)));
    let never = Timeouts::default()
        .attempt(Duration::MAX)
        .read(Duration::MAX)
        .call(Duration::MAX);
    let lms = tenant
        .builder()
        .timeouts(never)
        .max_body_bytes(usize::MAX)
        .build()
        .unwrap();
    lms.get_course().id("c1").call().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_body_is_read_up_to_its_limit_however_it_comes() {
    let whole = format!("{{\"name\":\"{}\"}}", "x".repeat(89));
    assert_eq!(whole.len(), 100);
    let pieces = |sizes: &[usize]| {
        let mut rest = whole.as_str();
        sizes.iter().fold(status(200), |act, size| {
            let (piece, tail) = rest.split_at(*size);
            rest = tail;
            act.body(piece.to_owned())
        })
    };
    for sizes in [&[100][..], &[99, 1], &[1, 99], &[30, 30, 40]] {
        for (largest, fits) in [(100, true), (99, false)] {
            let tenant = Script::of([pieces(sizes)]);
            let lms = tenant.builder().max_body_bytes(largest).build().unwrap();
            match lms.get_course().id("c1").call().await {
                Ok(_) => assert!(fits, "{sizes:?}"),
                Err(error) => {
                    assert!(!fits, "{sizes:?}: {error}");
                    assert_eq!(error.kind(), ErrorKind::BodyTooLarge);
                    assert!(!error.is_retryable());
                    assert_eq!(
                        error.to_string(),
                        "get_course: 200; the body is larger than the 99 bytes that are read"
                    );
                }
            }
        }
    }
}

/// Answers every request on a real socket with the same bytes, then closes.
async fn serve(answer: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let answer = answer.clone();
            tokio::spawn(async move {
                let mut request = [0; 4096];
                let _ = socket.read(&mut request).await;
                // The client may hang up in the middle.
                let _ = socket.write_all(&answer).await;
                let _ = socket.shutdown().await;
            });
        }
    });
    format!("http://{address}")
}

fn http(headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{headers}\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn gzip(bytes: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let megabyte = vec![b' '; 1024 * 1024];
    for _ in 0..bytes / megabyte.len() {
        encoder.write_all(&megabyte).unwrap();
    }
    encoder.write_all(b"{\"id\":\"c1\"}").unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn a_compressed_body_is_counted_as_it_unfolds() {
    let megabytes = 1024 * 1024;
    let packed = gzip(100 * megabytes);
    assert!(packed.len() < megabytes, "it is small on the wire");
    let bomb = serve(http("content-encoding: gzip\r\n", &packed)).await;
    let lms = Lms::builder(bomb).token("a-token").build().unwrap();
    let error = lms.get_course().id("c1").call().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BodyTooLarge, "{error:?}");
    assert!(error.to_string().contains("64 MiB"), "{error}");

    let fits = serve(http("content-encoding: gzip\r\n", &gzip(2 * megabytes))).await;
    let lms = Lms::builder(fits).token("a-token").build().unwrap();
    let course = lms.get_course().id("c1").call().await.unwrap();
    assert_eq!(course.id.as_deref(), Some("c1"));
}

#[tokio::test]
async fn a_body_that_promises_too_much_is_not_waited_for() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n{".to_vec();
    let lms = Lms::builder(serve(head).await)
        .token("a-token")
        .build()
        .unwrap();
    let error = lms.get_course().id("c1").call().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BodyTooLarge, "{error:?}");
}

#[tokio::test]
async fn a_connection_that_closes_early_is_told_from_one_that_was_never_made() {
    let once = RetryPolicy::disabled();
    let early = http("", b"{\"id\":\"c1\"}");
    let early = early[..early.len() - 3].to_vec();
    for answer in [Vec::new(), early] {
        let lms = Lms::builder(serve(answer).await)
            .token("a-token")
            .retry(once.clone())
            .build()
            .unwrap();
        let error = lms.get_course().id("c1").call().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Connection, "{error:?}");
        let new = types::AddCourse::builder().name("Safety");
        let error = lms.add_course().body(new).call().await.unwrap_err();
        assert!(error.is_ambiguous(), "{error:?}");
    }

    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = nobody.local_addr().unwrap();
    drop(nobody);
    let lms = Lms::builder(format!("http://{address}"))
        .token("a-token")
        .build()
        .unwrap();
    let new = types::AddCourse::builder().name("Safety");
    let error = lms.add_course().body(new).call().await.unwrap_err();
    assert_eq!(
        (error.kind(), error.attempts()),
        (ErrorKind::Connect, 3),
        "{error:?}"
    );
}
