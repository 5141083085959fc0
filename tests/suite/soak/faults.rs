//! All effects of the sandbox, on about one request in twenty.

use lms_sandbox::{FaultPlan, FaultRule};

/// Effects of any request.
const ANYWHERE: &[&str] = &[
    "status 500",
    "status 408",
    "status 502 html",
    "status 503",
    "status 504 empty",
    "redirect 307 http://127.0.0.1:9/elsewhere",
    "drop before",
    "drop after",
    "drop body",
    "long-length 10",
    "bad-json cut",
    "bad-json garbage",
    "refuse-token",
    "revoke-tokens",
    "trickle 64 1ms",
    "delay 1ms..50ms",
    "nulls",
    "extra-fields",
    "numbers",
    "zoneless-timestamps",
];

/// Effects of certain requests, with a higher chance.
const SOMEWHERE: &[&str] = &[
    // Lost responses to writes, the usual cause of duplicates.
    "POST,PUT,DELETE: chance 0.02: drop after",
    "POST,PUT,DELETE: chance 0.02: drop body",
    "lists: chance 0.01: max-page 2",
    "lists: chance 0.01: empty-page",
    "lists: chance 0.01: repeat-cursor",
    "lists: chance 0.01: more-without-cursor",
    // Only duplicated items: no client can find an item that no page contains.
    "listLearners: chance 0.02: drift +1",
    // Rarely, since each of them slows the client down.
    "all: chance 0.0007: rate-limited absent",
    "getToken: every 5: early-expiry 500ms",
    "getToken: every 3: expires-in-string",
    "viewDuplicateCourse: chance 0.05: stall-duplication",
    "viewDuplicateCourse: chance 0.02: fail-duplication",
    "all: always: rate-limit 300/s burst 60 absent",
];

/// Returns a plan with all effects by chance, and an unannounced rate limit.
pub(super) fn plan() -> FaultPlan {
    let anywhere = ANYWHERE
        .iter()
        .map(|effect| format!("all: chance 0.0015: {effect}"));
    anywhere
        .chain(SOMEWHERE.iter().copied().map(str::to_owned))
        .map(|line| line.parse::<FaultRule>().unwrap())
        .fold(FaultPlan::seeded(11), FaultPlan::with)
}
