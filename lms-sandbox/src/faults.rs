//! How is the sandbox a bad tenant, on request?
//!
//! What is done to a request is decided here, at three places that the router passes: before the operation is
//! carried out, which may be answered in its place; while a page is made; and on the body of a good answer. The
//! handlers know nothing of it.

mod quirks;
mod reshape;

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::body::Body;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;

pub use self::quirks::Quirks;
use crate::operations::Operation;
use crate::problem::Problem;

/// The page a gateway answers with when there is nothing behind it.
const UNAVAILABLE: &str = "<!DOCTYPE html>\n<html><head><title>503 Service Unavailable</title></head>\
     <body><h1>Service Unavailable</h1><p>The server is temporarily unable to service your request.</p></body></html>\n";

/// What is done to the requests of one sandbox.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    quirks: Quirks,
    requests: AtomicU32,
    gets: AtomicU32,
    pages: AtomicU32,
}

impl Faults {
    pub(crate) fn new(quirks: Quirks) -> Self {
        Self {
            quirks,
            ..Self::default()
        }
    }

    /// The answer to give in place of carrying out the operation, if there is to be one.
    pub(crate) fn before(&self, operation: Operation) -> Option<Response> {
        if is_turn(self.quirks.rate_limit, &self.requests) {
            let mut response = Problem::rate_limited().into_response();
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from_static("0"));
            return Some(response);
        }
        if operation.method() == Method::GET && is_turn(self.quirks.html_503, &self.gets) {
            let mut response = Response::new(Body::from(UNAVAILABLE));
            *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
            response.headers_mut().insert(
                header::CONTENT_TYPE,
                HeaderValue::from_static("text/html; charset=utf-8"),
            );
            return Some(response);
        }
        None
    }

    /// Whether to send an empty page with `more: true` first.
    pub(crate) fn pause(&self, operation: Operation) -> bool {
        operation.is_page() && is_turn(self.quirks.empty_pages, &self.pages)
    }

    /// The body to send in place of a good answer's.
    pub(crate) fn reshape(&self, operation: Operation, body: Vec<u8>) -> Vec<u8> {
        match operation.response() {
            Some(schema) if self.quirks.reshape() => reshape::reshape(&self.quirks, schema, body),
            _ => body,
        }
    }
}

/// Counts, and says whether this is an Nth.
fn is_turn(every: Option<NonZeroU32>, counter: &AtomicU32) -> bool {
    every
        .is_some_and(|every| (counter.fetch_add(1, Ordering::Relaxed).wrapping_add(1)) % every == 0)
}
