use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use lms_ext::{ErrorKind, RetryPolicy, prelude::*};
use serde_json::Value;
use tokio::time::{Instant, advance};

use crate::{
    redaction::{assert_consistent, assert_redacted, assert_without},
    responses::{CannedResponse, SECRET, responses},
    tenant::{builder, on_a_paused_clock, tenant},
};

/// Longer than any lifetime here.
const LONG: Duration = Duration::from_secs(30 * 86_400);

/// A token is sent unchanged and used until `expires_in`, as number or string, and no longer. A response without a valid
/// token is an error that shows neither the secret nor the response.
pub fn tokens(input: &[u8]) {
    let responses = responses(input);
    on_a_paused_clock(async {
        let tenant = {
            let responses = responses.clone();
            let asked = AtomicUsize::new(0);
            tenant(move |seen| match seen.is_token_request() {
                true => responses[asked.fetch_add(1, Ordering::Relaxed) % responses.len()].clone(),
                false => CannedResponse::of("{}"),
            })
        };
        let lms = builder(&tenant)
            .client_credentials("id", SECRET)
            .retry(RetryPolicy::disabled())
            .build()
            .expect("a client");
        assert_without(&format!("{lms:?} {lms:#?}"), &[SECRET]);

        let asked = || {
            tenant
                .seen()
                .iter()
                .filter(|seen| seen.is_token_request())
                .count()
        };
        let began = Instant::now();
        let outcome = lms.me().call().await;
        assert!(began.elapsed() < Duration::from_secs(200));
        let expected = token(&responses[0]);
        match outcome {
            Ok(_) => {
                let (token, _) = expected.clone().expect("a token from nowhere");
                let sent = tenant.seen().pop().expect("the call");
                assert_eq!(sent.token(), Some(&*token));
                assert_eq!(asked(), 1);
            }
            Err(error) => {
                assert_redacted(&error, &[SECRET]);
                assert_consistent(&error);
                // A token that is not a valid header value is refused.
                let sendable = |token: &String| token.bytes().all(|byte| (33..127).contains(&byte));
                assert!(
                    !expected.is_some_and(|(token, _)| sendable(&token)),
                    "{error}"
                );
                assert!(
                    matches!(
                        error.kind(),
                        ErrorKind::Unauthenticated
                            | ErrorKind::Token
                            | ErrorKind::Server
                            | ErrorKind::RateLimited
                            | ErrorKind::Redirect
                    ),
                    "{error}"
                );
                assert_eq!(
                    asked(),
                    tenant.seen().len(),
                    "the call was sent without a token"
                );
                return;
            }
        }

        let life = expected.and_then(|(_, life)| life);
        let Some(life) = life.filter(|life| *life < LONG) else {
            advance(LONG).await;
            let _ = lms.me().call().await;
            assert_eq!(asked(), 1, "a token without lifetime was refreshed");
            return;
        };
        // Valid until the refresh window, and expired at its end.
        let window = (life / 5).min(Duration::from_secs(30));
        advance((life - window).saturating_sub(Duration::from_millis(2))).await;
        let _ = lms.me().call().await;
        assert_eq!(
            asked(),
            1,
            "a token with a lifetime of {life:?} was refreshed too early"
        );
        advance(window + Duration::from_millis(4)).await;
        let _ = lms.me().call().await;
        assert!(
            asked() > 1,
            "a token with a lifetime of {life:?} was used after it expired"
        );
    });
}

/// Returns the token of a response and its lifetime.
fn token(response: &CannedResponse) -> Option<(String, Option<Duration>)> {
    if !response.status.is_success() {
        return None;
    }
    let body: Value = serde_json::from_slice(&response.body).ok()?;
    let token = body
        .get("access_token")?
        .as_str()
        .filter(|token| !token.is_empty())?;
    let seconds: Option<f64> = match body.get("expires_in") {
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(Value::Number(number)) => number.as_f64(),
        _ => None,
    };
    // Less than a second counts as absent.
    let life = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    Some((token.to_owned(), life.filter(|life| life.as_secs() >= 1)))
}
