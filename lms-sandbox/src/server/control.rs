//! The control API: lets another process change the fault plan, read the requests, advance the clock and add data.
//!
//! It has a separate port, so that it cannot be confused with the service.
//! [`SandboxBuilder::control`](crate::SandboxBuilder::control) lists its operations.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware;
use axum::response::Response;
use axum::routing::{get, post};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{hosts, request_body};
use crate::api::operation::Operation;
use crate::api::problem::{Problem, quote};
use crate::api::query::Query;
use crate::api::{json, timestamp};
use crate::app::App;
use crate::faults::{FaultPlan, FaultRule, duration};
use crate::journal::RequestRecord;
use crate::seed::Seed;

type AppState = State<Arc<App>>;

/// The control API of a sandbox.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let faults = get(async |State(app): AppState| to_json(&app.faults.plan()))
        .put(async |State(app): AppState, request: Request| {
            let changed = body(request).await.and_then(|plan: FaultPlan| {
                let replaced = app.faults.replace(plan);
                replaced.map_err(|error| Problem::invalid("body", error.to_string()))
            });
            respond(changed.map(|()| app.faults.plan()))
        })
        .post(async |State(app): AppState, request: Request| {
            let added = body(request).await.and_then(|rule: FaultRule| {
                let added = app.faults.add(rule);
                added.map_err(|error| Problem::invalid("body", error.to_string()))
            });
            respond(added.map(|()| app.faults.plan()))
        })
        .delete(async |State(app): AppState| {
            app.faults.clear();
            to_json(&app.faults.plan())
        });
    let requests = get(async |State(app): AppState, request: Request| {
        respond(operation(&request).and_then(|operation| requests(&app, operation)))
    })
    .delete(async |State(app): AppState, request: Request| {
        respond(operation(&request).and_then(|operation| {
            app.journal.clear(operation);
            requests(&app, operation)
        }))
    });
    let clock = get(async |State(app): AppState| to_json(&now(&app))).post(
        async |State(app): AppState, request: Request| {
            respond(body(request).await.and_then(|body| advance(&app, &body)))
        },
    );
    let additions = post(async |State(app): AppState, request: Request| {
        respond(
            body(request)
                .await
                .and_then(|addition| seed(&app, &addition)),
        )
    });
    Router::new()
        .route("/seed", additions)
        .route("/faults", faults)
        .route("/requests", requests)
        .route("/clock", clock)
        .fallback(async |request: Request| {
            let path = quote(request.uri().path());
            Problem::not_found(format!(
                "there is nothing at {path}; the control API has /faults, /requests, /clock and /seed"
            ))
            .into_response()
        })
        .method_not_allowed_fallback(async |request: Request| {
            Problem::method_not_allowed(request.method(), request.uri()).into_response()
        })
        .layer(middleware::from_fn(hosts::check))
        .with_state(Arc::clone(app))
}

/// The operation in the query; `None` for all.
fn operation(request: &Request) -> Result<Option<Operation>, Problem> {
    let query = Query::parse(request.uri().query(), &["operation"])?;
    let operation = query.text("operation").map(|id| {
        let known = Operation::ALL.iter().find(|known| known.id() == id);
        known.copied().ok_or_else(|| {
            let id = quote(id);
            let message = format!("there is no operation {id}; use one such as listLearners");
            Problem::bad_query("operation", message)
        })
    });
    operation.transpose()
}

/// Advances the clock by the duration in `advance`.
fn advance(app: &App, body: &Value) -> Result<Value, Problem> {
    let by = body["advance"].as_str().and_then(duration::parse);
    app.clock.advance(by.ok_or_else(|| {
        let message = format!("the body is {body}; send one such as {{\"advance\": \"90s\"}}");
        Problem::invalid("advance", message)
    })?);
    Ok(now(app))
}

fn now(app: &App) -> Value {
    json!({ "now": timestamp::format(app.clock.seconds()) })
}

/// Adds an object or an event, and returns the id of an object.
fn seed(app: &App, addition: &Value) -> Result<Value, Problem> {
    let added = Seed::new(app).add(addition);
    let id = added.map_err(|error| Problem::invalid("body", error.to_string()))?;
    Ok(id.map_or(json!({}), |id| json!({ "id": id })))
}

/// The requests to one operation, or to all.
fn requests(app: &App, operation: Option<Operation>) -> Result<Value, Problem> {
    let records = app.journal.list(operation)?;
    let items: Vec<_> = records.iter().map(to_item).collect();
    Ok(json!({ "items": items }))
}

/// A record as JSON. What it lacks is omitted.
fn to_item(record: &RequestRecord) -> Value {
    let effects: Vec<_> = record.effects.iter().map(ToString::to_string).collect();
    let at = i64::try_from(record.at.as_secs()).unwrap_or(i64::MAX);
    let mut item = json!({
        "method": record.method.as_str(), "path": record.path, "query": record.query,
        "operation": record.operation.map(Operation::id), "body_size": record.body_size,
        "processed": record.processed, "status": record.status.map(|status| status.as_u16()),
        "effects": effects, "at": timestamp::format(at),
    });
    if let Some(fields) = item.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    item
}

async fn body<T: DeserializeOwned>(request: Request) -> Result<T, Problem> {
    request_body::check_is_json(request.headers())?;
    let bytes = request_body::read(request.into_body()).await?;
    serde_json::from_slice(&bytes).map_err(|error| {
        Problem::malformed(
            "malformed_json",
            format!("could not parse the body: {error}"),
        )
    })
}

fn respond(result: Result<impl Serialize, Problem>) -> Response {
    match result {
        Ok(value) => to_json(&value),
        Err(problem) => problem.into_response(),
    }
}

fn to_json(value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => json::response(body),
        Err(error) => {
            Problem::internal(format!("could not write the response: {error}")).into_response()
        }
    }
}
