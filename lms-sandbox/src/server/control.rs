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
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{hosts, request_body};
use crate::api::operation::Operation;
use crate::api::problem::{Problem, quote};
use crate::api::query::Query;
use crate::api::{json, timestamp};
use crate::app::App;
use crate::error::SandboxError;
use crate::faults::duration;
use crate::journal::RequestRecord;
use crate::seed::Seed;

/// The control API of a sandbox.
pub(crate) fn router(app: &Arc<App>) -> Router {
    Router::new()
        .route("/faults", get(serve).put(serve).post(serve).delete(serve))
        .route("/requests", get(serve).delete(serve))
        .route("/clock", get(serve).post(serve))
        .route("/seed", post(serve))
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

async fn serve(State(app): State<Arc<App>>, request: Request) -> Response {
    match respond(&app, request).await {
        Ok(value) => json::response(json::to_string(&value).into_bytes()),
        Err(problem) => problem.into_response(),
    }
}

/// Makes the change that a request asks for, and returns the new state.
async fn respond(app: &App, request: Request) -> Result<Value, Problem> {
    let invalid = |error: SandboxError| Problem::invalid("body", error.to_string());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let operation = match path.as_str() {
        "/requests" => operation(&request)?,
        _ => None,
    };
    match (method.as_str(), path.as_str()) {
        ("PUT", "/faults") => app.faults.replace(body(request).await?),
        ("POST", "/faults") => {
            let rule: String = body(request).await?;
            app.faults.add(&rule).map_err(invalid)?;
        }
        ("DELETE", "/faults") => app.faults.clear(),
        ("DELETE", "/requests") => app.journal.clear(operation),
        ("POST", "/clock") => advance(app, &body(request).await?)?,
        ("POST", "/seed") => {
            let added = Seed::new(app).add(&body(request).await?);
            return Ok(added
                .map_err(invalid)?
                .map_or(json!({}), |id| json!({ "id": id })));
        }
        _ => {}
    }
    Ok(match path.as_str() {
        "/faults" => json!(app.faults.plan()),
        "/clock" => json!({ "now": timestamp::format(app.clock.seconds()) }),
        _ => {
            let records = app.journal.list(operation)?;
            json!({ "items": records.iter().map(to_item).collect::<Vec<_>>() })
        }
    })
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
fn advance(app: &App, body: &Value) -> Result<(), Problem> {
    let by = body["advance"].as_str().and_then(duration::parse);
    app.clock.advance(by.ok_or_else(|| {
        let message = format!("the body is {body}; send one such as {{\"advance\": \"90s\"}}");
        Problem::invalid("advance", message)
    })?);
    Ok(())
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
