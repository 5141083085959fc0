//! Tests of the service without a socket: requests go straight to the router.

mod cursors;
mod demo;
mod duplication;
mod faults;
mod learners;
mod lists;
mod replacing;
mod tokens;
mod validation;

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tower::ServiceExt;

use crate::app::App;
use crate::clock::Clock;
use crate::seed::Seed;
use crate::{DEMO_CLIENT_ID, DEMO_CLIENT_SECRET, Sandbox, SandboxBuilder};

/// A tenant with a token, at 2026-03-01T09:30:00Z.
struct Tenant {
    app: Arc<App>,
    router: Router,
    runtime: Runtime,
    token: String,
}

/// A response.
#[derive(Debug)]
struct Response {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Response {
    /// The body of a 200.
    #[track_caller]
    fn ok(self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text);
        if self.text.is_empty() {
            Value::Null
        } else {
            serde_json::from_str(&self.text).unwrap()
        }
    }

    /// The status, and for an error its code and its field: `422 invalid name`.
    #[track_caller]
    fn outcome(&self) -> String {
        if self.status == StatusCode::OK {
            return "200".to_owned();
        }
        let body: Value = serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("{self:?}"));
        let [code, message, field] = ["code", "message", "field"]
            .map(|name| body["error"][name].as_str().unwrap_or_default());
        assert!(message.len() > 15, "{self:?}");
        format!("{} {code} {field}", self.status.as_u16())
            .trim_end()
            .to_owned()
    }
}

impl Tenant {
    fn new() -> Self {
        Self::with(Sandbox::builder())
    }

    fn with(builder: SandboxBuilder) -> Self {
        let builder = builder.check().unwrap().clock(Clock::stopped_at(
            UNIX_EPOCH + Duration::from_secs(1_772_357_400),
        ));
        let app = Arc::new(App::open(builder.config, "http://127.0.0.1:1".into()).unwrap());
        let router = crate::server::router::router(&app);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let mut tenant = Self {
            app,
            router,
            runtime,
            token: String::new(),
        };
        tenant.sign_in();
        tenant
    }

    /// Gets a new token, with one retry for tenants with rate limits.
    fn sign_in(&mut self) {
        let body = json!({ "grant_type": "client_credentials", "client_id": DEMO_CLIENT_ID,
            "client_secret": DEMO_CLIENT_SECRET });
        for _ in 0..2 {
            let response = self.post("/oauth/token", &body);
            if response.status == StatusCode::OK {
                self.token = response.ok()["access_token"].as_str().unwrap().to_owned();
                return;
            }
        }
        panic!("no token");
    }

    fn seed(&self) -> Seed<'_> {
        Seed::new(&self.app)
    }

    fn send(&self, request: Request<Body>) -> Response {
        self.runtime.block_on(async {
            let response = self.router.clone().oneshot(request).await.unwrap();
            let (parts, body) = response.into_parts();
            let bytes = body.collect().await.unwrap().to_bytes();
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            Response {
                status: parts.status,
                headers: parts.headers,
                text,
            }
        })
    }

    fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        Request::builder()
            .method(method)
            .uri(format!("/api/v1{path}"))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
    }

    fn without_body(&self, method: &str, path: &str) -> Response {
        self.send(self.request(method, path).body(Body::empty()).unwrap())
    }

    fn get(&self, path: &str) -> Response {
        self.without_body("GET", path)
    }

    /// The body of a 200.
    #[track_caller]
    fn read(&self, path: &str) -> Value {
        self.get(path).ok()
    }

    /// The `number_found` of a list.
    #[track_caller]
    fn number(&self, path: &str) -> usize {
        let page = self.read(path);
        page["number_found"].as_str().unwrap().parse().unwrap()
    }

    fn delete(&self, path: &str) -> Response {
        self.without_body("DELETE", path)
    }

    fn post(&self, path: &str, body: &Value) -> Response {
        self.with_body("POST", path, body.to_string())
    }

    fn put(&self, path: &str, body: &Value) -> Response {
        self.with_body("PUT", path, body.to_string())
    }

    fn with_body(&self, method: &str, path: &str, body: impl Into<Body>) -> Response {
        let request = self
            .request(method, path)
            .header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(body.into()).unwrap())
    }

    /// Sends the requests of a table and compares their outcomes: `POST /courses {"name": ""} => 422 invalid name`.
    #[track_caller]
    fn check(&self, table: &str) {
        for (request, expected) in cases(table) {
            let mut words = request.splitn(3, ' ');
            let [method, path] = [(); 2].map(|()| words.next().unwrap());
            let response = match words.next() {
                Some(body) => self.with_body(method, path, body.to_owned()),
                None => self.without_body(method, path),
            };
            assert_eq!(response.outcome(), expected, "{request}: {}", response.text);
        }
    }

    /// All items of a list.
    #[track_caller]
    fn list(&self, path: &str, limit: usize) -> Vec<Value> {
        let mut items = Vec::new();
        let separator = if path.contains('?') { '&' } else { '?' };
        let mut cursor = String::new();
        for _ in 0..10_000 {
            let page = self
                .get(&format!("{path}{separator}limit={limit}{cursor}"))
                .ok();
            let rows = page["items"].as_array().unwrap();
            assert!(rows.len() <= limit);
            items.extend(rows.iter().cloned());
            assert_eq!(
                page["more"].as_bool().unwrap(),
                page.get("next_cursor").is_some(),
                "{page}"
            );
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return items,
            }
        }
        panic!("{path} does not end");
    }

    /// Adds a learner with this name.
    fn learner(&self, name: &str) -> String {
        self.seed().add_learner(&person(name)).unwrap()
    }

    /// Adds a course with this number of topics.
    fn course(&self, name: &str, topics: usize) -> (String, Vec<String>) {
        let course = self.seed().add_course(name).unwrap();
        let topics = (0..topics)
            .map(|index| {
                let topic = json!({ "course": course, "name": format!("{name} {index}") });
                self.seed().add_topic(&topic).unwrap()
            })
            .collect();
        (course, topics)
    }
}

/// The lines of a table, each split at `=>`.
fn cases(table: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = table.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty());
    lines.map(|line| line.split_once(" => ").unwrap_or_else(|| panic!("{line}")))
}

fn person(name: &str) -> Value {
    json!({ "firstname": name, "surname": "Test", "email": format!("{name}@example.com") })
}

fn ids(items: &[Value]) -> Vec<String> {
    let ids = items.iter().map(|item| item["id"].as_str().unwrap());
    ids.map(str::to_owned).collect()
}
