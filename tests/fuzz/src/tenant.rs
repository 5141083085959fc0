//! A tenant that is a function of the request, and a paused clock.

use std::time::Duration;

use lms_ext::LmsBuilder;

use crate::{
    responses::{CannedResponse, TOKEN},
    script::{Script, Seen, status},
};

/// No input needs more requests.
const MAX_REQUESTS: usize = 1000;

pub(crate) fn tenant(response: impl Fn(&Seen) -> CannedResponse + Send + Sync + 'static) -> Script {
    Script::new(move |seen| {
        assert!(
            seen.index < MAX_REQUESTS,
            "the client sends requests forever"
        );
        let CannedResponse {
            status: code,
            headers,
            body,
        } = response(seen);
        status(code.as_u16()).headers(headers).body(body)
    })
}

/// A tenant that returns these responses in turn, repeatedly.
pub(crate) fn saying(responses: Vec<CannedResponse>) -> Script {
    tenant(move |seen| responses[seen.index % responses.len()].clone())
}

/// A builder of a client with a fixed token and without adaptive throttling, which would delay requests.
pub(crate) fn builder(tenant: &Script) -> LmsBuilder {
    let builder = tenant.builder().token(TOKEN);
    builder.without_adaptive_throttling()
}

/// Runs `work` on a paused clock, and panics when it does not end.
pub(crate) fn on_a_paused_clock<T>(work: impl Future<Output = T>) -> T {
    // The same input always behaves the same.
    fastrand::seed(7);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime");
    let year = Duration::from_secs(365 * 86_400);
    runtime
        .block_on(async { tokio::time::timeout(year, work).await })
        .expect("it ends within a year")
}
