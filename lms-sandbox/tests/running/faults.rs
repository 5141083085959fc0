//! Faults that affect connections, and the control API.

use std::time::Duration;

use lms_sandbox::{FaultPlan, Operation, RequestRecord, Sandbox};
use serde_json::{Value, json};

use crate::Client;
use crate::wire::exchange;

/// A sandbox with a token. The rules are added after the token request.
struct Tenant {
    sandbox: Sandbox,
    client: Client,
}

impl Tenant {
    async fn with(rules: &[&str]) -> Self {
        let sandbox = Sandbox::builder()
            .control("127.0.0.1:0".parse().unwrap())
            .start()
            .await
            .unwrap();
        let client = Client::to(&sandbox).await;
        let rules = rules.iter().map(|rule| rule.parse().unwrap()).collect();
        sandbox.faults().replace(FaultPlan { seed: 1, rules });
        sandbox.clear_requests();
        Self { sandbox, client }
    }

    /// The number of courses, after the faults have ended.
    async fn courses(&self) -> String {
        self.sandbox.faults().clear();
        let page = self.client.get("/courses").await.1;
        page["number_found"].as_str().unwrap().to_owned()
    }

    /// All bytes of the response to a request for `/test`, until the connection is closed.
    async fn raw(&self) -> String {
        let request = "GET /api/v1/test HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        exchange(self.sandbox.address(), request).await
    }

    fn the_record(&self) -> RequestRecord {
        let records = self.sandbox.requests_to(Operation::AddCourse).unwrap();
        assert_eq!(records.len(), 1, "{records:?}");
        records.into_iter().next().unwrap()
    }

    async fn control(&self, method: &str, path: &str, body: Option<&str>) -> (u16, Value) {
        let url = format!("{}{path}", self.sandbox.control_url().unwrap());
        let mut request = self.client.http.request(method.parse().unwrap(), url);
        if let Some(body) = body {
            request = request
                .header("content-type", "application/json")
                .body(body.to_owned());
        }
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }
}

#[tokio::test]
async fn a_connection_is_dropped_before_or_after_the_request_is_processed() {
    for (point, processed, courses) in [("before", false, "0"), ("after", true, "1")] {
        let tenant = Tenant::with(&[&format!("addCourse: always: drop {point}")]).await;
        assert!(tenant.client.add_course().await.unwrap_err().is_request());
        let record = tenant.the_record();
        assert_eq!((record.status, record.processed), (None, processed));
        assert_eq!(record.effects.len(), 1);
        assert_eq!(tenant.courses().await, courses);
    }
}

#[tokio::test]
async fn a_body_is_shorter_than_its_length() {
    // {"tid":"t1"} is 12 bytes.
    for (effect, length, body) in [
        ("drop body", 12, r#"{"tid""#),
        ("long-length 5", 17, r#"{"tid":"t1"}"#),
    ] {
        let tenant = Tenant::with(&[&format!("all: always: {effect}")]).await;
        let response = tenant.client.request("GET", "/test").send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert!(response.bytes().await.is_err());
        let raw = tenant.raw().await;
        assert!(
            raw.contains(&format!("content-length: {length}\r\n")),
            "{raw}"
        );
        assert!(raw.ends_with(&format!("\r\n\r\n{body}")), "{raw}");
    }
}

#[tokio::test]
async fn a_body_in_small_chunks_is_complete() {
    let tenant = Tenant::with(&["all: always: trickle 5 1ms"]).await;
    let mut response = tenant.client.request("GET", "/test").send().await.unwrap();
    let mut pieces = Vec::new();
    while let Some(piece) = response.chunk().await.unwrap() {
        pieces.push(piece.len());
    }
    assert_eq!(pieces.iter().sum::<usize>(), 12);
    assert!(pieces.iter().all(|piece| *piece <= 10), "{pieces:?}");
}

#[tokio::test]
async fn a_request_that_the_client_cancels_is_recorded_without_a_status() {
    let tenant = Tenant::with(&["addCourse: always: delay 3600s"]).await;
    let request = tenant
        .client
        .request("POST", "/courses")
        .json(&json!({ "name": "x" }))
        .timeout(Duration::from_millis(50));
    assert!(request.send().await.unwrap_err().is_timeout());
    while tenant.sandbox.requests().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    let record = tenant.the_record();
    assert_eq!((record.status, record.processed), (None, false));
    assert_eq!(record.effects.len(), 1);
    assert_eq!(tenant.courses().await, "0");
}

#[tokio::test]
async fn the_control_api_changes_the_plan() {
    let tenant = Tenant::with(&[]).await;
    let rule = "test: every 2: status 503 html";
    let plan = json!({ "seed": 5, "rules": [rule] });
    let sent = plan.to_string();
    assert_eq!(
        tenant.control("PUT", "/faults", Some(&sent)).await,
        (200, plan.clone())
    );
    assert_eq!(tenant.control("GET", "/faults", None).await, (200, plan));
    for expected in [200, 503] {
        let response = tenant.client.request("GET", "/test").send().await.unwrap();
        assert_eq!(response.status(), expected);
    }
    let added = tenant
        .control("POST", "/faults", Some(r#""all: always: status 500 json""#))
        .await;
    assert_eq!(added.1["rules"], json!([rule, "all: always: status 500"]));
    let cleared = tenant.control("DELETE", "/faults", None).await;
    assert_eq!(cleared.1, json!({ "seed": 5, "rules": [] }));

    for case in r#"
        PUT /faults { | 400 could not parse
        POST /faults "all: always: null" | 422 zoneless-timestamps
        POST /faults "test: sometimes: nulls" | 422 every 3
        POST /faults 3 | 400 expected a string
        POST /faults "all: always: max-page 0" | 422 1 or more
        PUT /faults | 415 application/json
        PATCH /faults | 405 Allow
        GET /fault | 404 /faults
        GET /requests?operation=listlearners | 400 listLearners
        POST /clock {"advance": 90} | 422 90s
        POST /seed {} | 422 one field
        POST /seed {"tag": {}} | 422 complete_course
        POST /seed {"complete_course": {"learner": "l1"}} | 422 no course
        POST /seed {"complete_course": {"learner": "l9", "course": "c1"}} | 422 no learner with id l9"#
        .trim()
        .lines()
    {
        let (request, expected) = case.trim().split_once(" | ").unwrap();
        let (status, what) = expected.split_once(' ').unwrap();
        let mut request = request.splitn(3, ' ');
        let (method, path) = (request.next().unwrap(), request.next().unwrap());
        let body = request.next();
        let response = tenant.control(method, path, body).await;
        let message = response.1["error"]["message"].as_str().unwrap();
        assert!(
            response.0.to_string() == status && message.contains(what),
            "{case}: {response:?}"
        );
    }
}

#[tokio::test]
async fn the_control_api_lists_requests_and_advances_the_clock() {
    let tenant = Tenant::with(&["addCourse: always: drop after"]).await;
    let _ = tenant.client.add_course().await;
    tenant.client.get("/test?a=b").await;
    let seen = tenant.control("GET", "/requests", None).await.1;
    let course = &seen["items"][0];
    assert_eq!(course["operation"], "addCourse");
    assert_eq!(course["processed"], true);
    assert_eq!(course["body_size"], 12);
    assert_eq!(course.get("status"), None);
    assert_eq!(course["effects"], json!(["drop after"]));
    assert_eq!(
        (&seen["items"][1]["query"], &seen["items"][1]["status"]),
        (&json!("a=b"), &json!(400))
    );
    let tests = tenant
        .control("GET", "/requests?operation=test", None)
        .await;
    assert_eq!(tests.1["items"].as_array().unwrap().len(), 1);
    tenant.control("DELETE", "/requests", None).await;
    assert!(tenant.sandbox.requests().unwrap().is_empty());

    assert!(tenant.control("GET", "/clock", None).await.1["now"].is_string());
    let before = tenant.sandbox.clock().now();
    let advance = Some(r#"{"advance": "300s"}"#);
    tenant.control("POST", "/clock", advance).await;
    assert!(tenant.sandbox.clock().now() >= before + Duration::from_secs(300));
    assert_eq!(tenant.client.get("/oauth/me").await.0, 401);
}

#[tokio::test]
async fn the_control_api_adds_what_the_service_cannot() {
    let tenant = Tenant::with(&[]).await;
    let seed = tenant.sandbox.seed();
    let course = seed.add_course("Safety").unwrap();
    let learner = json!({ "email": "ann@acme.example", "courses": [course] });
    let learner = seed.add_learner(&learner).unwrap();
    let add = async |addition: Value| {
        let addition = addition.to_string();
        let (status, added) = tenant.control("POST", "/seed", Some(&addition)).await;
        assert_eq!(status, 200, "{addition}: {added}");
        added["id"].as_str().map(str::to_owned)
    };
    let topics = ["Exits", "Alarms"].map(|name| json!({"topic": {"course": course, "name": name}}));
    let [one, two] = topics;
    let (one, two) = (add(one).await.unwrap(), add(two).await.unwrap());
    for (event, topic) in [("complete_topic", &one), ("confirm_topic", &two)] {
        let id = add(json!({event: {"learner": learner, "topic": topic}})).await;
        assert_eq!(id, None);
    }
    let field = add(json!({"user_field": {"name": "Badge"}})).await.unwrap();
    let expires = "2027-01-01T00:00:00Z";
    let record =
        json!({"user": learner, "user_field": field, "value": "B7", "expires_on": expires});
    let record = add(json!({ "record": record })).await.unwrap();

    let path = format!("/users/{learner}/user_fields/{field}/record");
    let (_, found) = tenant.client.get(&path).await;
    assert_eq!(
        (&found["id"], &found["expires_on"]),
        (&json!(record), &json!(expires))
    );
    let (_, progress) = tenant.client.get("/topic_progress").await;
    let topics = progress["items"].as_array().unwrap().iter();
    assert_eq!(topics.filter(|topic| topic["completed"] == true).count(), 1);
    let completions = async || tenant.client.get("/course_completions").await.1["items"].clone();
    assert_eq!(completions().await, json!([]));
    add(json!({"complete_course": {"learner": learner, "course": course}})).await;
    assert_eq!(completions().await[0]["user"], json!(learner));
}
