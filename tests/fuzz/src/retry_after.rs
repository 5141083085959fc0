use std::time::{Duration, SystemTime};

use http::{HeaderValue, StatusCode, header::RETRY_AFTER};
use lms_ext::{ErrorKind, prelude::*};

use crate::{
    redaction::{assert_consistent, assert_redacted},
    responses::{CannedResponse, TOKEN},
    tenant::{builder, on_a_paused_clock, tenant},
};

/// The longest accepted wait.
const LONGEST: Duration = Duration::from_secs(60);
/// The time that the client may add: its backoff, and its pause after a 429.
const OWN: Duration = Duration::from_secs(2);

/// The input is the value of `Retry-After`. The client waits that long before the next attempt, or fails at once and
/// reports the wait when it is too long.
pub fn retry_after(input: &[u8]) {
    let Ok(header) = HeaderValue::from_bytes(input) else {
        return;
    };
    for status in [
        StatusCode::TOO_MANY_REQUESTS,
        StatusCode::SERVICE_UNAVAILABLE,
    ] {
        once(&header, status);
    }
}

fn once(header: &HeaderValue, status: StatusCode) {
    let tenant = {
        let header = header.clone();
        tenant(move |seen| CannedResponse {
            status: if seen.index == 0 {
                status
            } else {
                StatusCode::OK
            },
            headers: vec![(RETRY_AFTER, header.clone())],
            body: "{}".into(),
        })
    };
    let before = asked(header);
    let outcome = on_a_paused_clock(async {
        let lms = builder(&tenant).build().expect("a client");
        lms.me().call().await
    });
    // Dates are compared with the system clock, which went on meanwhile.
    let after = asked(header);
    let least = after.unwrap_or_default().min(before.unwrap_or_default());
    let most = before.unwrap_or_default().max(after.unwrap_or_default());
    let seen = tenant.seen();
    match outcome {
        Ok(_) => {
            assert_eq!(seen.len(), 2);
            let waited = seen[1].at - seen[0].at;
            assert!(waited >= least, "asked for {least:?}, waited {waited:?}");
            assert!(
                waited <= most + OWN,
                "asked for {most:?}, waited {waited:?}"
            );
            assert!(least <= LONGEST, "waited for {least:?}");
        }
        Err(error) => {
            assert_redacted(&error, &[TOKEN]);
            assert_consistent(&error);
            assert!(most > LONGEST, "asked for {most:?}: {error}");
            assert_eq!(seen.len(), 1, "{error}");
            assert!(matches!(
                error.kind(),
                ErrorKind::RateLimited | ErrorKind::Server
            ));
            let reported = error.retry_after().expect("it was asked for");
            assert!((least..=most).contains(&reported), "{reported:?}");
        }
    }
}

/// Parses the header (RFC 9110, 10.2.3).
fn asked(header: &HeaderValue) -> Option<Duration> {
    let text = header.to_str().ok()?.trim();
    if let Ok(date) = httpdate::parse_http_date(text) {
        return Some(date.duration_since(SystemTime::now()).unwrap_or_default());
    }
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let seconds = text.bytes().fold(0_u64, |all, digit| {
        all.saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'))
    });
    Some(Duration::from_secs(seconds))
}
