//! Every call ends, and reads a limited number of bytes: each timeout and limit, at each stage of a call.

use std::{io::Write as _, time::Duration};

use flate2::{Compression, write::GzEncoder};
use lms_ext::{CallOptions, ErrorKind, RetryPolicy, Timeouts, http::HttpFailure, prelude::*};
use serde_json::json as value;
use tokio::{net::TcpListener, time::Instant};

use crate::script::{Act, Script, fail, json, silence, status};
use crate::servers;

type Handler = fn() -> Act;

const YEAR: Duration = Duration::from_secs(31_536_000);

/// Timeouts that differ from each other.
fn timeouts() -> Timeouts {
    Timeouts::default()
        .attempt(Duration::from_secs(40))
        .read(Duration::from_secs(7))
        .call(Duration::from_secs(90))
}

#[tokio::test(start_paused = true)]
async fn a_stall_at_any_stage_ends_with_the_timeout_that_was_exceeded() {
    use ErrorKind::{AttemptTimeout, BodyStalled, ConnectTimeout, DeadlineExceeded};
    let connect = || fail(HttpFailure::ConnectTimeout).after(Duration::from_secs(10));
    let first_chunk = || status(200).body_after(YEAR, "{}");
    let next_chunk = || status(200).body("{").body_after(YEAR, "}");
    let trickle = || {
        (0..100).fold(status(200), |act, _| {
            act.body_after(Duration::from_secs(6), " ")
        })
    };
    let cases: [(Handler, u32, ErrorKind, u64); 6] = [
        (connect, 1, ConnectTimeout, 10),
        (silence, 1, AttemptTimeout, 40),
        (first_chunk, 1, BodyStalled, 7),
        (next_chunk, 1, BodyStalled, 7),
        (trickle, 1, AttemptTimeout, 40),
        (silence, 9, DeadlineExceeded, 90),
    ];
    let messages = "
        could not connect to tenant.example within 10 s (after 1 attempt)
        attempt timeout of 40 s exceeded while waiting for the response
        200; read timeout of 7 s exceeded while reading the response body
        200; read timeout of 7 s exceeded while reading the response body
        200; attempt timeout of 40 s exceeded while reading the response body
        call timeout of 90 s exceeded while waiting for the response (after 3 attempts over 90.0 s); before that: attempt timeout of 40 s exceeded while waiting for the response";
    for ((act, attempts, kind, seconds), [text]) in cases.into_iter().zip(crate::rows(messages)) {
        let policy = RetryPolicy::default().max_attempts(attempts);
        let builder = Script::new(move |_| act()).builder().timeouts(timeouts());
        let lms = builder.retry(policy).build().unwrap();
        let start = Instant::now();
        let error = lms.get_course("c1").call().await.unwrap_err();
        assert_eq!(error.to_string(), format!("get_course: {text}"));
        assert_eq!(error.kind(), kind, "{text}");
        assert!(error.is_timeout() && error.is_retryable(), "{text}");
        assert_eq!(start.elapsed().as_secs(), seconds, "{text}");
        assert_eq!(error.elapsed().as_secs(), seconds, "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_default_timeouts_are_the_documented_ones() {
    use ErrorKind::{AttemptTimeout, BodyStalled, DeadlineExceeded};
    let stalled = || status(200).body("{").body_after(YEAR, "}");
    let cases: [(Handler, u32, ErrorKind, u64); 3] = [
        (stalled, 1, BodyStalled, 15),
        (silence, 1, AttemptTimeout, 60),
        (silence, 9, DeadlineExceeded, 180),
    ];
    for (act, attempts, kind, seconds) in cases {
        let policy = RetryPolicy::default().max_attempts(attempts);
        let lms = Script::new(move |_| act()).builder().retry(policy).build();
        let start = Instant::now();
        let error = lms.unwrap().get_course("c1").call().await.unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert_eq!(start.elapsed().as_secs(), seconds, "{error}");
    }
}

/// The backlog of the listener is full, so that the next connection is neither accepted nor refused.
#[cfg(target_os = "linux")]
#[tokio::test(start_paused = true)]
async fn a_connection_that_is_not_accepted_times_out_after_ten_seconds() {
    use tokio::net::{TcpSocket, TcpStream};
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let full = socket.listen(0).unwrap();
    let address = full.local_addr().unwrap();
    let _fills_the_backlog = TcpStream::connect(address).await.unwrap();
    let builder = || {
        let builder = Lms::builder(format!("http://{address}")).token("a-token");
        builder.retry(RetryPolicy::disabled())
    };
    let shorter = builder().connect_timeout(Duration::from_secs(3));
    for (builder, seconds) in [(builder(), 10), (shorter, 3)] {
        let lms = builder.build().unwrap();
        let start = Instant::now();
        let error = lms.get_course("c1").call().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectTimeout, "{error:#}");
        assert_eq!(start.elapsed().as_secs(), seconds);
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_whose_body_stalls_keeps_its_status() {
    let server = Script::of([status(404)
        .body("{\"message\":\"no such course\"}")
        .body_after(YEAR, " ")]);
    let error = server.lms().get_course("c1").call().await.unwrap_err();
    assert!(error.is_not_found());
    assert_eq!(error.message().as_deref(), Some("no such course"));
}

#[tokio::test(start_paused = true)]
async fn a_call_may_have_its_own_timeouts() {
    let server = Script::new(|_| silence());
    let lms = server.lms_with(|it| it.timeouts(timeouts()));
    let attempt = CallOptions::new().timeouts(Timeouts::default().attempt(Duration::from_secs(2)));
    let call = |seconds| CallOptions::new().timeout(Duration::from_secs(seconds));
    for (options, seconds, kind) in [
        (call(3), 3, ErrorKind::DeadlineExceeded),
        (call(0), 0, ErrorKind::DeadlineExceeded),
        (
            attempt.clone().timeout(Duration::from_secs(1)),
            1,
            ErrorKind::DeadlineExceeded,
        ),
        (
            attempt.retry(RetryPolicy::disabled()),
            2,
            ErrorKind::AttemptTimeout,
        ),
    ] {
        let start = Instant::now();
        let call = lms.get_course("c1").options(options).call();
        assert_eq!(call.await.unwrap_err().kind(), kind);
        assert_eq!(start.elapsed().as_secs(), seconds);
    }
}

#[tokio::test(start_paused = true)]
async fn maximum_durations_mean_no_timeout() {
    let late = || json(value!({"id": "c1"})).after(Duration::from_secs(1_000_000));
    let never = Timeouts::default()
        .attempt(Duration::MAX)
        .read(Duration::MAX)
        .call(Duration::MAX);
    let builder = Script::new(move |_| late()).builder().timeouts(never);
    let lms = builder.max_body_bytes(usize::MAX).build().unwrap();
    lms.get_course("c1").call().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_body_is_read_up_to_the_limit_in_any_number_of_chunks() {
    let whole = format!("{{\"name\":\"{}\"}}", "x".repeat(89));
    assert_eq!(whole.len(), 100);
    let chunks = |sizes: &[usize]| {
        let mut rest = whole.as_str();
        sizes.iter().fold(status(200), |act, size| {
            let (chunk, tail) = rest.split_at(*size);
            rest = tail;
            act.body(chunk.to_owned())
        })
    };
    for sizes in [&[100][..], &[99, 1], &[1, 99], &[30, 30, 40]] {
        for (limit, fits) in [(100, true), (99, false)] {
            let server = Script::of([chunks(sizes)]);
            let lms = server.lms_with(|it| it.max_body_bytes(limit));
            match lms.get_course("c1").call().await {
                Ok(_) => assert!(fits, "{sizes:?}"),
                Err(error) => {
                    assert!(!fits, "{sizes:?}: {error}");
                    assert_eq!(error.kind(), ErrorKind::BodyTooLarge);
                    assert!(!error.is_retryable());
                    assert_eq!(
                        error.to_string(),
                        "get_course: 200; the response body exceeds the limit of 99 bytes; raise `max_body_bytes`"
                    );
                }
            }
        }
    }
}

/// Sends the same bytes to every connection on a real socket, then closes it.
async fn serve(response: Vec<u8>) -> String {
    servers::serve(move |_| response.clone()).await
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
async fn a_compressed_body_is_counted_after_decompression() {
    let megabytes = 1024 * 1024;
    let compressed = gzip(100 * megabytes);
    assert!(compressed.len() < megabytes);
    let bomb = serve(http("content-encoding: gzip\r\n", &compressed)).await;
    let lms = Lms::builder(bomb).token("a-token").build().unwrap();
    let error = lms.get_course("c1").call().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BodyTooLarge, "{error:?}");
    assert!(error.to_string().contains("67108864 bytes"), "{error}");

    let fits = serve(http("content-encoding: gzip\r\n", &gzip(2 * megabytes))).await;
    let lms = Lms::builder(fits).token("a-token").build().unwrap();
    let course = lms.get_course("c1").call().await.unwrap();
    assert_eq!(course.id.as_deref(), Some("c1"));
}

#[tokio::test]
async fn a_content_length_above_the_limit_fails_at_once() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n{".to_vec();
    let lms = Lms::builder(serve(head).await)
        .token("a-token")
        .build()
        .unwrap();
    let error = lms.get_course("c1").call().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BodyTooLarge, "{error:?}");
}

#[tokio::test]
async fn a_broken_connection_is_not_confused_with_a_failed_one() {
    let complete = http("", b"{\"id\":\"c1\"}");
    let broken = complete[..complete.len() - 3].to_vec();
    for response in [Vec::new(), broken] {
        let builder = Lms::builder(serve(response).await).token("a-token");
        let lms = builder.retry(RetryPolicy::disabled()).build().unwrap();
        let error = lms.get_course("c1").call().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Connection, "{error:?}");
        let error = lms.add_course("Safety").call().await.unwrap_err();
        assert!(error.is_ambiguous(), "{error:?}");
    }

    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}", closed.local_addr().unwrap());
    drop(closed);
    let lms = Lms::builder(base_url).token("a-token").build().unwrap();
    let error = lms.add_course("Safety").call().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Connect, "{error:?}");
    assert_eq!(error.attempts(), 3);
}

#[tokio::test]
async fn the_limits_of_a_response_can_be_set() {
    let with_objects = |inner| {
        let objects = vec!["{}"; inner].join(",");
        format!(r#"{{"id": "c1", "extra": [{objects}]}}"#)
    };
    let (few, many) = (with_objects(9_999), with_objects(10_000));
    let too_large = Some(ErrorKind::BodyTooLarge);
    for (body, bytes, expected) in [
        (&few, few.len(), None),
        (&few, few.len() - 1, too_large),
        (&many, many.len(), too_large),
        (&many, 10_001 * 1280, None),
    ] {
        let body = body.clone();
        let server = Script::new(move |_| status(200).body(body.clone()));
        let result = server
            .lms_with(|it| it.max_body_bytes(bytes))
            .get_course("c1")
            .await;
        let kind = result.err().map(|error| error.kind());
        assert_eq!(kind, expected, "{bytes}");
    }
}
