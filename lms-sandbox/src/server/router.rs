//! How a request becomes a response.
//!
//! The routes are generated from the table of operations. Every request passes the same layers: the journal; faults
//! that act before the operation; the token; the body; the operation, on the store; faults that act on the response.
//!
//! SQLite blocks. Reading or writing a single row takes about ten microseconds, though, less than handing the work to
//! another thread and being woken by it (measured on one connection: 30,000 single reads per second in place, 15,000
//! handed over; no difference for pages of 200 rows). So work runs in place if a connection is free. Operations that
//! may touch any number of rows, and work that would have to wait, go to a thread for blocking work.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::header;
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};

use super::body::read_json;
use super::limits::Limits;
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
pub(crate) fn router(app: &Arc<App>, limits: Limits) -> Router {
    let mut router = Router::new();
    for operation in Operation::ALL {
        let path = format!("{PREFIX}{}", operation.path());
        router = router.route(&path, route(*operation, limits));
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
        context.set_status(response.status());
    }
    response
}

type PathParams = Result<RawPathParams, RawPathParamsRejection>;

fn route(operation: Operation, limits: Limits) -> MethodRouter<Arc<App>> {
    let filter = MethodFilter::try_from(operation.method()).unwrap_or(MethodFilter::GET);
    on(
        filter,
        async move |State(app): State<Arc<App>>, params: PathParams, request: Request| {
            // `record` wraps all routes.
            let Some(context) = request.extensions().get::<Arc<RequestContext>>().cloned() else {
                return Problem::internal("the request is not in the journal").into_response();
            };
            let handler = Handler {
                app,
                operation,
                limits,
                context,
            };
            handler.respond(params, request).await
        },
    )
}

/// Serves one request to a known operation.
struct Handler {
    app: Arc<App>,
    operation: Operation,
    limits: Limits,
    context: Arc<RequestContext>,
}

impl Handler {
    /// Runs the operation, with the effects that the fault plan chooses for the request.
    async fn respond(&self, params: PathParams, request: Request) -> Response {
        let Self { app, operation, .. } = self;
        let chosen = app.faults.choose(*operation, app.clock.now());
        self.context.set_operation(*operation, chosen);
        let Some(faults) = self.context.faults() else {
            return match self.run(params, request).await {
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
            None => match self.run(params, request).await {
                Ok(body) => json::response(faults.reshape(*operation, body)),
                Err(problem) => problem.into_response(),
            },
        };
        faults.transmit(response).await
    }

    /// Checks the request and runs its operation.
    async fn run(&self, params: PathParams, request: Request) -> Result<Vec<u8>, Problem> {
        let Self { app, operation, .. } = self;
        if operation.needs_token() {
            let header = request
                .headers()
                .get(header::AUTHORIZATION)
                .and_then(|value| value.to_str().ok());
            app.tokens.check(header, app.clock.now())?;
        }
        let params = params.map_err(|_| {
            Problem::malformed(
                "bad_path",
                "the path is not UTF-8; percent-encode ids as UTF-8",
            )
        })?;
        let params = params.iter().map(|(_, value)| value.to_owned()).collect();
        let query = Query::parse(request.uri().query(), operation.query())?;
        let body = if operation.has_body() {
            let body = read_json(request, &self.limits).await?;
            self.context.set_body_size(body.len() as u64);
            Fields::parse(&body)?
        } else {
            Fields::default()
        };
        if *operation == Operation::GetToken {
            let (faults, now) = (self.context.faults(), app.clock.now());
            let issued = app.tokens.issue(&body, &app.settings, faults, now);
            self.context.set_processed(&issued);
            return issued;
        }
        self.catch_up().await?;
        if *operation == Operation::AddDuplicateCourse {
            app.expect_copy();
        }
        self.run_on_store(params, query, body).await
    }

    /// Makes the course copies that are due, and completes the topics that are due in a live tenant.
    async fn catch_up(&self) -> Result<(), Problem> {
        let now = self.app.clock.now();
        if !self.app.is_due(now) {
            return Ok(());
        }
        let app = Arc::clone(&self.app);
        blocking(move || app.catch_up(now)).await
    }

    /// Runs the operation in place if a connection is free and the operation is short, and otherwise on a thread for
    /// blocking work.
    async fn run_on_store(
        &self,
        params: Vec<String>,
        query: Query,
        body: Fields,
    ) -> Result<Vec<u8>, Problem> {
        let operation = self.operation;
        let (app, context) = (Arc::clone(&self.app), Arc::clone(&self.context));
        let now = app.clock.seconds();
        let work = move |connection: &rusqlite::Connection| {
            let request = ApiRequest {
                operation,
                params: &params,
                query,
                body,
                now,
                faults: context.faults(),
                settings: &app.settings,
                counts: app.store.counts.snapshot(),
            };
            service::run(connection, &request)
        };
        let work = if operation.is_long() {
            work
        } else {
            let result = if operation.writes() {
                self.app.store.try_write(work)
            } else {
                self.app.store.try_read(work)
            };
            match result {
                Ok(result) => {
                    self.context.set_processed(&result);
                    return result;
                }
                Err(work) => work,
            }
        };
        // The context is held until the work is done, even if the client disconnects before that.
        let (app, context) = (Arc::clone(&self.app), Arc::clone(&self.context));
        blocking(move || {
            let result = if operation.writes() {
                app.store.write(work)
            } else {
                app.store.read(work)
            };
            context.set_processed(&result);
            result
        })
        .await
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let result = tokio::task::spawn_blocking(work).await;
    result.unwrap_or_else(|error| Err(Problem::internal(format!("the request failed: {error}"))))
}
