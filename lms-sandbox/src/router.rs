//! How does a request become an answer?
//!
//! The routes are made from the table of operations. Every request goes the same way: the journal; what the fault
//! plan does before; the token; the body; the operation, on the store; what the fault plan does to the answer.
//!
//! SQLite blocks. A single row is read or written in some ten microseconds, though, which is less than it takes to
//! hand it to another thread and wake this one again (measured on one connection: 30,000 single reads a second in
//! place, 15,000 handed over; pages of 200 rows take either way about the same). So work is done in place when a
//! connection is free at that moment. Work that may touch any number of rows, and work that would have to wait,
//! goes to a thread for blocking work.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware;
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use http_body_util::{BodyExt, LengthLimitError, Limited};

use crate::app::App;
use crate::body::Fields;
use crate::call::Call;
use crate::faults::{Effect, Severed};
use crate::journal::{self, Entry};
use crate::limits::Limits;
use crate::operations::{Operation, PREFIX};
use crate::problem::Problem;
use crate::query::Query;
use crate::service;

/// The whole service as one router.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let mut router = Router::new();
    for operation in Operation::ALL {
        router = router.route(&format!("{PREFIX}{}", operation.path()), route(*operation));
    }
    router
        .fallback(async |request: Request| {
            let path = crate::problem::shorten(request.uri().path());
            Problem::not_found(format!(
                "there is nothing at {path}; all paths begin with {PREFIX}"
            ))
            .into_response()
        })
        .method_not_allowed_fallback(async |request: Request| {
            Problem::wrong_method(request.method().as_str(), request.uri().path()).into_response()
        })
        .layer(middleware::from_fn_with_state(
            Arc::clone(app),
            journal::record,
        ))
        .with_state(Arc::clone(app))
}

fn route(operation: Operation) -> MethodRouter<Arc<App>> {
    let filter = MethodFilter::try_from(operation.method()).unwrap_or(MethodFilter::GET);
    on(
        filter,
        async move |State(app): State<Arc<App>>,
                    params: Result<RawPathParams, RawPathParamsRejection>,
                    request: Request| { serve(&app, operation, params, request).await },
    )
}

/// Serves a request to a known operation, with whatever the fault plan does to it.
async fn serve(
    app: &Arc<App>,
    operation: Operation,
    params: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
) -> Response {
    // The journal is around all routes.
    let Some(entry) = request.extensions().get::<Arc<Entry>>().cloned() else {
        return Problem::internal("the request is in no journal").into_response();
    };
    let case = entry.case();
    case.name(operation, app.faults.verdict(operation, app.clock.now()));
    let Some(verdict) = case.verdict() else {
        return match answer(app, operation, params, request, &entry).await {
            Ok(body) => success(body),
            Err(problem) => problem.into_response(),
        };
    };
    if let Some(delay) = verdict.delay() {
        tokio::time::sleep(delay).await;
    }
    if verdict.does(&Effect::RevokeTokens) {
        app.tokens.revoke();
    }
    if let Some(response) = verdict.answer(app.clock.now()) {
        // An answer that a rule makes goes the same way as one of the service.
        return match response.extensions().get::<Severed>() {
            Some(_) => response,
            None => verdict.send(response).await,
        };
    }
    let response = match answer(app, operation, params, request, &entry).await {
        Ok(body) => success(verdict.reshape(operation, body)),
        Err(problem) => problem.into_response(),
    };
    verdict.send(response).await
}

fn success(body: Vec<u8>) -> Response {
    let is_empty = body.is_empty();
    let mut response = Response::new(Body::from(body));
    if !is_empty {
        response.headers_mut().insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
    }
    response
}

/// Checks a request to a known operation and has it carried out.
async fn answer(
    app: &Arc<App>,
    operation: Operation,
    params: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
    entry: &Arc<Entry>,
) -> Result<Vec<u8>, Problem> {
    let case = entry.case();
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
            "the path holds something that is not UTF-8; percent-encode ids as UTF-8",
        )
    })?;
    let params: Vec<String> = params.iter().map(|(_, value)| value.to_owned()).collect();
    let query = Query::parse(request.uri().query(), operation.query())?;
    let body = if operation.has_body() {
        let (parts, body) = request.into_parts();
        check_content_type(&parts.headers)?;
        let body = read(body, &app.limits).await?;
        case.note_body(body.len() as u64);
        Fields::parse(&body)?
    } else {
        Fields::default()
    };
    if operation == Operation::GetToken {
        let now = app.clock.now();
        let issued = app.tokens.issue(&body, &app.settings, case.verdict(), now);
        case.note(&issued);
        return issued;
    }
    live_on(app).await?;
    carry_out(app, operation, params, query, body, entry).await
}

/// Lets the learners do what they should have done by now.
async fn live_on(app: &Arc<App>) -> Result<(), Problem> {
    let now = app.clock.now();
    if !app.life.as_ref().is_some_and(|life| life.is_due(now)) {
        return Ok(());
    }
    let app = Arc::clone(app);
    let done = tokio::task::spawn_blocking(move || app.catch_up(now));
    done.await
        .unwrap_or_else(|error| Err(Problem::internal(format!("learners got stuck: {error}"))))
}

/// Carries out an operation where it disturbs the others least.
async fn carry_out(
    app: &Arc<App>,
    operation: Operation,
    params: Vec<String>,
    query: Query,
    body: Fields,
    entry: &Arc<Entry>,
) -> Result<Vec<u8>, Problem> {
    let now = app.clock.seconds();
    let (shared, judged) = (Arc::clone(app), Arc::clone(entry));
    let work = move |connection: &rusqlite::Connection| {
        let (settings, counts) = (&shared.settings, shared.store.counts.now());
        service::carry_out(
            connection,
            &Call {
                operation,
                params: &params,
                query,
                body,
                now,
                verdict: judged.case().verdict(),
                settings,
                counts,
            },
        )
    };
    let work = if operation.is_long() {
        work
    } else {
        let done = if operation.writes() {
            app.store.write_now(work)
        } else {
            app.store.read_now(work)
        };
        match done {
            Ok(result) => {
                entry.case().note(&result);
                return result;
            }
            Err(work) => work,
        }
    };
    // The entry is held until the work is done, also if nobody waits for it any more.
    let (app, entry) = (Arc::clone(app), Arc::clone(entry));
    let done = tokio::task::spawn_blocking(move || {
        let done = if operation.writes() {
            app.store.write(work)
        } else {
            app.store.read(work)
        };
        entry.case().note(&done);
        done
    });
    done.await.unwrap_or_else(|error| {
        Err(Problem::internal(format!(
            "the request was abandoned: {error}"
        )))
    })
}

pub(crate) fn check_content_type(headers: &HeaderMap) -> Result<(), Problem> {
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let media_type = content_type
        .and_then(|value| value.split(';').next())
        .map(str::trim);
    let is_json = media_type.is_some_and(|media_type| {
        let media_type = media_type.to_ascii_lowercase();
        media_type == "application/json"
            || (media_type.starts_with("application/") && media_type.ends_with("+json"))
    });
    if is_json {
        Ok(())
    } else {
        Err(Problem::not_json(content_type))
    }
}

/// Reads a body, within a size and a time.
pub(crate) async fn read(body: Body, limits: &Limits) -> Result<Bytes, Problem> {
    let whole = Limited::new(body, limits.body).collect();
    match tokio::time::timeout(limits.body_patience, whole).await {
        Err(_) => Err(Problem::too_slow()),
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Problem::too_large(limits.body)),
        Ok(Err(error)) => Err(Problem::malformed(
            "bad_body",
            format!("the body did not arrive whole: {error}"),
        )),
    }
}
