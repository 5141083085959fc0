//! What is known of an operation before it is sent.

use reqwest::Method;

use super::CallOptions;
use crate::values::OperationInfo;

pub use lms_client::transport::PreparedRequest;

/// A builder of the generated client, seen as the operation it is for.
///
/// Implemented for every builder by generated code; what it makes possible is in
/// [`Call`](crate::Call) and, for lists, in [`Walk`](crate::Walk).
pub trait Operation: Sized {
    /// What a successful answer carries; `()` for none.
    type Output: serde::de::DeserializeOwned + Send + 'static;

    /// What is known of the operation.
    const INFO: &'static OperationInfo;

    /// Takes the request out of the builder; nothing is sent.
    ///
    /// # Errors
    ///
    /// When the builder lacks a parameter or holds one that cannot be sent.
    #[expect(
        clippy::result_large_err,
        reason = "it is the error that every builder's `send` gives"
    )]
    fn prepare(self) -> Result<PreparedRequest, lms_client::Error>;

    /// What this call does differently from others of its client.
    fn call_options(&self) -> CallOptions {
        CallOptions::default()
    }
}

/// A builder of an operation that lists something.
pub trait List: Operation {
    /// One row of the list.
    type Item: serde::de::DeserializeOwned + Send + 'static;

    /// Whether the list comes in pages that a cursor joins; if not, it comes whole.
    const CURSOR: bool;
}

/// The operations that only a tenant's own document knows, by their method.
///
/// Their builders are generated into `lms-client` and not into this crate; their raw `send()` comes
/// through here all the same, and is treated as its method allows.
static OTHERS: [OperationInfo; 5] = [
    other(Method::GET, true),
    other(Method::PUT, true),
    other(Method::DELETE, true),
    other(Method::POST, false),
    other(Method::PATCH, false),
];

const fn other(method: Method, idempotent: bool) -> OperationInfo {
    OperationInfo {
        id: "other_operation",
        method,
        path: "",
        path_parameters: &[],
        query_parameters: &[],
        authenticated: true,
        idempotent,
    }
}

/// What is known of an operation by its id, or by the method of its request.
pub(crate) fn lookup(id: &str, method: &Method) -> Option<&'static OperationInfo> {
    super::OPERATIONS
        .iter()
        .find(|operation| operation.id == id)
        .or_else(|| OTHERS.iter().find(|operation| operation.method == *method))
}
