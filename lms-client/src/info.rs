//! The properties of operations, for code that handles any operation.

use reqwest::Method;

/// An operation of the service, as the document describes it.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperationInfo {
    /// The name of the Rust method, for example `list_learners`.
    pub id: &'static str,
    /// The HTTP method.
    pub method: Method,
    /// The path template relative to the server URL, for example `/learners/{id}`.
    pub path: &'static str,
    /// Names of the path parameters.
    pub path_parameters: &'static [&'static str],
    /// Names of the query parameters.
    pub query_parameters: &'static [&'static str],
    /// Names of the parameters that hold the id of an object: their format ends in `-id`.
    pub id_parameters: &'static [&'static str],
    /// Names of the fields of a success. Empty if it is not an object.
    pub response_fields: &'static [&'static str],
    /// `true` if requests need a bearer token ([Authentication](crate::service#authentication)).
    pub authenticated: bool,
    /// `true` if sending the request twice has the same effect as sending it once. This is the case for every method
    /// except POST, and for the token endpoint, which changes nothing.
    pub idempotent: bool,
    /// `true` if a success has content. If not, its body is ignored.
    pub has_content: bool,
    /// `true` if a success contains the id of the added object: a POST whose response has a property `id`.
    pub creates: bool,
}

impl OperationInfo {
    /// `true` if the operation only reads: its method is GET.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.method == Method::GET
    }
}

/// The properties of requests that the document does not describe, one entry for each method.
///
/// They are for code that sends requests by method and path. The path of an entry is empty. All of these requests need
/// a token. POST and PATCH are not idempotent, because both may add data.
pub static UNDOCUMENTED: &[OperationInfo] = &[
    undocumented("undocumented_get", Method::GET, true),
    undocumented("undocumented_put", Method::PUT, true),
    undocumented("undocumented_delete", Method::DELETE, true),
    undocumented("undocumented_post", Method::POST, false),
    undocumented("undocumented_patch", Method::PATCH, false),
];

const fn undocumented(id: &'static str, method: Method, idempotent: bool) -> OperationInfo {
    OperationInfo {
        id,
        method,
        path: "",
        path_parameters: &[],
        query_parameters: &[],
        id_parameters: &[],
        response_fields: &[],
        authenticated: true,
        idempotent,
        has_content: true,
        creates: false,
    }
}
