//! Power cuts of a run: its files lose everything that was not synced, and the tenant keeps what it got.
//!
//! A program applies a plan under strace. After a power cut at any of its file operations, a run on a tenant that has got
//! the same requests, with faults, must end in the same state as without a cut, and must add nothing twice.
//!
//! `LMS_TESTS=full` tries twenty times as many cuts.

#[allow(unreachable_pub, reason = "of a module of other tests")]
#[path = "../../../lms-sync/tests/model/power/cuts.rs"]
mod cuts;
#[allow(unreachable_pub, reason = "of a module of other tests")]
#[path = "../../../lms-sync/tests/model/power/disk.rs"]
mod disk;
#[allow(unreachable_pub, reason = "of a module of other tests")]
#[path = "../../../lms-sync/tests/model/power/trace.rs"]
mod trace;

use std::{collections::BTreeMap, env, future::pending, path::Path};

use lms_ext::{
    http::{HttpClient, HttpFuture},
    reqwest,
};
use lms_plan::{Apply, Ledger, Plan, Step, StepState};
use lms_sandbox::{Operation, json};
use serde_json::value::RawValue;
use tokio::sync::Mutex;

use super::{Import, client};
use cuts::{check_after_cuts, traced};
use trace::say;

const ROWS: [&str; 6] = [
    "1,p1@acme.example,P,A,,Warehouse,",
    "2,p2@acme.example,P,B,,Warehouse,",
    "3,p3@acme.example,P,C,,Warehouse,",
    "4,p4@acme.example,P,D,,Sales,",
    "5,ann@acme.example,Ann,Lee,5,Warehouse,",
    "6,ben@acme.example,Ben,Moss,6,Sales,",
];

/// Says each change before it is sent, and when its response has arrived. One at a time, so that they have an order.
#[derive(Debug, Default)]
struct Saying {
    client: reqwest::Client,
    one: Mutex<()>,
}

impl HttpClient for Saying {
    fn send(&self, request: reqwest::Request) -> HttpFuture<'_> {
        Box::pin(async move {
            let _one = self.one.lock().await;
            let path = request.url().path().strip_prefix("/api/v1");
            let is_change = request.method() != "GET" && path != Some("/oauth/token");
            let path = path.filter(|_| is_change).map(str::to_owned);
            if let Some(path) = &path {
                let body = request.body().and_then(reqwest::Body::as_bytes);
                let body = String::from_utf8_lossy(body.unwrap_or_default());
                say(&format!("sent {} {path} {body}", request.method()));
            }
            let response = HttpClient::send(&self.client, request).await;
            if path.is_some() {
                say("received");
            }
            response
        })
    }
}

async fn tenant() -> Import {
    let it = Import::new().await;
    it.learner("Ann", &json!({}));
    it.learner("Ben", &json!({}));
    it
}

/// The program that loses its power.
#[tokio::test]
#[ignore = "started by the test below"]
async fn child() {
    let variable = |name: &str| env::var(name).unwrap();
    let it = tenant().await;
    let lms = client(&it.sandbox).http_client(Saying::default());
    let lms = lms.build().unwrap();
    let plan = Plan::parse(&std::fs::read_to_string(variable("LMS_PLAN")).unwrap()).unwrap();
    let ledger = Path::new(&variable("LMS_PLAN_ROOT")).join("ledger.db");
    let ledger = Ledger::open(&ledger, Some(&plan.tenant)).unwrap();
    let done = |steps: &[Step], _: &[StepState], _: usize| say(&format!("done {}", steps.len()));
    let applied = Apply::new(&lms, &ledger).run(plan, done, pending()).await;
    assert!(applied.unwrap().is_complete());
}

/// Continues the run on a tenant that has got what the program had sent before its power cut.
async fn check(
    left: &Path,
    said: &[&str],
    case: &str,
    plan: &Plan,
    expected: &BTreeMap<String, String>,
) {
    let it = tenant().await;
    let mut added = 0;
    let sent = said.iter().filter_map(|line| line.strip_prefix("sent "));
    let received = said.iter().filter(|line| **line == "received").count();
    for (number, request) in sent.enumerate() {
        // Whether the tenant has got a request without a response is a matter of chance.
        if number >= received && case.len().is_multiple_of(2) {
            break;
        }
        let [method, path, body] = request.splitn(3, ' ').collect::<Vec<_>>()[..] else {
            panic!("{request}")
        };
        let request = it.lms.raw(method.parse().unwrap(), path).unwrap();
        let response = request
            .body(body.to_owned())
            .call_as::<Box<RawValue>>()
            .await;
        assert!(response.is_ok(), "{case}: {response:?}");
        added += usize::from(method == "POST");
    }
    it.sandbox.clear_requests();
    it.add_faults();
    let ledger = Ledger::open(&left.join("ledger.db"), Some(&plan.tenant)).unwrap();
    let apply = || Apply::new(&it.lms, &ledger).run(plan.clone(), |_, _, _| (), pending());
    for _ in 0..3 {
        apply().await.unwrap();
    }
    it.sandbox.faults().clear();
    let applied = apply().await.unwrap();
    assert!(applied.is_complete(), "{case}: {applied:?}");
    assert_eq!(&it.state().await, expected, "{case}");
    let requests = it.sandbox.requests().unwrap();
    let additions = [Operation::AddLearner, Operation::AddEnrolment].map(Some);
    added += requests
        .iter()
        .filter(|it| it.processed && additions.contains(&it.operation))
        .count();
    assert_eq!(added, 8, "{case}: something was added twice");
}

#[test]
#[ignore = "needs strace"]
fn a_run_ends_in_the_same_tenant_after_a_power_cut() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (plan, expected) = runtime.block_on(async {
        let it = tenant().await;
        let plan = it.plan(&ROWS).await;
        it.apply(&plan).await;
        (plan, it.state().await)
    });
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    plan.write(&file).unwrap();
    let variables = [
        ("LMS_PLAN_ROOT", root.as_os_str()),
        ("LMS_PLAN", file.path().as_os_str()),
    ];
    let operations = traced("power::child", &variables);
    let full = env::var("LMS_TESTS").is_ok_and(|tests| tests == "full");
    let cuts = if full { 1_000 } else { 50 };
    let said = check_after_cuts(&root, &operations, cuts, |left, said, case| {
        runtime.block_on(check(left, said, case, &plan, &expected));
    });
    let done = said.iter().filter(|line| line.starts_with("done ")).count();
    assert_eq!(done, ROWS.len(), "the run did not end: {said:?}");
}
