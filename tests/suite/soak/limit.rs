//! An unannounced rate limit without other faults.

use std::time::Duration;

use lms_ext::prelude::*;
use lms_sandbox::{Effect, FaultPlan, FaultRule, Operation, RetryAfter, Sandbox};

use crate::sandbox::client;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unannounced_rate_limit_is_found_and_no_call_fails() {
    // 2000 calls at 20 per second take 100 seconds; the default run has ten times the limit.
    let (per_second, calls) = if crate::full() {
        (20, 2000)
    } else {
        (200, 1000)
    };
    let limit = FaultRule::new(Effect::RateLimit {
        per_second,
        burst: per_second,
        retry_after: RetryAfter::Seconds,
    });
    let sandbox = Sandbox::builder()
        .faults(FaultPlan::default().with(limit.on([Operation::Me])))
        .start()
        .await
        .unwrap();
    let lms = client(&sandbox);
    let mut tasks = Vec::new();
    for task in 0..32 {
        let lms = lms.clone();
        tasks.push(tokio::spawn(async move {
            for _ in (task..calls).step_by(32) {
                lms.me().call().await.unwrap();
            }
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let asked = sandbox.requests_to(Operation::Me).unwrap();
    let settled = asked[0].at + Duration::from_secs(5);
    let late: Vec<_> = asked
        .iter()
        .filter(|request| request.at > settled)
        .collect();
    let refused = late
        .iter()
        .filter(|request| request.status == Some(http::StatusCode::TOO_MANY_REQUESTS))
        .count();
    // The default run ends too early to count.
    assert!(
        late.len() < 1000 || refused * 20 <= late.len(),
        "{refused} of {} refused",
        late.len()
    );
}
