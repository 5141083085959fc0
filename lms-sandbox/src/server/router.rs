//! Routes each request through its layers to an operation.
//!
//! The routes are generated from the table of operations. Every request passes the same layers: the journal; faults
//! that act before the operation; the token; the body; the operation, on the store; faults that act on the response.
//!
//! SQLite blocks, but reading or writing a row takes about ten microseconds, less than handing the work to another thread
//! and being woken by it. Operations therefore run in place.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use rusqlite::Connection;

use super::request_body;
use crate::api::fields::Fields;
use crate::api::json;
use crate::api::operation::{Operation, PREFIX};
use crate::api::problem::{Problem, quote};
use crate::api::query::Query;
use crate::app::App;
use crate::faults::{Aborted, Effect};
use crate::journal::RequestContext;
use crate::service::{self, request::ApiRequest};

/// The service as one router.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let mut router = Router::new();
    for operation in Operation::ALL {
        let path = format!("{PREFIX}{}", operation.path());
        router = router.route(&path, route(*operation));
    }
    router
        .fallback(async |request: Request| {
            let path = quote(request.uri().path());
            let message = format!("there is nothing at {path}; all paths begin with {PREFIX}");
            Problem::not_found(message).into_response()
        })
        .method_not_allowed_fallback(async |request: Request| {
            Problem::method_not_allowed(request.method(), request.uri()).into_response()
        })
        .layer(middleware::from_fn_with_state(Arc::clone(app), record))
        .with_state(Arc::clone(app))
}

/// Adds the request to the journal when it ends.
async fn record(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let context = Arc::new(RequestContext::new(&app.journal, &app.clock, &request));
    request.extensions_mut().insert(Arc::clone(&context));
    let response = next.run(request).await;
    if response.extensions().get::<Aborted>().is_none() {
        context.record().status = Some(response.status());
    }
    response
}

type Body = Result<Bytes, Problem>;
type PathParams = Result<RawPathParams, RawPathParamsRejection>;

fn route(operation: Operation) -> MethodRouter<Arc<App>> {
    let filter = MethodFilter::try_from(operation.method()).unwrap_or(MethodFilter::GET);
    let serve = async move |State(app): State<Arc<App>>, params: PathParams, request: Request| {
        // `record` wraps all routes.
        let Some(context) = request.extensions().get::<Arc<RequestContext>>().cloned() else {
            return Problem::internal("the request is not in the journal").into_response();
        };
        let handler = Handler {
            app,
            operation,
            context,
        };
        let (parts, body) = request.into_parts();
        // Always the whole body, so that a client that sends it first gets the response, also that of a fault.
        let body = request_body::read(body).await;
        handler.respond(params, &parts, body).await
    };
    on(filter, serve)
}

/// Serves one request to a known operation.
struct Handler {
    app: Arc<App>,
    operation: Operation,
    context: Arc<RequestContext>,
}

impl Handler {
    /// Runs the operation, with the effects that the fault plan chooses for the request.
    async fn respond(&self, params: PathParams, parts: &Parts, body: Body) -> Response {
        let Self { app, operation, .. } = self;
        if let Ok(body) = &body {
            self.context.record().body_size = body.len() as u64;
        }
        let chosen = app.faults.choose(*operation, app.clock.now());
        self.context.record().operation = Some(*operation);
        let Some(faults) = self.context.set_faults(chosen) else {
            return match self.run(params, parts, body) {
                Ok(body) => json::response(body),
                Err(problem) => problem.into_response(),
            };
        };
        if let Some(delay) = faults.delay() {
            tokio::time::sleep(delay).await;
        }
        if faults.apply(&Effect::RevokeTokens) {
            app.tokens.revoke_all();
        }
        let response = match faults.response(app.clock.now()) {
            Some(aborted) if aborted.extensions().get::<Aborted>().is_some() => return aborted,
            Some(response) => response,
            None => match self.run(params, parts, body) {
                Ok(body) => json::response(faults.reshape(*operation, body)),
                Err(problem) => problem.into_response(),
            },
        };
        faults.transmit(faults.announce(response)).await
    }

    /// Checks the request and runs its operation.
    fn run(&self, params: PathParams, parts: &Parts, body: Body) -> Result<Vec<u8>, Problem> {
        let Self { app, operation, .. } = self;
        if operation.needs_token() {
            let header = parts.headers.get(header::AUTHORIZATION);
            let header = header.and_then(|value| value.to_str().ok());
            app.tokens.check(header, app.clock.now())?;
        }
        let params = params.map_err(|_| {
            let message = "the path is not UTF-8; percent-encode ids as UTF-8";
            Problem::malformed("bad_path", message)
        })?;
        let params: Vec<_> = params.iter().map(|(_, value)| value.to_owned()).collect();
        let query = Query::parse(parts.uri.query(), operation.query())?;
        let body = if let Some(schema) = operation.body() {
            request_body::check_is_json(&parts.headers)?;
            Fields::parse(&body?, schema)?
        } else {
            Fields::default()
        };
        let (faults, now) = (self.context.faults(), app.clock.now());
        let result = if *operation == Operation::GetToken {
            app.tokens.issue(&body, &app.settings, faults, now)
        } else {
            app.catch_up(now)?;
            let request = ApiRequest {
                operation: *operation,
                params: &params,
                query,
                body,
                now: app.clock.seconds(),
                faults,
                settings: &app.settings,
                counts: &app.counts,
            };
            let work = |connection: &Connection| service::run(connection, &request);
            if operation.writes() {
                app.store.write(work)
            } else {
                app.store.read(work)
            }
        };
        self.context.record().processed = result.is_ok();
        result
    }
}
