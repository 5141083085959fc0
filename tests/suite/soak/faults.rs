//! Everything that the sandbox can do to a request, about one request in twenty.

use lms_sandbox::{FaultPlan, FaultRule};

/// What any request meets now and then.
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

/// What only some requests can meet, and so more often.
const SOMEWHERE: &[&str] = &[
    // Changes lose their answers: that is where things are doubled.
    "POST,PUT,DELETE: chance 0.02: drop after",
    "POST,PUT,DELETE: chance 0.02: drop body",
    "lists: chance 0.01: max-page 2",
    "lists: chance 0.01: empty-page",
    "lists: chance 0.01: repeat-cursor",
    "lists: chance 0.01: more-without-cursor",
    // Only rows that come twice: a row that no page shows is lost to any client.
    "listLearners: chance 0.02: drift +1",
    // Seldom, since each of them slows the client down.
    "all: chance 0.0007: rate-limited absent",
    "getToken: every 5: early-expiry 500ms",
    "getToken: every 3: expires-in-string",
    "viewDuplicateCourse: chance 0.05: stall-duplication",
    "viewDuplicateCourse: chance 0.02: fail-duplication",
    "all: always: rate-limit 300/s burst 60 absent",
];

/// The plan: every effect there is, each by chance, and a limit that nobody told of.
pub(super) fn plan() -> FaultPlan {
    let anywhere = ANYWHERE
        .iter()
        .map(|effect| format!("all: chance 0.0015: {effect}"));
    anywhere
        .chain(SOMEWHERE.iter().copied().map(str::to_owned))
        .map(|line| line.parse::<FaultRule>().unwrap())
        .fold(FaultPlan::seeded(11), FaultPlan::with)
}
