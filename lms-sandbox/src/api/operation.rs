//! The properties of operations, from the table that is generated from the document.
//!
//! The router is made from it; the journal and the fault plan name operations by it.

use axum::http::Method;

pub use super::generated::Operation;
use super::generated::ROWS;
use super::schema::{Row, Schema};

/// The prefix of all paths.
pub(crate) const PREFIX: &str = "/api/v1";

impl Operation {
    /// The rows are in the order of the variants.
    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The operation's id, such as `listLearners`.
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// The HTTP method.
    pub fn method(self) -> Method {
        self.row().method.parse().unwrap_or_default()
    }

    /// The path below `/api/v1`, with parameters in braces.
    pub fn path(self) -> &'static str {
        self.row().path
    }

    /// Returns `true` if the operation needs a bearer token. Only `test` and `getToken` do not.
    pub fn needs_token(self) -> bool {
        self.row().needs_token
    }

    /// Returns `true` if the operation changes the store. Polling a duplication does: each poll advances it.
    pub(crate) fn writes(self) -> bool {
        self == Self::ViewDuplicateCourse
            || (self.method() != Method::GET && self != Self::GetToken)
    }

    /// The names of the query parameters.
    pub(crate) fn query(self) -> &'static [&'static str] {
        self.row().query
    }

    /// The schema of the body of a request; `None` if it has no body.
    pub(crate) fn body(self) -> Option<&'static Schema> {
        self.row().body
    }

    /// The schema of the 200 response; `None` if it has no body.
    pub(crate) fn response(self) -> Option<&'static Schema> {
        self.row().response
    }

    /// Returns `true` if the operation returns a page of a list.
    pub(crate) fn is_paginated(self) -> bool {
        self.response()
            .is_some_and(|schema| schema.field("more").is_some())
    }
}
