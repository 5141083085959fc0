//! How does another process steer a sandbox?
//!
//! A test that is not written in Rust, or a person with curl, has no [`Sandbox`](crate::Sandbox) to hold. The control
//! endpoint offers the same to them on a port of its own, so that nothing of it can be mistaken for the service:
//! [`SandboxBuilder::control`](crate::SandboxBuilder::control) has its table.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use axum::routing::get;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::error::SandboxError;
use crate::faults::{Effect, FaultPlan, FaultRule, Faults, span};
use crate::journal::RequestRecord;
use crate::operations::Operation;
use crate::problem::{Problem, shorten};
use crate::query::Query;
use crate::router::{check_content_type, read};
use crate::timestamp;

/// The control endpoint of a sandbox.
pub(crate) fn router(app: &Arc<App>) -> Router {
    Router::new()
        .route(
            "/faults",
            get(async |State(app): State<Arc<App>>| json(&app.faults.plan()))
                .put(async |State(app): State<Arc<App>>, request: Request| {
                    answer(replace_plan(app, request).await)
                })
                .post(async |State(app): State<Arc<App>>, request: Request| {
                    answer(add_rule(app, request).await)
                })
                .delete(async |State(app): State<Arc<App>>| {
                    Faults::new(&app.faults).clear();
                    json(&app.faults.plan())
                }),
        )
        .route(
            "/requests",
            get(async |State(app): State<Arc<App>>, request: Request| {
                answer(requests(&app, &request))
            })
            .delete(async |State(app): State<Arc<App>>, request: Request| {
                answer(forget(&app, &request))
            }),
        )
        .route(
            "/clock",
            get(async |State(app): State<Arc<App>>| json(&Now::of(&app))).post(
                async |State(app): State<Arc<App>>, request: Request| {
                    answer(advance(app, request).await)
                },
            ),
        )
        .fallback(async |request: Request| {
            let path = shorten(request.uri().path());
            Problem::not_found(format!(
                "there is nothing at {path}; the control endpoint has /faults, /requests and /clock"
            ))
            .into_response()
        })
        .method_not_allowed_fallback(async |request: Request| {
            Problem::wrong_method(request.method().as_str(), request.uri().path()).into_response()
        })
        .with_state(Arc::clone(app))
}

async fn replace_plan(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let plan: FaultPlan = body(&app, request).await?;
    let faults = Faults::new(&app.faults);
    faults.replace(plan).map_err(|error| unfit(&error))?;
    Ok(json(&faults.plan()))
}

async fn add_rule(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    let rule: FaultRule = body(&app, request).await?;
    let faults = Faults::new(&app.faults);
    faults.add(rule).map_err(|error| unfit(&error))?;
    Ok(json(&faults.plan()))
}

fn requests(app: &App, request: &Request) -> Result<Response, Problem> {
    let records = app.journal.records(operation(request)?);
    let items = records.iter().map(Entry::of).collect();
    Ok(json(&Requests { items }))
}

fn forget(app: &App, request: &Request) -> Result<Response, Problem> {
    app.journal.forget(operation(request)?);
    requests(app, request)
}

/// The operation that is asked about; `None` for all.
fn operation(request: &Request) -> Result<Option<Operation>, Problem> {
    let query = Query::parse(request.uri().query(), &["operation"])?;
    let to = query.text("operation").map(|id| {
        let known = Operation::ALL.iter().find(|known| known.id() == id);
        known.copied().ok_or_else(|| {
            let message = format!(
                "there is no operation {}; name one such as listLearners",
                shorten(id)
            );
            Problem::bad_query("operation", message)
        })
    });
    to.transpose()
}

async fn advance(app: Arc<App>, request: Request) -> Result<Response, Problem> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Advance {
        #[serde(with = "span")]
        advance: Duration,
    }
    let Advance { advance } = body(&app, request).await?;
    app.clock.advance(advance);
    Ok(json(&Now::of(&app)))
}

#[derive(Serialize)]
struct Now {
    now: String,
}

impl Now {
    fn of(app: &App) -> Self {
        Self {
            now: timestamp::text(app.clock.seconds()),
        }
    }
}

#[derive(Serialize)]
struct Requests<'a> {
    items: Vec<Entry<'a>>,
}

/// A record as JSON.
#[derive(Serialize)]
struct Entry<'a> {
    method: &'a str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<&'static str>,
    body_size: u64,
    carried_out: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    effects: &'a [Effect],
    at: String,
}

impl<'a> Entry<'a> {
    fn of(record: &'a RequestRecord) -> Self {
        Self {
            method: record.method.as_str(),
            path: &record.path,
            query: record.query.as_deref(),
            operation: record.operation.map(Operation::id),
            body_size: record.body_size,
            carried_out: record.carried_out,
            status: record.status.map(|status| status.as_u16()),
            effects: &record.effects,
            at: timestamp::text(i64::try_from(record.at.as_secs()).unwrap_or(i64::MAX)),
        }
    }
}

/// Reads a JSON body.
async fn body<T: DeserializeOwned>(app: &App, request: Request) -> Result<T, Problem> {
    let (parts, body) = request.into_parts();
    check_content_type(&parts.headers)?;
    let bytes = read(body, &app.limits).await?;
    serde_json::from_slice(&bytes).map_err(|error| {
        Problem::malformed(
            "malformed_json",
            format!("the body cannot be read: {error}"),
        )
    })
}

fn unfit(error: &SandboxError) -> Problem {
    Problem::invalid("body", error.to_string())
}

fn answer(result: Result<Response, Problem>) -> Response {
    result.unwrap_or_else(Problem::into_response)
}

fn json(value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(text) => {
            let mut response = Response::new(Body::from(text));
            response.headers_mut().insert(
                header::CONTENT_TYPE,
                HeaderValue::from_static("application/json"),
            );
            response
        }
        Err(error) => {
            Problem::internal(format!("the answer could not be written: {error}")).into_response()
        }
    }
}
