//! What is known of an operation before it is sent.

use reqwest::Method;

/// One operation of the service, as its OpenAPI document describes it.
///
/// All of them are in [`OPERATIONS`](crate::OPERATIONS).
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperationInfo {
    /// The name of the Rust method, e.g. `list_learners`.
    pub id: &'static str,
    /// The HTTP method.
    pub method: Method,
    /// The path template below `/api/v1`, e.g. `/learners/{id}`.
    pub path: &'static str,
    /// Names of the parameters in the path.
    pub path_parameters: &'static [&'static str],
    /// Names of the parameters behind the `?`.
    pub query_parameters: &'static [&'static str],
    /// Whether a bearer token goes with it: all but `test` and the token endpoint (§5).
    pub authenticated: bool,
    /// Whether sending it twice has the effect of sending it once: all but POST.
    pub idempotent: bool,
}

impl OperationInfo {
    /// Whether it only reads.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.method == Method::GET
    }
}
